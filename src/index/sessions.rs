//! How well whole sessions answer a question: BM25 over all that was said in each of them.
//!
//! A session has no document of its own; what it says is added up from its texts while a question
//! is asked, so that a text that comes or goes changes its session too.

use super::asked::AskedTerm;
use super::store::{Lexical, WITHIN};
use super::tuning::Tuning;

/// How many texts each session holds, by its number.
#[derive(Debug, Clone, Default)]
pub(super) struct Sessions {
    texts: Vec<u32>,
    live: usize,
}

impl Sessions {
    pub(super) fn add(&mut self, session: u32) {
        let at = session as usize;
        if self.texts.len() <= at {
            self.texts.resize(at + 1, 0);
        }
        if let Some(texts) = self.texts.get_mut(at) {
            self.live += usize::from(*texts == 0);
            *texts += 1;
        }
    }

    pub(super) fn remove(&mut self, session: u32) {
        if let Some(texts) = self.texts.get_mut(session as usize) {
            *texts -= 1;
            self.live -= usize::from(*texts == 0);
        }
    }
}

/// Scores of sessions while the terms of a question come in one by one.
pub(super) struct SessionScores<'a> {
    sessions: &'a Sessions,
    tuning: &'a Tuning,
    scores: Vec<f64>,
    weights: Vec<u32>,
}

impl<'a> SessionScores<'a> {
    pub(super) fn new(lexical: &'a Lexical, tuning: &'a Tuning) -> Self {
        let sessions = &lexical.sessions;
        Self {
            sessions,
            tuning,
            scores: vec![0.0; sessions.texts.len()],
            weights: vec![0; sessions.texts.len()],
        }
    }

    /// By session: how often its texts have the term at hand, to be added to.
    pub(super) fn weights(&mut self) -> &mut [u32] {
        &mut self.weights
    }

    /// Ends the term at hand.
    pub(super) fn close(&mut self, term: &AskedTerm) {
        let live = self.sessions.live as f64;
        let having = self.weights.iter().filter(|weight| **weight > 0).count() as f64;
        let rarity = libm::log(1.0 + (live - having + 0.5).max(0.5) / (having + 0.5));
        let slowness = self.tuning.session_k1;
        let sums = self.scores.iter_mut().zip(&mut self.weights);
        for (score, weight) in sums {
            let occurrences = f64::from(std::mem::take(weight)) / f64::from(WITHIN);
            if occurrences > 0.0 && term.is_own {
                *score += term.faint * rarity * occurrences / (occurrences + slowness);
            }
        }
    }

    pub(super) fn finish(self) -> Vec<f64> {
        self.scores
    }
}
