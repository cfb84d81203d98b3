//! What of a session goes to the model this turn (W1–W7): system, profile, agent memory, summary,
//! history, this turn's message, in this order and never over the budget.
//!
//! `max_messages` counts chat messages: history, tool calls and results, and this turn's message.
//! System, memory and summary messages do not count against it.

mod alternate;
mod clean;
mod cut;
mod fit;
mod intake;
mod tools;

use crate::gather::Gather;
use crate::message::{Message, Role};
use crate::order;
use serde::Serialize;
use serde_json::Value;

pub use clean::clean;
pub use cut::MARK;
pub use fit::fit;
pub use intake::as_shown;

/// What may go to the model.
#[derive(Debug, Clone, Default)]
pub struct Input {
    /// Instructions of this turn; system messages of the history follow them.
    pub system: Vec<Message>,
    /// Rendered memories: the profile, then the agent's.
    pub memory: Vec<Message>,
    /// How many of `memory`, from the first, do not depend on this turn's message.
    pub stable_memory: usize,
    /// The summary of what came before; blank counts as none.
    pub summary: Option<String>,
    /// The messages read, oldest first.
    pub history: Vec<Message>,
    /// Whether the session has messages before these: then not all of it fits, and the summary
    /// stands for them.
    pub more: bool,
    /// This turn's user message. Without it, a user message at the end of `history` takes its place.
    pub current: Option<Message>,
    /// Tool schemas bound to the turn.
    pub tools: Vec<Value>,
}

/// Why a message is not in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Siltstone had made it: a summary or a block of memories that a client sent back.
    Synthetic,
    /// The same system message, or the same id as this turn's message, is there already.
    Duplicate,
    /// Nothing was left of it after reasoning and tool mark-up were cleaned away.
    Emptied,
    /// A tool call without all of its results.
    IncompleteCall,
    /// A tool result without its call, or whose call left.
    OrphanResult,
    /// It breaks the alternation of user and assistant.
    Alternation,
    /// Its text was merged into the message after it.
    Merged,
    /// An assistant turn before the first user turn of the window.
    LeadingAssistant,
    /// It is older than what the token budget holds.
    Tokens,
    /// It is older than what `max_messages` holds.
    Messages,
}

/// A message that is not in the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Dropped {
    /// Its id, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who spoke.
    pub role: Role,
    /// Why.
    pub reason: Reason,
    /// What it would have cost.
    pub tokens: usize,
}

/// Tokens of the window, by what they are spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Everything below together; at most `budget`.
    pub total: usize,
    /// What was allowed.
    pub budget: usize,
    /// Priming of the answer.
    pub priming: usize,
    /// Tool schemas.
    pub tools: usize,
    /// System messages.
    pub system: usize,
    /// Memories.
    pub memory: usize,
    /// The summary.
    pub summary: usize,
    /// History.
    pub history: usize,
    /// This turn's message.
    pub current: usize,
}

/// What became of the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SummaryUse {
    /// There was none.
    #[default]
    Absent,
    /// All of the history fits.
    NotNeeded,
    /// It is in the window.
    Used,
    /// It is in the window, cut to its budget.
    Cut,
    /// There was no room for it.
    NoRoom,
    /// It could not be read.
    Unreadable,
}

/// The window.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// What goes to the model, in order.
    pub messages: Vec<Message>,
    /// What it costs.
    pub tokens: Report,
    /// What is not in it, and why, in the order of the history.
    pub dropped: Vec<Dropped>,
    /// Whether this turn's message had to be cut.
    pub current_cut: bool,
    /// What became of the summary.
    pub summary: SummaryUse,
    /// Memories left out so that this turn's message fits.
    pub memory_lines_dropped: usize,
    /// How many messages, from the first, do not depend on this turn.
    pub stable_prefix: usize,
}

/// A message and what it costs, counted once.
#[derive(Debug, Clone)]
struct Item {
    /// Its place in the history.
    at: usize,
    message: Message,
    tokens: usize,
}

/// One side's contribution: a user message, or everything the assistant did until the next one.
#[derive(Debug, Clone)]
struct Turn {
    role: Role,
    items: Vec<Item>,
}

impl Turn {
    fn tokens(&self) -> usize {
        sum(&self.items)
    }
}

fn sum(items: &[Item]) -> usize {
    items
        .iter()
        .fold(0, |total: usize, item| total.saturating_add(item.tokens))
}

/// Collects what is left out, to be reported in the order of the history.
#[derive(Default)]
struct Losses(Vec<(usize, Dropped)>);

impl Losses {
    fn add(&mut self, item: Item, reason: Reason) {
        let Item {
            at,
            message,
            tokens,
        } = item;
        let dropped = Dropped {
            id: message.id,
            role: message.role,
            reason,
            tokens,
        };
        self.0.push((at, dropped));
    }

    fn add_all(&mut self, items: Vec<Item>, reason: Reason) {
        items.into_iter().for_each(|item| self.add(item, reason));
    }

    fn in_order(mut self) -> Vec<Dropped> {
        order::sort_by_key(&mut self.0, |(at, _)| *at);
        self.0.into_iter().map(|(_, dropped)| dropped).gather()
    }
}

#[cfg(test)]
mod tests;
