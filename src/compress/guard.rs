//! What a compressed text lost, changed or made up: the last word on every compression, whoever made it.
//!
//! Both sides are searched for numbers with units, dates and times, names, negations with what they
//! negate, quotations, addresses, likings, and the words that turn or limit a statement. Each must be
//! on the other side too, with its neighbours. In doubt it reports: the caller keeps the original.

use super::guard_items::{Item, NEAR, content, items};
use super::guard_names::inner_capitals;
use super::phatic::is_seam;
use super::text::{self, Kind as Token, Text};
use crate::case;
use crate::similarity::words::is_cjk;
use crate::sorted::{self, Names};
use rustc_hash::FxHashSet;
use serde::Serialize;

/// What kind of thing must survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A number, with its unit or what it counts.
    Number,
    /// A date, a time, a day, or how long ago.
    Date,
    /// A person, a place, a product.
    Name,
    /// A negation and what it negates.
    Negation,
    /// Quoted text or code.
    Quote,
    /// An address, a path.
    Link,
    /// A liking or disliking.
    Preference,
    /// A possibility, a plan, a wish, a report.
    Modality,
    /// A condition, a limit, an exception.
    Condition,
}

/// What happened to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is not in the compressed text, or not with what it belongs to.
    Lost,
    /// It is only in the compressed text.
    Added,
    /// It changed places with another one.
    Moved,
}

/// One thing that a compression lost, made up or moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loss {
    /// What it is.
    pub kind: Kind,
    /// What happened to it.
    pub change: Change,
    /// How the text that has it writes it.
    pub item: String,
}

/// Quotations are compared with at most this many bytes read; more count as lost.
const QUOTE_WORK: usize = 64 << 20;
/// More than these are not reported.
const LOSSES_MAX: usize = 100;

/// Everything that `compressed` lost, made up or moved; empty if it says what `original` says.
///
/// Linear in the length of both texts.
pub fn lost(original: &str, compressed: &str) -> Vec<Loss> {
    if original == compressed {
        return Vec::new();
    }
    let (old, new) = (Text::new(original), Text::new(compressed));
    // A name of one text is a name in the other, though it begins a sentence there.
    let mut capitals = inner_capitals(&old);
    capitals.extend(inner_capitals(&new));
    let (mut old, mut new) = (Side::of(&old, &capitals), Side::of(&new, &capitals));
    let is_chinese = |item: &Item| item.what == Kind::Name && item.key.starts_with(is_cjk);
    if old.items.iter().chain(&new.items).any(is_chinese) {
        old.grams = grams(old.text);
        new.grams = grams(new.text);
    }
    let mut out = Vec::new();
    old.missing_in(&new, Change::Lost, &mut out);
    new.missing_in(&old, Change::Added, &mut out);
    old.moved_in(&new, &mut out);
    out.truncate(LOSSES_MAX);
    out
}

/// One text with what must survive of it, prepared for questions.
struct Side<'t, 's> {
    text: &'t Text<'s>,
    items: Vec<Item>,
    /// Kind and key of each item.
    keys: FxHashSet<(Kind, String)>,
    /// The same with a content word near it: after it, or before it.
    after: FxHashSet<(Kind, String, String)>,
    before: FxHashSet<(Kind, String, String)>,
    words: FxHashSet<&'t str>,
    grams: FxHashSet<String>,
    /// Everything as one folded text, for quotations.
    flat: String,
}

impl<'t, 's> Side<'t, 's> {
    fn of(text: &'t Text<'s>, capitals: &Names) -> Self {
        let items = items(text, capitals);
        let mut side = Self {
            text,
            keys: FxHashSet::default(),
            after: FxHashSet::default(),
            before: FxHashSet::default(),
            words: text.tokens.iter().map(|t| t.low.as_str()).collect(),
            grams: FxHashSet::default(),
            flat: flat(text.source),
            items,
        };
        for item in &side.items {
            side.keys.insert((item.what, item.key.clone()));
            let Some(sentence) = text.sentences.get(item.sentence) else {
                continue;
            };
            // What is negated stands in the clause of the negation.
            let negates = item.what == Kind::Negation;
            let right = (item.range.end..sentence.end.min(item.range.end + 24))
                .take_while(|at| !negates || !(is_seam(text, *at) || text.low(*at) == "but"))
                .filter_map(|at| content(text, at));
            for word in right.take(NEAR) {
                side.after.insert((item.what, item.key.clone(), word));
            }
            let from = item.range.start.saturating_sub(24).max(sentence.start);
            let left = (from..item.range.start)
                .rev()
                .filter_map(|at| content(text, at));
            for word in left.take(NEAR) {
                side.before.insert((item.what, item.key.clone(), word));
            }
        }
        side
    }

    fn missing_in(&self, other: &Side<'_, '_>, change: Change, out: &mut Vec<Loss>) {
        for item in &self.items {
            if out.len() >= LOSSES_MAX {
                return;
            }
            if !other.has(item, change) {
                let span = self.text.span(&item.range);
                out.push(Loss {
                    kind: item.what,
                    change,
                    item: self.text.slice(span).to_owned(),
                });
            }
        }
        self.fewer_negations(other, change, out);
        let mut work = 0_usize;
        for quote in &self.text.quotes {
            let said = self.text.slice(quote.clone());
            let wanted = flat(said);
            work = work.saturating_add(other.flat.len());
            let found = work < QUOTE_WORK && other.flat.contains(&wanted);
            if !wanted.trim().is_empty() && !found && out.len() < LOSSES_MAX {
                out.push(Loss {
                    kind: Kind::Quote,
                    change,
                    item: said.to_owned(),
                });
            }
        }
    }

    /// One negation may stand where two stood only if both negated the same.
    fn fewer_negations(&self, other: &Side<'_, '_>, change: Change, out: &mut Vec<Loss>) {
        let known = out.iter().any(|loss| loss.kind == Kind::Negation);
        let mut own = self.items.iter().filter(|item| item.what == Kind::Negation);
        let theirs = other
            .items
            .iter()
            .filter(|item| item.what == Kind::Negation);
        let distinct = sorted::set(own.clone().map(Item::surroundings));
        if let Some(last) = own.next_back()
            && !known
            && distinct.len() > theirs.count()
            && out.len() < LOSSES_MAX
        {
            out.push(Loss {
                kind: Kind::Negation,
                change,
                item: self.text.slice(self.text.span(&last.range)).to_owned(),
            });
        }
    }

    fn has(&self, item: &Item, change: Change) -> bool {
        if item.what == Kind::Name {
            return self.has_name(&item.key, change);
        }
        let key = (item.what, item.key.clone());
        if !self.keys.contains(&key) {
            return false;
        }
        let near = |set: &FxHashSet<(Kind, String, String)>, word: &String| {
            set.contains(&(item.what, item.key.clone(), word.clone()))
        };
        item.after.iter().all(|word| near(&self.after, word))
            && item.before.iter().all(|word| near(&self.before, word))
    }

    fn has_name(&self, name: &str, change: Change) -> bool {
        // What a model calls the one it reads about.
        if change == Change::Added && matches!(name, "user" | "users" | "assistant") {
            return true;
        }
        if name.starts_with(is_cjk) {
            return self.grams.contains(name);
        }
        self.words.contains(name)
    }

    /// Neighbours of one kind in one sentence that stand the other way round.
    fn moved_in(&self, new: &Side<'_, '_>, out: &mut Vec<Loss>) {
        let places = |of: Kind| {
            let items = new.items.iter().filter(move |item| item.what == of);
            items.map(|item| (item.key.as_str(), item.range.start))
        };
        let kinds = [Kind::Name, Kind::Number, Kind::Date];
        let firsts = kinds.map(|kind| sorted::map(places(kind).rev()));
        let ends = kinds.map(|kind| sorted::map(places(kind)));
        let mut last = [None; 3];
        for item in &self.items {
            let of_kind = kinds.iter().zip(&firsts).zip(&ends).zip(&mut last);
            let mut of_kind = of_kind.filter(|(((kind, _), _), _)| **kind == item.what);
            let Some((((_, firsts), ends), last)) = of_kind.next() else {
                continue;
            };
            let before: Option<&Item> = last.replace(item);
            let Some(before) = before.filter(|b| b.sentence == item.sentence && b.key != item.key)
            else {
                continue;
            };
            let (first, end) = (firsts.get(before.key.as_str()), ends.get(item.key.as_str()));
            if let (Some(first), Some(end)) = (first, end)
                && first > end
                && out.len() < LOSSES_MAX
            {
                out.push(Loss {
                    kind: item.what,
                    change: Change::Moved,
                    item: self.text.slice(self.text.span(&item.range)).to_owned(),
                });
            }
        }
    }
}

/// Letters, digits and marks folded, white space as one space.
fn flat(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    for c in source.chars().map(text::fold) {
        if c.is_whitespace() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            out.extend(case::lower(c));
        }
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out
}

/// Runs of two to six Chinese characters that could be names, for those that look for one.
fn grams(text: &Text<'_>) -> FxHashSet<String> {
    let mut out = FxHashSet::default();
    for at in 0..text.tokens.len() {
        let mut run = String::new();
        for token in text.tokens.iter().skip(at).take(5) {
            if token.kind != Token::Cjk {
                break;
            }
            run.push_str(&token.low);
            out.insert(run.clone());
        }
    }
    out
}
