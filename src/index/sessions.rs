//! How well whole sessions answer a question: BM25 over all that was said in each of them.
//!
//! A session has no document of its own; what it says is added up from its texts while a question
//! is asked, so that a text that comes or goes changes its session too.

use super::asked::AskedTerm;
use super::store::{Lexical, WITHIN};
use super::tuning::Tuning;

/// How much each session holds, by its number.
#[derive(Debug, Clone, Default)]
pub(super) struct Sessions {
    /// Texts, and the length of them together.
    sizes: Vec<(u32, u64)>,
    live: usize,
    total: u64,
}

impl Sessions {
    pub(super) fn add(&mut self, session: u32, length: u32) {
        let at = session as usize;
        if self.sizes.len() <= at {
            self.sizes.resize(at + 1, (0, 0));
        }
        if let Some((texts, size)) = self.sizes.get_mut(at) {
            self.live += usize::from(*texts == 0);
            *texts += 1;
            *size += u64::from(length);
            self.total += u64::from(length);
        }
    }

    pub(super) fn remove(&mut self, session: u32, length: u32) {
        if let Some((texts, size)) = self.sizes.get_mut(session as usize) {
            *texts -= 1;
            self.live -= usize::from(*texts == 0);
            *size -= u64::from(length);
            self.total -= u64::from(length);
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
            scores: vec![0.0; sessions.sizes.len()],
            weights: vec![0; sessions.sizes.len()],
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
        let average = (self.sessions.total as f64 / live.max(1.0)).max(1.0);
        let Tuning {
            session_k1: k1,
            session_b: b,
            ..
        } = *self.tuning;
        let sums = self.scores.iter_mut().zip(&mut self.weights);
        for ((score, weight), (_, size)) in sums.zip(&self.sessions.sizes) {
            let occurrences = f64::from(std::mem::take(weight)) / f64::from(WITHIN);
            if occurrences > 0.0 && term.is_own {
                let slowness = k1 * (1.0 - b + b * *size as f64 / average);
                *score += term.faint * rarity * occurrences / (occurrences + slowness);
            }
        }
    }

    pub(super) fn finish(self) -> Vec<f64> {
        self.scores
    }
}
