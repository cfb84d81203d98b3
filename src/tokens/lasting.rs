//! Counts of texts that come again turn by turn: instructions, tool schemas, memories.

use super::Counter;
use crate::error::Result;
use crate::sorted::Map;
use std::cell::RefCell;
use std::rc::Rc;

/// Bytes of texts that are remembered; with more, all are forgotten and come in anew.
const ROOM: usize = 1 << 20;
/// For a text that is shorter, looking it up takes as long as counting it.
const SHORT: usize = 12;

/// Counts a text once, while there is room to remember it.
pub(super) struct Lasting {
    counter: Rc<dyn Counter>,
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    counts: Map<Box<str>, usize>,
    bytes: usize,
}

impl Lasting {
    pub(super) fn new(counter: Rc<dyn Counter>) -> Self {
        Self {
            counter,
            known: RefCell::default(),
        }
    }
}

impl Counter for Lasting {
    fn count(&self, text: &str) -> Result<usize> {
        if !(SHORT..=ROOM / 4).contains(&text.len()) {
            return self.counter.count(text);
        }
        if let Some(count) = self.known.borrow().counts.get(text) {
            return Ok(*count);
        }
        // Not held while a counter of the caller's runs, which may count by us again.
        let count = self.counter.count(text)?;
        let known = &mut *self.known.borrow_mut();
        if known.bytes + text.len() > ROOM {
            *known = Known::default();
        }
        let before = known.counts.len();
        known.counts.extend([(text.into(), count)]);
        if known.counts.len() > before {
            known.bytes += text.len();
        }
        Ok(count)
    }

    fn identity(&self) -> Option<String> {
        self.counter.identity()
    }

    fn is_ready(&self) -> bool {
        self.counter.is_ready()
    }
}
