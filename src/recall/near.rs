//! What is near a question by its meaning.

use super::{Indexed, Query};
use crate::host::{Host, VectorMatch};
use crate::index::Hit;
use crate::memory::Temperature;
use crate::scope::Scope;
use crate::store;
use crate::vector::{Usual, external};
use std::collections::BTreeMap;

impl Indexed {
    /// The answers of a vector store as memories of this index, best first. Only what our own store
    /// holds of the user counts: a vector store that is wrong can bring nothing else in.
    pub fn own<H: Host>(&self, host: &H, scope: &Scope, near: &[VectorMatch]) -> Vec<Hit> {
        let numbers = self.numbers.get_or_init(|| {
            let hot = |(_, memory): &(u32, &crate::memory::Memory)| {
                memory.temperature == Temperature::Hot
            };
            let numbered = (0u32..).zip(&self.memories).filter(hot);
            let named = numbered.map(|(doc, memory)| (external::id(scope, &memory.id), doc));
            named.collect()
        });
        let mut own: BTreeMap<u32, f64> = BTreeMap::new();
        let mut foreign = 0;
        for found in near {
            match numbers.get(&found.id) {
                Some(doc) if found.score.is_finite() => {
                    let best = own.entry(*doc).or_insert(found.score);
                    *best = best.max(found.score);
                }
                _ => foreign += 1,
            }
        }
        if foreign > 0 {
            let all = near.len();
            let message = format!("{foreign} of {all} answers are no hot memories of this user");
            store::warn(host, "vectors_ignored", &message);
        }
        let mut hits: Vec<Hit> = own
            .into_iter()
            .map(|(doc, score)| Hit { doc, score })
            .collect();
        hits.sort_unstable_by(Hit::rank);
        hits
    }

    /// The memories near a question, by the vector store or the embeddings that are here; none
    /// where there are neither.
    pub(super) fn near(&self, query: &Query<'_>, min_cosine: f64, usual: f64) -> Option<Vec<Hit>> {
        if let Some(near) = &query.near {
            let near = near.iter().filter(|hit| hit.score >= min_cosine);
            return Some(near.copied().collect());
        }
        let question = query.vector.as_ref()?;
        let common = self
            .usual
            .get_or_init(|| Usual::of(self.vectors.iter().flatten()));
        let common = common.share(usual);
        let compared = (0u32..).zip(&self.vectors);
        let scored = compared.filter_map(|(doc, vector)| {
            let vector = vector.as_ref()?;
            let is_near = vector.cosine(question) >= min_cosine;
            is_near.then(|| Hit {
                doc,
                score: vector.cosine_beyond(question, &common),
            })
        });
        Some(scored.collect())
    }
}
