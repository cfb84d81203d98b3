//! What words came to when they were seen before: many texts have far fewer words than places for them,
//! and to look one up takes a fraction of finding its stem.

use super::terms::{Kind, MAX_TERM_CHARS, kind, stemmed};
use super::times::is_time;
use rust_stemmers::Stemmer;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Words that are held, so that a text of nothing but new ones takes no more room.
const WORDS: usize = 8_192;

/// The words of texts that are read one after the other.
#[derive(Debug, Default)]
pub struct Seen {
    places: FxHashMap<Rc<str>, u32>,
    words: Vec<Word>,
}

/// A word of small Latin letters.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub(super) term: Rc<str>,
    pub(super) kind: Kind,
    pub(super) is_time: bool,
}

impl Seen {
    /// What a word came to, or comes to; none if it has other letters, or too few or many.
    pub(super) fn word(&mut self, word: &str) -> Option<Word> {
        if let Some(place) = self.places.get(word) {
            return self.words.get(*place as usize).cloned();
        }
        let is_plain = word.bytes().all(|b| b.is_ascii_lowercase());
        if !is_plain || !(2..=MAX_TERM_CHARS).contains(&word.len()) {
            return None;
        }
        let stemmer = Stemmer::create(rust_stemmers::Algorithm::English);
        let new = Word {
            term: stemmed(word, &stemmer).into(),
            kind: kind(word),
            is_time: is_time(word),
        };
        if self.words.len() < WORDS {
            self.places.insert(word.into(), self.words.len() as u32);
            self.words.push(new.clone());
        }
        Some(new)
    }
}
