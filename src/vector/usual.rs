//! What a user's embeddings have in common, which tells nothing of any one of them.
//!
//! The memories of one user are about the same few people and in the same style: their embeddings
//! all lean one way. A comparison without that part sees what tells them apart.

use siltstone_kernels::{along, sqrt};

/// The common part counts as if this many embeddings without any were there too: of a few memories
/// it is mostly what they say.
const PRIOR: f64 = 50.0;

/// The sum of embeddings: exact, so that it does not depend on their order.
#[derive(Debug, Clone)]
pub(super) struct Usual {
    sums: Vec<i64>,
    /// The square of its length.
    squares: f64,
    count: u32,
}

/// An embedding, as far as it bears on a comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// The square of its length.
    pub(super) squares: f64,
    /// Its product with the sum.
    pub(super) along: f64,
}

impl Usual {
    /// Of these embeddings, which all have so many dimensions.
    pub(super) fn of<'a>(dimensions: usize, embeddings: impl Iterator<Item = &'a [i8]>) -> Self {
        let mut sums = vec![0; dimensions];
        let mut count = 0;
        for components in embeddings {
            count += 1;
            for (sum, x) in sums.iter_mut().zip(components) {
                *sum += i64::from(*x);
            }
        }
        let squares = sums.iter().map(|sum| *sum as f64 * *sum as f64).sum();
        Self {
            sums,
            squares,
            count,
        }
    }

    pub(super) fn dimensions(&self) -> usize {
        self.sums.len()
    }

    pub(super) fn along(&self, components: &[i8]) -> f64 {
        along(&self.sums, components) as f64
    }

    /// The cosine of two embeddings with this product, without `part` of what all have in common.
    pub(super) fn cosine_beyond(&self, a: Seen, b: Seen, product: f64, part: f64) -> f64 {
        let scale = part / (f64::from(self.count) + PRIOR);
        let common = scale * scale * self.squares;
        let squares = |of: Seen| of.squares - 2.0 * scale * of.along + common;
        let norms = squares(a) * squares(b);
        if norms > 0.0 {
            (product - scale * (a.along + b.along) + common) / sqrt(norms)
        } else {
            0.0
        }
    }
}
