//! Exact token counts in `o200k_base` and `cl100k_base`: vocabulary files, unpacked as far as texts need, and
//! counting in time that grows with the length of the text, whatever is in it. Beside them, an estimate that
//! needs no vocabulary.
//!
//! A crate of its own because it is compiled for speed, and Siltstone for size.

mod codes;
mod estimate;
mod format;
mod group;
mod groups;
mod halves;
mod hash;
mod merge;
mod recent;
mod repeats;
mod split;
#[cfg(test)]
mod steps;
mod unpack;
mod vocabulary;
mod words;

pub use estimate::{WORST, estimate};
pub use unpack::Fault;
pub use vocabulary::Vocabulary;

/// An encoding that has a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// `o200k_base`
    O200k,
    /// `cl100k_base`
    Cl100k,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Encoding; 2] = [Encoding::O200k, Encoding::Cl100k];

    /// The encoding of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|encoding| encoding.name() == name)
    }

    /// Its name, as OpenAI has it.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::O200k => "o200k_base",
            Encoding::Cl100k => "cl100k_base",
        }
    }

    /// Its vocabulary file, for programs that carry it; where nothing asks for it, it is not linked.
    pub fn file(self) -> &'static [u8] {
        match self {
            Encoding::O200k => include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.bin")),
            Encoding::Cl100k => include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.bin")),
        }
    }
}
