//! Which near-repeats are left out of a result.

use super::store::Lexical;
use super::{Hit, unit};
use siltstone_kernels::overlap;

impl Lexical {
    /// How alike two documents are by their terms: the weight they share over the weight of
    /// both together (0 to 1; 0 if either is not there).
    pub fn similarity(&self, a: u32, b: u32) -> f64 {
        let terms_of = |doc: u32| Some(&*self.doc(doc)?.terms);
        let (Some(a), Some(b)) = (terms_of(a), terms_of(b)) else {
            return 0.0;
        };
        let (shared, total) = overlap(a, b);
        if total == 0 {
            0.0
        } else {
            shared as f64 / total as f64
        }
    }
}

/// Picks `k` hits that fit and do not repeat each other (maximal marginal relevance).
///
/// Each pick maximises `lambda × score / best score − (1 − lambda) × similarity to the nearest
/// pick`; equal values go to the better rank. `lambda` is clamped to 0..=1 (1 changes nothing;
/// not a number counts as 1). Hits must come best first and keep their scores. Only the first
/// `max(4k, 50)` are considered, so that `similarity` is called at most `k × max(4k, 50)` times.
pub fn mmr(hits: &[Hit], similarity: impl Fn(u32, u32) -> f64, lambda: f64, k: usize) -> Vec<Hit> {
    let lambda = if lambda.is_nan() {
        1.0
    } else {
        lambda.clamp(0.0, 1.0)
    };
    let best = hits.first().map_or(0.0, |h| unit(h.score));
    let scale = if best > 0.0 { 1.0 / best } else { 0.0 };
    let mut pool: Vec<(Hit, f64)> = hits
        .iter()
        .take(k.saturating_mul(4).max(50))
        .map(|&hit| (hit, 0.0))
        .collect();
    let mut picked: Vec<Hit> = Vec::new();
    while picked.len() < k {
        let value = |&(hit, nearest): &(Hit, f64)| {
            lambda * unit(hit.score) * scale - (1.0 - lambda) * nearest
        };
        // The first of the greatest values.
        let mut choice: Option<(usize, f64)> = None;
        for (at, candidate) in pool.iter().enumerate() {
            let value = value(candidate);
            if choice.is_none_or(|(_, greatest)| value > greatest) {
                choice = Some((at, value));
            }
        }
        let Some((at, _)) = choice else { break };
        let (hit, _) = pool.remove(at);
        for (other, nearest) in &mut pool {
            let alike = similarity(hit.doc, other.doc);
            if alike > *nearest {
                *nearest = alike;
            }
        }
        picked.push(hit);
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::sample::{docs, index};
    use proptest::prelude::*;

    fn hits(scores: &[f64]) -> Vec<Hit> {
        (0u32..)
            .zip(scores)
            .map(|(doc, &score)| Hit { doc, score })
            .collect()
    }

    #[test]
    fn similarity_is_one_for_the_same_words() {
        let index = index(&[
            (1, "green tea"),
            (2, "tea, green"),
            (3, "green door"),
            (4, ""),
        ]);
        assert_eq!(index.similarity(1, 2), 1.0);
        assert!((index.similarity(1, 3) - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(index.similarity(1, 4), 0.0);
        assert_eq!(index.similarity(1, 99), 0.0);
    }

    #[test]
    fn a_near_repeat_gives_way_to_something_else() {
        let found = hits(&[0.9, 0.89, 0.7, 0.1]);
        let alike = |a: u32, b: u32| if a + b == 1 { 0.95 } else { 0.0 };
        assert_eq!(docs(&mmr(&found, alike, 0.7, 2)), [0, 2]);
        assert_eq!(docs(&mmr(&found, alike, 1.0, 2)), [0, 1]);
        assert_eq!(docs(&mmr(&found, alike, f64::NAN, 9)), [0, 1, 2, 3]);
    }

    #[test]
    fn equal_values_keep_their_order() {
        assert_eq!(docs(&mmr(&hits(&[0.5; 4]), |_, _| 0.5, 0.5, 3)), [0, 1, 2]);
        assert!(mmr(&[], |_, _| 1.0, 0.5, 3).is_empty());
        assert!(mmr(&hits(&[0.5]), |_, _| 1.0, 0.5, 0).is_empty());
    }

    #[test]
    fn the_cost_is_bounded() {
        let found = hits(&[0.5; 5000]);
        let calls = std::cell::Cell::new(0usize);
        let picked = mmr(
            &found,
            |_, _| {
                calls.set(calls.get() + 1);
                f64::NAN
            },
            0.5,
            10,
        );
        assert_eq!(picked.len(), 10);
        assert!(calls.get() <= 10 * 50);
    }

    proptest! {
        #[test]
        fn picks_are_hits_without_repeats(
            scores in proptest::collection::vec(-1.0f64..2.0, 0..30),
            lambda in -1.0f64..2.0,
            k in 0usize..40,
        ) {
            let found = hits(&scores);
            let mut picked = docs(&mmr(&found, |a, b| f64::from((a * 7 + b) % 5) / 4.0, lambda, k));
            prop_assert_eq!(picked.len(), k.min(scores.len()));
            picked.sort_unstable();
            prop_assert!(picked.is_sorted_by(|a, b| a < b));
        }
    }
}
