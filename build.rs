//! Writes the vocabulary files: tokens and character classes, all taken from `tiktoken-rs` itself, in a
//! layout that compresses better than its base64 and is unpacked in milliseconds.

#[path = "src/tokens/format.rs"]
#[allow(dead_code)]
mod format;

use std::collections::HashMap;
use std::path::Path;
use std::{env, error::Error, fs};
use tiktoken_rs::{CoreBPE, Rank};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// In the order of the bits in `src/tokens/split.rs`; what matches none is `OTHER`.
const CLASSES: [&str; 7] = [
    r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"[^\S\r\n]", r"[\r\n]",
];
const OTHER: u8 = 7;

fn main() -> Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/tokens/format.rs");
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

/// The file of one encoding, as `src/tokens/format.rs` tells.
fn vocabulary(pattern: u8, name: &str, tokens: &[Vec<u8>], classes: &[u32]) -> Result<Vec<u8>> {
    let mut file = format::MAGIC.to_vec();
    file.extend([format::VERSION, pattern, 0, 0]);
    let bytes: usize = tokens.iter().map(Vec::len).sum();
    for number in [tokens.len(), bytes, classes.len()] {
        file.extend(u32::try_from(number)?.to_le_bytes());
    }
    let mut body = Vec::new();
    for plane in 0..4 {
        body.extend(classes.iter().map(|run| (run >> (8 * plane)) as u8));
    }
    body.extend(planes(tokens)?);
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

/// Every ordinary token in rank order.
fn tokens(bpe: &CoreBPE, expected: usize) -> Result<Vec<Vec<u8>>> {
    let ranks = 0..Rank::try_from(expected)?;
    ranks.map(|rank| Ok(bpe.decode_bytes(&[rank])?)).collect()
}

/// 256 single bytes, then for every longer token the two lower ranks it is merged from: three bytes
/// each, one plane per byte.
fn planes(tokens: &[Vec<u8>]) -> Result<Vec<u8>> {
    let (single, longer) = tokens
        .split_at_checked(256)
        .ok_or("a vocabulary has 256 bytes")?;
    if single.iter().any(|token| token.len() != 1) {
        return Err("the first 256 tokens are not the single bytes".into());
    }
    let ranks: HashMap<&[u8], usize> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    let mut planes = vec![Vec::new(); 6];
    for (rank, token) in (256..).zip(longer) {
        let (left, right) = halves(token, rank, &ranks).ok_or("a token is not a merge of two")?;
        let bytes = left
            .to_le_bytes()
            .into_iter()
            .take(3)
            .chain(right.to_le_bytes().into_iter().take(3));
        for (plane, byte) in planes.iter_mut().zip(bytes) {
            plane.push(byte);
        }
    }
    Ok(single.iter().chain(&planes).flatten().copied().collect())
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
