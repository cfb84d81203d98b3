//! Which vocabularies are there, for all engines: tables that never change.

use crate::error::{Code, Error, Result};
use crate::write;
use siltstone_tokens::{Fault, Vocabulary};
use std::borrow::Cow;
use std::sync::OnceLock;

pub use siltstone_tokens::Encoding;

static O200K: OnceLock<Vocabulary> = OnceLock::new();
static CL100K: OnceLock<Vocabulary> = OnceLock::new();

fn cell(encoding: Encoding) -> &'static OnceLock<Vocabulary> {
    match encoding {
        Encoding::O200k => &O200K,
        Encoding::Cl100k => &CL100K,
    }
}

/// Takes the vocabulary file of an encoding, unless it is there already.
pub fn install(encoding: Encoding, file: impl Into<Cow<'static, [u8]>>) -> Result<()> {
    if cell(encoding).get().is_none() {
        let vocabulary =
            Vocabulary::read(encoding, file).map_err(|fault| failed(encoding, fault))?;
        cell(encoding).get_or_init(|| vocabulary);
    }
    Ok(())
}

/// Whether counting in this encoding needs nothing more.
pub fn is_installed(encoding: Encoding) -> bool {
    cfg!(not(target_arch = "wasm32")) || cell(encoding).get().is_some()
}

pub(super) fn get(encoding: Encoding) -> Result<&'static Vocabulary> {
    #[cfg(not(target_arch = "wasm32"))]
    if cell(encoding).get().is_none() {
        install(encoding, encoding.file())?;
    }
    cell(encoding).get().ok_or_else(|| {
        let name = encoding.name();
        Error::new(
            Code::VocabularyMissing,
            format!("the vocabulary of `{name}` is not there; install it, or use the encoding `estimate`"),
        )
        .with_details(write::record(&[("encoding", &name)]))
    })
}

fn failed(encoding: Encoding, fault: Fault) -> Error {
    let (name, reason) = (encoding.name(), fault.reason());
    Error::new(Code::VocabularyFailed, fault.message(encoding))
        .with_details(write::record(&[("encoding", &name), ("reason", &reason)]))
}
