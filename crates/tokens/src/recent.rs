//! How many tokens short pieces have that were counted lately: the same words come again and again, and what
//! is kept here lies closer together than in a vocabulary.

use crate::hash;

/// Places; the newest piece takes the place of an older one.
const PLACES: usize = 8192;
/// Bytes of a piece that is remembered.
pub(super) const LONGEST: usize = 15;

/// Where in the second word of a piece its length stands, above its bytes.
const LENGTH: u32 = 60;
/// Where below that how many tokens it has.
const COUNT: u32 = 56;

/// A piece: its bytes, zeros after them, and its length.
#[derive(Clone, Copy)]
pub(super) struct Piece([u64; 2]);

impl Piece {
    /// Of at most [`LONGEST`] bytes, zeros after them.
    pub(super) fn new([first, second]: [u64; 2], length: usize) -> Self {
        Self([first, second | (length as u64) << LENGTH])
    }

    pub(super) fn of(text: &[u8], start: usize, length: usize) -> Self {
        let words = [
            hash::word(text, start, length),
            match length > 8 {
                true => hash::word(text, start + 8, length - 8),
                false => 0,
            },
        ];
        Self::new(words, length)
    }

    fn place(self) -> usize {
        let Self(words) = self;
        (hash::pair(words) >> (64 - PLACES.trailing_zeros())) as usize
    }
}

/// Pieces of one vocabulary.
#[derive(Default)]
pub(super) struct Recent {
    places: Vec<[u64; 2]>,
    /// Whose they are.
    vocabulary: usize,
}

impl Recent {
    /// Forgets what is of another vocabulary.
    pub(super) fn of(&mut self, vocabulary: usize) {
        if self.vocabulary != vocabulary || self.places.is_empty() {
            self.places.clear();
            self.places.resize(PLACES, [0; 2]);
            self.vocabulary = vocabulary;
        }
    }

    /// The tokens of a piece, if they are known.
    pub(super) fn find(&self, piece: Piece) -> Option<usize> {
        let Piece([first, second]) = piece;
        let place = *self.places.get(piece.place())?;
        let count = (place[1] ^ second) >> COUNT;
        // Word by word: what was just written in two parts cannot be read as one without waiting.
        let is_same = (place[0] ^ first) | (place[1] ^ second ^ count << COUNT) == 0;
        (is_same && count < 16).then_some(count as usize)
    }

    /// Keeps that a piece has so many tokens.
    pub(super) fn keep(&mut self, piece: Piece, count: usize) {
        let Piece([first, second]) = piece;
        if let Some(place) = self.places.get_mut(piece.place()) {
            *place = [first, second | (count as u64) << COUNT];
        }
    }
}
