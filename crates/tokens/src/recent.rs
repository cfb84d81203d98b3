//! How many tokens short pieces have that were merged lately: the same names come again and again.

use crate::hash;

/// Places; the newest piece takes the place of an older one.
const PLACES: usize = 1024;
/// Bytes of a piece that is remembered.
pub(super) const LONGEST: usize = 16;

/// A piece, its length and how many tokens it has; a length of 0 is a free place.
type Place = ([u64; 2], u8, u8);

/// A piece and where it would be.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    words: [u64; 2],
    length: u8,
    at: usize,
}

/// Pieces of one vocabulary.
#[derive(Default)]
pub(super) struct Recent {
    places: Vec<Place>,
    /// Whose they are.
    vocabulary: usize,
}

impl Recent {
    /// The place of a piece of a text, of at most [`LONGEST`] bytes, and its tokens if they are known.
    pub(super) fn find(
        &mut self,
        text: &[u8],
        start: usize,
        length: usize,
        vocabulary: usize,
    ) -> (Asked, Option<usize>) {
        if self.vocabulary != vocabulary || self.places.is_empty() {
            self.places.clear();
            self.places.resize(PLACES, Place::default());
            self.vocabulary = vocabulary;
        }
        let words = [
            hash::word(text, start, length),
            hash::word(text, start + 8, length.saturating_sub(8)),
        ];
        let asked = Asked {
            words,
            length: length as u8,
            at: (hash::pair(words) >> (64 - PLACES.trailing_zeros())) as usize,
        };
        let known = self
            .places
            .get(asked.at)
            .filter(|place| place.0 == words && place.1 == asked.length);
        (asked, known.map(|place| usize::from(place.2)))
    }

    pub(super) fn keep(&mut self, asked: Asked, count: usize) {
        if let Some(place) = self.places.get_mut(asked.at) {
            *place = (asked.words, asked.length, count as u8);
        }
    }
}
