//! What a turn is told of: the messages for the model, and how they came about.

use super::dropped;
use crate::gather::Push;
use crate::history::HistorySource;
use crate::memory::MemoryScope;
use crate::message::Message;
use crate::window;
use serde::Serialize;

/// What goes to the model, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Turn {
    /// In the order system, profile, agent memory, summary, history, this turn (W7).
    pub messages: Vec<Message>,
    /// How it came about.
    pub report: Report,
}

/// How a window came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Tokens of each part, and the budget.
    pub tokens: window::Report,
    /// What was left out of the window, and why.
    pub dropped: Vec<window::Dropped>,
    /// Messages of the session that are older than what was read.
    pub older: u64,
    /// What long-term memory gave.
    pub recall: RecallReport,
    /// Leading messages that do not depend on this turn, for a provider's prefix cache (W7).
    pub stable_prefix: usize,
    /// What became of the session summary.
    pub summary: window::SummaryUse,
    /// Whether this turn's message was cut to fit (W6).
    pub cut: bool,
    /// Where the history was read from.
    pub history_source: HistorySource,
    /// What was worked around.
    pub warnings: Vec<Warning>,
}

/// Something that was worked around.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Warning {
    /// A stable name.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
}

/// Whether long-term memory took part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RecallStatus {
    /// It did.
    Ok,
    /// It was not asked; the reason says why.
    Skipped,
    /// It failed or was late; the turn goes on without it.
    Failed,
}

/// What long-term memory gave to a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecallReport {
    /// Whether it took part.
    pub status: RecallStatus,
    /// Why not: `long_memory_off`, `no_model`, `timeout`, or a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The memories that are in the window, in their order there.
    pub hits: Vec<RecallHit>,
    /// Memories that were found and are not in the window.
    pub dropped: Vec<DroppedMemory>,
}

/// A memory that was found and is not in the window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DroppedMemory {
    /// Its id.
    pub id: String,
    /// What it did not fit: `scope_limit`, `user_share`, `tokens` or `window`.
    pub reason: &'static str,
}

impl RecallReport {
    /// Takes note that the last memories are not in the window after all.
    pub(super) fn give_way(&mut self, lines: usize) {
        let kept = self.hits.len().saturating_sub(lines);
        let gone = self.hits.drain(kept..);
        self.dropped
            .push_all(gone.map(|hit| dropped(hit.id, "window")));
    }
}

/// One memory in the window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecallHit {
    /// Its id.
    pub id: String,
    /// Its relevance from 0 to 1, if the query found it.
    pub score: Option<f64>,
    /// Which section it is in.
    pub scope: MemoryScope,
    /// `standing` (part of every turn) or `recalled` (found by the query).
    pub section: &'static str,
}
