//! Embeddings of documents, to be compared with that of a question.

use super::Vector;
use crate::index::Hit;
use siltstone_kernels::dot;

/// The embeddings of documents, by their numbers.
#[derive(Debug, Clone, Default)]
pub struct Rows(Vec<Option<Row>>);

/// An embedding and the square of its length.
#[derive(Debug, Clone)]
struct Row(Box<[i8]>, i32);

impl Rows {
    /// Gives a document its embedding, or takes it away.
    pub fn set(&mut self, doc: u32, vector: Option<Vector>) {
        let at = doc as usize;
        if self.0.len() <= at {
            if vector.is_none() {
                return;
            }
            self.0.resize_with(at + 1, || None);
        }
        if let Some(row) = self.0.get_mut(at) {
            *row = vector.map(|Vector(components)| {
                let squares = dot(&components, &components);
                Row(components.into(), squares)
            });
        }
    }

    /// Gives the documents other numbers, by their old ones: the order must stay.
    pub fn renumber(&mut self, numbers: &[u32]) {
        for (row, number) in std::mem::take(&mut self.0).into_iter().zip(numbers) {
            self.0.resize_with(*number as usize, || None);
            self.0.push(row);
        }
    }

    /// The documents whose cosine with a question is at least this, in their order.
    pub fn near(&self, question: &Vector, least: f64) -> Vec<Hit> {
        let Vector(question) = question;
        let of_question = f64::from(dot(question, question));
        let mut near = Vec::new();
        for (doc, row) in (0u32..).zip(&self.0) {
            let Some(Row(components, squares)) = row else {
                continue;
            };
            let norms = f64::from(*squares) * of_question;
            // Of other dimensions, or of no length, it is like nothing.
            let score = if components.len() == question.len() && norms > 0.0 {
                f64::from(dot(components, question)) / libm::sqrt(norms)
            } else {
                0.0
            };
            if score >= least {
                near.push(Hit { doc, score });
            }
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_compare_as_their_vectors_do(
            sets in prop::collection::vec((0u32..6, prop::option::of(prop::collection::vec(-1f32..1.0, 3..5))), 0..20),
            question in prop::collection::vec(-1f32..1.0, 3),
        ) {
            let Some(question) = Vector::new(&question) else { return Ok(()) };
            let mut rows = Rows::default();
            let mut held = [const { None }; 6];
            for (doc, components) in sets {
                let vector = components.and_then(|components| Vector::new(&components));
                rows.set(doc, vector.clone());
                held[doc as usize] = vector;
            }
            rows.renumber(&[1, 3, 5, 7, 9, 11]);
            let near: Vec<Hit> = (0u32..)
                .zip(&held)
                .filter_map(|(doc, vector)| Some(Hit { doc: doc * 2 + 1, score: vector.as_ref()?.cosine(&question) }))
                .filter(|hit| hit.score >= 0.1)
                .collect();
            prop_assert_eq!(rows.near(&question, 0.1), near);
        }
    }
}
