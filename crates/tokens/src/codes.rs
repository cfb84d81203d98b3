//! How the longer tokens are told in the planes of a vocabulary file, one after the other or any of them.

use crate::format::{
    self, BYTE, Change, DIRECTORY, GROUPS, KEYS, MOST, PADDING, REST, VARIANT, variant,
};
use crate::groups::{NONE, Rank};
use std::borrow::Cow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Engines compile a function better only from one call to the next, so one call for all ranks would run
/// slowly to its end.
const AT_ONCE: usize = 4096;

/// A token by its group and its place there, from 0, or a single byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Half(pub(super) u32);

impl Half {
    pub(super) fn new(group: usize, place: u32) -> Self {
        // What is too much of a place, as in a file made to do harm, is left away.
        Self((group as u32) << 15 | place & MOST as u32)
    }

    fn single(byte: u8) -> Self {
        Self::new(usize::from(BYTE), byte.into())
    }

    pub(super) fn group(self) -> usize {
        (self.0 >> 15) as usize
    }

    pub(super) fn place(self) -> usize {
        self.0 as usize & MOST
    }

    pub(super) fn byte(self) -> Option<u8> {
        (self.group() == usize::from(BYTE)).then_some(self.0 as u8)
    }
}

/// What a token is made of.
#[derive(Clone, Copy)]
pub(super) enum Code {
    Merge(Half, Half),
    Variant(Half, Change),
}

/// Where something starts in the planes.
#[derive(Clone, Copy, Default)]
pub(super) struct Cursor {
    token: usize,
    /// Tokens before it that are variants.
    variant: usize,
    /// And that end in a single byte.
    byte: usize,
    /// In packed bits.
    bit: usize,
}

/// Where the groups are in the planes.
pub(super) struct Codes {
    /// The group of each key.
    numbers: [u8; KEYS],
    /// The first key of each group.
    keys: [u16; GROUPS],
    /// Where each group starts, and where the last one ends.
    starts: Vec<Cursor>,
    /// How often the ranks of a group were asked for.
    asked: AtomicUsize,
    /// The ranks of all tokens by group, once many were asked for.
    sorted: OnceLock<Vec<Rank>>,
}

impl Codes {
    /// From the directory; nothing if it does not tell of what these planes have.
    pub(super) fn new(directory: &[u8], count: usize, planes: usize) -> Option<Self> {
        let (numbers, sizes) = directory.get(..DIRECTORY)?.split_first_chunk::<KEYS>()?;
        let mut keys = [0; GROUPS];
        for (key, number) in numbers.iter().enumerate().rev() {
            *keys.get_mut(usize::from(*number))? = key as u16;
        }
        let size = |field: usize, group: usize| {
            let byte = |plane: usize| sizes.get((2 * field + plane) * GROUPS + group);
            Some(usize::from(*byte(0)?) | usize::from(*byte(1)?) << 8)
        };
        let mut starts = vec![Cursor::default()];
        let mut end = Cursor::default();
        for group in 0..GROUPS {
            let (tokens, variants) = (size(0, group)?, size(1, group)?);
            let (bytes, packed) = (size(2, group)?, size(3, group)?);
            if tokens > MOST || variants + bytes > tokens {
                return None;
            }
            end.token += tokens;
            end.variant += variants;
            end.byte += bytes;
            end.bit += 8 * packed;
            starts.push(end);
        }
        // Each token has its group, its kind and a left one or what it is a variant of.
        let rights = end.token - end.variant;
        let needed = 3 * end.token + rights + end.bit / 8 + PADDING;
        (end.token == count && needed == planes).then(|| Self {
            numbers: *numbers,
            keys,
            starts,
            asked: AtomicUsize::new(0),
            sorted: OnceLock::new(),
        })
    }

    /// The group of a key.
    pub(super) fn number(&self, key: usize) -> usize {
        self.numbers
            .get(key)
            .map_or(REST, |number| usize::from(*number))
    }

    /// The key of a group, or one of them.
    pub(super) fn key(&self, group: usize) -> usize {
        self.keys.get(group).map_or(0, |key| usize::from(*key))
    }

    /// The codes, with the planes that they are told in.
    pub(super) fn of<'a>(&'a self, planes: &'a [u8]) -> View<'a> {
        let end = self.start(GROUPS);
        let merges = end.token.saturating_sub(end.variant);
        let (ranks, rest) = planes.split_at_checked(end.token).unwrap_or_default();
        let (kinds, rest) = rest.split_at_checked(end.token).unwrap_or_default();
        let (variants, rest) = rest.split_at_checked(end.variant).unwrap_or_default();
        let (lefts, rest) = rest.split_at_checked(merges).unwrap_or_default();
        let (bytes, rest) = rest.split_at_checked(end.byte).unwrap_or_default();
        let rights = merges.saturating_sub(end.byte);
        let (rights, packed) = rest.split_at_checked(rights).unwrap_or_default();
        View {
            codes: self,
            ranks,
            kinds,
            variants,
            lefts,
            bytes,
            rights,
            packed,
        }
    }

    /// Where a group starts.
    pub(super) fn start(&self, group: usize) -> Cursor {
        self.starts.get(group).copied().unwrap_or_default()
    }

    /// Tokens of a group.
    pub(super) fn size(&self, group: usize) -> usize {
        self.start(group + 1)
            .token
            .saturating_sub(self.start(group).token)
    }
}

/// The codes of all tokens.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) codes: &'a Codes,
    ranks: &'a [u8],
    kinds: &'a [u8],
    variants: &'a [u8],
    lefts: &'a [u8],
    bytes: &'a [u8],
    rights: &'a [u8],
    packed: &'a [u8],
}

impl View<'_> {
    /// The ranks of a group's tokens.
    pub(super) fn ranks(&self, group: usize) -> Cow<'_, [Rank]> {
        // Short texts ask for few groups: to look for theirs takes less than to sort all.
        const FEW: usize = 3;
        if self.codes.asked.fetch_add(1, Ordering::Relaxed) < FEW {
            return Cow::Owned(self.found(group));
        }
        let sorted = self.codes.sorted.get_or_init(|| self.sorted());
        let (start, end) = (self.codes.start(group), self.codes.start(group + 1));
        Cow::Borrowed(sorted.get(start.token..end.token).unwrap_or_default())
    }

    fn found(&self, group: usize) -> Vec<Rank> {
        let mut ranks = Vec::with_capacity(self.codes.size(group));
        for (some, first) in self.ranks.chunks(AT_ONCE).zip((256..).step_by(AT_ONCE)) {
            find(some, group as u8, first, &mut ranks);
        }
        ranks
    }

    /// The ranks of all tokens, group after group.
    #[inline(never)]
    fn sorted(&self) -> Vec<Rank> {
        let mut sorted = vec![NONE; self.ranks.len()];
        let mut ends = [u32::MAX; 256];
        for (end, start) in ends.iter_mut().zip(&self.codes.starts) {
            *end = start.token as u32;
        }
        for (some, first) in self.ranks.chunks(AT_ONCE).zip((256..).step_by(AT_ONCE)) {
            sort(some, first, &mut ends, &mut sorted);
        }
        sorted
    }

    /// Adds the codes of the next tokens of the group, from `at` on, which is moved behind them.
    #[inline(never)]
    pub(super) fn read(
        &self,
        group: usize,
        count: usize,
        at: &mut Cursor,
        codes: &mut Vec<Option<Code>>,
    ) {
        let base = variant(self.codes.key(group)).and_then(|(key, change)| {
            let base = self.codes.number(key);
            (group != REST && base != REST).then_some((base, change))
        });
        let first = match (group, self.codes.key(group)) {
            (REST, _) => None,
            (_, 256..) => Some(b' '),
            (_, key) => Some(key as u8),
        };
        for _ in 0..count {
            codes.push(self.next(group, base, first, at));
        }
    }

    /// The token of the group at `at`; `base` is the group of what its variants are of, and `first` the
    /// byte that all begin with.
    fn next(
        &self,
        group: usize,
        base: Option<(usize, Change)>,
        first: Option<u8>,
        at: &mut Cursor,
    ) -> Option<Code> {
        let kind = *self.kinds.get(at.token)?;
        let merge = at.token.checked_sub(at.variant)?;
        at.token += 1;
        // The bits of both halves are 29 at most.
        let bytes = self.packed.get(at.bit / 8..)?.first_chunk()?;
        let mut bits = u64::from_le_bytes(*bytes) >> (at.bit % 8);
        let mut number = |symbol: u8| {
            let (high, open) = format::number(symbol);
            let number = high << open | bits as u32 & ((1 << open) - 1);
            bits >>= open;
            at.bit += open as usize;
            number
        };
        if kind == VARIANT {
            let place = number(*self.variants.get(at.variant)?);
            at.variant += 1;
            return base.map(|(base, change)| Code::Variant(Half::new(base, place), change));
        }
        let left = number(*self.lefts.get(merge)?);
        let right = if kind == BYTE {
            let byte = *self.bytes.get(at.byte)?;
            at.byte += 1;
            Half::single(byte)
        } else {
            let symbol = *self.rights.get(merge.checked_sub(at.byte)?)?;
            Half::new(kind.into(), number(symbol))
        };
        let singles = match first {
            Some(_) => 1,
            None => 256,
        };
        let left = match left.checked_sub(singles) {
            Some(place) => Half::new(group, place),
            None => Half::single(first.unwrap_or(left as u8)),
        };
        Some(Code::Merge(left, right))
    }
}

/// Writes the ranks of this part of the tokens behind those of their groups.
#[inline(never)]
fn sort(some: &[u8], first: Rank, ends: &mut [u32; 256], sorted: &mut [Rank]) {
    for (group, rank) in some.iter().zip(first..) {
        let Some(end) = ends.get_mut(usize::from(*group)) else {
            continue;
        };
        if let Some(place) = sorted.get_mut(*end as usize) {
            *place = rank;
            *end += 1;
        }
    }
}

/// Adds where `group` stands in this part of the ranks.
#[inline(never)]
fn find(some: &[u8], group: u8, first: Rank, ranks: &mut Vec<Rank>) {
    // Most blocks have none, which is told at once.
    let (blocks, rest) = some.as_chunks::<16>();
    let mut at = first;
    for block in blocks {
        if block.iter().fold(false, |any, byte| any | (*byte == group)) {
            let found = (at..).zip(block).filter(|(_, byte)| **byte == group);
            ranks.extend(found.map(|(rank, _)| rank));
        }
        at += 16;
    }
    let found = (at..).zip(rest).filter(|(_, byte)| **byte == group);
    ranks.extend(found.map(|(rank, _)| rank));
}
