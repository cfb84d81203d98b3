//! How a hit lends part of its score to the messages around it.
//!
//! In a dialogue the answer often stands beside the words that were asked for: one speaker
//! names the thing, the other tells about it.

use super::{Hit, unit};
use rustc_hash::FxHashMap;

/// Where documents stand in their dialogues.
#[derive(Debug, Clone, Default)]
pub struct Places {
    places: FxHashMap<u32, (u32, u32)>,
    docs: FxHashMap<(u32, u32), Vec<u32>>,
}

impl Places {
    /// The share that suits dialogues: half to the next message, a quarter to the one after.
    pub const SHARE: f64 = 0.5;

    /// No document has a place.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says where a document stands: the number of its session, its position there. Several
    /// may stand at one place (memories of one message).
    pub fn insert(&mut self, doc: u32, session: u32, position: u32) {
        self.remove(doc);
        self.places.insert(doc, (session, position));
        let here = self.docs.entry((session, position)).or_default();
        let at = here.partition_point(|&d| d < doc);
        here.insert(at, doc);
    }

    /// Forgets a document.
    pub fn remove(&mut self, doc: u32) {
        let Some(place) = self.places.remove(&doc) else {
            return;
        };
        if let Some(here) = self.docs.get_mut(&place) {
            here.retain(|&d| d != doc);
            if here.is_empty() {
                self.docs.remove(&place);
            }
        }
    }

    /// Lets each hit lend to what stands around it: `share` of its score directly before and
    /// after, `share`² one further. Documents that were no hits themselves can become hits.
    ///
    /// What a document has and what it is lent add up as independent chances do, so that
    /// scores stay within 0 to 1, never sink, and small ones simply add. Of several documents at
    /// one place the best one lends. [`Self::SHARE`] suits dialogues.
    pub fn lend(&self, hits: &[Hit], share: f64) -> Vec<Hit> {
        let share = if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        };
        // By document where its hit is; by place the best that it lends.
        let mut found: FxHashMap<u32, u32> = FxHashMap::default();
        let mut heights: FxHashMap<(u32, u32), f64> = FxHashMap::default();
        let mut near: Vec<(u32, u32)> = Vec::new();
        let mut lent: Vec<Hit> = Vec::new();
        for (at, hit) in (0u32..).zip(hits) {
            let score = unit(hit.score);
            let Some(&(session, position)) = self.places.get(&hit.doc) else {
                lent.push(Hit { score, ..*hit });
                continue;
            };
            found.insert(hit.doc, at);
            let height = heights.entry((session, position)).or_insert(0.0);
            *height = height.max(score);
            let reach = position.saturating_sub(2)..=position.saturating_add(2);
            near.extend(reach.map(|position| (session, position)));
        }
        near.sort_unstable();
        near.dedup();
        let far = share * share;
        for (session, position) in near {
            let mut spared = 1.0;
            for (offset, part) in [(-2, far), (-1, share), (1, share), (2, far)] {
                let there = position.checked_add_signed(offset);
                let height = there.and_then(|there| heights.get(&(session, there)));
                spared *= 1.0 - part * height.unwrap_or(&0.0);
            }
            for &doc in self.docs.get(&(session, position)).into_iter().flatten() {
                let hit = found.get(&doc).and_then(|&at| hits.get(at as usize));
                let own = hit.map_or(0.0, |hit| unit(hit.score));
                let score = 1.0 - spared * (1.0 - own);
                lent.push(Hit { doc, score });
            }
        }
        lent.retain(|hit| hit.score > 0.0);
        lent.sort_unstable_by(Hit::rank);
        lent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(list: &[(u32, u32, u32)]) -> Places {
        let mut places = Places::new();
        for &(doc, session, position) in list {
            places.insert(doc, session, position);
        }
        places
    }

    #[test]
    fn a_hit_lends_to_what_stands_near_it_in_its_session() {
        let places = places(&[(1, 1, 0), (2, 1, 1), (3, 1, 2), (4, 1, 3), (5, 2, 1)]);
        let lent = places.lend(&[Hit { doc: 1, score: 0.8 }], 0.5);
        let docs: Vec<u32> = lent.iter().map(|hit| hit.doc).collect();
        assert_eq!(docs, [1, 2, 3]);
        let expected = [0.8, 0.4, 0.2];
        assert!(
            lent.iter()
                .zip(expected)
                .all(|(hit, e)| (hit.score - e).abs() < 1e-9)
        );
    }

    #[test]
    fn documents_without_a_place_keep_their_score() {
        let hits = [
            Hit { doc: 8, score: 0.5 },
            Hit {
                doc: 9,
                score: f64::NAN,
            },
        ];
        assert_eq!(Places::new().lend(&hits, 0.5), [Hit { doc: 8, score: 0.5 }]);
    }

    #[test]
    fn what_is_removed_is_forgotten() {
        let mut places = places(&[(1, 1, 0), (2, 1, 1), (2, 1, 4)]);
        places.remove(2);
        places.remove(2);
        let hit = Hit { doc: 1, score: 0.5 };
        assert_eq!(places.lend(&[hit], 0.5), [hit]);
        places.remove(1);
        assert!(places.places.is_empty() && places.docs.is_empty());
    }

    proptest! {
        #[test]
        fn scores_stay_in_range_and_never_sink(
            list in proptest::collection::vec((0u32..20, 0u32..2, 0u32..6), 0..20),
            scores in proptest::collection::vec(0.0f64..=1.0, 20),
            share in 0.0f64..=1.0,
        ) {
            let hits: Vec<Hit> =
                (0u32..).zip(&scores).map(|(doc, &score)| Hit { doc, score }).collect();
            let mut backwards = hits.clone();
            backwards.reverse();
            let places = places(&list);
            let lent = places.lend(&hits, share);
            prop_assert_eq!(&lent, &places.lend(&backwards, share));
            for hit in &lent {
                let own = hits.iter().find(|h| h.doc == hit.doc).map_or(0.0, |h| h.score);
                prop_assert!(hit.score <= 1.0 && hit.score >= own - 1e-12);
            }
        }

        #[test]
        fn positions_at_the_ends_are_taken(at in prop_oneof![0u32..3, u32::MAX - 3..=u32::MAX]) {
            places(&[(1, u32::MAX, at)]).lend(&[Hit { doc: 1, score: 1.0 }], 2.0);
        }
    }
}
