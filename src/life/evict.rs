//! Who leaves the hot tier for the cold one, and who the cold one (R5, R6).

use super::config::LifeConfig;
use super::passage::protected_until;
use super::score;
use crate::gather::Gather;
use crate::memory::{Memory, Temperature};
use crate::order;
use std::cmp::Ordering;

/// Whether a memory takes room in the hot tier.
pub fn is_hot(memory: &Memory) -> bool {
    memory.is_valid && memory.temperature == Temperature::Hot
}

/// Whether a memory takes room in the cold tier.
pub fn is_cold(memory: &Memory) -> bool {
    memory.is_valid && memory.temperature == Temperature::Cold
}

/// Which memories leave the hot tier as of `at_ms`, by their places, in order: none within the
/// limit, else the excess and `evict_count` more, of those with the lowest scores that are neither
/// pinned nor protected.
pub fn from_hot(memories: &[Memory], at_ms: i64, config: &LifeConfig) -> Vec<usize> {
    let hot = memories.iter().filter(|memory| is_hot(memory)).count();
    if hot <= config.max_hot {
        return Vec::new();
    }
    let wanted = hot - config.max_hot + config.evict_count;
    let may_go = |memory: &Memory| {
        is_hot(memory) && !memory.is_pinned && protected_until(memory, config) <= at_ms
    };
    let candidates = memories
        .iter()
        .enumerate()
        .filter(|(_, memory)| may_go(memory));
    let ranked = candidates.map(|(place, memory)| {
        let rank = score::score(memory, at_ms, config) + score::jitter(&memory.id);
        (rank, memory.id.as_str(), place)
    });
    lowest(ranked.gather(), wanted, |a, b| {
        a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1))
    })
}

/// Which memories leave the cold tier, by their places, in order: the excess, least recently used.
pub fn from_cold(memories: &[Memory], config: &LifeConfig) -> Vec<usize> {
    let cold = memories
        .iter()
        .enumerate()
        .filter(|(_, memory)| is_cold(memory));
    let used = cold.map(|(place, memory)| (memory.last_access_at, memory.id.as_str(), place));
    let used: Vec<_> = used.gather();
    let excess = used.len().saturating_sub(config.max_cold);
    lowest(used, excess, |a, b| a.cmp(b))
}

/// The places of the `count` lowest, in their order.
fn lowest<R>(
    all: Vec<(R, &str, usize)>,
    count: usize,
    compare: impl Fn(&(R, &str, usize), &(R, &str, usize)) -> Ordering,
) -> Vec<usize> {
    let found = order::lowest(all.len(), count, &|a, b| match (all.get(a), all.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    let found = found.into_iter();
    found.filter_map(|at| Some(all.get(at)?.2)).gather()
}
