//! The tokens of a vocabulary by group, each group unpacked when it is first looked into: a program
//! that counts a few words pays for a few groups.

use crate::codes::{Code, Codes, Half, View};
use crate::format::{Change, KEYS, MAX_DEPTH, key};
use crate::group::{Bytes, Group};
use crate::halves::{self, Halves};
use crate::hash;
use std::sync::OnceLock;

pub(super) type Rank = u32;
pub(super) const NONE: Rank = Rank::MAX;

/// No token is longer.
pub(super) const LONGEST: usize = 255;

/// All groups, and where they are unpacked from.
pub(super) struct Groups {
    /// By key: keys that share a group have copies of it, which are small.
    groups: Vec<OnceLock<Group>>,
    codes: Codes,
    /// Whose they are.
    vocabulary: usize,
}

impl Groups {
    pub(super) fn new(codes: Codes, vocabulary: usize) -> Self {
        Self {
            groups: (0..KEYS).map(|_| OnceLock::new()).collect(),
            codes,
            vocabulary,
        }
    }

    /// The rank of `length` bytes of the text, two or more, or `NONE`.
    pub(super) fn rank<'a>(
        &self,
        text: &[u8],
        at: usize,
        length: usize,
        planes: impl FnOnce() -> &'a [u8],
    ) -> Rank {
        let word = hash::word(text, at, length);
        let key = key(word as u8, (word >> 8) as u8);
        let Some(cell) = self.groups.get(key) else {
            return NONE;
        };
        let group = match cell.get() {
            Some(group) => group,
            None => self.unpacked(cell, key, planes()),
        };
        match length > 8 {
            true => group.find_long(word, text.get(at + 8..at + length).unwrap_or_default()),
            false => group.find(word, length),
        }
    }

    #[cold]
    #[inline(never)]
    fn unpacked<'a>(&self, cell: &'a OnceLock<Group>, key: usize, planes: &[u8]) -> &'a Group {
        cell.get_or_init(|| {
            let unpacking = Unpacking {
                view: self.codes.of(planes),
                groups: &self.groups,
                number: self.codes.number(key),
            };
            halves::with(self.vocabulary, |halves| unpacking.unpack(halves))
        })
    }
}

/// What a group is unpacked with.
struct Unpacking<'a> {
    view: View<'a>,
    groups: &'a [OnceLock<Group>],
    /// The group's.
    number: usize,
}

struct Making<'a> {
    token: Bytes,
    halves: &'a mut Halves,
}

impl Unpacking<'_> {
    /// Unpacks the group. A token that cannot be, as in a file made to do harm, is never found.
    fn unpack(&self, halves: &mut Halves) -> Group {
        // Engines compile a function better only from one call to the next, so one call for a large group
        // would run slowly to its end.
        const AT_ONCE: usize = 256;
        let ranks = self.view.ranks(self.number);
        let mut group = Group::with_room(ranks.len());
        let mut making = Making {
            token: Bytes {
                bytes: [0; LONGEST + 8],
                length: 0,
            },
            halves,
        };
        for some in ranks.chunks(AT_ONCE) {
            self.unpack_some(&mut group, some, &mut making);
        }
        making.halves.forget(self.number);
        group
    }

    #[inline(never)]
    fn unpack_some(&self, group: &mut Group, ranks: &[Rank], making: &mut Making<'_>) {
        for rank in ranks {
            making.token.length = 0;
            let half = Half::new(self.number, group.count() as u32);
            let code = making.halves.code(self.view, half);
            // Three of four tokens have at most eight bytes, most of known halves.
            if let Some(Code::Merge(left, right)) = code
                && let Some((word, length)) = self.short(left, group, making)
                && let Some((more, longer)) = self.short(right, group, making)
                && length + longer <= 8
            {
                group.push(word | more << (8 * length), length + longer, &[], *rank);
                continue;
            }
            if let Some(Code::Variant(base, change)) = code
                && let Some((word, length)) = self.variant(base, change, making)
            {
                group.push(word, length, &[], *rank);
                continue;
            }
            let whole = code.and_then(|code| self.write_code(code, group, making, 0));
            let length = whole.map_or(0, |()| making.token.length);
            let bytes = making.token.bytes.get(..length).unwrap_or_default();
            let word = hash::word(bytes, 0, length);
            let tail = bytes.get(8..).unwrap_or_default();
            group.push(word, length, tail, *rank);
        }
    }

    /// A half of at most eight bytes, if it is known: its bytes and how many they are.
    fn short(&self, half: Half, own: &Group, making: &Making<'_>) -> Option<(u64, usize)> {
        if let Some(byte) = half.byte() {
            return Some((byte.into(), 1));
        }
        if half.group() == self.number {
            return own.short(half.place());
        }
        making.halves.find(half)
    }

    /// The variant of a token of at most eight bytes, if that is known: its bytes and how many they are.
    fn variant(&self, base: Half, change: Change, making: &Making<'_>) -> Option<(u64, usize)> {
        let (word, length) = match self.groups.get(self.view.codes.key(base.group()))?.get() {
            Some(group) => group.short(base.place())?,
            None => making.halves.find(base)?,
        };
        match change {
            _ if length < 3 => None,
            Change::Upper => Some((word & !0x2000, length)),
            Change::Bare => Some((word >> 8, length - 1)),
        }
    }

    fn write_code(
        &self,
        code: Code,
        own: &Group,
        making: &mut Making<'_>,
        depth: usize,
    ) -> Option<()> {
        match code {
            Code::Merge(left, right) => {
                self.write(left, own, making, depth)?;
                self.write(right, own, making, depth)
            }
            Code::Variant(base, change) => {
                let start = making.token.length;
                self.write(base, own, making, depth)?;
                making.token.change(start, change)
            }
        }
    }

    /// Writes a half of a token; `own` is the group that is being unpacked, as far as it is.
    #[inline(never)]
    fn write(&self, half: Half, own: &Group, making: &mut Making<'_>, depth: usize) -> Option<()> {
        if let Some(byte) = half.byte() {
            return making.token.push_word(byte.into(), 1);
        }
        // What a variant is of may be merged from later ones.
        if half.group() == self.number && half.place() < own.count() {
            return own.write(half.place(), &mut making.token);
        }
        if let Some((word, length)) = making.halves.find(half) {
            return making.token.push_word(word, length);
        }
        self.expand(half, own, making, depth)
    }

    /// The same for a half of another group that has to be put together, or looked up in its group.
    #[inline(never)]
    fn expand(&self, half: Half, own: &Group, making: &mut Making<'_>, depth: usize) -> Option<()> {
        let start = making.token.length;
        let key = self.view.codes.key(half.group());
        if let Some(group) = self.groups.get(key).and_then(OnceLock::get) {
            group.write(half.place(), &mut making.token)?;
        } else {
            if depth == MAX_DEPTH {
                return None;
            }
            let code = making.halves.code(self.view, half)?;
            self.write_code(code, own, making, depth + 1)?;
        }
        let length = making.token.length - start;
        if length <= 8 {
            let word = hash::word(&making.token.bytes, start, length);
            making.halves.keep(half, word, length);
        }
        Some(())
    }
}
