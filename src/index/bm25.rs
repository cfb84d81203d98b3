//! How well a text answers a question by its words: BM25, as a share of the best attainable.
//!
//! Results depend only on which documents are in the index, never on the order in which they
//! came or went: a document's score adds up in the order of the question's terms.

use super::asked::Asked;
use super::sessions::SessionScores;
use super::store::{Doc, Lexical, WITHIN};
use super::tuning::Tuning;
use super::{Hit, unit};
use serde::{Deserialize, Serialize};
use siltstone_kernels::{Sums, share};

/// The constants of the ranking.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bm25 {
    /// How slowly repeats of a word stop to count: 0 and up.
    pub k1: f64,
    /// How much a long text is held against it: 0 to 1.
    pub b: f64,
    /// Weight of a single character of a script written without spaces, beside its pairs.
    pub lone: f64,
    /// The rarity of words is judged as if this many texts without them were there too, so
    /// that a young index does not take every word for a common one.
    pub prior: f64,
}

impl Default for Bm25 {
    fn default() -> Self {
        Self {
            k1: 0.9,
            b: 0.2,
            lone: 0.3,
            prior: 50.0,
        }
    }
}

impl Bm25 {
    /// Constants out of range go to its nearer end, what is no number to the default.
    pub(super) fn in_range(self) -> Self {
        let otherwise = Bm25::default();
        let or = |value: f64, default: f64| {
            if value.is_finite() {
                value.max(0.0)
            } else {
                default
            }
        };
        Self {
            k1: or(self.k1, otherwise.k1),
            b: or(self.b, otherwise.b).min(1.0),
            lone: or(self.lone, otherwise.lone).min(1.0),
            prior: or(self.prior, otherwise.prior),
        }
    }
}

impl Lexical {
    /// The documents that have at least one term of the question, best first.
    ///
    /// The score is the share that a document has of the best that any could get for this
    /// question (every term, over and over): above 0, at most 1. Terms count by rarity, also
    /// those that no document has, so that scores of different questions can be compared. With
    /// the default constants a text of average length that has every term once scores 0.53, one
    /// that has half of them (by rarity) 0.26.
    pub fn search(&self, question: &str) -> Vec<Hit> {
        let tuning = Tuning::default();
        let (mut hits, _) = self.first_look(&self.ask(question), &tuning, &|_| true);
        hits.sort_unstable_by(Hit::rank);
        hits
    }

    /// The documents that have at least one term of the question, in no order, and the score of
    /// each session. Only documents that may be read take part.
    pub(super) fn first_look(
        &self,
        asked: &Asked,
        tuning: &Tuning,
        may_read: &dyn Fn(u32) -> bool,
    ) -> (Vec<Hit>, Vec<f64>) {
        let average = self.average_length();
        let slowness = self.slowness.get_or_init(|| {
            let all = self.docs.iter().map(|doc| self.slowness(doc, average));
            all.collect()
        });
        let docs = self.docs.len() as u32;
        let takes_part: Vec<bool> = (0..docs).map(may_read).collect();
        let mut sums = Sums {
            parts: f64::from(WITHIN),
            takes_part: &takes_part,
            slowness,
            session_of: &self.session_of,
            scores: vec![0.0; self.docs.len()],
        };
        let mut sessions = SessionScores::new(self, tuning);
        for term in &asked.terms {
            let postings = self.terms.get(term.number as usize);
            let postings = postings.map_or(&[][..], |term| &term.postings);
            sums.add(postings, term.weight, sessions.weights());
            sessions.close(term);
        }
        let scores = sums.scores;
        let hits = (0u32..).zip(scores).filter(|(_, score)| *score > 0.0);
        let hits = hits.map(|(doc, score)| Hit {
            doc,
            score: unit(score / asked.best),
        });
        (hits.collect(), sessions.finish())
    }

    /// What of a term's weight a document gets that has it so often.
    pub(super) fn share(&self, occurrences: f64, doc: &Doc, average: f64) -> f64 {
        share(occurrences, self.slowness(doc, average))
    }

    /// How slowly repeats stop to count in a document.
    fn slowness(&self, doc: &Doc, average: f64) -> f64 {
        let length = f64::from(doc.length) / average;
        self.params.k1 * (1.0 - self.params.b + self.params.b * length)
    }
    /// The length of a document on average, at least 1.
    pub(super) fn average_length(&self) -> f64 {
        (self.total_length as f64 / self.len().max(1) as f64).max(1.0)
    }

    /// How much a term tells that this many documents have.
    pub(super) fn rarity(&self, having: usize) -> f64 {
        let having = having as f64;
        let all = self.len() as f64 + self.params.prior;
        libm::log(1.0 + (all - having + 0.5) / (having + 0.5))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Entry;
    use crate::index::Seen;
    use crate::index::sample::{docs, index, score};
    use proptest::prelude::*;

    #[test]
    fn only_texts_with_a_term_are_found_and_ties_go_by_number() {
        let index = index(&[(9, "likes tea"), (3, "likes tea"), (4, "plays chess")]);
        assert_eq!(docs(&index.search("Who likes tea?")), [3, 9]);
        assert!(index.search("volcano").is_empty());
        assert!(index.search("").is_empty());
        assert!(Lexical::default().search("tea").is_empty());
    }

    #[test]
    fn chinese_is_found_by_a_word_within() {
        let index = index(&[(1, "我喜欢喝咖啡"), (2, "我喜欢喝茶"), (3, "I like coffee")]);
        assert_eq!(docs(&index.search("咖啡")), [1]);
        assert_eq!(docs(&index.search("茶")), [2]);
        assert_eq!(docs(&index.search("喝什么咖啡")).first(), Some(&1));
    }

    #[test]
    fn another_number_is_no_strong_match() {
        let index = index(&[(1, "Meeting in room 12"), (2, "Meeting in room 21")]);
        let hits = index.search("room 12");
        assert_eq!(docs(&hits), [1, 2]);
        assert!(score(&hits, 2) < 0.6 * score(&hits, 1));
        assert_eq!(docs(&index.search("12")), [1]);
    }

    #[test]
    fn scores_say_how_much_of_the_question_is_there() {
        let index = index(&[(1, "green tea"), (2, "green door")]);
        let all = score(&index.search("green tea"), 1);
        let half = score(&index.search("tea volcano"), 1);
        assert!((0.5..0.56).contains(&all), "{all}");
        assert!((0.2..0.3).contains(&half), "{half}");
    }

    #[test]
    fn words_beside_the_text_count_little() {
        let mut index = Lexical::new(Bm25::default());
        index.add(
            1,
            &Entry {
                text: "Ann moved to Oslo",
                beside: "2023-05-08",
                ..Entry::default()
            },
            &mut Seen::default(),
        );
        index.insert(2, "Ann moved in May 2023");
        assert_eq!(docs(&index.search("Ann in May 2023")), [2, 1]);
        assert_eq!(docs(&index.search("May 2023 Oslo")), [1, 2]);
    }

    #[test]
    fn odd_constants_give_no_odd_scores() {
        let params = Bm25 {
            k1: f64::NAN,
            b: 7.0,
            lone: -1.0,
            prior: f64::INFINITY,
        };
        let mut index = Lexical::new(params);
        index.insert(1, "green tea 茶");
        for hit in index.search("tea 茶 green") {
            assert!((0.0..=1.0).contains(&hit.score));
        }
        assert!(index.search("茶").is_empty());
    }

    proptest! {
        #[test]
        fn the_order_of_insertion_does_not_matter(
            texts in proptest::collection::vec("([abc茶咖]{1,2} ){0,5}", 1..12),
            turn in 0usize..12,
            gone in 0u32..12,
            question in "([abc茶咖]{1,2} ){1,4}",
        ) {
            let numbered: Vec<(u32, &str)> = (0u32..).zip(texts.iter().map(String::as_str)).collect();
            let mut straight = index(&numbered);
            let mut turned = numbered.clone();
            turned.rotate_left(turn % numbered.len());
            let mut other = index(&[(99, "a b c 茶咖"), (0, "c")]);
            other.remove(99);
            for (doc, text) in turned {
                other.insert(doc, text);
            }
            straight.remove(gone);
            other.remove(gone);
            let hits = straight.search(&question);
            prop_assert_eq!(&hits, &other.search(&question));
            prop_assert!(hits.iter().all(|hit| hit.score > 0.0 && hit.score <= 1.0));
            prop_assert!(hits.is_sorted_by(|a, b| a.rank(b).is_lt()));
            prop_assert_eq!(straight.similarity(0, 1), other.similarity(1, 0));
        }
    }
}
