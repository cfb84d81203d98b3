//! Byte pair encoding of a piece that is no token: the lowest rank first, leftmost on a tie.

use crate::groups::{NONE, Rank};
use crate::recent::Recent;
use crate::repeats;
use crate::vocabulary::Vocabulary;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

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

/// Offsets or ranks of the parts of a short piece.
type List = [u32; SHORT + 2];

/// Buffers, kept from piece to piece.
pub(super) struct Merger {
    starts: List,
    ranks: List,
    parts: Vec<Part>,
    queue: BinaryHeap<Reverse<(Rank, usize)>>,
    pub(super) recent: Recent,
}

/// A piece of a text.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    /// The text up to the end of the piece and on.
    text: &'a [u8],
    /// The piece alone.
    pub(super) bytes: &'a [u8],
    start: usize,
    vocabulary: &'a Vocabulary,
}

impl Piece<'_> {
    pub(super) fn first_part(&self, at: usize) -> usize {
        self.vocabulary.first_part(self.bytes, at)
    }

    /// The rank of what is from `start` to `end` in the piece.
    pub(super) fn rank(&self, start: usize, end: usize) -> Rank {
        // From the whole text, so that eight bytes can be read at once at the end of the piece as well.
        self.vocabulary
            .rank(self.text, self.start + start, self.start + end)
    }
}

impl Default for Merger {
    fn default() -> Self {
        Self {
            starts: [0; SHORT + 2],
            ranks: [NONE; SHORT + 2],
            parts: Vec::new(),
            queue: BinaryHeap::new(),
            recent: Recent::default(),
        }
    }
}

impl Merger {
    /// How many tokens the piece has.
    // By itself, as all that has loops: an optimizing compiler takes far longer for one long function than
    // for several short ones.
    #[inline(never)]
    pub(super) fn count(
        &mut self,
        text: &[u8],
        which: Range<usize>,
        vocabulary: &Vocabulary,
    ) -> usize {
        let piece = Piece {
            bytes: text.get(which.clone()).unwrap_or_default(),
            text,
            start: which.start,
            vocabulary,
        };
        if piece.bytes.len() <= SHORT {
            return short(&piece, &mut self.starts, &mut self.ranks);
        }
        if let Some(count) = repeats::count(&piece) {
            return count;
        }
        let mut long = Long {
            piece,
            parts: &mut self.parts,
            queue: &mut self.queue,
        };
        long.count()
    }
}

/// `starts` has where each part starts and, last, where the piece ends; `ranks` the rank of each part
/// and the next one together.
#[inline(never)]
fn short(piece: &Piece<'_>, starts: &mut List, ranks: &mut List) -> usize {
    let mut count = 0;
    let mut end = 0;
    while end < piece.bytes.len() {
        set(starts, count, end as u32);
        end += piece.first_part(end);
        count += 1;
    }
    set(starts, count, end as u32);
    for at in 0..count {
        let start = |part: usize| get(starts, part) as usize;
        let rank = match at + 1 < count {
            true => piece.rank(start(at), start(at + 2)),
            false => NONE,
        };
        set(ranks, at, rank);
    }
    let mut lowest = lowest(ranks, count);
    while let Some(at) = lowest {
        count -= 1;
        // What comes after the part that is gone moves up by one.
        for place in at + 1..=count {
            let (start, rank) = (get(starts, place + 1), get(ranks, place + 1));
            set(starts, place, start);
            set(ranks, place, rank);
        }
        let start = |part: usize| get(starts, part) as usize;
        let after = match at + 2 <= count {
            true => piece.rank(start(at), start(at + 2)),
            false => NONE,
        };
        set(ranks, at, after);
        if let Some(before) = at.checked_sub(1) {
            let rank = piece.rank(start(before), start(at + 1));
            set(ranks, before, rank);
        }
        lowest = self::lowest(ranks, count);
    }
    count
}

/// Where the lowest rank is, the first of equal ones.
fn lowest(ranks: &List, count: usize) -> Option<usize> {
    let mut lowest = NONE;
    let mut at = 0;
    for (index, rank) in ranks.iter().take(count).enumerate() {
        if *rank < lowest {
            (lowest, at) = (*rank, index);
        }
    }
    (lowest != NONE).then_some(at)
}

fn get(list: &[u32], at: usize) -> u32 {
    list.get(at).copied().unwrap_or(NONE)
}

fn set(list: &mut [u32], at: usize, value: u32) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}

/// Merging with a queue, in n log n.
struct Long<'a> {
    piece: Piece<'a>,
    parts: &'a mut Vec<Part>,
    queue: &'a mut BinaryHeap<Reverse<(Rank, usize)>>,
}

impl Long<'_> {
    #[inline(never)]
    fn count(&mut self) -> usize {
        self.parts.clear();
        self.queue.clear();
        let unused = Part {
            previous: usize::MAX,
            end: 0,
            pair: NONE,
        };
        self.parts.resize(self.piece.bytes.len(), unused);
        let (mut previous, mut at, mut count) = (usize::MAX, 0, 0);
        while at < self.piece.bytes.len() {
            let end = at + self.piece.first_part(at);
            let pair = match end < self.piece.bytes.len() {
                true => self.piece.rank(at, end + self.piece.first_part(end)),
                false => NONE,
            };
            if let Some(part) = self.parts.get_mut(at) {
                *part = Part {
                    previous,
                    end,
                    pair,
                };
            }
            if pair != NONE {
                self.push(pair, at);
            }
            (previous, at) = (at, end);
            count += 1;
        }
        while let Some(Reverse((rank, at))) = self.queue.pop() {
            // A pair that changed since it was queued has another rank now.
            if self.parts.get(at).is_some_and(|part| part.pair == rank) {
                self.merge(at);
                count -= 1;
            }
        }
        count
    }

    fn push(&mut self, rank: Rank, at: usize) {
        #[cfg(test)]
        crate::steps::step();
        self.queue.push(Reverse((rank, at)));
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
        }
        if rank != NONE {
            self.push(rank, at);
        }
    }
}
