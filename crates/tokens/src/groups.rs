//! The tokens of a vocabulary by group, each group unpacked when it is first looked into: a program
//! that counts a few words pays for a few groups.

use crate::format::{DIRECTORY, KEYS, MOST, SPANS, key};
use crate::halves::{self, Halves};
use crate::hash;
use std::sync::OnceLock;

pub(super) type Rank = u32;
pub(super) const NONE: Rank = Rank::MAX;

/// No token is longer.
pub(super) const LONGEST: usize = 255;
/// Halves within halves of a token that are still followed.
const MAX_DEPTH: usize = 64;

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
struct Group {
    tokens: Vec<Token>,
    /// Places from 1; 0 is free. At most half are taken.
    slots: Vec<u16>,
    shift: u32,
    /// The bytes of longer tokens after the first eight.
    tails: Vec<u8>,
}

impl Group {
    fn with_room(count: usize) -> Self {
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

    fn find(&self, word: u64, length: usize) -> Rank {
        self.look(hash::of(word, &[]), |token| {
            token.word == word && token.length() == length
        })
    }

    /// The same for more than eight bytes; `tail` is what follows them.
    fn find_long(&self, word: u64, tail: &[u8]) -> Rank {
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
    fn push(&mut self, word: u64, length: usize, tail: &[u8], rank: Rank) {
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

    /// Writes the bytes of the token at `place`, from 1, behind `out`.
    fn write(&self, place: usize, out: &mut Bytes) -> Option<()> {
        let token = *self.tokens.get(place.checked_sub(1)?)?;
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
struct Bytes {
    bytes: [u8; LONGEST + 8],
    length: usize,
}

impl Bytes {
    fn push_word(&mut self, word: u64, length: usize) -> Option<()> {
        // All eight bytes at once; what is too much is written over.
        let end = self.length;
        self.bytes
            .get_mut(end..end + 8)?
            .copy_from_slice(&word.to_le_bytes());
        self.length += length;
        (self.length <= LONGEST).then_some(())
    }
}

/// All groups, and the planes that they are unpacked from.
pub(super) struct Groups {
    groups: Vec<OnceLock<Group>>,
    /// Where each group starts in the planes, and where the last one ends.
    starts: Vec<u32>,
    spans: Vec<u16>,
    /// Tokens in all groups.
    count: usize,
    /// Whose they are.
    vocabulary: usize,
}

impl Groups {
    /// From the directory; nothing if it does not tell of `count` tokens.
    pub(super) fn new(directory: &[u8], count: usize, vocabulary: usize) -> Option<Self> {
        let (numbers, _) = directory.get(..DIRECTORY)?.as_chunks::<2>();
        let spans: Vec<u16> = numbers
            .iter()
            .map(|bytes| u16::from_le_bytes(*bytes))
            .collect();
        let mut starts = Vec::with_capacity(KEYS + 1);
        let mut start = 0;
        for spans in spans.chunks(SPANS) {
            starts.push(start);
            let size: u32 = spans.iter().map(|count| u32::from(*count)).sum();
            if size as usize > MOST {
                return None;
            }
            start += size;
        }
        starts.push(start);
        (start as usize == count).then(|| Self {
            groups: (0..KEYS).map(|_| OnceLock::new()).collect(),
            starts,
            spans,
            count,
            vocabulary,
        })
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
            let planes = Planes {
                planes,
                count: self.count,
                groups: self,
            };
            halves::with(self.vocabulary, |halves| planes.unpack(key, halves))
        })
    }

    fn start(&self, key: usize) -> usize {
        self.starts.get(key).map_or(0, |start| *start as usize)
    }
}

#[derive(Clone, Copy)]
struct Planes<'a> {
    planes: &'a [u8],
    count: usize,
    groups: &'a Groups,
}

/// The key and the place of a half; the place of a single byte is 0.
type Half = (usize, usize);

impl Planes<'_> {
    fn byte(&self, plane: usize, at: usize) -> usize {
        let byte = self.planes.get(plane * self.count + at);
        byte.copied().unwrap_or_default().into()
    }

    fn short(&self, plane: usize, at: usize) -> usize {
        self.byte(plane, at) | self.byte(plane + 1, at) << 8
    }

    fn halves(&self, key: usize, at: usize) -> (Half, Half) {
        let right = self.short(5, at);
        let right_key = self.byte(4, at) | (right & 0x8000) >> 7;
        ((key, self.short(2, at)), (right_key, right & 0x7fff))
    }

    /// Unpacks the group of a key. A token that cannot be, as in a file made to do harm, is never found.
    fn unpack(&self, key: usize, halves: &mut Halves) -> Group {
        // Engines compile a function better only from one call to the next, so one call for a large group
        // would run slowly to its end.
        const AT_ONCE: usize = 256;
        let start = self.groups.start(key);
        let end = self.groups.start(key + 1);
        let mut group = Group::with_room(end - start);
        let mut at = start;
        let spans = self.groups.spans.get(key * SPANS..(key + 1) * SPANS);
        let mut low = 0;
        let mut making = Making {
            key,
            token: Bytes {
                bytes: [0; LONGEST + 8],
                length: 0,
            },
            halves,
        };
        for (high, count) in (0..).zip(spans.unwrap_or_default()) {
            let end = at + usize::from(*count);
            while at < end {
                let some = at..end.min(at + AT_ONCE);
                at = some.end;
                low = self.unpack_some(&mut group, some, (high << 16, low), &mut making);
            }
        }
        group
    }

    #[inline(never)]
    fn unpack_some(
        &self,
        group: &mut Group,
        some: std::ops::Range<usize>,
        (high, mut low): (Rank, u16),
        making: &mut Making<'_>,
    ) -> u16 {
        for at in some {
            low = low.wrapping_add(self.short(0, at) as u16);
            making.token.length = 0;
            let (left, right) = self.halves(making.key, at);
            // Three of four tokens have at most eight bytes, most of known halves.
            if let Some((word, length)) = short(left, group, making)
                && let Some((more, longer)) = short(right, group, making)
                && length + longer <= 8
            {
                group.push(
                    word | more << (8 * length),
                    length + longer,
                    &[],
                    high | Rank::from(low),
                );
                continue;
            }
            let whole = self
                .write(left, group, making, 0)
                .and_then(|()| self.write(right, group, making, 0));
            let length = whole.map_or(0, |()| making.token.length);
            let bytes = making.token.bytes.get(..length).unwrap_or_default();
            let word = hash::word(bytes, 0, length);
            let tail = bytes.get(8..).unwrap_or_default();
            group.push(word, length, tail, high | Rank::from(low));
        }
        low
    }

    /// Writes a half of a token; `own` is the group that is being unpacked, as far as it is.
    #[inline(never)]
    fn write(
        &self,
        (key, place): Half,
        own: &Group,
        making: &mut Making<'_>,
        depth: usize,
    ) -> Option<()> {
        if place == 0 {
            // The single byte that all of the group begin with, or one that stands for itself.
            let byte = if key > 255 { b' ' } else { key as u8 };
            return making.token.push_word(byte.into(), 1);
        }
        if key == making.key {
            return own.write(place, &mut making.token);
        }
        if let Some((word, length)) = making.halves.find(key, place) {
            return making.token.push_word(word, length);
        }
        self.expand((key, place), own, making, depth)
    }

    /// The same for a half of another group that has to be put together, or looked up in its group.
    #[inline(never)]
    fn expand(
        &self,
        (key, place): Half,
        own: &Group,
        making: &mut Making<'_>,
        depth: usize,
    ) -> Option<()> {
        let start = making.token.length;
        if let Some(group) = self.groups.groups.get(key).and_then(OnceLock::get) {
            group.write(place, &mut making.token)?;
        } else {
            let at = self.groups.start(key) + place - 1;
            if depth == MAX_DEPTH || at >= self.groups.start(key + 1) {
                return None;
            }
            let (left, right) = self.halves(key, at);
            self.write(left, own, making, depth + 1)?;
            self.write(right, own, making, depth + 1)?;
        }
        let length = making.token.length - start;
        if length <= 8 {
            let word = hash::word(&making.token.bytes, start, length);
            making.halves.keep(key, place, word, length);
        }
        Some(())
    }
}

/// A half of at most eight bytes, if it is known: its bytes and how many they are.
fn short((key, place): Half, own: &Group, making: &Making<'_>) -> Option<(u64, usize)> {
    if place == 0 {
        return Some((
            if key > 255 {
                u64::from(b' ')
            } else {
                key as u64
            },
            1,
        ));
    }
    if key == making.key {
        let token = own.tokens.get(place - 1)?;
        let length = token.length();
        return (1..=8).contains(&length).then_some((token.word, length));
    }
    making.halves.find(key, place)
}

/// What a group is unpacked with.
struct Making<'a> {
    /// The group's.
    key: usize,
    token: Bytes,
    halves: &'a mut Halves,
}
