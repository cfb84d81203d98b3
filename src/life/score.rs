//! What a memory is worth at a moment (R1–R3): importance × recency × pin.
//!
//! Decay is never written down. What is stored is the weight at the last access; what it is now
//! follows from that and the time since, however often anyone looked in between.

use super::config::{DAY_MS, LifeConfig};
use crate::memory::{Memory, Tier};

/// The largest nudge that keeps memories of one score apart (R5).
pub const MAX_JITTER: f64 = 0.001;

/// The rate λ per ms at which weights of a tier decay.
pub fn rate(tier: Tier, config: &LifeConfig) -> f64 {
    let days = match tier {
        Tier::Short => config.short_half_life_days,
        Tier::Long => config.long_half_life_days,
    };
    core::f64::consts::LN_2 / (days * DAY_MS)
}

/// The weight at `now_ms`, without a floor. A clock that went backwards counts as no time.
pub fn weight(memory: &Memory, now_ms: i64, config: &LifeConfig) -> f64 {
    let elapsed = now_ms.saturating_sub(memory.last_access_at).max(0) as f64;
    kept_weight(memory, config) * libm::exp(-rate(memory.tier, config) * elapsed)
}

/// When the weight falls under `threshold`, ms; never for a threshold of 0.
pub fn falls_under(memory: &Memory, threshold: f64, config: &LifeConfig) -> Option<i64> {
    if threshold <= 0.0 {
        return None;
    }
    let start = kept_weight(memory, config);
    if start < threshold {
        return Some(memory.last_access_at);
    }
    let elapsed = libm::log(start / threshold) / rate(memory.tier, config);
    let whole = (libm::floor(elapsed) as i64).saturating_add(1);
    Some(memory.last_access_at.saturating_add(whole))
}

fn kept_weight(memory: &Memory, config: &LifeConfig) -> f64 {
    if memory.weight >= 0.0 {
        memory.weight.min(config.max_weight)
    } else {
        0.0
    }
}

/// The weight as it counts in a score.
pub fn recency(memory: &Memory, now_ms: i64, config: &LifeConfig) -> f64 {
    weight(memory, now_ms, config).max(config.floor)
}

/// Importance × recency.
pub fn worth(memory: &Memory, now_ms: i64, config: &LifeConfig) -> f64 {
    f64::from(memory.importance) * recency(memory, now_ms, config)
}

/// Importance × recency × pin.
pub fn score(memory: &Memory, now_ms: i64, config: &LifeConfig) -> f64 {
    let pin = if memory.is_pinned {
        config.pin_boost
    } else {
        1.0
    };
    worth(memory, now_ms, config) * pin
}

/// A nudge from 0 to [`MAX_JITTER`] that the id determines (FNV-1a).
pub fn jitter(id: &str) -> f64 {
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 11) as f64 / (1u64 << 53) as f64 * MAX_JITTER
}
