//! Makes texts shorter without losing what they say (M2): a rule compressor, the prompt for a
//! language model, and the guard that has the last word on both.

mod guard;
mod guard_items;
mod guard_names;
mod guard_numbers;
mod guard_words;
mod llm;
mod phatic;
mod phatic_en;
mod phatic_zh;
mod rules;
mod rules_drop;
mod rules_edit;
mod rules_en;
mod rules_filler;
mod rules_zh;
mod text;
mod tokens;
mod words;
mod words_en;

pub use guard::{Change, Kind, Loss, lost};
pub use llm::{accept, prompt};
pub use rules::{MIN_CHARS, compress};
pub use rules_edit::Reason;

use crate::read::Read;
use serde::Serialize;

/// How much goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Every fact and detail stays; for short-term memories.
    Light,
    /// Conclusions stay, colour goes; for what is promoted to long-term.
    Deep,
}

/// A text made shorter.
#[derive(Debug, Clone, PartialEq)]
pub struct Compressed {
    /// The short text; the original where nothing could go.
    pub text: String,
    /// What went, in the order it went, for the log.
    pub removed: Vec<Removed>,
}

/// Something taken out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Removed {
    /// Why.
    pub reason: Reason,
    /// What stood there.
    pub text: String,
    /// What stands there now; empty for nothing.
    pub with: String,
}

#[cfg(test)]
mod tests;
