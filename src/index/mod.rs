//! Which memories a question finds by its words, and in which order.
//!
//! - `terms`: what a text is searched by.
//! - `fold`, `words`: which letters and words count as the same or as nothing.
//! - `seen`: what words of texts before came to ([`Seen`]).
//! - `store`: which texts are in the index ([`Lexical`]).
//! - `asked`, `stems`: what a question asks for, and which words slips of the pen mean.
//! - `bm25`: how well a text answers a question ([`Lexical::search`]).
//! - `sessions`: how well whole sessions do.
//! - `neighbours`: where texts stand in their dialogues ([`Places`]).
//! - `rank`: the order of it all ([`rank()`]); `tuning`: what weighs how much.
//! - `openings`: whom or what a hit is about.
//! - `times`: which days "last Friday" and the like mean ([`times()`]).
//! - `asked_times`: which times a question names, and whether it asks for one ([`AskedTimes`]).
//! - `mmr`: which near-repeats are left out ([`mmr()`]).
//!
//! Nothing here has to be built anew when a text comes or goes.

mod asked;
mod asked_times;
mod bm25;
mod fold;
mod mmr;
mod neighbours;
mod openings;
mod rank;
mod seen;
mod sessions;
mod stems;
mod store;
mod terms;
mod times;
mod tuning;
mod words;

pub use asked_times::AskedTimes;
pub use bm25::Bm25;
pub use mmr::mmr;
pub use neighbours::Places;
pub use rank::{Asking, Ranking, rank};
pub use seen::Seen;
pub(crate) use store::Doc;
pub use store::{Digest, Entry, Lexical};
pub use terms::{MAX_TERM_CHARS, MAX_TERMS, query_terms, telling_words, terms};
pub use times::{Times, times};
pub use tuning::Tuning;

/// A document found, and how well it fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The caller's number of the document.
    pub doc: u32,
    /// How well it fits, in `0.0..=1.0`; what the number means is said where hits are made.
    pub score: f64,
}

impl Hit {
    /// The order of a result: best score first, equal scores by document number.
    pub fn rank(&self, other: &Self) -> core::cmp::Ordering {
        other
            .score
            .total_cmp(&self.score)
            .then(self.doc.cmp(&other.doc))
    }
}

/// A score as a number within 0 to 1; not a number counts as 0.
fn unit(score: f64) -> f64 {
    if score >= 0.0 { score.min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod sample {
    use super::*;

    pub(super) fn index(texts: &[(u32, &str)]) -> Lexical {
        let mut index = Lexical::new(Bm25::default());
        for (doc, text) in texts {
            index.insert(*doc, text);
        }
        index
    }

    pub(super) fn docs(hits: &[Hit]) -> Vec<u32> {
        hits.iter().map(|hit| hit.doc).collect()
    }

    pub(super) fn score(hits: &[Hit], doc: u32) -> f64 {
        hits.iter().find(|h| h.doc == doc).map_or(0.0, |h| h.score)
    }
}
