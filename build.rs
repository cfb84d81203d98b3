//! Writes what the token counters embed: two vocabularies and a table of character classes, all
//! taken from `tiktoken-rs` itself, in a layout that compresses better than its base64.

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
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    let o200k = tokens(&tiktoken_rs::o200k_base()?, 199_998)?;
    fs::write(out.join("o200k_base.bin"), planes(&o200k)?)?;
    let cl100k = tokens(&tiktoken_rs::cl100k_base()?, 100_256)?;
    fs::write(out.join("cl100k_base.bin"), planes(&cl100k)?)?;
    fs::write(out.join("classes.bin"), classes()?)?;
    Ok(())
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
fn classes() -> Result<Vec<u8>> {
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
            runs.extend((start << 3 | u32::from(class)).to_le_bytes());
        }
        last = Some(class);
    }
    Ok(runs)
}
