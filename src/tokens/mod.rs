//! How tokens are counted: one small trait, so that the vocabulary can change under it.
//!
//! A vocabulary is a file of its own, not part of the core: it is installed once, before the first
//! count that needs it, for all engines. Native builds carry both.

mod estimate;
mod installed;
mod kept;
mod lasting;
mod message;

use crate::error::{Code, Error, Result};
use crate::write;
use std::rc::Rc;

pub use estimate::Estimate;
pub use installed::{Encoding, install, is_installed};
pub use kept::{Kept, keep};
pub use message::{PER_CALL, PER_MESSAGE, PER_NAME, PER_TOOL, PRIMING, TOOLS, Tokens};

/// Counts the tokens of a text.
pub trait Counter {
    /// Tokens of `text`; special tokens in it count as plain text.
    fn count(&self, text: &str) -> Result<usize>;

    /// A name under which its counts may be kept, if it has one. Whoever counts otherwise has another.
    fn identity(&self) -> Option<String> {
        None
    }

    /// Whether it can count at once.
    fn is_ready(&self) -> bool {
        true
    }

    /// Tokens of `text` if they are at most `limit`; it need not read on beyond that.
    fn count_to(&self, text: &str, limit: usize) -> Result<Option<usize>> {
        Ok(Some(self.count(text)?).filter(|count| *count <= limit))
    }
}

/// Every encoding that [`counter`] knows.
pub const ENCODINGS: [&str; 3] = ["o200k_base", "cl100k_base", "estimate"];

/// The counter of this name; the vocabulary must be installed before it counts. Share it by cloning.
pub fn counter(encoding: &str) -> Result<Rc<dyn Counter>> {
    if let Some(encoding) = Encoding::named(encoding) {
        return Ok(Rc::new(Exact(encoding)));
    }
    if encoding == "estimate" {
        return Ok(Rc::new(Estimate));
    }
    Err(unknown(encoding))
}

fn unknown(encoding: &str) -> Error {
    let shown: String = encoding.chars().take(40).collect();
    let known = ENCODINGS.join(", ");
    let message = format!("the encoding `{shown}` is not known; use one of {known}");
    Error::new(Code::UnknownEncoding, message)
        .with_details(write::record(&[("expected", &ENCODINGS)]))
}

/// Takes the vocabulary file of the encoding of this name, unless it is there already.
pub fn install_named(encoding: &str, file: Vec<u8>) -> Result<()> {
    match Encoding::named(encoding) {
        Some(encoding) => install(encoding, file),
        None => Err(unknown(encoding)),
    }
}

/// Counts exactly as OpenAI's tiktoken does (T1).
struct Exact(Encoding);

impl Counter for Exact {
    fn count(&self, text: &str) -> Result<usize> {
        Ok(self.count_to(text, usize::MAX)?.unwrap_or(usize::MAX))
    }

    fn identity(&self) -> Option<String> {
        Some(self.0.name().to_owned())
    }

    fn is_ready(&self) -> bool {
        is_installed(self.0)
    }

    fn count_to(&self, text: &str, limit: usize) -> Result<Option<usize>> {
        if text.is_empty() {
            return Ok(Some(0));
        }
        Ok(installed::get(self.0)?.count_to(text, limit))
    }
}
