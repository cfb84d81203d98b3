//! What the ranking weighs, and how much.
//!
//! These are no settings of the product: they are the medians of what is chosen without each
//! conversation (`make ablation LOO=1`, `benches/recall.md`), and a benchmark can turn each of them off.

use super::bm25::Bm25;
use serde::{Deserialize, Serialize};

/// The constants of the ranking; 0 turns a step off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tuning {
    /// How texts are scored by their words.
    pub bm25: Bm25,
    /// Hits by words, and as many by meaning, that are looked at closely.
    pub candidates: usize,
    /// The part of a word said directly before or after a message that counts as said in it;
    /// its square two messages away.
    pub share: f64,
    /// How much more the message before lends than the one after: 1 for no difference, to 2.
    pub before: f64,
    /// The part of this share for texts that carry their neighbours' words beside them.
    pub told: f64,
    /// The same part of their neighbours' meaning.
    pub told_meaning: f64,
    /// What a word counts that is one slip from a word that no text has.
    pub slips: f64,
    /// The part of a meaning that is how like the first hits a text is.
    pub again: f64,
    /// The part of meaning in a score, against words.
    pub meaning: f64,
    /// How far what all embeddings have in common is left out of a cosine.
    pub usual: f64,
    /// The part of a score that depends on how well the whole session fits.
    pub session: f64,
    /// How slowly repeats of a word in a session stop to count.
    pub session_k1: f64,
    /// How much a session's best text counts beside its words.
    pub session_best: f64,
    /// How far a text is raised whose opening ("Ann: …") the question names.
    pub opening: f64,
    /// How far what is of a time that the question names is raised.
    pub named_time: f64,
    /// How far what tells of a time is raised if that is asked for.
    pub when: f64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            bm25: Bm25::default(),
            candidates: 200,
            share: 0.5,
            before: 1.2,
            told: 1.0,
            told_meaning: 0.0,
            slips: 0.8,
            again: 0.3,
            meaning: 0.5,
            usual: 1.0,
            session: 0.5,
            session_k1: 1.0,
            session_best: 1.0,
            opening: 1.0,
            named_time: 1.0,
            when: 0.25,
        }
    }
}

impl Tuning {
    /// Only what holds the words themselves.
    pub fn words_only(self) -> Self {
        Self {
            share: 0.0,
            slips: 0.0,
            session: 0.0,
            opening: 0.0,
            named_time: 0.0,
            when: 0.0,
            again: 0.0,
            ..self
        }
    }
}
