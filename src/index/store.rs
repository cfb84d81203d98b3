//! Which texts are in the index, and which terms each of them has.
//!
//! What is kept depends only on which documents are there in the end: counts are integers, and a
//! document or term that went leaves nothing behind but a free place.

use super::bm25::Bm25;
use super::sessions::Sessions;
use super::stems::Stems;
use super::terms::{is_lone_character, terms};
use rustc_hash::FxHashMap;

/// A word of the text itself counts this much, a word beside it (date, tags) 1.
pub(super) const WITHIN: u32 = 4;

/// That a document has a term.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub(super) slot: u32,
    /// In quarters of an occurrence.
    pub(super) weight: u32,
}

/// A term and who has it; empty while its number is free.
#[derive(Debug, Clone, Default)]
pub(super) struct Term {
    pub(super) name: Box<str>,
    /// By slot.
    pub(super) postings: Vec<Posting>,
}

/// A document; empty while its slot is free.
#[derive(Debug, Clone, Default)]
pub(super) struct Doc {
    pub(super) number: u32,
    /// Sum of its terms' weights within the text.
    pub(super) length: u32,
    /// The term the text opens with: its speaker ("Ann: …") or what it is about.
    pub(super) opening: Option<u32>,
    /// The session it was said in.
    pub(super) session: Option<u32>,
    /// Whether the words of its neighbours lie beside it.
    pub(super) is_told: bool,
    /// Term numbers in order, with weights.
    pub(super) terms: Vec<(u32, u32)>,
}

/// A text to be found, and what is known of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Entry<'a> {
    /// The text.
    pub text: &'a str,
    /// Words that lie beside it and count a quarter: a date ("8 May 2023"), tags, a key.
    pub beside: &'a str,
    /// Who said it or whom it is about, if it does not open with that.
    pub about: Option<&'a str>,
    /// The number of the session it was said in, counted from 0.
    pub session: Option<u32>,
    /// Whether the words said around it lie beside it.
    pub is_told: bool,
}

/// An index of texts by their words.
#[derive(Debug, Clone, Default)]
pub struct Lexical {
    pub(super) params: Bm25,
    pub(super) names: FxHashMap<Box<str>, u32>,
    pub(super) terms: Vec<Term>,
    free_terms: Vec<u32>,
    pub(super) stems: Stems,
    pub(super) sessions: Sessions,
    pub(super) slots: FxHashMap<u32, u32>,
    pub(super) docs: Vec<Doc>,
    free_slots: Vec<u32>,
    pub(super) total_length: u64,
}

impl Lexical {
    /// An empty index. Constants out of range go to its nearer end, what is no number to the
    /// default.
    pub fn new(params: Bm25) -> Self {
        Self {
            params: params.in_range(),
            ..Self::default()
        }
    }

    /// How many documents are in it.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// How many different terms are in it.
    pub fn vocabulary(&self) -> usize {
        self.names.len()
    }

    /// Adds a document, in place of the one that had its number.
    pub fn insert(&mut self, doc: u32, text: &str) {
        self.add(
            doc,
            &Entry {
                text,
                ..Entry::default()
            },
        );
    }

    /// Adds a document, in place of the one that had its number.
    pub fn add(&mut self, doc: u32, entry: &Entry<'_>) {
        self.remove(doc);
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            self.docs.push(Doc::default());
            (self.docs.len() - 1) as u32
        });
        let mut list: Vec<(u32, u32)> = Vec::new();
        let mut length = 0u32;
        let mut opening = None;
        for name in terms(entry.text) {
            let is_lone = is_lone_character(&name);
            let number = self.number(name);
            list.push((number, WITHIN));
            if !is_lone {
                length = length.saturating_add(WITHIN);
                opening.get_or_insert(number);
            }
        }
        for name in terms(entry.beside) {
            list.push((self.number(name), 1));
        }
        if let Some(name) = entry.about.and_then(|name| terms(name).into_iter().next()) {
            let number = self.number(name);
            list.push((number, 1));
            opening = Some(number);
        }
        list.sort_unstable();
        list.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(later.1);
            }
            same
        });
        for &(number, weight) in &list {
            if let Some(term) = self.terms.get_mut(number as usize) {
                let at = term.postings.partition_point(|p| p.slot < slot);
                term.postings.insert(at, Posting { slot, weight });
            }
        }
        if let Some(place) = self.docs.get_mut(slot as usize) {
            *place = Doc {
                number: doc,
                length,
                opening,
                session: entry.session,
                is_told: entry.is_told,
                terms: list,
            };
        }
        if let Some(session) = entry.session {
            self.sessions.add(session);
        }
        self.slots.insert(doc, slot);
        self.total_length += u64::from(length);
    }

    /// The number of a term, a new one if it has none.
    fn number(&mut self, name: String) -> u32 {
        if let Some(&number) = self.names.get(name.as_str()) {
            return number;
        }
        let name: Box<str> = name.into();
        let number = self.free_terms.pop().unwrap_or_else(|| {
            self.terms.push(Term::default());
            (self.terms.len() - 1) as u32
        });
        if let Some(term) = self.terms.get_mut(number as usize) {
            term.name = name.clone();
        }
        self.stems.insert(&name, number);
        self.names.insert(name, number);
        number
    }

    /// Takes a document out; nothing happens if it is not there.
    pub fn remove(&mut self, doc: u32) {
        let Some(slot) = self.slots.remove(&doc) else {
            return;
        };
        let gone = self
            .docs
            .get_mut(slot as usize)
            .map(std::mem::take)
            .unwrap_or_default();
        self.total_length -= u64::from(gone.length);
        self.free_slots.push(slot);
        if let Some(session) = gone.session {
            self.sessions.remove(session);
        }
        for (number, _) in gone.terms {
            let Some(term) = self.terms.get_mut(number as usize) else {
                continue;
            };
            if let Ok(at) = term.postings.binary_search_by_key(&slot, |p| p.slot) {
                term.postings.remove(at);
            }
            if term.postings.is_empty() {
                let name = std::mem::take(term).name;
                self.stems.remove(&name);
                self.names.remove(&name);
                self.free_terms.push(number);
            }
        }
    }

    /// How many documents have a term.
    pub(super) fn having(&self, term: u32) -> usize {
        self.terms
            .get(term as usize)
            .map_or(0, |term| term.postings.len())
    }

    /// How often a document has a term, in whole occurrences.
    pub(super) fn occurrences(doc: &Doc, term: u32) -> f64 {
        let at = doc.terms.binary_search_by_key(&term, |(number, _)| *number);
        let weight = at.ok().and_then(|at| doc.terms.get(at));
        weight.map_or(0.0, |(_, weight)| f64::from(*weight) / f64::from(WITHIN))
    }

    /// What is known of a document.
    pub(super) fn doc(&self, number: u32) -> Option<&Doc> {
        let slot = *self.slots.get(&number)?;
        self.docs.get(slot as usize)
    }
}

#[cfg(test)]
mod tests {
    use crate::index::sample::index;
    use proptest::prelude::*;

    #[test]
    fn removal_leaves_no_trace() {
        let mut index = index(&[(1, "green tea"), (2, "green door, red tea")]);
        let before = index.search("green tea");
        index.insert(7, "a third green text with other words");
        index.insert(7, "replaced");
        index.remove(7);
        index.remove(7);
        assert_eq!(index.search("green tea"), before);
        assert_eq!((index.len(), index.vocabulary()), (2, 4));
        index.remove(1);
        index.remove(2);
        assert_eq!((index.len(), index.vocabulary()), (0, 0));
        assert!(index.is_empty());
        assert_eq!(index.total_length, 0);
        assert_eq!(index.free_slots.len(), index.docs.len());
        assert_eq!(index.free_terms.len(), index.terms.len());
        assert!(
            index
                .terms
                .iter()
                .all(|t| t.postings.is_empty() && t.name.is_empty())
        );
    }

    proptest! {
        #[test]
        fn any_text_and_question_are_taken(text in ".*", question in ".*") {
            let mut index = index(&[(1, &text)]);
            index.search(&question);
            index.remove(1);
            prop_assert_eq!(index.vocabulary(), 0);
        }
    }
}
