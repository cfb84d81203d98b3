//! Embeddings side by side, to be compared with that of a question.

use super::Vector;
use crate::index::Hit;
use siltstone_kernels::dot;

/// Where the components of a document lie; nothing where it has no embedding.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    start: usize,
    length: usize,
    squares: i32,
}

/// The embeddings of documents, by their numbers.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    components: Vec<i8>,
    rows: Vec<Row>,
    /// Places that are free again, with their lengths.
    free: Vec<(usize, usize)>,
}

impl Rows {
    /// Gives a document its embedding, or takes it away.
    pub fn set(&mut self, doc: u32, vector: Option<&Vector>) {
        let at = doc as usize;
        if self.rows.len() <= at {
            if vector.is_none() {
                return;
            }
            self.rows.resize(at + 1, Row::default());
        }
        let Some(row) = self.rows.get_mut(at) else {
            return;
        };
        let old = std::mem::take(row);
        if old.length > 0 {
            self.free.push((old.start, old.length));
        }
        let Some(Vector(components)) = vector else {
            return;
        };
        let length = components.len();
        let start = match self.free.last() {
            Some(&(start, free)) if free == length => {
                self.free.pop();
                start
            }
            _ => {
                let start = self.components.len();
                self.components.resize(start + length, 0);
                start
            }
        };
        if let Some(place) = self.components.get_mut(start..start + length) {
            place.copy_from_slice(components);
            let squares = dot(components, components);
            *row = Row {
                start,
                length,
                squares,
            };
        }
    }

    /// Gives the documents other numbers, by their old ones: the order must stay.
    pub fn renumber(&mut self, numbers: &[u32]) {
        for (row, number) in std::mem::take(&mut self.rows).into_iter().zip(numbers) {
            self.rows.resize(*number as usize, Row::default());
            self.rows.push(row);
        }
    }

    /// The documents whose cosine with a question is at least this, in their order.
    pub fn near(&self, question: &Vector, least: f64) -> Vec<Hit> {
        let Vector(question) = question;
        let squares = f64::from(dot(question, question));
        let mut near = Vec::new();
        for (doc, row) in (0u32..).zip(&self.rows) {
            let norms = f64::from(row.squares) * squares;
            let Some(components) = self.components.get(row.start..row.start + row.length) else {
                continue;
            };
            // Of other dimensions, or of no length, it is like nothing.
            let score = if components.len() == question.len() && norms > 0.0 {
                f64::from(dot(components, question)) / libm::sqrt(norms)
            } else {
                0.0
            };
            if !components.is_empty() && score >= least {
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
                rows.set(doc, vector.as_ref());
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
