//! Embeddings of documents, to be compared with that of a question.

use super::Vector;
use super::usual::{Seen, Usual};
use crate::index::Hit;
use siltstone_kernels::{dot, sqrt};
use std::cell::RefCell;

/// The embeddings of documents, by their numbers.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    rows: Vec<Option<Row>>,
    /// What those that have the dimensions of the last question have in common.
    common: RefCell<Option<Common>>,
}

/// An embedding and the square of its length.
#[derive(Debug, Clone)]
struct Row(Box<[i8]>, i32);

#[derive(Debug, Clone)]
struct Common {
    usual: Usual,
    /// By document.
    along: Vec<f64>,
}

impl Rows {
    /// Gives a document its embedding, or takes it away.
    pub fn set(&mut self, doc: u32, vector: Option<Vector>) {
        self.common.take();
        let at = doc as usize;
        if self.rows.len() <= at {
            if vector.is_none() {
                return;
            }
            self.rows.resize_with(at + 1, || None);
        }
        if let Some(row) = self.rows.get_mut(at) {
            *row = vector.map(|vector| Row(vector.components.into(), vector.squares));
        }
    }

    /// The embedding of a document.
    pub fn row(&self, doc: u32) -> Option<&[i8]> {
        let Row(components, _) = self.rows.get(doc as usize)?.as_ref()?;
        Some(components)
    }

    /// Gives the documents other numbers, by their old ones: the order must stay.
    pub fn renumber(&mut self, numbers: &[u32]) {
        self.common.take();
        for (row, number) in std::mem::take(&mut self.rows).into_iter().zip(numbers) {
            self.rows.resize_with(*number as usize, || None);
            self.rows.push(row);
        }
    }

    /// The documents whose cosine with a question is at least this, in their order. They score by it
    /// without `usual`, 0 to 1, of what all have in common.
    pub fn near(&self, question: &Vector, least: f64, usual: f64) -> Vec<Hit> {
        let of_question = f64::from(question.squares);
        let question = question.components.as_slice();
        let common = self.common.take();
        let common = common.filter(|common| common.usual.dimensions() == question.len());
        let common = common.unwrap_or_else(|| Common::of(&self.rows, question.len()));
        let asked = Seen {
            squares: of_question,
            along: common.usual.along(question),
        };
        let mut near = Vec::new();
        for ((doc, row), along) in (0u32..).zip(&self.rows).zip(&common.along) {
            let Some(Row(components, squares)) = row else {
                continue;
            };
            let squares = f64::from(*squares);
            let norms = squares * of_question;
            // Of other dimensions, or of no length, it is like nothing.
            let (cosine, score) = if components.len() == question.len() && norms > 0.0 {
                let product = f64::from(dot(components, question));
                let seen = Seen {
                    squares,
                    along: *along,
                };
                let beyond = common.usual.cosine_beyond(seen, asked, product, usual);
                (product / sqrt(norms), beyond)
            } else {
                (0.0, 0.0)
            };
            if cosine >= least {
                near.push(Hit { doc, score });
            }
        }
        self.common.replace(Some(common));
        near
    }
}

impl Rows {
    /// How like each of these documents is to those of the hits, without `usual`, 0 to 1, of what all
    /// have in common: the sum of the cosines by the hits' scores, without the one with itself.
    /// It is told only where a question of the same dimensions was compared before.
    pub fn like(&self, hits: &[Hit], docs: &[u32], usual: f64) -> Vec<f64> {
        let mut likeness = vec![0.0; docs.len()];
        let common = self.common.borrow();
        let Some(common) = common.as_ref() else {
            return likeness;
        };
        let seen = |doc: u32| {
            let Row(components, squares) = self.rows.get(doc as usize)?.as_ref()?;
            let along = *common.along.get(doc as usize)?;
            let squares = f64::from(*squares);
            let is_known = components.len() == common.usual.dimensions();
            is_known.then_some((&**components, Seen { squares, along }))
        };
        let hits: Vec<_> = hits
            .iter()
            .filter_map(|hit| Some((hit, seen(hit.doc)?)))
            .collect();
        for (like, doc) in likeness.iter_mut().zip(docs) {
            let Some((components, own)) = seen(*doc) else {
                continue;
            };
            for (hit, (others, other)) in hits.iter().filter(|(hit, _)| hit.doc != *doc) {
                let product = f64::from(dot(components, others));
                *like += hit.score * common.usual.cosine_beyond(own, *other, product, usual);
            }
        }
        likeness
    }
}

impl Common {
    fn of(rows: &[Option<Row>], dimensions: usize) -> Self {
        let alike = rows
            .iter()
            .flatten()
            .map(|Row(components, _)| &**components);
        let usual = Usual::of(dimensions, alike.filter(|row| row.len() == dimensions));
        let along = |row: &Option<Row>| match row {
            Some(Row(components, _)) => usual.along(components),
            None => 0.0,
        };
        let along = rows.iter().map(along).collect();
        Self { usual, along }
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
            prop_assert_eq!(rows.near(&question, 0.1, 0.0), near);
        }
    }

    fn vector(components: &[f32]) -> Vector {
        Vector::new(components).unwrap()
    }

    fn scores(embeddings: &[Vector], question: &Vector, usual: f64) -> Vec<f64> {
        let mut rows = Rows::default();
        for (doc, embedding) in (0u32..).zip(embeddings) {
            rows.set(doc, Some(embedding.clone()));
        }
        let near = rows.near(question, -1.0, usual);
        near.iter().map(|hit| hit.score).collect()
    }

    #[test]
    fn what_many_have_in_common_tells_nothing() {
        let many: Vec<Vector> = (0..200u8)
            .map(|n| vector(&[1.0, f32::from(n % 2), f32::from((n + 1) % 2)]))
            .collect();
        assert!(scores(&many, &many[0], 0.0)[1] > 0.4);
        let beyond = scores(&many, &many[0], 1.0);
        assert!(beyond[1] < -0.5 && beyond[2] > 0.99);
    }

    #[test]
    fn a_few_have_nothing_usual_yet() {
        let few = [vector(&[1.0, 0.5]), vector(&[1.0, 0.4])];
        let (beyond, plain) = (scores(&few, &few[1], 1.0)[0], scores(&few, &few[1], 0.0)[0]);
        assert!((beyond - plain).abs() < 0.01, "{beyond} {plain}");
    }

    #[test]
    fn what_is_like_the_first_hits_is_known() {
        let mut rows = Rows::default();
        let embeddings = [
            vec![1.0, 0.0],
            vec![0.8, 0.6],
            vec![0.0, 1.0],
            vec![1.0, 0.0, 0.0],
        ];
        for (doc, embedding) in (0u32..).zip(&embeddings) {
            rows.set(doc, Some(vector(embedding)));
        }
        let first = [Hit { doc: 0, score: 0.5 }];
        assert_eq!(rows.like(&first, &[1], 0.0), [0.0]);
        rows.near(&vector(&[1.0, 0.0]), -1.0, 0.0);
        let like = rows.like(&first, &[0, 1, 2, 3, 9], 0.0);
        assert!((like[1] - 0.4).abs() < 0.01, "{like:?}");
        assert_eq!([like[0], like[2], like[3], like[4]], [0.0; 4]);
    }

    #[test]
    fn embeddings_of_other_dimensions_are_left_out() {
        let odd = [vector(&[1.0, 0.0]), vector(&[1.0])];
        assert_eq!(scores(&odd, &odd[0], 0.0), [1.0, 0.0]);
        assert_eq!(scores(&odd, &odd[1], 1.0)[0], 0.0);
    }
}
