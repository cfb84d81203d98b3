//! The tokens of a group, and a table to find them in.

use crate::format::Change;
use crate::groups::{LONGEST, NONE, Rank};
use crate::hash;

/// A token: its first eight bytes, its rank, and its length with the place of its other bytes.
#[derive(Clone, Copy)]
struct Token {
    word: u64,
    rank: Rank,
    tail: u32,
}

impl Token {
    fn length(self) -> usize {
        (self.tail & 0xff) as usize
    }
}

/// The tokens that begin alike, and an open-addressed table from their hash to their place.
pub(super) struct Group {
    tokens: Vec<Token>,
    /// Places from 1; 0 is free. At most half are taken.
    slots: Vec<u16>,
    shift: u32,
    /// The bytes of longer tokens after the first eight.
    tails: Vec<u8>,
}

impl Group {
    pub(super) fn with_room(count: usize) -> Self {
        let size = (count * 2).next_power_of_two().max(2);
        Self {
            tokens: Vec::with_capacity(count),
            slots: vec![0; size],
            shift: 64 - size.trailing_zeros(),
            tails: Vec::new(),
        }
    }

    fn tail(&self, token: Token) -> &[u8] {
        let start = (token.tail >> 8) as usize;
        let end = start + token.length().saturating_sub(8);
        self.tails.get(start..end).unwrap_or_default()
    }

    pub(super) fn find(&self, word: u64, length: usize) -> Rank {
        self.look(hash::of(word, &[]), |token| {
            token.word == word && token.length() == length
        })
    }

    /// The same for more than eight bytes; `tail` is what follows them.
    pub(super) fn find_long(&self, word: u64, tail: &[u8]) -> Rank {
        self.look(hash::of(word, tail), |token| {
            token.word == word && token.length() == tail.len() + 8 && same(self.tail(token), tail)
        })
    }

    fn look(&self, hash: u64, is: impl Fn(Token) -> bool) -> Rank {
        let mask = self.slots.len() - 1;
        let mut at = (hash >> self.shift) as usize;
        while let Some(&slot) = self.slots.get(at & mask) {
            let Some(place) = usize::from(slot).checked_sub(1) else {
                return NONE;
            };
            match self.tokens.get(place) {
                Some(token) if is(*token) => return token.rank,
                _ => at += 1,
            }
        }
        NONE
    }

    /// Adds the next token; it keeps its place even where there is nothing to find.
    // Not in one with its callers: engines compile a function better when it runs long, and all that is
    // in it.
    #[inline(never)]
    pub(super) fn push(&mut self, word: u64, length: usize, tail: &[u8], rank: Rank) {
        let start = self.tails.len() as u32;
        if !tail.is_empty() {
            self.tails.extend_from_slice(tail);
        }
        self.tokens.push(Token {
            word,
            rank,
            tail: start << 8 | length as u32,
        });
        if length == 0 {
            return;
        }
        let mask = self.slots.len() - 1;
        let mut at = (hash::of(word, tail) >> self.shift) as usize;
        while let Some(slot) = self.slots.get_mut(at & mask) {
            if *slot == 0 {
                *slot = self.tokens.len() as u16;
                return;
            }
            at += 1;
        }
    }

    /// Tokens so far.
    pub(super) fn count(&self) -> usize {
        self.tokens.len()
    }

    /// The bytes of the token at `place`, and how many they are, if they are at most eight.
    pub(super) fn short(&self, place: usize) -> Option<(u64, usize)> {
        let token = self.tokens.get(place)?;
        let length = token.length();
        (1..=8).contains(&length).then_some((token.word, length))
    }

    /// Writes the bytes of the token at `place` behind `out`.
    pub(super) fn write(&self, place: usize, out: &mut Bytes) -> Option<()> {
        let token = *self.tokens.get(place)?;
        out.push_word(token.word, token.length().min(8))?;
        if token.length() <= 8 {
            return Some(());
        }
        let mut tail = self.tail(token);
        while !tail.is_empty() {
            let length = tail.len().min(8);
            out.push_word(hash::word(tail, 0, length), length)?;
            tail = tail.get(length..).unwrap_or_default();
        }
        Some(())
    }
}

/// Compares eight bytes at a time: most tails are shorter than a call to compare them is worth.
fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let ((left, left_rest), (right, right_rest)) = (left.as_chunks::<8>(), right.as_chunks::<8>());
    left.iter()
        .zip(right)
        .all(|(a, b)| u64::from_le_bytes(*a) == u64::from_le_bytes(*b))
        && left_rest.iter().zip(right_rest).all(|(a, b)| a == b)
}

/// A token in the making.
pub(super) struct Bytes {
    pub(super) bytes: [u8; LONGEST + 8],
    pub(super) length: usize,
}

impl Bytes {
    pub(super) fn push_word(&mut self, word: u64, length: usize) -> Option<()> {
        // All eight bytes at once; what is too much is written over.
        let end = self.length;
        self.bytes
            .get_mut(end..end + 8)?
            .copy_from_slice(&word.to_le_bytes());
        self.length += length;
        (self.length <= LONGEST).then_some(())
    }

    /// Changes what is from `start` on into its variant; nothing if it is too short to have one.
    pub(super) fn change(&mut self, start: usize, change: Change) -> Option<()> {
        if self.length < start + 3 {
            return None;
        }
        match change {
            Change::Upper => self.bytes.get_mut(start + 1)?.make_ascii_uppercase(),
            Change::Bare => {
                self.bytes.get(start..self.length)?;
                self.bytes.copy_within(start + 1..self.length, start);
                self.length -= 1;
            }
        }
        Some(())
    }
}
