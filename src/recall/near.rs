//! What is near a question by its meaning.

use super::indexed::COLD;
use super::{Indexed, Query};
use crate::gather::Gather;
use crate::host::{Host, VectorMatch};
use crate::index::Hit;
use crate::scope::Scope;
use crate::sorted::Map;
use crate::store;
use crate::vector::external;

impl Indexed {
    /// The documents of a vector store's answers, with the best score of each, and how many answers
    /// were of no hot memory of this index.
    fn of_vectors(&self, scope: &Scope, near: &[VectorMatch]) -> (Map<u32, f64>, usize) {
        let numbers = self.numbers.get_or_init(|| {
            let named = self.ids.iter().zip(0u32..);
            let named = named.map(|(id, doc)| (external::id(scope, id), doc));
            named.collect()
        });
        let is_hot = |doc: &&u32| {
            let marks = self.marks(**doc);
            marks.is_some_and(|marks| marks.marks & COLD == 0)
        };
        let mut own: Map<u32, f64> = Map::new();
        let mut foreign = 0;
        for found in near {
            match numbers.get(&found.id).filter(is_hot) {
                Some(doc) if found.score.is_finite() => {
                    own.update(*doc, found.score, |best| *best = best.max(found.score));
                }
                _ => foreign += 1,
            }
        }
        (own, foreign)
    }

    /// The answers of a vector store as memories of this index, best first. Only what our own store
    /// holds of the user counts: a vector store that is wrong can bring nothing else in.
    pub fn own<H: Host>(&self, host: &H, scope: &Scope, near: &[VectorMatch]) -> Vec<Hit> {
        let (own, foreign) = self.of_vectors(scope, near);
        if foreign > 0 {
            let all = near.len();
            let message = format!("{foreign} of {all} answers are no hot memories of this user");
            store::warn(host, "vectors_ignored", &message);
        }
        let mut hits: Vec<Hit> = own
            .into_pairs()
            .into_iter()
            .map(|(doc, score)| Hit { doc, score })
            .gather();
        hits.sort_unstable_by(Hit::rank);
        hits
    }

    /// The memories near a question, by the vector store or the embeddings that are here; none
    /// where there are neither.
    pub(super) fn near(&self, query: &Query<'_>, min_cosine: f64, usual: f64) -> Option<Vec<Hit>> {
        if let Some(near) = &query.near {
            let far = |hit: &Hit| hit.score >= min_cosine;
            return Some(near.iter().copied().filter(far).gather());
        }
        let question = query.vector.as_ref()?;
        Some(self.vectors.near(question, min_cosine, usual))
    }
}
