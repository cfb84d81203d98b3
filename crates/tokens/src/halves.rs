//! Bytes of halves of tokens that were put together lately: the same endings come again and again.

use crate::codes::Half;
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

/// Halves of at most eight bytes, of one vocabulary.
#[derive(Default)]
pub(super) struct Halves {
    places: Vec<Known>,
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
}
