//! How the longer tokens are told in the planes of a vocabulary file, one after the other or any of them.

use crate::format::{BYTE, Change, DIRECTORY, GROUPS, KEYS, MOST, REST, VARIANT, variant};
use crate::groups::{NONE, Rank};
use crate::hash;
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
    fn new(group: usize, place: u32) -> Self {
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
    /// Tokens before it that are no variants.
    merge: usize,
    variant: usize,
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
    /// For groups with variants, how many there are up to every eighth token.
    marks: Vec<OnceLock<Vec<u16>>>,
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
            if tokens > MOST {
                return None;
            }
            end.token += tokens;
            end.variant += variants;
            end.merge += tokens.checked_sub(variants)?;
            starts.push(end);
        }
        let needed = 2 * end.token + 4 * end.merge + 2 * end.variant;
        (end.token == count && needed == planes).then(|| Self {
            numbers: *numbers,
            keys,
            starts,
            asked: AtomicUsize::new(0),
            sorted: OnceLock::new(),
            marks: (0..GROUPS).map(|_| OnceLock::new()).collect(),
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
        let (ranks, rest) = planes.split_at_checked(end.token).unwrap_or_default();
        let (kinds, rest) = rest.split_at_checked(end.token).unwrap_or_default();
        let (lefts, rest) = rest.split_at_checked(2 * end.merge).unwrap_or_default();
        let (rights, variants) = rest.split_at_checked(2 * end.merge).unwrap_or_default();
        View {
            codes: self,
            ranks,
            kinds,
            lefts: two(lefts),
            rights: two(rights),
            variants: two(variants),
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

/// Two planes, the low bytes and the high ones.
type Two<'a> = (&'a [u8], &'a [u8]);

fn two(planes: &[u8]) -> Two<'_> {
    planes.split_at(planes.len() / 2)
}

fn number((low, high): Two<'_>, at: usize) -> Option<u32> {
    Some(u32::from(*low.get(at)?) | u32::from(*high.get(at)?) << 8)
}

/// The codes of all tokens.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) codes: &'a Codes,
    ranks: &'a [u8],
    kinds: &'a [u8],
    lefts: Two<'a>,
    rights: Two<'a>,
    variants: Two<'a>,
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

    /// What the token of a group at a place is made of.
    #[inline(never)]
    pub(super) fn code(&self, half: Half) -> Option<Code> {
        let (group, place) = (half.group(), half.place());
        if place >= self.codes.size(group) {
            return None;
        }
        let start = self.codes.start(group);
        let variants = match self
            .codes
            .start(group + 1)
            .variant
            .saturating_sub(start.variant)
        {
            0 => 0,
            _ => {
                let marks = self.codes.marks.get(group)?;
                let marks = marks.get_or_init(|| self.marks(group));
                let mark = usize::from(*marks.get(place / 8)?);
                mark + variants(hash::word(
                    self.kinds,
                    start.token + place / 8 * 8,
                    place % 8,
                ))
            }
        };
        let mut at = Cursor {
            token: start.token + place,
            merge: start.merge + place.checked_sub(variants)?,
            variant: start.variant + variants,
        };
        self.next(group, &mut at)
    }

    #[cold]
    #[inline(never)]
    fn marks(&self, group: usize) -> Vec<u16> {
        let (start, end) = (
            self.codes.start(group).token,
            self.codes.start(group + 1).token,
        );
        let kinds = self.kinds.get(start..end).unwrap_or_default();
        let mut sum = 0;
        let mut marks = Vec::with_capacity(kinds.len() / 8 + 1);
        for block in kinds.as_chunks().0 {
            marks.push(sum);
            sum += variants(u64::from_le_bytes(*block)) as u16;
        }
        marks.push(sum);
        marks
    }

    /// The token of the group at `at`, which is moved to the next one.
    #[inline(never)]
    pub(super) fn next(&self, group: usize, at: &mut Cursor) -> Option<Code> {
        let kind = *self.kinds.get(at.token)?;
        at.token += 1;
        if kind == VARIANT {
            let place = number(self.variants, at.variant)?;
            at.variant += 1;
            let (key, change) = variant(self.codes.key(group))?;
            let base = self.codes.number(key);
            let is_known = group != REST && base != REST;
            return is_known.then(|| Code::Variant(Half::new(base, place), change));
        }
        let left = number(self.lefts, at.merge)?;
        let right = number(self.rights, at.merge)?;
        at.merge += 1;
        let left = match group {
            REST => match left.checked_sub(256) {
                Some(place) => Half::new(group, place),
                None => Half::single(left as u8),
            },
            _ => match left.checked_sub(1) {
                Some(place) => Half::new(group, place),
                None => Half::single(match self.codes.key(group) {
                    256.. => b' ',
                    key => key as u8,
                }),
            },
        };
        Some(Code::Merge(left, Half::new(kind.into(), right)))
    }
}

/// How many of eight tokens are variants.
fn variants(kinds: u64) -> usize {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The highest bit of a byte stays where all of its bits were set.
    let set = (kinds & LOW).wrapping_add(!LOW >> 7) & kinds & !LOW;
    set.count_ones() as usize
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
