//! Who decides what of a dialogue is worth keeping (E3, E4): the LLM's prompt and answer, and the rules.

use crate::message::Role;

pub mod parse;
pub(crate) mod places;
pub mod prompt;
mod reader;
pub mod rules;
pub mod validate;

/// A message that no judge has seen yet.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMessage {
    /// Its id in the store.
    pub id: String,
    /// The reference that the prompt gives it, such as `m12`; may be empty for the rules.
    pub label: String,
    /// Who speaks.
    pub role: Role,
    /// The speaker's name.
    pub name: Option<String>,
    /// What is said.
    pub text: String,
    /// When it was said, ms since the epoch.
    pub at: i64,
}
