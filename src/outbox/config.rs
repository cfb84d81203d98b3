//! How often, how long and how patiently effects are tried.

use crate::error::{Error, Result};
use crate::read::Read;
use serde::Serialize;

/// How effects outside the store are tried and tried again (X1, X2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct OutboxConfig {
    /// Attempts before an effect becomes a dead letter, 1 to 1,000.
    pub max_attempts: u32,
    /// How long the first failure makes it wait, ms, 1 to a day; each further one twice as long.
    pub backoff_ms: u64,
    /// How long it waits at most, ms, `backoff_ms` to a week.
    pub max_backoff_ms: u64,
    /// How long one attempt may take, ms, 1 to an hour.
    pub timeout_ms: u64,
    /// How long whoever does an effect keeps others from it, ms: over `timeout_ms`, to a day.
    pub lease_ms: u64,
}

impl Default for OutboxConfig {
    fn default() -> Self {
        Self {
            max_attempts: 10,
            backoff_ms: 5_000,
            max_backoff_ms: 3_600_000,
            timeout_ms: 15_000,
            lease_ms: 60_000,
        }
    }
}

impl OutboxConfig {
    /// Checks every range.
    pub fn validate(&self) -> Result<()> {
        let (hour, day) = (3_600_000, 86_400_000);
        let longer = self.timeout_ms.saturating_add(1);
        let wholes = [
            ("maxAttempts", self.max_attempts.into(), 1, 1_000),
            ("backoffMs", self.backoff_ms, 1, day),
            (
                "maxBackoffMs",
                self.max_backoff_ms,
                self.backoff_ms,
                7 * day,
            ),
            ("timeoutMs", self.timeout_ms, 1, hour),
            ("leaseMs", self.lease_ms, longer, day),
        ];
        for (field, value, min, max) in wholes {
            if !(min..=max).contains(&value) {
                let what = format!("a whole number from {min} to {max}, got {value}");
                return Err(Error::config(format!("config.outbox.{field}"), what));
            }
        }
        Ok(())
    }
}
