//! The order of what a question finds: words and meaning, what stands around a text, the session it
//! belongs to, and whom it is about.
//!
//! A first look scores every text that has a word of the question, and every session. What is found
//! there, what is near in meaning and what stands around both is then looked at closely, a bounded
//! number of texts however many there are.

use super::asked::Asked;
use super::asked_times::AskedTimes;
use super::neighbours::{Places, REACH};
use super::store::{Lexical, WITHIN};
use super::tuning::Tuning;
use super::{Hit, unit};
use crate::order;
use crate::sorted::{self, Map};
use siltstone_kernels::{count, lend, raise};

/// Hits whose meaning is asked for again.
const ASKED_AGAIN: usize = 5;
/// Hits that are compared with them.
const RESCORED: usize = 100;

/// How like each of some documents is to others.
pub type Likeness<'a> = dyn Fn(&[Hit], &[u32]) -> Vec<f64> + 'a;

/// A question, and what bears on its answer.
pub struct Asking<'a> {
    /// Its text.
    pub question: &'a str,
    /// What it says of time.
    pub times: AskedTimes,
    /// Documents near to it in meaning, with their cosines; none without embeddings.
    pub near: &'a [Hit],
    /// How like each of some documents is to others, by meaning: the mean by their weights, without
    /// what it is to itself.
    pub like: &'a Likeness<'a>,
    /// Whether a document may be read; what may not bears on nothing.
    pub may_read: &'a dyn Fn(u32) -> bool,
}

/// What a question finds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ranking {
    /// Documents, best first. The score is the share of the best that any could get by words, or
    /// the best cosine, whichever is better; so scores of different questions can be compared.
    pub hits: Vec<Hit>,
    /// Sessions by their number, best first: 1 for one that is best in every way.
    pub sessions: Vec<(u32, f64)>,
}

/// Ranks documents and sessions for a question. Equal scores stand in the order of the documents.
pub fn rank(lexical: &Lexical, places: &Places, asking: &Asking<'_>, tuning: &Tuning) -> Ranking {
    let asked = lexical.ask_closely(asking.question, tuning);
    let (mut found, by_session) = lexical.first_look(&asked, tuning, asking.may_read);
    best_of(&mut found, tuning.candidates);
    let mut near: Vec<Hit> = asking
        .near
        .iter()
        .filter(|hit| (asking.may_read)(hit.doc))
        .copied()
        .collect();
    let has_meaning = !near.is_empty();
    let mut cosines = vec![0.0; lexical.docs.len()];
    for hit in &near {
        if let Some(cosine) = cosines.get_mut(hit.doc as usize) {
            *cosine = hit.score;
        }
    }
    best_of(&mut near, tuning.candidates);
    let mut around = Around {
        lexical,
        places,
        asked: &asked,
        tuning,
        may_read: asking.may_read,
        cosines: &cosines,
        term_places: asked.places(lexical.terms.len()),
        said: Vec::new(),
        said_at: vec![0; lexical.docs.len()],
    };
    let docs = around.candidates(found.iter().chain(&near));
    let mut closer: Vec<Close> = docs
        .into_iter()
        .filter_map(|doc| around.look(doc))
        .collect();
    let mut hits = fused(&closer, tuning);
    if tuning.again > 0.0 && has_meaning {
        ask_again(asking, &mut hits, &mut closer, tuning);
    }
    lexical.raise_times(&asking.times, &mut hits, tuning);
    let sessions = sessions(lexical, &hits, &by_session, tuning);
    let best = best(hits.iter().map(|hit| hit.score));
    let fits = sorted::map(sessions.iter().copied());
    let fittest = sessions.first().map_or(0.0, |(_, score)| *score);
    for hit in &mut hits {
        let session = lexical.doc(hit.doc).and_then(|doc| doc.session);
        // What belongs to no session is one of its own.
        let fit = match session {
            Some(session) => over(fits.get(&session).copied().unwrap_or(0.0), fittest),
            None => over(hit.score, best),
        };
        hit.score *= 1.0 - tuning.session * (1.0 - fit);
    }
    hits.retain(|hit| hit.score > 0.0);
    lexical.raise_openings(&asked, &mut hits, tuning.opening);
    Ranking { hits, sessions }
}

/// A document looked at closely.
struct Close {
    doc: u32,
    words: f64,
    meaning: f64,
}

/// What stands around documents.
struct Around<'a> {
    lexical: &'a Lexical,
    places: &'a Places,
    asked: &'a Asked,
    tuning: &'a Tuning,
    may_read: &'a dyn Fn(u32) -> bool,
    /// By document; 0 where it is not near.
    cosines: &'a [f64],
    /// By term: its place among those asked for, counted from 1.
    term_places: Vec<u16>,
    /// Of places: how often each term is said there, and the best cosine.
    said: Vec<(Vec<f64>, f64)>,
    /// By the first document at a place: where it is among them, counted from 1.
    said_at: Vec<u32>,
}

impl Around<'_> {
    /// The hits and what stands around them, in order.
    fn candidates<'h>(&self, hits: impl Iterator<Item = &'h Hit>) -> Vec<u32> {
        let mut docs = Vec::new();
        for hit in hits {
            docs.push(hit.doc);
            let Some(place) = self.places.of(hit.doc).filter(|_| self.tuning.share > 0.0) else {
                continue;
            };
            docs.extend_from_slice(self.places.at(place));
            for (_, place) in Places::around(place) {
                docs.extend_from_slice(self.places.at(place));
            }
        }
        order::sort_as(&mut docs, u64::from, |doc| doc as u32);
        docs.dedup();
        docs.retain(|doc| (self.may_read)(*doc));
        docs
    }

    /// Scores a document by its own words and meaning and, in part, those around it. A word that is
    /// said again there counts as a repeat does; meanings add up as independent chances do.
    fn look(&mut self, doc: u32) -> Option<Close> {
        let (lexical, tuning) = (self.lexical, self.tuning);
        let known = lexical.doc(doc)?;
        let mut occurrences: Vec<f64> = self.own(doc);
        let mut meaning = self.cosine(doc);
        if let Some(place) = self.places.of(doc).filter(|_| tuning.share > 0.0) {
            let (told, meant) = match known.is_told {
                true => (tuning.told, tuning.told_meaning),
                false => (1.0, 1.0),
            };
            let mut unlike = 1.0 - meaning;
            for (offset, place) in Places::around(place) {
                let side = if offset < 0 {
                    tuning.before
                } else {
                    2.0 - tuning.before
                };
                let far = if offset.abs() < REACH {
                    1.0
                } else {
                    tuning.share
                };
                let part = side * far * tuning.share;
                let Some((said, cosine)) = self.said(place) else {
                    continue;
                };
                lend(&mut occurrences, said, unit(told * part));
                unlike *= 1.0 - unit(meant * part) * *cosine;
            }
            meaning = 1.0 - unlike;
        }
        let average = lexical.average_length();
        let terms = self.asked.terms.iter().zip(&occurrences);
        let words: f64 = terms
            .map(|(term, times)| term.weight * lexical.share(*times, known, average))
            .sum();
        Some(Close {
            doc,
            words: unit(over(words, self.asked.best)),
            meaning,
        })
    }

    fn own(&self, doc: u32) -> Vec<f64> {
        let mut counts = vec![0.0; self.asked.terms.len()];
        if let Some(doc) = self.lexical.doc(doc) {
            count(
                &doc.terms,
                f64::from(WITHIN),
                &self.term_places,
                &mut counts,
            );
        }
        counts
    }

    fn cosine(&self, doc: u32) -> f64 {
        let cosine = self.cosines.get(doc as usize).copied().unwrap_or(0.0);
        unit(cosine)
    }

    fn said(&mut self, place: (u32, u32)) -> Option<&(Vec<f64>, f64)> {
        let docs = self.places.at(place);
        let first = *docs.first()? as usize;
        if self.said_at.get(first) == Some(&0) {
            let mut said = (vec![0.0f64; self.asked.terms.len()], 0.0f64);
            for &doc in docs.iter().filter(|doc| (self.may_read)(**doc)) {
                raise(&mut said.0, &self.own(doc));
                said.1 = said.1.max(self.cosine(doc));
            }
            self.said.push(said);
            *self.said_at.get_mut(first)? = self.said.len() as u32;
        }
        let at = (*self.said_at.get(first)? as usize).checked_sub(1)?;
        self.said.get(at)
    }
}

/// Asks again for what the first hits mean: what is like them answers, too, where the question's own
/// words and meaning are far from it.
fn ask_again(asking: &Asking<'_>, hits: &mut Vec<Hit>, closer: &mut [Close], tuning: &Tuning) {
    let mut first = hits.clone();
    best_of(&mut first, RESCORED);
    let docs: Vec<u32> = first.iter().map(|hit| hit.doc).collect();
    first.truncate(ASKED_AGAIN);
    let likeness: Map<u32, f64> = {
        let likeness = (asking.like)(&first, &docs);
        sorted::map(docs.into_iter().zip(likeness.into_iter().map(unit)))
    };
    let most = best(likeness.iter().map(|(_, like)| *like));
    if most <= 0.0 {
        return;
    }
    let scale = best(closer.iter().map(|close| close.meaning));
    for close in closer.iter_mut() {
        let like = likeness.get(&close.doc).copied().unwrap_or(0.0);
        let part = unit(tuning.again);
        close.meaning = (1.0 - part) * close.meaning + part * scale * over(like, most);
    }
    *hits = fused(closer, tuning);
}

/// Words and meaning, each by its best; the scale is that of the better one.
fn fused(closer: &[Close], tuning: &Tuning) -> Vec<Hit> {
    let best_words = best(closer.iter().map(|close| close.words));
    let best_meaning = best(closer.iter().map(|close| close.meaning));
    let part = match (best_words > 0.0, best_meaning > 0.0) {
        (true, true) => unit(tuning.meaning),
        (_, has_meaning) => f64::from(u8::from(has_meaning)),
    };
    let scale = best_words.max(best_meaning);
    let score = |close: &Close| {
        let (words, meaning) = (
            over(close.words, best_words),
            over(close.meaning, best_meaning),
        );
        scale * ((1.0 - part) * words + part * meaning)
    };
    let hits = closer.iter().map(|close| Hit {
        doc: close.doc,
        score: score(close),
    });
    hits.collect()
}

/// How well each session fits: by all its words and by its best text.
fn sessions(lexical: &Lexical, hits: &[Hit], by_words: &[f64], tuning: &Tuning) -> Vec<(u32, f64)> {
    let mut parts: Map<u32, [f64; 2]> = Map::new();
    for (session, score) in (0u32..).zip(by_words) {
        if *score > 0.0 {
            parts.update(session, [0.0; 2], |part| part[0] = *score);
        }
    }
    for hit in hits {
        if let Some(session) = lexical.session(hit.doc) {
            parts.update(session, [0.0; 2], |part| part[1] = part[1].max(hit.score));
        }
    }
    let most = |part: usize| {
        best(
            parts
                .iter()
                .filter_map(|(_, parts)| parts.get(part).copied()),
        )
    };
    let weights = [(1.0, most(0)), (tuning.session_best, most(1))];
    let whole: f64 = weights.iter().map(|(weight, _)| weight).sum();
    let fit = |parts: &[f64; 2]| {
        let weighed = parts.iter().zip(&weights);
        let sum: f64 = weighed
            .map(|(part, (weight, most))| weight * over(*part, *most))
            .sum();
        over(sum, whole)
    };
    let mut fits: Vec<(u32, f64)> = parts
        .iter()
        .map(|(session, parts)| (*session, fit(parts)))
        .filter(|(_, fit)| *fit > 0.0)
        .collect();
    order::sort_by(&mut fits, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    fits
}

/// Keeps the best hits, best first.
fn best_of(hits: &mut Vec<Hit>, count: usize) {
    if hits.len() > count && count > 0 {
        hits.select_nth_unstable_by(count - 1, Hit::rank);
    }
    hits.truncate(count);
    hits.sort_unstable_by(Hit::rank);
}

fn best(scores: impl Iterator<Item = f64>) -> f64 {
    scores.fold(0.0, f64::max)
}

/// A share of a whole; 0 of nothing.
fn over(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
#[path = "rank_tests.rs"]
mod tests;
