//! Writes the vocabulary files: tokens and character classes, all taken from `tiktoken-rs` itself, in a
//! layout that compresses better than its base64 and is unpacked in milliseconds.

#[path = "build/choose.rs"]
mod choose;
#[path = "src/format.rs"]
#[allow(dead_code)]
mod format;

use choose::Way;
use std::collections::HashMap;
use std::path::Path;
use std::{env, error::Error, fs};
use tiktoken_rs::{CoreBPE, Rank};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// In the order of the bits in `src/split.rs`; what matches none is `OTHER`.
const CLASSES: [&str; 7] = [
    r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"[^\S\r\n]", r"[\r\n]",
];
const OTHER: u8 = 7;

fn main() -> Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/format.rs");
    println!("cargo:rerun-if-changed=build/choose.rs");
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    let classes = classes()?;
    for (pattern, name, bpe, size) in [
        (0, "o200k_base", tiktoken_rs::o200k_base()?, 199_998),
        (1, "cl100k_base", tiktoken_rs::cl100k_base()?, 100_256),
    ] {
        let file = vocabulary(pattern, name, &tokens(&bpe, size)?, &classes)?;
        fs::write(out.join(name).with_extension("bin"), file)?;
    }
    Ok(())
}

/// The file of one encoding, as `src/format.rs` tells.
fn vocabulary(pattern: u8, name: &str, tokens: &[Vec<u8>], classes: &[u32]) -> Result<Vec<u8>> {
    let mut file = format::MAGIC.to_vec();
    file.extend([format::VERSION, pattern, 0, 0]);
    let longest = tokens.iter().map(Vec::len).max().unwrap_or_default();
    for number in [tokens.len(), longest, classes.len()] {
        file.extend(u32::try_from(number)?.to_le_bytes());
    }
    let mut body = Vec::new();
    for plane in 0..4 {
        body.extend(classes.iter().map(|run| (run >> (8 * plane)) as u8));
    }
    body.extend(characters(tokens));
    body.extend(groups(tokens)?);
    let mut padded = [0; format::HEADER - format::NAME];
    for (to, byte) in padded.iter_mut().zip(name.bytes()) {
        *to = byte;
    }
    let checksum = format::checksum(&[&file, &padded, &body]);
    file.extend(checksum.to_le_bytes());
    file.extend(padded);
    file.extend(body);
    Ok(file)
}

/// Which characters of two and three bytes may be merged before all else where no ASCII is beside them,
/// as bits.
///
/// A character may if encoding it alone makes one token of it, and each of those merges has a lower rank
/// than every token that has a byte of the character and one, not of ASCII, beside it: then it is complete, in any
/// text, before any of its bytes is merged with another, and no merge elsewhere touches it.
fn characters(tokens: &[Vec<u8>]) -> Vec<u8> {
    let ranks: HashMap<&[u8], usize> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    // The lowest rank of a longer token that has all of a character, ends in its first bytes, or
    // begins with its last ones.
    let mut whole: HashMap<&[u8], usize> = HashMap::new();
    let mut head: HashMap<&[u8], usize> = HashMap::new();
    let mut tail: HashMap<&[u8], usize> = HashMap::new();
    let is_inner = |byte: &u8| byte & 0xc0 == 0x80;
    let is_ascii = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii);
    for (rank, token) in tokens.iter().enumerate() {
        let mut at = token.iter().take_while(|byte| is_inner(byte)).count();
        if at > 0 && at < token.len() && !is_ascii(token.get(at)) {
            tail.entry(token.get(..at).unwrap_or_default())
                .or_insert(rank);
        }
        while let Some(rest) = token.get(at..).filter(|rest| !rest.is_empty()) {
            let length = 1 + rest
                .iter()
                .skip(1)
                .take_while(|byte| is_inner(byte))
                .count();
            let part = rest.get(..length).unwrap_or(rest);
            let needed = match part.first() {
                Some(0xc0..0xe0) => 2,
                Some(0xe0..0xf0) => 3,
                Some(0xf0..) => 4,
                _ => 1,
            };
            let before = at.checked_sub(1).and_then(|before| token.get(before));
            let is_between = !is_ascii(before) && !is_ascii(token.get(at + length));
            if length != token.len() && is_between {
                let parts = if length < needed {
                    &mut head
                } else {
                    &mut whole
                };
                parts.entry(part).or_insert(rank);
            }
            at += length;
        }
    }
    let mut bits = vec![0u8; format::CHARACTERS];
    for (code, ch) in
        (0x80..0x1_0000u32).filter_map(|code| Some((code as usize, char::from_u32(code)?)))
    {
        let text = ch.to_string();
        let bytes = text.as_bytes();
        let rank = |range: std::ops::Range<usize>| ranks.get(bytes.get(range)?).copied();
        let all = rank(0..bytes.len());
        let last = match (bytes.len(), all) {
            (2, Some(all)) => Some(all),
            (3, Some(all)) => rank(0..2)
                .into_iter()
                .chain(rank(1..3))
                .min()
                .map(|first| all.max(first)),
            _ => None,
        };
        let parts = (1..bytes.len()).flat_map(|at| {
            let (first, second) = bytes.split_at(at);
            [head.get(first), tail.get(second)]
        });
        let crossing = parts.chain([whole.get(bytes)]).flatten().min();
        let is_first = last.is_some_and(|last| crossing.is_none_or(|crossing| last < *crossing));
        if let Some(byte) = bits.get_mut(code / 8).filter(|_| is_first) {
            *byte |= 1 << (code % 8);
        }
    }
    bits
}

/// Every ordinary token in rank order.
fn tokens(bpe: &CoreBPE, expected: usize) -> Result<Vec<Vec<u8>>> {
    let ranks = 0..Rank::try_from(expected)?;
    ranks.map(|rank| Ok(bpe.decode_bytes(&[rank])?)).collect()
}

/// 256 single bytes, the directory, and the longer tokens.
fn groups(tokens: &[Vec<u8>]) -> Result<Vec<u8>> {
    let (single, longer) = tokens
        .split_at_checked(256)
        .ok_or("a vocabulary has 256 bytes")?;
    if single.iter().any(|token| token.len() != 1) {
        return Err("the first 256 tokens are not the single bytes".into());
    }
    let numbers = numbers(longer);
    let number = |token: &[u8]| numbers.get(key(token)).copied().unwrap_or_default();
    let mut groups = vec![Vec::new(); format::GROUPS];
    let mut places = HashMap::new();
    for token in longer {
        let group = groups
            .get_mut(usize::from(number(token)))
            .ok_or("a group beyond the last")?;
        places.insert(token.as_slice(), u16::try_from(group.len())?);
        group.push(token.as_slice());
        if group.len() > format::MOST {
            return Err("a group has too many tokens".into());
        }
    }
    let ranks: HashMap<&[u8], usize> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    let all = Tokens {
        ranks: &ranks,
        places: &places,
        numbers: &numbers,
    };
    let ways: Vec<Vec<Way>> = groups
        .iter()
        .flatten()
        .map(|token| all.ways(token))
        .collect();
    let chosen = choose::choose(&ways).ok_or("a token is not made of two")?;
    let told: HashMap<&[u8], Way> = groups
        .iter()
        .flatten()
        .copied()
        .zip(chosen.iter().copied())
        .collect();
    for token in longer {
        all.check_depth(token, &told, &groups, 0)?;
    }
    let mut planes = Planes::default();
    let mut sizes: [Vec<u16>; format::SIZES] = Default::default();
    let mut chosen = chosen.into_iter();
    for group in groups {
        let before = planes.sizes();
        let mut bits = Packed::default();
        for way in chosen.by_ref().take(group.len()) {
            planes.push(way, &mut bits);
        }
        planes.packed.extend(bits.bytes);
        for ((sizes, after), before) in sizes.iter_mut().zip(planes.sizes()).zip(before) {
            sizes.push(u16::try_from(after - before)?);
        }
    }
    let mut out: Vec<u8> = single.iter().flatten().copied().collect();
    out.extend(&numbers);
    for sizes in sizes {
        out.extend(sizes.iter().map(|size| *size as u8));
        out.extend(sizes.iter().map(|size| (size >> 8) as u8));
    }
    out.extend(longer.iter().map(|token| number(token)));
    let Planes {
        kinds,
        variants,
        lefts,
        bytes,
        rights,
        packed,
    } = planes;
    for plane in [kinds, variants, lefts, bytes, rights, packed] {
        out.extend(plane);
    }
    out.extend([0; format::PADDING]);
    Ok(out)
}

/// What the longer tokens are told in, as `src/format.rs` says.
#[derive(Default)]
struct Planes {
    kinds: Vec<u8>,
    variants: Vec<u8>,
    lefts: Vec<u8>,
    bytes: Vec<u8>,
    rights: Vec<u8>,
    packed: Vec<u8>,
}

impl Planes {
    fn sizes(&self) -> [usize; format::SIZES] {
        let planes = [&self.kinds, &self.variants, &self.bytes, &self.packed];
        planes.map(Vec::len)
    }

    fn push(&mut self, way: Way, bits: &mut Packed) {
        self.kinds.push(way.kind);
        let left = bits.push(way.left);
        match way.kind {
            format::VARIANT => self.variants.push(left),
            format::BYTE => {
                self.lefts.push(left);
                self.bytes.push(way.right as u8);
            }
            _ => {
                self.lefts.push(left);
                self.rights.push(bits.push(way.right));
            }
        }
    }
}

/// Numbers of bits, from the lowest bit on.
#[derive(Default)]
struct Packed {
    bytes: Vec<u8>,
    bits: usize,
}

impl Packed {
    /// The symbol of a number, whose low bits are packed.
    fn push(&mut self, number: u16) -> u8 {
        let (symbol, width) = choose::symbol(number);
        for bit in 0..width {
            if self.bits.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(byte) = self.bytes.last_mut() {
                *byte |= ((number >> bit & 1) as u8) << (self.bits % 8);
            }
            self.bits += 1;
        }
        symbol
    }
}

/// What the ways to tell a token depend on.
struct Tokens<'a> {
    ranks: &'a HashMap<&'a [u8], usize>,
    places: &'a HashMap<&'a [u8], u16>,
    numbers: &'a [u8],
}

impl Tokens<'_> {
    fn number(&self, token: &[u8]) -> u8 {
        self.numbers.get(key(token)).copied().unwrap_or_default()
    }

    /// All ways to tell a token: as a variant, and as each two of lower rank.
    fn ways(&self, token: &[u8]) -> Vec<Way> {
        let variant = self.base(token).map(|place| Way {
            kind: format::VARIANT,
            left: place,
            right: 0,
        });
        // What is put together of the token itself would never end.
        let bare = token.get(1..).unwrap_or_default();
        let is_base = token.first() == Some(&b' ') && self.base(bare).is_some();
        let merges = (1 + usize::from(is_base)..token.len()).rev();
        let merges = merges.filter_map(|at| self.merge(token, at));
        variant.into_iter().chain(merges).collect()
    }

    fn merge(&self, token: &[u8], at: usize) -> Option<Way> {
        let rank = self.ranks.get(token)?;
        let (left, right) = token.split_at_checked(at)?;
        if [left, right]
            .iter()
            .any(|half| self.ranks.get(half).is_none_or(|of| of >= rank))
        {
            return None;
        }
        let own = self.number(token);
        let is_rest = usize::from(own) == format::REST;
        let left = match (left, is_rest) {
            ([byte], true) => u16::from(*byte),
            ([_], false) => 0,
            _ if self.number(left) != own => return None,
            (_, true) => 256 + self.places.get(left)?,
            (_, false) => 1 + self.places.get(left)?,
        };
        let (kind, right) = match right {
            [byte] => (format::BYTE, u16::from(*byte)),
            _ => (self.number(right), *self.places.get(right)?),
        };
        Some(Way { kind, left, right })
    }

    /// Whether a token is told through no more others, one by the other, than unpacking goes.
    fn check_depth(
        &self,
        token: &[u8],
        told: &HashMap<&[u8], Way>,
        groups: &[Vec<&[u8]>],
        depth: usize,
    ) -> Result<()> {
        let Some(way) = told.get(token) else {
            return Ok(());
        };
        if depth > format::MAX_DEPTH {
            return Err("a token is told through too many others".into());
        }
        let place = |group: u8, place: usize| {
            let group = groups.get(usize::from(group)).ok_or("no such group")?;
            Ok::<_, &str>(*group.get(place).ok_or("no such place")?)
        };
        let left = usize::from(way.left);
        if way.kind == format::VARIANT {
            let (base, _) = format::variant(key(token)).ok_or("no variant")?;
            let group = self.numbers.get(base).ok_or("no such group")?;
            return self.check_depth(place(*group, left)?, told, groups, depth + 1);
        }
        let own = self.number(token);
        let bytes = match usize::from(own) == format::REST {
            true => 256,
            false => 1,
        };
        let length = match left < bytes {
            true => 1,
            false => place(own, left - bytes)?.len(),
        };
        let (left, right) = token.split_at_checked(length).ok_or("too long a half")?;
        self.check_depth(left, told, groups, depth + 1)?;
        self.check_depth(right, told, groups, depth + 1)
    }

    /// The place of what this token is a variant of, where both have groups of their own.
    fn base(&self, token: &[u8]) -> Option<u16> {
        let own = key(token);
        let (base, change) = format::variant(own)?;
        let has_group = |key: usize| {
            let number = self.numbers.get(key);
            number.is_some_and(|number| usize::from(*number) != format::REST)
        };
        self.ranks.get(token).filter(|_| token.len() > 1)?;
        if !has_group(own) || !has_group(base) {
            return None;
        }
        let base = match change {
            format::Change::Bare => [b" ", token].concat(),
            format::Change::Upper => {
                let mut base = token.to_vec();
                base.get_mut(1)?.make_ascii_lowercase();
                base
            }
        };
        let place = *self.places.get(base.as_slice())?;
        let has_other = || (2..base.len()).any(|at| self.merge(&base, at).is_some());
        (base.len() > 2 && (change == format::Change::Upper || has_other())).then_some(place)
    }
}

fn key(token: &[u8]) -> usize {
    match token {
        [first, second, ..] => format::key(*first, *second),
        [first] => usize::from(*first),
        [] => 0,
    }
}

/// The number of the group of each key: the keys with the most tokens have one of their own.
fn numbers(longer: &[Vec<u8>]) -> Vec<u8> {
    let mut counts = vec![(0, 0); format::KEYS];
    for (at, count) in counts.iter_mut().enumerate() {
        count.1 = at;
    }
    for token in longer {
        if let Some(count) = counts.get_mut(key(token)) {
            count.0 += 1;
        }
    }
    counts.sort_unstable_by_key(|(count, key)| (std::cmp::Reverse(*count), *key));
    counts.truncate(format::REST);
    let mut own: Vec<usize> = counts.into_iter().map(|(_, key)| key).collect();
    own.sort_unstable();
    (0..format::KEYS)
        .map(|key| own.binary_search(&key).unwrap_or(format::REST) as u8)
        .collect()
}

/// Runs of characters of one class, `start << 3 | class`, by the very regex engine of tiktoken-rs:
/// an encoder of single bytes gives back what its pattern matched.
fn classes() -> Result<Vec<u32>> {
    let all: String = ('\0'..=char::MAX).collect();
    let mut class_of = vec![OTHER; 0x11_0000];
    for (class, pattern) in (0..).zip(CLASSES) {
        let bytes = (0..=255u8)
            .map(|byte| (vec![byte], Rank::from(byte)))
            .collect();
        let matched = CoreBPE::new(bytes, Default::default(), pattern)?.encode_ordinary(&all);
        let matched: Vec<u8> = matched
            .into_iter()
            .map(u8::try_from)
            .collect::<std::result::Result<_, _>>()?;
        for ch in std::str::from_utf8(&matched)?.chars() {
            *class_of.get_mut(ch as usize).ok_or("beyond Unicode")? = class;
        }
    }
    let mut runs = Vec::new();
    let mut last = None;
    for (start, class) in (0u32..).zip(class_of) {
        if last != Some(class) {
            runs.push(start << 3 | u32::from(class));
        }
        last = Some(class);
    }
    Ok(runs)
}
