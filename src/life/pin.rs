//! Which memories stay pinned when there are too many, and which are worth a pin (R4).

use super::config::LifeConfig;
use super::score;
use crate::gather::Gather;
use crate::memory::{Category, Memory, Tier};
use crate::order;
use serde::Serialize;

/// A memory worth pinning, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PinCandidate {
    /// The memory.
    pub memory: Memory,
    /// `identity`, `preference`, `credentials` (where they are kept) or `task`.
    pub reason: &'static str,
}

/// The pinned memories that lose their pin as of `at_ms`, by their places: those beyond the limit
/// that are worth least.
pub fn beyond_limit(memories: &[Memory], at_ms: i64, config: &LifeConfig) -> Vec<usize> {
    let pinned = memories.iter().enumerate();
    let pinned = pinned.filter(|(_, memory)| memory.is_valid && memory.is_pinned);
    let mut ranked: Vec<(f64, &str, usize)> = pinned
        .map(|(place, memory)| {
            let worth = score::worth(memory, at_ms, config) + score::jitter(&memory.id);
            (worth, memory.id.as_str(), place)
        })
        .gather();
    order::sort_by(&mut ranked, |a, b| {
        b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1))
    });
    let mut beyond: Vec<usize> = ranked
        .into_iter()
        .skip(config.max_pinned)
        .map(|(_, _, place)| place)
        .gather();
    order::sort_by(&mut beyond, Ord::cmp);
    beyond
}

/// The live memories that are worth a pin and have none, best first.
pub fn candidates<'a>(
    memories: impl IntoIterator<Item = &'a Memory>,
    now_ms: i64,
    config: &LifeConfig,
) -> Vec<PinCandidate> {
    let unpinned = memories
        .into_iter()
        .filter(|memory| memory.is_live(now_ms) && !memory.is_pinned);
    let mut found: Vec<PinCandidate> = unpinned
        .filter_map(|memory| {
            Some(PinCandidate {
                reason: reason(memory, config)?,
                memory: memory.clone(),
            })
        })
        .gather();
    let rank = |found: &PinCandidate| score::worth(&found.memory, now_ms, config);
    order::sort_by(&mut found, |a, b| {
        let better = rank(b).total_cmp(&rank(a));
        better.then_with(|| a.memory.id.cmp(&b.memory.id))
    });
    found
}

fn reason(memory: &Memory, config: &LifeConfig) -> Option<&'static str> {
    let standing = memory.importance >= config.promote_importance;
    match memory.category {
        Category::Profile if standing => Some("identity"),
        Category::Preference if standing || memory.tier == Tier::Long => Some("preference"),
        Category::Auth => Some("credentials"),
        Category::Task | Category::Project if memory.access_count >= config.promote_accesses => {
            Some("task")
        }
        _ => None,
    }
}
