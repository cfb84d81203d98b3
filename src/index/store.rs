//! Which texts are in the index, and which terms each of them has.
//!
//! What is kept depends only on which documents are there in the end: counts are integers, and a
//! document or term that went leaves nothing behind but a free place.

use super::bm25::Bm25;
use super::seen::Seen;
use super::sessions::Sessions;
use super::stems::Stems;
use super::terms::{is_lone_character, terms_of};
use crate::order;
use rustc_hash::FxHashMap;
use siltstone_kernels::Posting;
use std::cell::OnceCell;
use std::rc::Rc;

/// A word of the text itself counts this much, a word beside it (date, tags) 1.
pub(super) const WITHIN: u32 = 4;

/// The term of what tells of a time: no word of a text is like it.
pub(super) const TIMED: &str = "@time";

/// A term and who has it; empty while its number is free.
#[derive(Debug, Clone, Default)]
pub(super) struct Term {
    pub(super) name: Rc<str>,
    /// By document.
    pub(super) postings: Vec<Posting>,
}

/// A document; empty where there is none of its number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Doc {
    pub(super) is_there: bool,
    /// Sum of its terms' weights within the text.
    pub(crate) length: u32,
    /// The term the text opens with: its speaker ("Ann: …") or what it is about.
    pub(crate) opening: Option<u32>,
    /// The session it was said in.
    pub(crate) session: Option<u32>,
    /// Whether the words of its neighbours lie beside it.
    pub(crate) is_told: bool,
    /// Term numbers in order, with weights.
    pub(crate) terms: Box<[(u32, u32)]>,
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
    /// Whether it tells of a time.
    pub is_timed: bool,
}

/// What a text came to in an index, for another index to take in as it is.
#[derive(Debug, Clone, Default)]
pub struct Digest<'a> {
    /// Its terms with their weights, in quarters of an occurrence.
    pub terms: Vec<(&'a str, u32)>,
    /// The place among them of the one it opens with.
    pub opening: Option<usize>,
    /// Its length in quarters of a word.
    pub length: u32,
    /// The number of its session.
    pub session: Option<u32>,
    /// Whether the words said around it are among its terms.
    pub is_told: bool,
}

/// An index of texts by their words.
///
/// Documents have the numbers that the caller gives them, from 0 and best without large gaps: a
/// number costs memory up to the highest.
#[derive(Debug, Clone, Default)]
pub struct Lexical {
    pub(super) params: Bm25,
    pub(super) names: FxHashMap<Rc<str>, u32>,
    pub(super) terms: Vec<Term>,
    free_terms: Vec<u32>,
    pub(super) stems: Stems,
    pub(super) sessions: Sessions,
    /// By number.
    pub(super) docs: Vec<Doc>,
    /// By document: the number of its session; none of a number that no session has.
    pub(super) session_of: Vec<u32>,
    /// By document: how slowly repeats stop to count, until a document comes or goes.
    pub(super) slowness: OnceCell<Vec<f64>>,
    count: usize,
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
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
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
            &mut Seen::default(),
        );
    }

    /// Adds a document, in place of the one that had its number.
    pub fn add(&mut self, doc: u32, entry: &Entry<'_>, seen: &mut Seen) {
        self.remove(doc);
        let mut list: Vec<(u32, u32)> = Vec::new();
        let mut length = 0u32;
        let mut opening = None;
        for name in terms_of(entry.text, seen) {
            let is_lone = is_lone_character(&name);
            let number = self.number(&name);
            list.push((number, WITHIN));
            if !is_lone {
                length = length.saturating_add(WITHIN);
                opening.get_or_insert(number);
            }
        }
        for name in terms_of(entry.beside, seen) {
            list.push((self.number(&name), 1));
        }
        let about = entry.about.map(|name| terms_of(name, seen));
        if let Some(name) = about.and_then(|terms| terms.into_iter().next()) {
            let number = self.number(&name);
            list.push((number, 1));
            opening = Some(number);
        }
        if entry.is_timed {
            list.push((self.number(TIMED), 1));
        }
        let known = Doc {
            is_there: true,
            length,
            opening,
            session: entry.session,
            is_told: entry.is_told,
            terms: Box::default(),
        };
        self.place(doc, known, list);
    }

    /// Adds a document by what it came to in another index.
    pub fn add_digest(&mut self, doc: u32, digest: &Digest<'_>) {
        self.remove(doc);
        let numbers = digest.terms.iter();
        let list: Vec<(u32, u32)> = numbers
            .map(|(name, weight)| (self.number(name), *weight))
            .collect();
        let opening = digest.opening.and_then(|at| list.get(at));
        let known = Doc {
            is_there: true,
            length: digest.length,
            opening: opening.map(|(number, _)| *number),
            session: digest.session,
            is_told: digest.is_told,
            terms: Box::default(),
        };
        self.place(doc, known, list);
    }

    /// A term by its number.
    pub(crate) fn name(&self, term: u32) -> &str {
        self.terms.get(term as usize).map_or("", |term| &term.name)
    }

    /// Above the numbers of all terms.
    pub(crate) fn numbers(&self) -> usize {
        self.terms.len()
    }

    fn place(&mut self, doc: u32, mut known: Doc, mut list: Vec<(u32, u32)>) {
        order::sort_as(
            &mut list,
            |(term, times)| u64::from(term) << 32 | u64::from(times),
            |both| ((both >> 32) as u32, both as u32),
        );
        list.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(later.1);
            }
            same
        });
        for &(number, weight) in &list {
            if let Some(term) = self.terms.get_mut(number as usize) {
                let at = term.postings.partition_point(|p| p.doc < doc);
                term.postings.insert(at, Posting { doc, weight });
            }
        }
        known.terms = list.into();
        if let Some(session) = known.session {
            self.sessions.add(session);
        }
        self.count += 1;
        self.total_length += u64::from(known.length);
        let at = doc as usize;
        if self.docs.len() <= at {
            self.docs.resize_with(at + 1, Doc::default);
            self.session_of.resize(at + 1, u32::MAX);
        }
        if let Some(session) = self.session_of.get_mut(at) {
            *session = known.session.unwrap_or(u32::MAX);
        }
        if let Some(place) = self.docs.get_mut(at) {
            *place = known;
        }
        self.slowness.take();
    }

    /// The number of a term, a new one if it has none.
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.names.get(name) {
            return number;
        }
        let name: Rc<str> = name.into();
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
        let Some(gone) = self.docs.get_mut(doc as usize).map(std::mem::take) else {
            return;
        };
        if !gone.is_there {
            return;
        }
        self.slowness.take();
        self.count -= 1;
        self.total_length -= u64::from(gone.length);
        if let Some(session) = gone.session {
            self.sessions.remove(session);
        }
        for (number, _) in gone.terms {
            let Some(term) = self.terms.get_mut(number as usize) else {
                continue;
            };
            if let Ok(at) = term.postings.binary_search_by_key(&doc, |p| p.doc) {
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

    /// Gives the documents other numbers, by their old ones: the order must stay.
    pub fn renumber(&mut self, numbers: &[u32]) {
        let new = |old: u32| numbers.get(old as usize).copied().unwrap_or(old);
        for (old, known) in (0u32..).zip(std::mem::take(&mut self.docs)) {
            let at = new(old) as usize;
            self.docs.resize_with(at, Doc::default);
            self.docs.push(known);
        }
        let sessions = self.docs.iter().map(|doc| doc.session.unwrap_or(u32::MAX));
        self.session_of = sessions.collect();
        self.slowness.take();
        for posting in self.terms.iter_mut().flat_map(|term| &mut term.postings) {
            posting.doc = new(posting.doc);
        }
    }

    /// How many documents have a term.
    pub(super) fn having(&self, term: u32) -> usize {
        self.terms
            .get(term as usize)
            .map_or(0, |term| term.postings.len())
    }

    /// The number of the session that a document is of.
    pub fn session(&self, doc: u32) -> Option<u32> {
        self.doc(doc)?.session
    }

    /// What is known of a document.
    pub(crate) fn doc(&self, number: u32) -> Option<&Doc> {
        self.docs.get(number as usize).filter(|doc| doc.is_there)
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, Lexical};
    use crate::index::sample::index;
    use proptest::prelude::*;

    fn digest(index: &Lexical, doc: u32) -> Option<Digest<'_>> {
        let known = index.doc(doc)?;
        let numbers = known.terms.iter().rev();
        let opening = known.opening;
        Some(Digest {
            terms: numbers
                .clone()
                .map(|(number, weight)| (index.name(*number), *weight))
                .collect(),
            opening: numbers
                .clone()
                .position(|(number, _)| Some(*number) == opening),
            length: known.length,
            session: known.session,
            is_told: known.is_told,
        })
    }

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
        fn a_digest_and_other_numbers_change_nothing(
            texts in proptest::collection::vec("([abc茶咖]{1,2} ){0,5}", 1..12),
            gone in 0u32..12,
            question in "([abc茶咖]{1,2} ){1,4}",
        ) {
            let numbered: Vec<(u32, &str)> = (0u32..).zip(texts.iter().map(String::as_str)).collect();
            let mut whole = index(&numbered);
            whole.remove(gone);
            let mut taken = index(&[]);
            for (doc, _) in numbered.iter().rev() {
                if let Some(digest) = digest(&whole, *doc) {
                    taken.add_digest(*doc, &digest);
                }
            }
            let mut hits = whole.search(&question);
            prop_assert_eq!(&hits, &taken.search(&question));
            let doubled: Vec<u32> = (0..12).map(|doc| doc * 2).collect();
            taken.renumber(&doubled);
            hits.iter_mut().for_each(|hit| hit.doc *= 2);
            prop_assert_eq!(&hits, &taken.search(&question));
            taken.insert(3, &question);
            taken.remove(3);
            prop_assert_eq!(hits, taken.search(&question));
        }

        #[test]
        fn any_text_and_question_are_taken(text in ".*", question in ".*") {
            let mut index = index(&[(1, &text)]);
            index.search(&question);
            index.remove(1);
            prop_assert_eq!(index.vocabulary(), 0);
        }
    }
}
