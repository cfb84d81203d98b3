//! A vocabulary unpacked: which bytes are a token.

use crate::Encoding;
use crate::hash::{self, mix};
use crate::merge::Merger;
use crate::split::{Classes, Pattern, pieces};
use crate::unpack::{self, Fault};

pub(super) type Rank = u32;
pub(super) const NONE: Rank = Rank::MAX;

/// Bits of a slot that hold the rank; the others hold bits of the hash, so that nearly all that is no
/// token is told without looking at any token.
const RANK_BITS: u32 = 18;
const RANK_MASK: u32 = (1 << RANK_BITS) - 1;
const EMPTY: u32 = u32::MAX;
/// More tokens than this do not fit into slots.
pub(super) const MOST_TOKENS: usize = RANK_MASK as usize;

/// Every token's bytes, one after the other, and an open-addressed table from their hash to the rank.
pub struct Vocabulary {
    pub(super) bytes: Vec<u8>,
    pub(super) ends: Vec<u32>,
    pub(super) table: Table,
    /// The rank of every two bytes that are a token.
    pub(super) pairs: Vec<Rank>,
    /// Which characters up to U+FFFF may be merged before all else, where no ASCII is beside them.
    pub(super) characters: Vec<bool>,
    pub(super) longest: usize,
    pub(super) classes: Classes,
    pub(super) pattern: Pattern,
}

impl std::fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vocabulary").finish_non_exhaustive()
    }
}

/// The slots of the table.
pub(super) struct Table {
    slots: Vec<u32>,
    shift: u32,
}

impl Table {
    /// For so many tokens; at most half of the slots are taken.
    pub(super) fn new(tokens: usize) -> Self {
        let size = (tokens * 2).next_power_of_two();
        Self {
            slots: vec![EMPTY; size],
            shift: 64 - size.trailing_zeros(),
        }
    }

    fn place(&self, mixed: u64) -> (usize, u32) {
        ((mixed >> self.shift) as usize, (mixed as u32) & !RANK_MASK)
    }

    pub(super) fn insert(&mut self, hash: u64, rank: Rank) {
        let (mut at, tag) = self.place(mix(hash));
        let mask = self.slots.len().saturating_sub(1);
        while let Some(slot) = self.slots.get_mut(at) {
            if *slot == EMPTY {
                *slot = tag | rank;
                return;
            }
            at = (at + 1) & mask;
        }
    }
}

impl Vocabulary {
    /// Reads a vocabulary file.
    pub fn read(encoding: Encoding, file: &[u8]) -> Result<Self, Fault> {
        unpack::unpack(encoding, file)
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

    /// The rank of these bytes, which have this hash, or `NONE`.
    pub(super) fn rank(&self, bytes: &[u8], hash: u64) -> Rank {
        if bytes.len() > self.longest {
            return NONE;
        }
        let (mut at, tag) = self.table.place(mix(hash));
        let mask = self.table.slots.len().saturating_sub(1);
        while let Some(&slot) = self.table.slots.get(at) {
            if slot == EMPTY {
                return NONE;
            }
            let rank = slot & RANK_MASK;
            if slot & !RANK_MASK == tag && self.token(rank).is_some_and(|token| same(token, bytes))
            {
                return rank;
            }
            at = (at + 1) & mask;
        }
        NONE
    }

    /// The rank of two bytes together, or `NONE`.
    pub(super) fn pair(&self, left: u8, right: u8) -> Rank {
        let at = usize::from(left) << 8 | usize::from(right);
        self.pairs.get(at).copied().unwrap_or(NONE)
    }

    pub(super) fn know_characters(&mut self, bits: &[u8]) {
        let bits = bits
            .iter()
            .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1));
        for (known, bit) in self.characters.iter_mut().zip(bits) {
            *known = bit;
        }
    }

    /// The length of what starts at `at` and is merged before all else: a character of two or three bytes
    /// between others beyond ASCII, or one byte.
    pub(super) fn first_part(&self, piece: &[u8], at: usize) -> usize {
        let byte = |at: usize| piece.get(at).copied();
        let inner = |offset: usize| usize::from(byte(at + offset).unwrap_or_default() & 0x3f);
        let (code, length) = match byte(at) {
            Some(lead @ 0xc0..0xe0) => (usize::from(lead & 0x1f) << 6 | inner(1), 2),
            Some(lead @ 0xe0..0xf0) => {
                (usize::from(lead & 0x0f) << 12 | inner(1) << 6 | inner(2), 3)
            }
            _ => return 1,
        };
        let is_beside_ascii = byte(at + length).is_some_and(|next| next.is_ascii())
            || at
                .checked_sub(1)
                .and_then(byte)
                .is_some_and(|last| last.is_ascii());
        match self.characters.get(code) {
            Some(true) if !is_beside_ascii => length,
            _ => 1,
        }
    }

    /// How many tokens `text` has, if at most `limit`; special tokens in it count as plain text.
    pub fn count_to(&self, text: &str, limit: usize) -> Option<usize> {
        // No token has more bytes than the longest.
        if text.len() / self.longest.max(1) > limit {
            return None;
        }
        let mut merger = Merger::default();
        let mut total = 0;
        for piece in pieces(text, &self.classes, self.pattern) {
            let piece = piece.as_bytes();
            total += match self.rank(piece, hash::of(piece)) {
                NONE => merger.count(piece, self),
                _ => 1,
            };
            if total > limit {
                return None;
            }
        }
        Some(total)
    }
}

/// Compares eight bytes at a time: most tokens are shorter than a call to compare them is worth.
fn same(token: &[u8], bytes: &[u8]) -> bool {
    if token.len() != bytes.len() {
        return false;
    }
    let ((left, left_rest), (right, right_rest)) = (token.as_chunks::<8>(), bytes.as_chunks::<8>());
    left.iter()
        .zip(right)
        .all(|(a, b)| u64::from_le_bytes(*a) == u64::from_le_bytes(*b))
        && left_rest.iter().zip(right_rest).all(|(a, b)| a == b)
}
