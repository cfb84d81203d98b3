//! Duplicates within one batch of candidates (E5): the one that tells more stays, and takes over what the
//! other knew about its origin.

use crate::config::DedupConfig;
use crate::conflict::{Relation, Standing, facts_differ, relate_prepared};
use crate::gather::Gather;
use crate::memory::Candidate;
use crate::similarity::{Prepared, Similarity, compare};
use serde::Serialize;

/// A candidate that said the same as another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Merged {
    /// The text that was dropped.
    pub content: String,
    /// The index, among those kept, of the candidate it went into.
    pub into: usize,
    /// In which way they said the same.
    pub why: Similarity,
}

/// Merges duplicates; what is kept stays in the order of its first appearance.
pub fn batch(candidates: Vec<Candidate>, config: &DedupConfig) -> (Vec<Candidate>, Vec<Merged>) {
    let mut kept: Vec<(Candidate, Prepared)> = Vec::with_capacity(candidates.len());
    let mut merged = Vec::new();
    for candidate in candidates {
        let text = Prepared::new(&candidate.content);
        let found = kept
            .iter()
            .enumerate()
            .find_map(|(into, (other, other_text))| {
                let why = compare(&text, other_text, config);
                let same = why.is_duplicate()
                    && other.scope == candidate.scope
                    && !facts_differ(&other.facts, &candidate.facts);
                same.then_some((into, why))
            });
        let found = found
            .filter(|(into, _)| !is_contradicted_since(&kept, *into, &candidate, &text, config));
        match found.and_then(|(into, why)| Some((into, why, kept.get_mut(into)?))) {
            None => kept.push((candidate, text)),
            Some((into, why, slot)) => {
                let dropped = if text.richness() > slot.1.richness() {
                    let poorer = std::mem::replace(slot, (candidate, text));
                    absorb(&mut slot.0, poorer.0, true)
                } else {
                    absorb(&mut slot.0, candidate, false)
                };
                merged.push(Merged {
                    content: dropped,
                    into,
                    why,
                });
            }
        }
    }
    (
        kept.into_iter().map(|(candidate, _)| candidate).gather(),
        merged,
    )
}

/// Whether something after it in the batch contradicts the candidate: then it is said anew, not repeated.
fn is_contradicted_since(
    kept: &[(Candidate, Prepared)],
    into: usize,
    candidate: &Candidate,
    text: &Prepared,
    config: &DedupConfig,
) -> bool {
    kept.iter().skip(into + 1).any(|(other, other_text)| {
        let standing = Standing::candidate("", other);
        matches!(
            relate_prepared(candidate, text, &standing, other_text, config),
            Relation::Conflict { .. }
        )
    })
}

/// Takes over what the poorer candidate knows; gives its text.
fn absorb(rich: &mut Candidate, poor: Candidate, poor_came_first: bool) -> String {
    for (key, value) in poor.facts {
        rich.facts.add(key, value);
    }
    rich.importance = rich.importance.max(poor.importance);
    rich.is_sensitive |= poor.is_sensitive;
    rich.observed_at = rich.observed_at.max(poor.observed_at);
    rich.message_ids = union(&rich.message_ids, poor.message_ids, poor_came_first);
    rich.replaces = union(&rich.replaces, poor.replaces, poor_came_first);
    rich.contradicts = union(&rich.contradicts, poor.contradicts, poor_came_first);
    poor.content
}

fn union(own: &[String], other: Vec<String>, other_first: bool) -> Vec<String> {
    let (mut all, rest) = if other_first {
        (other, own.to_vec())
    } else {
        (own.to_vec(), other)
    };
    for id in rest {
        if !all.contains(&id) {
            all.push(id);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Category, Kind, MemoryScope};

    fn candidate(content: &str, message: &str, importance: u8) -> Candidate {
        Candidate {
            content: content.into(),
            category: Category::Other,
            kind: Kind::Text,
            scope: MemoryScope::User,
            importance,
            facts: Default::default(),
            cues: String::new(),
            is_sensitive: false,
            replaces: Vec::new(),
            contradicts: Vec::new(),
            message_ids: vec![message.into()],
            observed_at: i64::from(importance),
        }
    }

    #[test]
    fn the_richer_text_stays_and_origins_unite() {
        let mut second = candidate("User likes tea in the morning", "m2", 3);
        second.facts.insert("preference.tea".into(), "like".into());
        let (kept, merged) = batch(
            vec![
                candidate("User likes tea", "m1", 8),
                candidate("User lives in Paris", "m1", 5),
                second,
                candidate("user likes TEA in the morning!", "m3", 2),
                candidate("User does not like tea", "m4", 2),
            ],
            &DedupConfig::default(),
        );
        let texts: Vec<&str> = kept.iter().map(|c| c.content.as_str()).collect();
        assert_eq!(
            texts,
            [
                "User likes tea in the morning", "User lives in Paris", "User does not like tea"
            ]
        );
        assert_eq!(kept[0].message_ids, ["m1", "m2", "m3"]);
        assert_eq!((kept[0].importance, kept[0].observed_at), (8, 8));
        assert_eq!(kept[0].facts.len(), 1);
        let reports: Vec<(&str, usize, &str)> = merged
            .iter()
            .map(|m| (m.content.as_str(), m.into, m.why.as_str()))
            .collect();
        assert_eq!(
            reports,
            [
                ("User likes tea", 0, "contains"),
                ("user likes TEA in the morning!", 0, "exact")
            ]
        );
    }

    #[test]
    fn other_scope_or_other_facts_are_not_duplicates() {
        let mut agent = candidate("Answers should be short", "m1", 5);
        agent.scope = MemoryScope::Agent;
        let mut berlin = candidate("User moved", "m2", 5);
        berlin
            .facts
            .insert("profile.location.city".into(), "Berlin".into());
        let mut paris = candidate("User moved", "m3", 5);
        paris
            .facts
            .insert("profile.location.city".into(), "Paris".into());
        let all = vec![
            agent,
            candidate("Answers should be short", "m1", 5),
            berlin,
            paris,
        ];
        assert_eq!(batch(all, &DedupConfig::default()).0.len(), 4);
    }

    #[test]
    fn said_again_after_its_opposite_is_no_repetition() {
        let all = ["User likes tea", "User hates tea", "User likes tea"]
            .map(|text| candidate(text, "m", 5));
        assert_eq!(batch(all.to_vec(), &DedupConfig::default()).0.len(), 3);
    }

    #[test]
    fn a_thousand_candidates() {
        let all: Vec<Candidate> = (0..1_000)
            .map(|i| {
                candidate(
                    &format!(
                        "User keeps item {} on shelf {} of the long corridor",
                        i / 2,
                        i / 2 % 7
                    ),
                    "m",
                    5,
                )
            })
            .collect();
        assert_eq!(batch(all, &DedupConfig::default()).0.len(), 500);
    }
}
