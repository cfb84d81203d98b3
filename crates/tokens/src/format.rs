//! The layout of a vocabulary file, for `build.rs`, which writes it, and for the core, which reads it.
//!
//! A header of [`HEADER`] bytes, little endian: magic, version, pattern, two zero bytes, number of
//! tokens, bytes of the longest, number of class runs, checksum of all that follows the header and of
//! the header before the checksum, name of the encoding. Then come the runs of character classes
//! (four planes), a bit for each character up to U+FFFF that may be merged before all else (see
//! `build.rs`), the 256 single bytes in rank order, the directory of groups, and the longer tokens.
//!
//! A group holds the longer tokens of one [`key`], in rank order, so that a program which looks for a
//! token unpacks only the group that the token would be in. The directory has, for each key, how many of
//! its tokens have ranks below 65,536, how many of the others below twice that, and so on. Then come
//! the tokens, group after group, in [`PLANES`] planes: the rank's distance from the one before in its
//! group (2 bytes, the first counts from 0, modulo 65,536); the left of the two tokens it is merged from,
//! which is in the same group: its place there from 1, or 0 for the single byte (2); the right one: the
//! low byte of its key (1), and its place in that group, or 0 for a single byte, with the key's ninth bit
//! as the highest (2).

/// The first bytes of every vocabulary file.
pub const MAGIC: &[u8; 8] = b"SILTVOCB";
/// The version of the layout.
pub const VERSION: u8 = 2;
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
/// Counts that the directory has for each key, two bytes each.
pub const SPANS: usize = 4;
/// Bytes of the directory.
pub const DIRECTORY: usize = KEYS * SPANS * 2;
/// Bytes of a token.
pub const PLANES: usize = 7;
/// More tokens than this do not fit into a group.
pub const MOST: usize = 0x7fff;

/// The group of a token that begins with these two bytes: so many begin with a space that the byte after
/// it tells them apart.
pub fn key(first: u8, second: u8) -> usize {
    match first {
        b' ' => 256 + usize::from(second),
        _ => usize::from(first),
    }
}
