//! The one source of chance.

use std::cell::Cell;

/// SplitMix64: small, and the same everywhere.
#[derive(Debug)]
pub struct Rng(Cell<u64>);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(Cell::new(seed))
    }

    pub fn next(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `limit`, which is not 0.
    pub fn below(&self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    /// True so many times in a thousand.
    pub fn chance(&self, per_mille: usize) -> bool {
        per_mille > 0 && self.below(1_000) < per_mille
    }

    pub fn pick<'a, T>(&self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}
