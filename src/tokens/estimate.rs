//! The estimate as a counter; `siltstone_tokens::estimate` tells how far it may be off.

use super::Counter;
use crate::error::Result;

/// Counts by kinds of characters, without a vocabulary.
#[derive(Debug, Clone, Copy, Default)]
pub struct Estimate;

impl Estimate {
    /// How many times the exact count may be over the estimate, on any text.
    pub const WORST: usize = siltstone_tokens::WORST;
}

impl Counter for Estimate {
    fn count(&self, text: &str) -> Result<usize> {
        Ok(siltstone_tokens::estimate(text))
    }

    fn identity(&self) -> Option<String> {
        Some("estimate".to_owned())
    }
}
