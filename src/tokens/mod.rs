//! How tokens are counted: one small trait, so that the vocabulary can change under it.

mod estimate;
mod message;
mod split;
mod vocabulary;

use crate::error::{Code, Error, Result};
use std::rc::Rc;
use std::sync::OnceLock;
use vocabulary::{Encoding, Vocabulary};

pub use estimate::Estimate;
pub use message::{PER_CALL, PER_MESSAGE, PER_NAME, PER_TOOL, PRIMING, TOOLS, Tokens};

/// Counts the tokens of a text.
pub trait Counter {
    /// Tokens of `text`; special tokens in it count as plain text.
    fn count(&self, text: &str) -> Result<usize>;
}

/// Every encoding that [`counter`] knows.
pub const ENCODINGS: [&str; 3] = ["o200k_base", "cl100k_base", "estimate"];

/// The counter of this name; its vocabulary is unpacked at the first count. Share it by cloning.
pub fn counter(encoding: &str) -> Result<Rc<dyn Counter>> {
    match encoding {
        "o200k_base" => Ok(Rc::new(Exact(Encoding::O200k))),
        "cl100k_base" => Ok(Rc::new(Exact(Encoding::Cl100k))),
        "estimate" => Ok(Rc::new(Estimate)),
        other => {
            let shown: String = other.chars().take(40).collect();
            let known = ENCODINGS.join(", ");
            let message = format!("the encoding `{shown}` is not known; use one of {known}");
            Err(Error::new(Code::UnknownEncoding, message)
                .with_details(serde_json::json!({ "expected": ENCODINGS })))
        }
    }
}

/// Counts exactly as OpenAI's tiktoken does (T1).
struct Exact(Encoding);

/// Unpacked once for all engines: they are tables that never change.
static O200K: OnceLock<Vocabulary> = OnceLock::new();
static CL100K: OnceLock<Vocabulary> = OnceLock::new();

impl Counter for Exact {
    fn count(&self, text: &str) -> Result<usize> {
        if text.is_empty() {
            return Ok(0);
        }
        let vocabulary = match self.0 {
            Encoding::O200k => &O200K,
            Encoding::Cl100k => &CL100K,
        };
        let vocabulary = vocabulary.get_or_init(|| Vocabulary::load(self.0));
        Ok(vocabulary.count(text))
    }
}
