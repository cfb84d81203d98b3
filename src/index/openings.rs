//! Which hits are raised because the question names what they open with.

use super::asked::Asked;
use super::store::Lexical;
use super::{Hit, unit};
use crate::gather::Gather;

impl Lexical {
    /// Raises documents whose opening term is in the question, by `part` (0 to 1) of what
    /// would double their score, and orders the hits anew. A text opens with who speaks
    /// ("Ann: …") or with what it is about ("Ann moved …"), so that a question about Ann finds what
    /// Ann says before what is said to her. For hits of any origin, after all other steps.
    pub(super) fn raise_openings(&self, asked: &Asked, hits: &mut [Hit], part: f64) {
        let own = asked.terms.iter().filter(|term| term.is_own);
        let own: Vec<u32> = own.map(|term| term.number).gather();
        for hit in hits.iter_mut() {
            let opening = self.doc(hit.doc).and_then(|doc| doc.opening);
            if opening.is_some_and(|term| own.contains(&term)) {
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
        let asked = index.ask("What guitar does Ann have?");
        index.raise_openings(&asked, &mut hits, 0.5);
        assert_eq!(docs(&hits), [2, 1]);
        assert!(score(&hits, 2) <= 1.0 && score(&hits, 1) == 0.5);
    }
}
