//! The layout of a vocabulary file, for `build.rs`, which writes it, and for the core, which reads it.
//!
//! A header of [`HEADER`] bytes, little endian: magic, version, pattern, two zero bytes, number of
//! tokens, number of their bytes, number of class runs, checksum of all that follows the header and of
//! the header before the checksum, name of the encoding. Then come the runs of character classes
//! (four planes), a bit for each character up to U+FFFF that may be merged before all else (see
//! `build.rs`), the 256 single bytes in rank order, and for every longer token the two lower ranks it
//! is merged from (six planes).

/// The first bytes of every vocabulary file.
pub const MAGIC: &[u8; 8] = b"SILTVOCB";
/// The version of the layout.
pub const VERSION: u8 = 1;
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
    let step = |state: u64, word: u64| (state.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    parts.iter().fold(0, |state, part| {
        let (words, rest) = part.as_chunks::<8>();
        let state = words
            .iter()
            .fold(state, |state, word| step(state, u64::from_le_bytes(*word)));
        let state = rest
            .iter()
            .fold(state, |state, byte| step(state, u64::from(*byte)));
        step(state, part.len() as u64)
    })
}
