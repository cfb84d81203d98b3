//! The layout of a vocabulary file, for `build.rs`, which writes it, and for the core, which reads it.
//!
//! A header of [`HEADER`] bytes, little endian: magic, version, pattern, two zero bytes, number of
//! tokens, bytes of the longest, number of class runs, checksum of all that follows the header and of
//! the header before the checksum, name of the encoding. Then come the runs of character classes
//! (four planes), a bit for each character up to U+FFFF that may be merged before all else (see
//! `build.rs`), the 256 single bytes in rank order, the directory of groups, and the longer tokens.
//!
//! A group holds the longer tokens of one [`key`], in rank order, so that a program which looks for a
//! token unpacks only the group that the token would be in. Groups have numbers below [`REST`]; all keys
//! with few tokens share that one. The directory has the number of each key and then, in two planes each,
//! for each group how many tokens it has, how many of them are variants, how many end in a [`BYTE`], and how
//! many bytes of packed bits it has.
//!
//! The tokens are told in planes of bytes, each a list of its own, because gzip packs like beside like:
//!
//! 1. in rank order, the group of each token: this tells the rank of every token of a group;
//! 2. group after group, as all that follows, how the token is told: [`VARIANT`], or the group of the
//!    right one of two tokens of lower rank that it is put together of, or [`BYTE`] if that is a single one;
//! 3. if it is a variant, the symbol (see [`number`]) of the place of the token that it is a [`variant`] of;
//! 4. if it is none, the symbol of where the left of the two is. It begins alike, so it is in the same
//!    group: its place there from 1, or 0 for the single byte; in [`REST`] the place from 256, or the byte;
//! 5. the right one if it is a single byte;
//! 6. the symbol of its place in its group from 0, if it is not;
//! 7. the low bits that the symbols leave open, token after token, the left one first, from the lowest bit
//!    of each byte on; each group begins with a byte of its own. [`PADDING`] zeros follow the last.

/// The first bytes of every vocabulary file.
pub const MAGIC: &[u8; 8] = b"SILTVOCB";
/// The version of the layout.
pub const VERSION: u8 = 4;
/// Bytes of the header.
pub const HEADER: usize = 48;
/// Where the checksum stands.
pub const CHECKSUM: usize = 24;
/// Where the name stands, zeros after it.
pub const NAME: usize = 32;

/// Bytes of the bits for characters.
pub const CHARACTERS: usize = 0x1_0000 / 8;

/// Eight bytes at a time; a changed, missing or added byte changes it.
pub fn checksum(parts: &[&[u8]]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    fn step(state: u64, word: u64) -> u64 {
        (state.rotate_left(23) ^ word).wrapping_mul(FACTOR)
    }
    // By itself: engines compile a function better when it runs long, and all that is in it.
    #[inline(never)]
    fn sum(state: u64, words: &[[u8; 8]]) -> u64 {
        let step = |state, word: &[u8; 8]| step(state, u64::from_le_bytes(*word));
        words.iter().fold(state, step)
    }
    parts.iter().fold(0, |state, part| {
        let (words, rest) = part.as_chunks::<8>();
        let state = sum(state, words);
        let state = rest
            .iter()
            .fold(state, |state, byte| step(state, u64::from(*byte)));
        step(state, part.len() as u64)
    })
}

/// Keys of groups.
pub const KEYS: usize = 512;
/// The group of all keys with few tokens.
pub const REST: usize = 253;
/// Groups.
pub const GROUPS: usize = REST + 1;
/// In the place of the group of a token's right half: the token is a variant of another one.
pub const VARIANT: u8 = 255;
/// In the place of the group of a token's right half: it is a single byte.
pub const BYTE: u8 = 254;
/// Bytes of the directory.
pub const DIRECTORY: usize = KEYS + GROUPS * 2 * SIZES;
/// Numbers of the directory for each group.
pub const SIZES: usize = 4;
/// Bytes after the packed bits, so that eight bytes can be read where the last begin.
pub const PADDING: usize = 8;
/// Halves within halves of a token that are still followed.
pub const MAX_DEPTH: usize = 64;
/// More tokens than this do not fit into a group.
pub const MOST: usize = 0x7fff;

/// The high bits of a symbol's numbers, and how many low ones are left open: none of numbers below 32, and
/// all but the five highest of others, as each is as likely as not.
pub fn number(symbol: u8) -> (u32, u32) {
    let open = u32::from(symbol >> 4).saturating_sub(1);
    (u32::from(symbol).wrapping_sub(open << 4), open)
}

/// The group of a token that begins with these two bytes: so many begin with a space that the byte after
/// it tells them apart.
pub fn key(first: u8, second: u8) -> usize {
    match first {
        b' ' => 256 + usize::from(second),
        _ => usize::from(first),
    }
}

/// How a token is made of one that it is a variant of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The letter after the space in upper case.
    Upper,
    /// Without the space.
    Bare,
}

/// The key of what the tokens of this key may be variants of: of the same word after a space, or of that
/// in lower case. Parts of words in lower case are not, as most others are merged from them: they have to be
/// found at once.
pub fn variant(key: usize) -> Option<(usize, Change)> {
    const A: usize = 256 + b'A' as usize;
    const Z: usize = 256 + b'Z' as usize;
    const LOWER_A: usize = b'a' as usize;
    const LOWER_Z: usize = b'z' as usize;
    match key {
        LOWER_A..=LOWER_Z => None,
        0..256 => Some((key + 256, Change::Bare)),
        A..=Z => Some((key + 32, Change::Upper)),
        _ => None,
    }
}
