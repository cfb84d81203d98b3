//! Which vocabularies are there, for all engines: tables that never change.

use super::vocabulary::Vocabulary;
use crate::error::{Code, Error, Result};
use serde_json::json;
use std::sync::OnceLock;

/// An encoding that has a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// `o200k_base`
    O200k,
    /// `cl100k_base`
    Cl100k,
}

static O200K: OnceLock<Vocabulary> = OnceLock::new();
static CL100K: OnceLock<Vocabulary> = OnceLock::new();

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

    fn cell(self) -> &'static OnceLock<Vocabulary> {
        match self {
            Encoding::O200k => &O200K,
            Encoding::Cl100k => &CL100K,
        }
    }
}

/// Unpacks the vocabulary file of an encoding, unless it is there already.
pub fn install(encoding: Encoding, file: &[u8]) -> Result<()> {
    if encoding.cell().get().is_none() {
        let vocabulary = Vocabulary::read(encoding, file)?;
        encoding.cell().get_or_init(|| vocabulary);
    }
    Ok(())
}

/// Whether counting in this encoding needs nothing more.
pub fn is_installed(encoding: Encoding) -> bool {
    cfg!(not(target_arch = "wasm32")) || encoding.cell().get().is_some()
}

pub(super) fn get(encoding: Encoding) -> Result<&'static Vocabulary> {
    #[cfg(not(target_arch = "wasm32"))]
    if encoding.cell().get().is_none() {
        install(encoding, embedded(encoding))?;
    }
    encoding.cell().get().ok_or_else(|| {
        let name = encoding.name();
        Error::new(
            Code::VocabularyMissing,
            format!("the vocabulary of `{name}` is not there; install it, or use the encoding `estimate`"),
        )
        .with_details(json!({ "encoding": name }))
    })
}

#[cfg(not(target_arch = "wasm32"))]
pub(super) fn embedded(encoding: Encoding) -> &'static [u8] {
    match encoding {
        Encoding::O200k => include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.bin")),
        Encoding::Cl100k => include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.bin")),
    }
}
