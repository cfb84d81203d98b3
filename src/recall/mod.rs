//! Which memories answer a question: the local provider's recall (M7, P3, L3–L5).
//!
//! - `indexed`: a user's memories, ready to be searched.
//! - `look`: what a question finds there.
//! - `near`: what is near a question by its meaning.
//! - `indexes`: which of them stay in memory, and how they are read.
//! - `kept`, `segment`: the index in the store.

mod indexed;
mod indexes;
mod kept;
mod look;
mod near;
mod segment;

use crate::config::RecallConfig;
use crate::gather::Gather;
use crate::host::Host;
use crate::index::Hit;
use crate::memory::{Memory, MemoryScope};
use crate::order;
use crate::prompt;
use crate::scope::Scope;
use crate::vector::{self, Vector};
pub use indexed::Indexed;
pub use indexes::Indexes;
pub(crate) use indexes::vectors_of;
pub use kept::keep_up;
pub(crate) use kept::{Changed, changed};
use serde::Serialize;

/// What a recall asks for.
#[derive(Debug, Clone)]
pub struct Query<'a> {
    /// The user's message.
    pub text: &'a str,
    /// What was said before it; only its first characters count (L3).
    pub context: Option<&'a str>,
    /// Memories at most.
    pub limit: usize,
    /// Only what holds the words themselves (L4), nothing by its neighbours or its embedding.
    pub keyword_only: bool,
    /// The embedding of the text, if there are embeddings.
    pub vector: Option<Vector>,
    /// What the vector store says is near, where there is one; then the embedding does not count.
    pub near: Option<Vec<Hit>>,
    /// Leave sensitive ones out.
    pub filter_sensitive: bool,
}

impl Query<'_> {
    /// Asks the host for the embedding of the text, unless only keywords count.
    pub async fn embed<H: Host>(&self, host: &H, config: &RecallConfig) -> Option<Vector> {
        if self.keyword_only || !host.has_embeddings() {
            return None;
        }
        let question = question(self, config.context_chars);
        vector::embed_one(host, &question, config.embed_timeout_ms).await
    }
}

/// A memory found, with its relevance from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recalled {
    /// The memory.
    pub memory: Memory,
    /// How well it answers; absent when the provider gave none.
    pub score: Option<f64>,
}

/// A conversation found, with how well it fits, from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundSession {
    /// Its id.
    pub session: String,
    /// 1 for one that fits best by all its words, by its best memory and by several.
    pub score: f64,
}

/// What a query finds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// Memories, best first.
    pub hits: Vec<Recalled>,
    /// The conversations they are from, best first.
    pub sessions: Vec<FoundSession>,
}

/// Ids of memories that were used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Used {
    /// Of the hot tier.
    pub hot: Vec<String>,
    /// Of the cold tier.
    pub cold: Vec<String>,
}

/// The memories that a text is about, for a judge to compare with.
pub fn related(
    memories: Vec<Memory>,
    scope: &Scope,
    text: &str,
    limit: usize,
    now_ms: i64,
) -> Vec<Memory> {
    // A correction may be of something that has gone cold.
    let indexed = Indexed::new(String::new(), memories, true);
    indexed.about(scope, text, now_ms, limit)
}

/// The message and at most the first `context_chars` characters of context (L3).
pub(crate) fn question(query: &Query<'_>, context_chars: usize) -> String {
    match query.context {
        None => query.text.to_owned(),
        Some(context) => {
            let context: String = context.chars().take(context_chars).collect();
            format!("{}\n{context}", query.text)
        }
    }
}

/// What a provider's answers go through (P3): scores under `min_score` are dropped, contents cut
/// to `item_chars` characters, best first; absent scores and NaN come last, ties stay in order.
pub fn refine(mut hits: Vec<Recalled>, min_score: f64, item_chars: usize) -> Vec<Recalled> {
    hits.retain(|hit| !hit.score.is_some_and(|score| score < min_score));
    for hit in &mut hits {
        hit.score = hit.score.filter(|score| !score.is_nan());
        if let Some((cut, _)) = hit.memory.content.char_indices().nth(item_chars) {
            hit.memory.content.truncate(cut);
        }
    }
    order::sort_by(&mut hits, |a, b| match (a.score, b.score) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    hits
}

/// What was recalled as fenced text for a prompt: the user's, then the agent's.
pub fn render(hits: &[Recalled]) -> String {
    let lines = |scope| {
        let of_scope = hits.iter().filter(|hit| hit.memory.scope == scope);
        of_scope.map(|hit| prompt::line(&hit.memory)).gather()
    };
    let user = prompt::profile(&lines(MemoryScope::User));
    let agent = prompt::agent_memory(&lines(MemoryScope::Agent));
    let blocks = user.iter().chain(&agent);
    let texts: Vec<_> = blocks.map(|block| block.text().into_owned()).gather();
    texts.join("\n")
}
