//! What a user's embeddings have in common, which tells nothing of any one of them.
//!
//! The memories of one user are about the same few people and in the same style: their embeddings
//! all lean one way. A comparison without that part sees what tells them apart.

use super::Vector;

/// The common part counts as if this many embeddings without any were there too: of a few memories
/// it is mostly what they say.
const PRIOR: f64 = 50.0;

/// The sum of embeddings: exact, so that it does not depend on their order.
#[derive(Debug, Clone, Default)]
pub struct Usual {
    sums: Vec<i64>,
    count: u32,
}

impl Usual {
    /// Of the embeddings that have as many dimensions as the first.
    pub fn of<'a>(vectors: impl Iterator<Item = &'a Vector>) -> Self {
        let mut usual = Self::default();
        for Vector(components) in vectors {
            if usual.count == 0 {
                usual.sums = vec![0; components.len()];
            }
            if usual.sums.len() == components.len() {
                usual.count += 1;
                for (sum, x) in usual.sums.iter_mut().zip(components) {
                    *sum += i64::from(*x);
                }
            }
        }
        usual
    }

    /// The common part of an embedding, by component; `part` of it, 0 to 1.
    pub fn share(&self, part: f64) -> Vec<f64> {
        let scale = part / (f64::from(self.count) + PRIOR);
        self.sums.iter().map(|sum| *sum as f64 * scale).collect()
    }
}

impl Vector {
    /// The cosine of two embeddings without a common part; with it where the dimensions differ.
    pub fn cosine_beyond(&self, other: &Self, common: &[f64]) -> f64 {
        if self.0.len() != common.len() || other.0.len() != common.len() {
            return self.cosine(other);
        }
        let (mut dot, mut own, mut others) = (0.0, 0.0, 0.0);
        for ((x, y), common) in self.0.iter().zip(&other.0).zip(common) {
            let (x, y) = (f64::from(*x) - common, f64::from(*y) - common);
            dot += x * y;
            own += x * x;
            others += y * y;
        }
        let norms = own * others;
        if norms > 0.0 {
            dot / libm::sqrt(norms)
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(components: &[f32]) -> Vector {
        Vector::new(components).unwrap()
    }

    #[test]
    fn what_many_have_in_common_tells_nothing() {
        let many: Vec<Vector> = (0..200u8)
            .map(|n| vector(&[1.0, f32::from(n % 2), f32::from((n + 1) % 2)]))
            .collect();
        let common = Usual::of(many.iter()).share(1.0);
        assert!(many[0].cosine(&many[1]) > 0.4);
        assert!(many[0].cosine_beyond(&many[1], &common) < -0.5);
        assert!(many[0].cosine_beyond(&many[2], &common) > 0.99);
    }

    #[test]
    fn a_few_have_nothing_usual_yet() {
        let few = [vector(&[1.0, 0.5]), vector(&[1.0, 0.4])];
        let common = Usual::of(few.iter()).share(1.0);
        let (near, plain) = (
            few[0].cosine_beyond(&few[1], &common),
            few[0].cosine(&few[1]),
        );
        assert!((near - plain).abs() < 0.01, "{near} {plain}");
    }

    #[test]
    fn other_dimensions_are_left_out() {
        let odd = [vector(&[1.0, 0.0]), vector(&[1.0])];
        let usual = Usual::of(odd.iter());
        assert_eq!(usual.count, 1);
        let common = usual.share(1.0);
        assert_eq!(odd[0].cosine_beyond(&odd[1], &common), 0.0);
        assert_eq!(odd[1].cosine_beyond(&odd[1], &common), 1.0);
        assert!(Usual::of([].iter()).share(1.0).is_empty());
    }
}
