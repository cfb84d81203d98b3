//! A vocabulary unpacked from its merge pairs, and byte pair encoding over it.

use super::split::{Classes, Pattern, pieces};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

type Rank = u32;
const NONE: Rank = Rank::MAX;

/// Which vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    O200k,
    Cl100k,
}

/// Every token's bytes, one after the other, and an open-addressed table from bytes to rank.
pub(super) struct Vocabulary {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    slots: Vec<Rank>,
    longest: usize,
    classes: Classes,
    pattern: Pattern,
}

impl Vocabulary {
    pub(super) fn load(encoding: Encoding) -> Self {
        let (packed, pattern): (&[u8], _) = match encoding {
            Encoding::O200k => (
                include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.bin")),
                Pattern::O200k,
            ),
            Encoding::Cl100k => (
                include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.bin")),
                Pattern::Cl100k,
            ),
        };
        let (bytes, ends) = unpack(packed);
        let mut vocabulary = Self {
            slots: vec![NONE; (ends.len() * 2).next_power_of_two()],
            bytes,
            ends,
            longest: 0,
            classes: Classes::load(),
            pattern,
        };
        vocabulary.fill();
        vocabulary
    }

    fn fill(&mut self) {
        let mask = self.slots.len().saturating_sub(1);
        let mut start = 0;
        for (rank, &end) in (0..).zip(&self.ends) {
            let token = self.bytes.get(start..end as usize).unwrap_or_default();
            start = end as usize;
            self.longest = self.longest.max(token.len());
            let mut at = hash(token) & mask;
            while self.slots.get(at).is_some_and(|slot| *slot != NONE) {
                at = (at + 1) & mask;
            }
            if let Some(slot) = self.slots.get_mut(at) {
                *slot = rank;
            }
        }
    }

    fn token(&self, rank: Rank) -> Option<&[u8]> {
        let rank = rank as usize;
        let start = match rank.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.bytes
            .get(start as usize..*self.ends.get(rank)? as usize)
    }

    /// The rank of these bytes, if they are a token.
    fn rank(&self, bytes: &[u8]) -> Option<Rank> {
        if bytes.len() > self.longest {
            return None;
        }
        let mask = self.slots.len().saturating_sub(1);
        let mut at = hash(bytes) & mask;
        loop {
            let rank = *self.slots.get(at)?;
            match self.token(rank) {
                Some(token) if token == bytes => return Some(rank),
                Some(_) => at = (at + 1) & mask,
                None => return None,
            }
        }
    }

    /// How many tokens `text` has; special tokens in it count as plain text.
    pub(super) fn count(&self, text: &str) -> usize {
        let mut merger = Merger::default();
        pieces(text, &self.classes, self.pattern)
            .map(|piece| match self.rank(piece.as_bytes()) {
                Some(_) => 1,
                None => merger.count(piece.as_bytes(), self),
            })
            .sum()
    }
}

/// Token bytes and where each ends, from 256 single bytes and six planes of merge pairs.
fn unpack(packed: &[u8]) -> (Vec<u8>, Vec<u32>) {
    let (single, pairs) = packed.split_at_checked(256).unwrap_or_default();
    let size = pairs.len() / 6;
    let byte = |plane: usize, at: usize| pairs.get(plane * size + at).copied().unwrap_or_default();
    let mut bytes = single.to_vec();
    let mut ends: Vec<u32> = (1..).take(single.len()).collect();
    for at in 0..size {
        for plane in [0, 3] {
            let half =
                u32::from_le_bytes([byte(plane, at), byte(plane + 1, at), byte(plane + 2, at), 0]);
            let end = ends.get(half as usize).copied().unwrap_or_default();
            let start = (half as usize)
                .checked_sub(1)
                .and_then(|before| ends.get(before));
            bytes.extend_from_within(start.copied().unwrap_or_default() as usize..end as usize);
        }
        ends.push(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
    }
    (bytes, ends)
}

/// Eight bytes at a time, multiplied and folded. Only speed depends on it.
fn hash(bytes: &[u8]) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let word = chunk
            .iter()
            .fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
        state = (state.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    }
    (state >> 32) as usize
}

/// A part of the piece that is merged: a list linked both ways over start offsets.
#[derive(Clone, Copy)]
struct Part {
    previous: usize,
    end: usize,
    /// Rank of this part and the next one together, or `NONE`.
    pair: Rank,
}

/// Merges the lowest rank first, leftmost on a tie, in n log n.
#[derive(Default)]
struct Merger {
    parts: Vec<Part>,
    queue: BinaryHeap<Reverse<(Rank, usize)>>,
}

impl Merger {
    fn count(&mut self, piece: &[u8], vocabulary: &Vocabulary) -> usize {
        self.parts.clear();
        self.queue.clear();
        self.parts.extend((0..piece.len()).map(|at| Part {
            previous: at.wrapping_sub(1),
            end: at + 1,
            pair: NONE,
        }));
        for at in 0..piece.len() {
            self.rank_pair(at, piece, vocabulary);
        }
        let mut count = piece.len();
        while let Some(Reverse((rank, at))) = self.queue.pop() {
            // A pair that changed since it was queued has another rank now.
            if self.parts.get(at).is_some_and(|part| part.pair == rank) {
                self.merge(at, piece, vocabulary);
                count -= 1;
            }
        }
        count
    }

    fn merge(&mut self, at: usize, piece: &[u8], vocabulary: &Vocabulary) {
        let Some(right) = self.parts.get(at).map(|part| part.end) else {
            return;
        };
        let Some(gone) = self.parts.get_mut(right) else {
            return;
        };
        gone.pair = NONE;
        let end = gone.end;
        if let Some(part) = self.parts.get_mut(at) {
            part.end = end;
        }
        if let Some(next) = self.parts.get_mut(end) {
            next.previous = at;
        }
        self.rank_pair(at, piece, vocabulary);
        if let Some(previous) = self.parts.get(at).map(|part| part.previous) {
            self.rank_pair(previous, piece, vocabulary);
        }
    }

    /// Looks up the pair that starts at `at`; out of range before the first part.
    fn rank_pair(&mut self, at: usize, piece: &[u8], vocabulary: &Vocabulary) {
        let end = self
            .parts
            .get(at)
            .and_then(|part| self.parts.get(part.end))
            .map(|next| next.end);
        let rank = end
            .and_then(|end| piece.get(at..end))
            .and_then(|pair| vocabulary.rank(pair))
            .unwrap_or(NONE);
        if let Some(part) = self.parts.get_mut(at) {
            part.pair = rank;
            if rank != NONE {
                self.queue.push(Reverse((rank, at)));
            }
        }
    }
}
