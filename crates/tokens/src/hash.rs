//! Where in its group a token is looked for: eight bytes at a time.
//!
//! Only speed depends on it: what the table finds is compared byte by byte.

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The first bytes of what is from `at` on, at most eight of `length`, zeros after them.
pub(super) fn word(text: &[u8], at: usize, length: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    let word = match rest.first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => last(text, rest),
    };
    match length >= 8 {
        true => word,
        false => word & ((1 << (8 * length)) - 1),
    }
}

/// What is left of the text where that is less than eight bytes.
#[inline(never)]
fn last(text: &[u8], rest: &[u8]) -> u64 {
    match text.last_chunk::<8>() {
        Some(_) if rest.is_empty() => 0,
        Some(bytes) => u64::from_le_bytes(*bytes) >> (8 * (8 - rest.len())),
        None => rest
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// The hash of a token that begins with `word`; `tail` is what follows its first eight bytes.
pub(super) fn of(word: u64, tail: &[u8]) -> u64 {
    let (words, rest) = tail.as_chunks::<8>();
    let hash = words.iter().fold(step(0, word), |hash, word| {
        step(hash, u64::from_le_bytes(*word))
    });
    match rest.is_empty() {
        true => hash,
        false => step(hash, self::word(rest, 0, rest.len())),
    }
}

/// A hash of two words that takes one step.
pub(super) fn pair([first, second]: [u64; 2]) -> u64 {
    step(second, first)
}

fn step(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(29) ^ word).wrapping_mul(FACTOR)
}
