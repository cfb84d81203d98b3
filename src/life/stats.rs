//! How many memories a user has, counted in the store itself (F12).

use super::evict;
use crate::error::Result;
use crate::host::Host;
use crate::memories::snapshot::Snapshot;
use crate::memory::Tier;
use crate::scope::Scope;
use crate::store;
use serde::Serialize;

/// The memories that a scope sees, by what they are. `hot`, `cold`, `held`, `expired`,
/// `forgotten` and `superseded` add up to `total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Stats {
    /// All that are stored.
    pub total: usize,
    /// In ordinary recall.
    pub hot: usize,
    /// Recalled on request.
    pub cold: usize,
    /// Waiting to be allowed.
    pub held: usize,
    /// Over, and not yet looked after.
    pub expired: usize,
    /// Softly forgotten.
    pub forgotten: usize,
    /// Older versions.
    pub superseded: usize,
    /// Of hot and cold: pinned.
    pub pinned: usize,
    /// Of hot and cold: in the long tier.
    pub long: usize,
}

/// Counts the memories that a scope sees.
pub async fn stats<H: Host>(host: &H, scope: &Scope) -> Result<Stats> {
    scope.check()?;
    let now = store::now(host)?;
    let snapshot = Snapshot::read(host, scope).await?;
    let mut stats = Stats::default();
    let seen = snapshot.memories.iter();
    for memory in seen.filter(|memory| scope.sees(memory.scope, memory.agent_id.as_deref())) {
        stats.total += 1;
        if memory.is_live(now) {
            stats.hot += usize::from(evict::is_hot(memory));
            stats.cold += usize::from(evict::is_cold(memory));
            stats.pinned += usize::from(memory.is_pinned);
            stats.long += usize::from(memory.tier == Tier::Long);
        } else if memory.is_valid && memory.is_held {
            stats.held += 1;
        } else if memory.is_valid {
            stats.expired += 1;
        } else if memory.forgotten_at.is_some() {
            stats.forgotten += 1;
        } else {
            stats.superseded += 1;
        }
    }
    Ok(stats)
}
