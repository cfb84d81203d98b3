//! The inner loops of recall. A crate of its own because it is compiled for speed, and the rest for
//! size; inlined into that, they would be compiled for size, too.

use base64ct::{Base64Unpadded, Encoding};

/// Base64 of these bytes, without padding: stored indexes with embeddings are megabytes of it.
#[inline(never)]
pub fn to_base64(bytes: &[u8]) -> String {
    Base64Unpadded::encode_string(bytes)
}

/// The bytes that this base64 without padding is of; nothing if it is none.
#[inline(never)]
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    Base64Unpadded::decode_vec(text).ok()
}

/// How many bytes come before the first quote, backslash or control: what a string in JSON has as it is.
#[inline(never)]
pub fn unescaped(text: &[u8]) -> usize {
    let is_special = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    let (blocks, _) = text.as_chunks::<16>();
    let plain = blocks.iter().take_while(|block| {
        !block
            .iter()
            .fold(false, |any, byte| any | is_special(*byte))
    });
    let at = plain.count() * 16;
    let rest = text.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .position(|byte| is_special(*byte))
        .unwrap_or(rest.len())
}

/// Where a word is in a list of words that each stand behind their length.
#[inline(never)]
pub fn position(mut list: &[u8], word: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some((length, after)) = list.split_first() {
        let (entry, after) = after.split_at_checked(usize::from(*length))?;
        // Most differ in one of these, which costs no call.
        let may_be = entry.len() == word.len() && entry.first() == word.first();
        if may_be && entry == word {
            return Some(at);
        }
        list = after;
        at += 1;
    }
    None
}

/// Appends signed bytes as they are.
#[inline(never)]
pub fn append(bytes: &mut Vec<u8>, signed: &[i8]) {
    bytes.extend(signed.iter().map(|byte| byte.cast_unsigned()));
}

/// The dot product of signed bytes; exact up to 131,072 of them. What is longer than the other counts
/// only as far as that goes.
#[inline(never)]
pub fn dot(a: &[i8], b: &[i8]) -> i32 {
    let length = a.len().min(b.len());
    let (a, b) = (
        a.get(..length).unwrap_or_default(),
        b.get(..length).unwrap_or_default(),
    );
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks(), b.as_chunks());
    lanes::dot(a, b).wrapping_add(each(a_rest, b_rest))
}

fn each(a: &[i8], b: &[i8]) -> i32 {
    let products = a.iter().zip(b);
    products
        .map(|(x, y)| i32::from(i16::from(*x) * i16::from(*y)))
        .fold(0, i32::wrapping_add)
}

/// The root: IEEE 754 asks for the nearest number, so that every machine gives the same, in one
/// instruction.
#[inline(always)]
pub fn sqrt(square: f64) -> f64 {
    square.sqrt()
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod lanes {
    use core::arch::wasm32::{
        i8x16, i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8,
        i32x4_extract_lane, i32x4_splat, v128,
    };

    /// Left to itself, the compiler does not find the instruction that adds products in pairs, and takes
    /// more than twice as long.
    #[inline(always)]
    pub fn dot(a: &[[i8; 16]], b: &[[i8; 16]]) -> i32 {
        let mut sums = i32x4_splat(0);
        for (x, y) in a.iter().zip(b) {
            let (x, y) = (load(x), load(y));
            let low = i32x4_dot_i16x8(i16x8_extend_low_i8x16(x), i16x8_extend_low_i8x16(y));
            let high = i32x4_dot_i16x8(i16x8_extend_high_i8x16(x), i16x8_extend_high_i8x16(y));
            sums = i32x4_add(sums, i32x4_add(low, high));
        }
        i32x4_extract_lane::<0>(sums)
            .wrapping_add(i32x4_extract_lane::<1>(sums))
            .wrapping_add(i32x4_extract_lane::<2>(sums))
            .wrapping_add(i32x4_extract_lane::<3>(sums))
    }

    fn load(bytes: &[i8; 16]) -> v128 {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *bytes;
        i8x16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod lanes {
    pub fn dot(a: &[[i8; 16]], b: &[[i8; 16]]) -> i32 {
        super::each(a.as_flattened(), b.as_flattened())
    }
}

/// The product of a sum of signed bytes with signed bytes; exact for sums of up to a hundred million.
#[inline(never)]
pub fn along(sums: &[i64], components: &[i8]) -> i64 {
    let products = sums.iter().zip(components);
    products
        .map(|(sum, x)| sum * i64::from(*x))
        .fold(0, i64::wrapping_add)
}

/// That a document has a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// Its number.
    pub doc: u32,
    /// In parts of an occurrence.
    pub weight: u32,
}

/// What documents come to while the terms of a question are added up.
#[derive(Debug)]
pub struct Sums<'a> {
    /// How many parts make an occurrence.
    pub parts: f64,
    /// By document: whether it takes part.
    pub takes_part: &'a [bool],
    /// By document: how slowly repeats stop to count.
    pub slowness: &'a [f64],
    /// By document: the number of its session; one that does not exist for none.
    pub session_of: &'a [u32],
    /// By document.
    pub scores: Vec<f64>,
}

impl Sums<'_> {
    /// Adds a term of this weight. `sessions` gets the parts of its occurrences, by session.
    #[inline(never)]
    pub fn add(&mut self, postings: &[Posting], weight: f64, sessions: &mut [u32]) {
        for posting in postings {
            let doc = posting.doc as usize;
            if self.takes_part.get(doc) != Some(&true) {
                continue;
            }
            let (Some(slowness), Some(score)) = (self.slowness.get(doc), self.scores.get_mut(doc))
            else {
                continue;
            };
            *score += weight * share(f64::from(posting.weight) / self.parts, *slowness);
            let session = self.session_of.get(doc).copied().unwrap_or(u32::MAX);
            if let Some(sum) = sessions.get_mut(session as usize) {
                *sum = sum.saturating_add(posting.weight);
            }
        }
    }
}

/// What of a term's weight so many occurrences get.
pub fn share(occurrences: f64, slowness: f64) -> f64 {
    let all = occurrences + slowness;
    if all > 0.0 { occurrences / all } else { 0.0 }
}

/// How often a document has what is asked for, in whole occurrences. `places` says, by term, which
/// of the counts is its own, counted from 1.
#[inline(never)]
pub fn count(terms: &[(u32, u32)], parts: f64, places: &[u16], counts: &mut [f64]) {
    for (term, weight) in terms {
        let place = places.get(*term as usize).copied().unwrap_or(0);
        if let Some(count) = usize::from(place)
            .checked_sub(1)
            .and_then(|at| counts.get_mut(at))
        {
            *count = f64::from(*weight) / parts;
        }
    }
}

/// Adds a part of what is said elsewhere.
#[inline(never)]
pub fn lend(own: &mut [f64], said: &[f64], part: f64) {
    for (own, said) in own.iter_mut().zip(said) {
        *own += part * said;
    }
}

/// Keeps the greater of each two.
#[inline(never)]
pub fn raise(most: &mut [f64], other: &[f64]) {
    for (most, other) in most.iter_mut().zip(other) {
        if *other > *most {
            *most = *other;
        }
    }
}

/// The weight that two documents share, and that of both together. Terms are in the order of their
/// numbers.
#[inline(never)]
pub fn overlap(a: &[(u32, u32)], b: &[(u32, u32)]) -> (u64, u64) {
    let all = a.iter().chain(b).map(|(_, weight)| u64::from(*weight));
    let total: u64 = all.sum();
    let mut shared = 0;
    let (mut left, mut right) = (a, b);
    while let ([(s, x), after @ ..], [(t, y), others @ ..]) = (left, right) {
        if s == t {
            shared += u64::from(*x.min(y));
        }
        if s <= t {
            left = after;
        }
        if t <= s {
            right = others;
        }
    }
    (shared, total - shared)
}

/// What bears on whether a document may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// When it is over; [`i64::MAX`] for never.
    pub until: i64,
    /// The number of its cube.
    pub cube: u32,
    /// How much it matters.
    pub importance: u8,
    /// One bit for each.
    pub marks: u8,
}

/// By document: whether it is of one of these cubes, is not over, has every mark that is needed and
/// none that is in the way.
#[inline(never)]
pub fn readable(all: &[Marks], cubes: &[bool], now: i64, needed: u8, in_the_way: u8) -> Vec<bool> {
    all.iter()
        .map(|of| {
            (of.marks & (needed | in_the_way)) == needed
                && of.until > now
                && cubes.get(of.cube as usize) == Some(&true)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{dot, unescaped};

    #[test]
    fn a_string_is_plain_up_to_what_must_be_escaped() {
        for length in 0..70 {
            let mut text = vec![b'~'; length];
            assert_eq!(unescaped(&text), length);
            for at in 0..length {
                for special in [0, 0x1f, b'"', b'\\'] {
                    text[at] = special;
                    assert_eq!(unescaped(&text), at);
                }
                text[at] = [b' ', 0x7f, 0x80, 0xff][at % 4];
            }
        }
    }

    #[test]
    fn products_of_the_largest_components_are_exact() {
        assert_eq!(dot(&[-128; 8_192], &[-128; 8_192]), 8_192 * 128 * 128);
        assert_eq!(dot(&[127, 3], &[-128]), -127 * 128);
        let long: Vec<i8> = (0..70u8)
            .map(|x| x.wrapping_mul(91).cast_signed())
            .collect();
        let plain = |a: &[i8], b: &[i8]| -> i32 {
            let products = a.iter().zip(b);
            products.map(|(x, y)| i32::from(*x) * i32::from(*y)).sum()
        };
        for length in 0..long.len() {
            let (cut, back) = (&long[..length], &long[length..]);
            assert_eq!(dot(cut, &long), plain(cut, &long), "{length}");
            assert_eq!(dot(&long, back), plain(&long, back), "{length}");
        }
    }
}
