//! Byte pair encoding of a piece that is no token: the lowest rank first, leftmost on a tie.

use super::hash;
use super::vocabulary::{NONE, Rank, Vocabulary};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Up to here, looking through all pairs for the lowest costs less than keeping them in a queue.
const SHORT: usize = 96;

/// A part of the piece that is merged: a list linked both ways over start offsets.
#[derive(Clone, Copy)]
struct Part {
    previous: usize,
    end: usize,
    /// Rank of this part and the next one together, or `NONE`.
    pair: Rank,
}

/// Buffers, kept from piece to piece.
#[derive(Default)]
pub(super) struct Merger {
    /// The hash of the piece up to each offset.
    hashes: Vec<u64>,
    starts: Vec<u32>,
    ranks: Vec<Rank>,
    parts: Vec<Part>,
    queue: BinaryHeap<Reverse<(Rank, usize)>>,
}

/// A piece and the hashes of its prefixes.
#[derive(Clone, Copy)]
struct Piece<'a> {
    bytes: &'a [u8],
    hashes: &'a [u64],
    vocabulary: &'a Vocabulary,
}

impl Piece<'_> {
    fn rank(&self, start: usize, end: usize) -> Rank {
        let length = end.wrapping_sub(start);
        if length > self.vocabulary.longest {
            return NONE;
        }
        match (
            self.bytes.get(start..end),
            self.hashes.get(start),
            self.hashes.get(end),
        ) {
            (Some(bytes), Some(prefix), Some(whole)) => self
                .vocabulary
                .rank(bytes, hash::after(*prefix, *whole, length)),
            _ => NONE,
        }
    }
}

impl Merger {
    /// How many tokens the piece has.
    pub(super) fn count(&mut self, bytes: &[u8], vocabulary: &Vocabulary) -> usize {
        self.hashes.clear();
        self.hashes.push(0);
        let mut hash = 0;
        for byte in bytes {
            hash = hash::push(hash, *byte);
            self.hashes.push(hash);
        }
        let piece = Piece {
            bytes,
            hashes: &self.hashes,
            vocabulary,
        };
        if bytes.len() <= SHORT {
            return short(&piece, &mut self.starts, &mut self.ranks);
        }
        let mut long = Long {
            piece,
            parts: &mut self.parts,
            queue: &mut self.queue,
        };
        long.count()
    }
}

/// The ranks of neighbouring bytes, and after the last one `NONE`.
fn byte_pairs<'a>(piece: &'a Piece<'_>) -> impl Iterator<Item = Rank> + 'a {
    piece
        .bytes
        .array_windows::<2>()
        .map(|[left, right]| piece.vocabulary.pair(*left, *right))
        .chain([NONE])
}

/// `starts` has where each part starts and, last, where the piece ends; `ranks` the rank of each part
/// and the next one together.
fn short(piece: &Piece<'_>, starts: &mut Vec<u32>, ranks: &mut Vec<Rank>) -> usize {
    starts.clear();
    starts.extend((0..).take(piece.bytes.len() + 1));
    ranks.clear();
    ranks.extend(byte_pairs(piece));
    loop {
        let mut lowest = NONE;
        let mut at = 0;
        for (index, rank) in ranks.iter().enumerate() {
            if *rank < lowest {
                (lowest, at) = (*rank, index);
            }
        }
        if lowest == NONE {
            return ranks.len();
        }
        starts.remove(at + 1);
        ranks.remove(at + 1);
        let start = |part: usize| starts.get(part).map_or(usize::MAX, |start| *start as usize);
        if let Some(rank) = ranks.get_mut(at) {
            *rank = piece.rank(start(at), start(at + 2));
        }
        if let Some(before) = at.checked_sub(1)
            && let Some(rank) = ranks.get_mut(before)
        {
            *rank = piece.rank(start(before), start(at + 1));
        }
    }
}

/// Merging with a queue, in n log n.
struct Long<'a> {
    piece: Piece<'a>,
    parts: &'a mut Vec<Part>,
    queue: &'a mut BinaryHeap<Reverse<(Rank, usize)>>,
}

impl Long<'_> {
    fn count(&mut self) -> usize {
        self.parts.clear();
        self.queue.clear();
        for (at, pair) in byte_pairs(&self.piece).enumerate() {
            self.parts.push(Part {
                previous: at.wrapping_sub(1),
                end: at + 1,
                pair,
            });
            if pair != NONE {
                self.queue.push(Reverse((pair, at)));
            }
        }
        let mut count = self.parts.len();
        while let Some(Reverse((rank, at))) = self.queue.pop() {
            // A pair that changed since it was queued has another rank now.
            if self.parts.get(at).is_some_and(|part| part.pair == rank) {
                self.merge(at);
                count -= 1;
            }
        }
        count
    }

    fn merge(&mut self, at: usize) {
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
        self.rank_pair(at);
        if let Some(previous) = self.parts.get(at).map(|part| part.previous) {
            self.rank_pair(previous);
        }
    }

    /// Looks up the pair that starts at `at`; out of range before the first part.
    fn rank_pair(&mut self, at: usize) {
        let end = self
            .parts
            .get(at)
            .and_then(|part| self.parts.get(part.end))
            .map(|next| next.end);
        let rank = end.map_or(NONE, |end| self.piece.rank(at, end));
        if let Some(part) = self.parts.get_mut(at) {
            part.pair = rank;
            if rank != NONE {
                self.queue.push(Reverse((rank, at)));
            }
        }
    }
}
