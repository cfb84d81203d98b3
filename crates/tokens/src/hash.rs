//! A polynomial hash, so that the hash of two neighbours together is made of theirs in one step.
//!
//! Only speed depends on it: what the table finds is compared byte by byte.

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
/// No token is longer.
pub(super) const LONGEST: usize = 256;

const POWERS: [u64; LONGEST + 1] = {
    let mut powers = [0; LONGEST + 1];
    let mut rest: &mut [u64] = &mut powers;
    let mut power = 1u64;
    while let Some((first, others)) = rest.split_first_mut() {
        *first = power;
        power = power.wrapping_mul(BASE);
        rest = others;
    }
    powers
};

/// The hash of a text and one more byte.
pub(super) fn push(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(u64::from(byte) + 1)
}

pub(super) fn of(bytes: &[u8]) -> u64 {
    const SQUARE: u64 = BASE.wrapping_mul(BASE);
    const CUBE: u64 = SQUARE.wrapping_mul(BASE);
    const FOURTH: u64 = CUBE.wrapping_mul(BASE);
    let (fours, rest) = bytes.as_chunks::<4>();
    let hash = fours.iter().fold(0u64, |hash, &[a, b, c, d]| {
        let high = (u64::from(a) + 1)
            .wrapping_mul(CUBE)
            .wrapping_add((u64::from(b) + 1).wrapping_mul(SQUARE));
        let low = (u64::from(c) + 1)
            .wrapping_mul(BASE)
            .wrapping_add(u64::from(d) + 1);
        hash.wrapping_mul(FOURTH)
            .wrapping_add(high.wrapping_add(low))
    });
    rest.iter().fold(hash, |hash, byte| push(hash, *byte))
}

/// The hash of a text followed by one of `length` bytes.
pub(super) fn join(left: u64, right: u64, length: usize) -> u64 {
    left.wrapping_mul(power(length)).wrapping_add(right)
}

/// The hash of what follows in a text after a prefix: `length` bytes more.
pub(super) fn after(prefix: u64, whole: u64, length: usize) -> u64 {
    whole.wrapping_sub(prefix.wrapping_mul(power(length)))
}

fn power(length: usize) -> u64 {
    POWERS.get(length).copied().unwrap_or_default()
}

/// Spreads a hash over all bits.
pub(super) fn mix(hash: u64) -> u64 {
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
