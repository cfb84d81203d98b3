//! Bytes of halves of tokens that were put together lately: the same endings come again and again.

use std::cell::RefCell;

/// Places; the newest half takes the place of an older one.
const PLACES: usize = 4096;

/// A short half of a token.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Its key and its place; 0 is no half.
    half: u32,
    length: u32,
    word: u64,
}

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
            halves.places.resize(PLACES, Known::default());
            halves.vocabulary = vocabulary;
        }
        work(halves)
    })
}

fn name(key: usize, place: usize) -> u32 {
    (key as u32) << 15 | place as u32
}

fn at(name: u32) -> usize {
    (name.wrapping_mul(0x9e37_79b1) >> (32 - PLACES.trailing_zeros())) as usize
}

impl Halves {
    /// The bytes of a half and how many they are, if they are known.
    pub(super) fn find(&self, key: usize, place: usize) -> Option<(u64, usize)> {
        let name = name(key, place);
        let known = self
            .places
            .get(at(name))
            .filter(|known| known.half == name)?;
        Some((known.word, known.length as usize))
    }

    pub(super) fn keep(&mut self, key: usize, place: usize, word: u64, length: usize) {
        let half = name(key, place);
        if let Some(known) = self.places.get_mut(at(half)) {
            *known = Known {
                half,
                length: length as u32,
                word,
            };
        }
    }
}
