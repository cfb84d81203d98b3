//! Byte pair encoding of a piece that is no token: the lowest rank first, leftmost on a tie.

use crate::groups::{NONE, Rank};
use crate::recent::Recent;
use crate::repeats;
use crate::vocabulary::{self, Vocabulary};
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

/// Room for the parts of a short piece and for what is behind the last one.
const ROOM: usize = SHORT + 8;
/// Bits of the number of a part.
const NUMBER: u32 = 7;

/// The parts of a short piece, by their numbers.
struct Short {
    starts: [u32; ROOM],
    next: [u32; ROOM],
    previous: [u32; ROOM],
    /// The rank of each part and the next one together and, below it, the part's number; or `NONE`.
    pairs: [u32; ROOM],
}

/// Buffers, kept from piece to piece.
pub(super) struct Merger {
    short: Short,
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
    characters: &'a [u8],
}

impl Piece<'_> {
    pub(super) fn first_part(&self, at: usize) -> usize {
        vocabulary::first_part(self.bytes, at, self.characters)
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
            short: Short {
                starts: [0; ROOM],
                next: [0; ROOM],
                previous: [0; ROOM],
                pairs: [NONE; ROOM],
            },
            parts: Vec::new(),
            queue: BinaryHeap::new(),
            recent: Recent::default(),
        }
    }
}

impl Merger {
    /// How many tokens the piece has.
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
            characters: vocabulary.characters(),
        };
        if piece.bytes.len() <= SHORT {
            return short(&piece, &mut self.short);
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

// By itself, as all that has loops: an optimizing compiler takes far longer for one long function than for
// several short ones.
/// A part is told by its number all along: whoever is merged into the one before is left out.
#[inline(never)]
fn short(piece: &Piece<'_>, parts: &mut Short) -> usize {
    let mut count = 0;
    let mut end = 0;
    while end < piece.bytes.len() {
        parts.begin(count, end);
        end += piece.first_part(end);
        count += 1;
    }
    parts.begin(count, end);
    let (eights, _) = parts.pairs.as_chunks_mut::<8>();
    for eight in eights.iter_mut().take(count.div_ceil(8)) {
        *eight = [NONE; 8];
    }
    for at in 1..count {
        parts.rank(piece, at - 1, count);
    }
    let mut left = count;
    while let Some(at) = parts.lowest(count) {
        left -= 1;
        let right = get(&parts.next, at);
        let after = get(&parts.next, right as usize);
        set(&mut parts.pairs, right as usize, NONE);
        set(&mut parts.next, at, after);
        set(&mut parts.previous, after as usize, at as u32);
        parts.rank(piece, at, count);
        if at > 0 {
            parts.rank(piece, get(&parts.previous, at) as usize, count);
        }
    }
    left
}

impl Short {
    fn begin(&mut self, part: usize, start: usize) {
        set(&mut self.starts, part, start as u32);
        set(&mut self.next, part, part as u32 + 1);
        set(&mut self.previous, part, (part as u32).wrapping_sub(1));
    }

    /// Ranks one of `count` parts and the next one together.
    fn rank(&mut self, piece: &Piece<'_>, part: usize, count: usize) {
        let next = get(&self.next, part) as usize;
        let rank = match next < count {
            true => {
                let after = get(&self.next, next) as usize;
                let (start, end) = (get(&self.starts, part), get(&self.starts, after));
                piece.rank(start as usize, end as usize)
            }
            false => NONE,
        };
        let pair = match rank {
            NONE => NONE,
            rank => rank << NUMBER | part as u32,
        };
        set(&mut self.pairs, part, pair);
    }

    /// The part that has the lowest rank with the next one, the first of equal ones.
    fn lowest(&self, count: usize) -> Option<usize> {
        let (eights, _) = self.pairs.as_chunks::<8>();
        let mut lowest = [NONE; 8];
        for eight in eights.iter().take(count.div_ceil(8)) {
            for (lowest, pair) in lowest.iter_mut().zip(eight) {
                *lowest = (*lowest).min(*pair);
            }
        }
        let lowest = lowest.into_iter().fold(NONE, Rank::min);
        (lowest != NONE).then_some((lowest & ((1 << NUMBER) - 1)) as usize)
    }
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
