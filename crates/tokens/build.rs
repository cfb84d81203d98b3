//! Writes the vocabulary files: tokens and character classes, all taken from `tiktoken-rs` itself, in a
//! layout that compresses better than its base64 and is unpacked in milliseconds.

#[path = "src/format.rs"]
#[allow(dead_code)]
mod format;

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

/// 256 single bytes, the directory, and the groups of longer tokens.
fn groups(tokens: &[Vec<u8>]) -> Result<Vec<u8>> {
    let (single, longer) = tokens
        .split_at_checked(256)
        .ok_or("a vocabulary has 256 bytes")?;
    if single.iter().any(|token| token.len() != 1) {
        return Err("the first 256 tokens are not the single bytes".into());
    }
    let ranks: HashMap<&[u8], usize> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    let key = |token: &[u8]| match token {
        [first, second, ..] => format::key(*first, *second),
        [first] => usize::from(*first),
        [] => 0,
    };
    let mut groups = vec![Vec::new(); format::KEYS];
    // The place of each token in its group, from 1; 0 for single bytes.
    let mut places = vec![0; tokens.len()];
    for (rank, token) in (256..).zip(longer) {
        let group = groups.get_mut(key(token)).ok_or("a key beyond the last")?;
        group.push(rank);
        *places.get_mut(rank).ok_or("a rank beyond the last")? = group.len();
    }
    let mut directory = Vec::new();
    let mut planes = vec![Vec::new(); format::PLANES];
    for group in &groups {
        if group.len() > format::MOST {
            return Err("a group has too many tokens".into());
        }
        for span in 0..format::SPANS {
            let count = group.iter().filter(|rank| *rank >> 16 == span).count();
            directory.extend(u16::try_from(count)?.to_le_bytes());
        }
        let mut before = 0;
        for &rank in group {
            let token = tokens.get(rank).ok_or("a rank beyond the last")?;
            let (left, right) =
                halves(token, rank, &ranks).ok_or("a token is not a merge of two")?;
            let half = |rank: usize| Some((key(tokens.get(rank)?), *places.get(rank)?));
            let (left_key, left) = half(left).ok_or("a half beyond the last")?;
            let (right_key, right) = half(right).ok_or("a half beyond the last")?;
            if left > 0 && left_key != key(token) {
                return Err("a token begins unlike its left half".into());
            }
            let distance = ((rank - before) & 0xffff) as u16;
            let ninth = if right_key > 255 { 0x8000 } else { 0 };
            let bytes = distance
                .to_le_bytes()
                .into_iter()
                .chain(u16::try_from(left)?.to_le_bytes())
                .chain([(right_key & 0xff) as u8])
                .chain((u16::try_from(right)? | ninth).to_le_bytes());
            for (plane, byte) in planes.iter_mut().zip(bytes) {
                plane.push(byte);
            }
            before = rank;
        }
    }
    let single = single.iter().flatten();
    let planes = planes.iter().flatten();
    Ok(single.chain(&directory).chain(planes).copied().collect())
}

/// The two tokens of lower rank that byte pair encoding merges last.
fn halves(token: &[u8], rank: usize, ranks: &HashMap<&[u8], usize>) -> Option<(usize, usize)> {
    let mut ends: Vec<usize> = (0..=token.len()).collect();
    while ends.len() > 3 {
        let merge = ends
            .windows(3)
            .enumerate()
            .filter_map(|(at, span)| {
                let merged = ranks.get(token.get(*span.first()?..*span.last()?)?)?;
                (*merged < rank).then_some((*merged, at))
            })
            .min()?;
        ends.remove(merge.1 + 1);
    }
    let (left, right) = token.split_at_checked(*ends.get(1)?)?;
    Some((*ranks.get(left)?, *ranks.get(right)?))
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
