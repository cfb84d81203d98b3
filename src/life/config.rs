//! What can be tuned about the life of memories, with unit, range and source of each default.

use crate::error::{Error, Result};
use crate::read::Read;
use crate::write;
use serde::Serialize;

/// Milliseconds of a day.
pub const DAY_MS: f64 = 86_400_000.0;

/// What happens to the least recently used memories of a full cold tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum ColdOverflow {
    /// They are forgotten softly: kept, restorable, out of every recall.
    #[default]
    Soft,
    /// They are gone, with a tombstone.
    Hard,
}

/// The life of memories (R1–R7, M1, M6). Numbers without a source are this project's choice.
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct LifeConfig {
    /// Days after which the weight of a memory of the short tier has halved, 0.01 to 3,650.
    /// Source C's λ of 0.0001 per second (under two hours) forgets a person overnight.
    pub short_half_life_days: f64,
    /// The same for the long tier, 0.01 to 36,500; not less than the short one (C §6).
    pub long_half_life_days: f64,
    /// Recency never counts less than this in a score, 0 to 1 (B §5).
    pub floor: f64,
    /// What a pin multiplies a score by, 1 to 1,000 (B §4).
    pub pin_boost: f64,
    /// Pinned memories at most, 0 to 1,000 (B §3).
    pub max_pinned: usize,
    /// How long a memory that is new or was just used cannot be evicted, ms, 0 to a day (B §5).
    pub protect_ms: u64,
    /// Hot memories of a user at most, 1 to 1,000,000. B's sample has 100: too few for a person.
    pub max_hot: usize,
    /// Memories that an eviction takes beyond the excess, 0 to 100,000 (B's sample has 10).
    pub evict_count: usize,
    /// Cold memories of a user at most, 0 to 1,000,000.
    pub max_cold: usize,
    /// What happens to the rest.
    pub cold_overflow: ColdOverflow,
    /// The age from which on a memory may settle in the long tier, ms, 0 to a year (M1).
    pub promote_after_ms: u64,
    /// From this importance on, age alone promotes, 1 to 10; 11 turns that off (M1).
    pub promote_importance: u8,
    /// From this many uses on, age alone promotes, 1 to 1,000,000 (M1).
    pub promote_accesses: u32,
    /// A memory whose weight fell under this may be forgotten, 0 (never) to 1 (R3).
    pub forget_weight: f64,
    /// Up to this importance time alone forgets, 0 (never) to 10.
    pub forget_importance: u8,
    /// Days after which what was forgotten softly is gone, 0 (never) to 36,500.
    pub purge_days: u32,
    /// Days that a tombstone stops a replay, 0 (none is written) to 36,500.
    pub tombstone_days: u32,
    /// How often at most the use of one memory is noted, ms, 0 to a year.
    pub touch_interval_ms: u64,
    /// How long a turn may wait for that at most, ms, 0 (it is never noted) to a minute.
    pub touch_timeout_ms: u64,
    /// The relevance from which on a memory that was found counts as used, 0 to 1.
    pub touch_min_score: f64,
    /// What a use adds to a weight, 0 to 10 (C §6: a memory deepens as it is recalled).
    pub reinforce: f64,
    /// A weight at most, 1 to 100.
    pub max_weight: f64,
    /// How long `maintain` waits after it is through, ms, a minute to a day (R7: 5–30 minutes).
    pub maintain_interval_ms: u64,
    /// Users that one `maintain` looks after at most, 1 to 100,000.
    pub maintain_users: usize,
    /// It stops after the user with whom it has read this many memories, 1 to 10,000,000.
    pub maintain_memories: usize,
}

impl Default for LifeConfig {
    fn default() -> Self {
        Self {
            short_half_life_days: 14.0,
            long_half_life_days: 180.0,
            floor: 0.1,
            pin_boost: 10.0,
            max_pinned: 20,
            protect_ms: 30_000,
            max_hot: 2_000,
            evict_count: 50,
            max_cold: 5_000,
            cold_overflow: ColdOverflow::Soft,
            promote_after_ms: 86_400_000,
            promote_importance: 7,
            promote_accesses: 3,
            forget_weight: 0.05,
            forget_importance: 4,
            purge_days: 365,
            tombstone_days: 365,
            touch_interval_ms: 3_600_000,
            touch_timeout_ms: 250,
            touch_min_score: 0.2,
            reinforce: 0.2,
            max_weight: 2.0,
            maintain_interval_ms: 900_000,
            maintain_users: 50,
            maintain_memories: 20_000,
        }
    }
}

fn at(field: &str) -> String {
    format!("config.life.{field}")
}

impl LifeConfig {
    /// Checks every range.
    pub fn validate(&self) -> Result<()> {
        let million = 1_000_000;
        let counts = [
            ("maxPinned", self.max_pinned, 0, 1_000),
            ("maxHot", self.max_hot, 1, million),
            ("evictCount", self.evict_count, 0, 100_000),
            ("maxCold", self.max_cold, 0, million),
            ("promoteImportance", self.promote_importance.into(), 1, 11),
            ("forgetImportance", self.forget_importance.into(), 0, 10),
            ("maintainUsers", self.maintain_users, 1, 100_000),
            ("maintainMemories", self.maintain_memories, 1, 10 * million),
        ];
        for (field, value, min, max) in counts {
            if !(min..=max).contains(&value) {
                let what = format!("a whole number from {min} to {max}, got {value}");
                return Err(Error::config(at(field), what));
            }
        }
        let (day, year) = (86_400_000, 366 * 86_400_000);
        let wholes = [
            ("protectMs", self.protect_ms, 0, day),
            ("promoteAfterMs", self.promote_after_ms, 0, year),
            (
                "promoteAccesses",
                self.promote_accesses.into(),
                1,
                1_000_000,
            ),
            ("purgeDays", self.purge_days.into(), 0, 36_500),
            ("tombstoneDays", self.tombstone_days.into(), 0, 36_500),
            ("touchIntervalMs", self.touch_interval_ms, 0, year),
            ("touchTimeoutMs", self.touch_timeout_ms, 0, 60_000),
            ("maintainIntervalMs", self.maintain_interval_ms, 60_000, day),
        ];
        for (field, value, min, max) in wholes {
            if !(min..=max).contains(&value) {
                let what = format!("a whole number from {min} to {max}, got {value}");
                return Err(Error::config(at(field), what));
            }
        }
        let short = self.short_half_life_days;
        let numbers = [
            ("shortHalfLifeDays", short, 0.01, 3_650.0),
            (
                "longHalfLifeDays", self.long_half_life_days, short, 36_500.0,
            ),
            ("floor", self.floor, 0.0, 1.0),
            ("pinBoost", self.pin_boost, 1.0, 1_000.0),
            ("forgetWeight", self.forget_weight, 0.0, 1.0),
            ("touchMinScore", self.touch_min_score, 0.0, 1.0),
            ("reinforce", self.reinforce, 0.0, 10.0),
            ("maxWeight", self.max_weight, 1.0, 100.0),
        ];
        for (field, value, min, max) in numbers {
            if !(min..=max).contains(&value) {
                let [min, max, value] = [min, max, value].map(write::number);
                let what = format!("a number from {min} to {max}, got {value}");
                return Err(Error::config(at(field), what));
            }
        }
        Ok(())
    }
}
