//! What time alone makes of one memory, and when.

use super::config::{DAY_MS, LifeConfig};
use super::score;
use crate::memory::{Memory, Temperature, Tier};

/// What becomes of a memory by the passage of time. Of what is due at one moment, the first here
/// comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// What it tells is over.
    Expire,
    /// It settles in the long tier (M1).
    Promote,
    /// It has faded (R6).
    Fade,
    /// It was forgotten long ago and goes for good.
    Purge,
}

/// The next step of a memory and when it is due, ms.
pub fn next(memory: &Memory, config: &LifeConfig) -> Option<(i64, Step)> {
    if !memory.is_valid {
        return purge_due(memory, config).map(|due| (due, Step::Purge));
    }
    let steps = [
        (memory.expires_at, Step::Expire),
        (promotion_due(memory, config), Step::Promote),
        (fading_due(memory, config), Step::Fade),
    ];
    let due = steps
        .into_iter()
        .filter_map(|(due, step)| Some((due?, step)));
    due.min()
}

/// A hot memory of the short tier settles at a day's age if it is important or was used often.
fn promotion_due(memory: &Memory, config: &LifeConfig) -> Option<i64> {
    if memory.tier == Tier::Long || memory.temperature == Temperature::Cold {
        return None;
    }
    let earned = if memory.importance >= config.promote_importance {
        memory.created_at
    } else if memory.access_count >= config.promote_accesses {
        memory.last_access_at
    } else {
        return None;
    };
    let aged = memory
        .created_at
        .saturating_add_unsigned(config.promote_after_ms);
    Some(aged.max(earned))
}

/// Time alone forgets what is neither pinned nor important, once its weight is under the threshold.
fn fading_due(memory: &Memory, config: &LifeConfig) -> Option<i64> {
    if memory.is_pinned || memory.importance > config.forget_importance {
        return None;
    }
    let faded = score::falls_under(memory, config.forget_weight, config)?;
    Some(faded.max(protected_until(memory, config)))
}

fn purge_due(memory: &Memory, config: &LifeConfig) -> Option<i64> {
    if config.purge_days == 0 {
        return None;
    }
    let kept = f64::from(config.purge_days) * DAY_MS;
    Some(memory.forgotten_at?.saturating_add(kept as i64))
}

/// Until when a memory that is new or was just used cannot be evicted, ms.
pub fn protected_until(memory: &Memory, config: &LifeConfig) -> i64 {
    let used = memory.created_at.max(memory.last_access_at);
    used.saturating_add_unsigned(config.protect_ms)
}
