//! Which hits are raised because the question names what they open with.

use super::store::Lexical;
use super::terms::query_terms;
use super::{Hit, unit};

impl Lexical {
    /// The part for [`Self::raise_openings`] that suits dialogues.
    pub const OPENING: f64 = 0.5;

    /// Raises documents whose opening term is in the question, by `part` (0 to 1) of what
    /// would double their score, and orders the hits anew. A text opens with who speaks
    /// ("Ann: …") or with what it is about ("Ann moved …"), so that a question about Ann finds what
    /// Ann says before what is said to her. For hits of any origin, after all other
    /// steps; [`Self::OPENING`] suits dialogues.
    pub fn raise_openings(&self, question: &str, hits: &mut [Hit], part: f64) {
        let mut asked = vec![false; self.terms.len()];
        for name in query_terms(question) {
            let number = self.names.get(name.as_str());
            if let Some(asked) = number.and_then(|&n| asked.get_mut(n as usize)) {
                *asked = true;
            }
        }
        for hit in hits.iter_mut() {
            let opening = self.doc(hit.doc).and_then(|doc| doc.opening);
            if opening.and_then(|term| asked.get(term as usize)) == Some(&true) {
                let score = unit(hit.score);
                // Near 1 there is less room; the order of what is raised stays.
                hit.score = score + unit(part) * score * (1.0 - score);
            }
        }
        hits.sort_unstable_by(Hit::rank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::sample::{docs, index, score};

    #[test]
    fn the_one_who_speaks_is_preferred_to_the_one_spoken_to() {
        let index = index(&[(1, "Bo: Ann, my guitar is old"), (2, "Ann: my old guitar")]);
        let mut hits = vec![
            Hit { doc: 1, score: 0.5 },
            Hit {
                doc: 2,
                score: 0.45,
            },
        ];
        index.raise_openings("What guitar does Ann have?", &mut hits, Lexical::OPENING);
        assert_eq!(docs(&hits), [2, 1]);
        assert!(score(&hits, 2) <= 1.0 && score(&hits, 1) == 0.5);
    }
}
