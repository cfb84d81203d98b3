//! What being used makes of a memory (M6), and how that is noted without holding up a turn.

use super::config::LifeConfig;
use super::score;
use crate::error::Result;
use crate::gather::Gather;
use crate::host::{self, Commit, Host};
use crate::memory::Memory;
use crate::scope::Scope;
use crate::store::{self, Change};

/// Resets the clock of a memory and deepens it: its weight is what is left of it and a bit more,
/// at least that of a new one.
pub fn used(memory: &mut Memory, now_ms: i64, config: &LifeConfig) {
    let deeper = score::weight(memory, now_ms, config) + config.reinforce;
    memory.weight = deeper.max(1.0).min(config.max_weight);
    memory.access_count = memory.access_count.saturating_add(1);
    memory.last_access_at = memory.last_access_at.max(now_ms);
}

/// Whether a use is to be noted, when the last one that was noted is this long ago.
pub fn is_due(last_ms: i64, now_ms: i64, config: &LifeConfig) -> bool {
    last_ms.saturating_add_unsigned(config.touch_interval_ms) <= now_ms
}

/// Notes that these memories were used and gives them as they are now. Best effort: what fails is
/// logged, what is late is left.
pub async fn touch<H: Host>(
    host: &H,
    config: &LifeConfig,
    scope: &Scope,
    ids: &[String],
    now_ms: i64,
) -> Vec<Memory> {
    if ids.is_empty() || config.touch_timeout_ms == 0 {
        return Vec::new();
    }
    let note = note(host, config, scope, ids, now_ms);
    match host::within(host, config.touch_timeout_ms, note).await {
        Some(Ok(noted)) => return noted,
        Some(Err(error)) => store::warn(host, "touch_failed", &error.message),
        None => store::warn(host, "touch_failed", "timeout"),
    }
    Vec::new()
}

/// The memories' own versions are checked, not the head: the text and validity that indexes hold
/// stay true, and another change of a memory can neither be undone nor brought back by this.
async fn note<H: Host>(
    host: &H,
    config: &LifeConfig,
    scope: &Scope,
    ids: &[String],
    now_ms: i64,
) -> Result<Vec<Memory>> {
    let keys: Vec<String> = ids.iter().map(|id| scope.memory_key(id)).gather();
    let entries = store::get(host, &keys).await?;
    let mut change = Change::new();
    let mut noted = Vec::new();
    for entry in entries.into_iter().flatten() {
        let record = store::record::<Memory>(entry)?;
        if !record.value.is_valid || !is_due(record.value.last_access_at, now_ms, config) {
            continue;
        }
        change.check_read(&record);
        let mut memory = record.value;
        used(&mut memory, now_ms, config);
        change.put(record.key, &memory);
        noted.push(memory);
    }
    if !noted.is_empty() && change.commit(host).await? == Commit::Conflict {
        store::warn(host, "touch_failed", "the memories were changed meanwhile");
        noted.clear();
    }
    Ok(noted)
}
