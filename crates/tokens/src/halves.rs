//! Bytes of halves of tokens that were put together lately: the same endings come again and again.

use crate::codes::{Code, Cursor, Half, View};
use crate::format::GROUPS;
use std::cell::RefCell;

/// Places; the newest half takes the place of an older one.
const PLACES: usize = 4096;

/// A short half of a token.
#[derive(Clone, Copy)]
struct Known {
    half: Half,
    length: u32,
    word: u64,
}

/// No half.
const NOTHING: Known = Known {
    half: Half(u32::MAX),
    length: 0,
    word: 0,
};

/// The codes of a group, as far as they were read: none can be told before those before it.
#[derive(Clone, Default)]
struct Read {
    codes: Vec<Option<Code>>,
    end: Cursor,
}

/// Halves of at most eight bytes, and codes, of one vocabulary.
#[derive(Default)]
pub(super) struct Halves {
    places: Vec<Known>,
    groups: Vec<Read>,
    vocabulary: usize,
}

thread_local! {
    static HALVES: RefCell<Halves> = RefCell::default();
}

/// Gives `work` the halves of a vocabulary.
pub(super) fn with<T>(vocabulary: usize, work: impl FnOnce(&mut Halves) -> T) -> T {
    HALVES.with_borrow_mut(|halves| {
        if halves.vocabulary != vocabulary || halves.places.is_empty() {
            halves.places.clear();
            halves.places.resize(PLACES, NOTHING);
            halves.groups.clear();
            halves.groups.resize(GROUPS, Read::default());
            halves.vocabulary = vocabulary;
        }
        work(halves)
    })
}

fn at(half: Half) -> usize {
    (half.0.wrapping_mul(0x9e37_79b1) >> (32 - PLACES.trailing_zeros())) as usize
}

impl Halves {
    /// The bytes of a half and how many they are, if they are known.
    pub(super) fn find(&self, half: Half) -> Option<(u64, usize)> {
        let known = self
            .places
            .get(at(half))
            .filter(|known| known.half == half)?;
        Some((known.word, known.length as usize))
    }

    pub(super) fn keep(&mut self, half: Half, word: u64, length: usize) {
        if let Some(known) = self.places.get_mut(at(half)) {
            *known = Known {
                half,
                length: length as u32,
                word,
            };
        }
    }

    /// What the token of a group at a place is made of.
    pub(super) fn code(&mut self, view: View<'_>, half: Half) -> Option<Code> {
        let read = self.groups.get_mut(half.group())?;
        if half.place() >= read.codes.len() {
            read.to(view, half)?;
        }
        *read.codes.get(half.place())?
    }

    /// The codes of a group that is unpacked are of no more use.
    pub(super) fn forget(&mut self, group: usize) {
        if let Some(read) = self.groups.get_mut(group) {
            *read = Read::default();
        }
    }
}

impl Read {
    #[cold]
    #[inline(never)]
    fn to(&mut self, view: View<'_>, half: Half) -> Option<()> {
        // Engines compile a function better when it runs long or often.
        const AT_ONCE: usize = 64;
        let group = half.group();
        let left = view.codes.size(group).checked_sub(self.codes.len())?;
        if self.codes.is_empty() {
            self.end = view.codes.start(group);
            self.codes.reserve_exact(left);
        }
        let wanted = (half.place() + 1).saturating_sub(self.codes.len());
        let count = wanted.next_multiple_of(AT_ONCE).min(left);
        view.read(group, count, &mut self.end, &mut self.codes);
        Some(())
    }
}
