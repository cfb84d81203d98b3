//! What the English rules share: matching of phrases, and the values that a clause names.

use super::text::{ADVERBS, Word};
use super::words::*;
use crate::case::{self, Lowercase};
use crate::gather::Gather;
use crate::judge::places::is_country;
use crate::memory::Category;
use crate::sorted::Facts;
use crate::words::{Words, words};

/// What a clause says.
pub(super) struct Match {
    pub category: Category,
    pub importance: u8,
    pub facts: Facts,
}

pub(super) fn said(category: Category, importance: u8) -> Option<Match> {
    Some(Match {
        category,
        importance,
        facts: Facts::new(),
    })
}

pub(super) fn stating(
    category: Category,
    importance: u8,
    key: &str,
    value: Option<String>,
) -> Option<Match> {
    let facts = Facts::from_iter(value.map(|value| (key.to_owned(), value)));
    Some(Match {
        category,
        importance,
        facts,
    })
}

/// Lower-case words without adverbs, for matching.
pub(super) fn core(words: &[Word]) -> Vec<&str> {
    words
        .iter()
        .map(|word| word.low.as_str())
        .filter(|word| !ADVERBS.contains(word) || *word == "never")
        .gather()
}

pub(super) fn starts(words: &[&str], phrase: &str) -> bool {
    let mut own = words.iter();
    phrase.split(' ').all(|wanted| own.next() == Some(&wanted))
}

/// As [`starts_any`], for phrases separated by `|`.
pub(super) fn begins(words: &[&str], phrases: &str) -> Option<usize> {
    phrases
        .split('|')
        .find(|phrase| starts(words, phrase))
        .map(|phrase| phrase.split(' ').count())
}

pub(super) fn starts_any(words: &[&str], phrases: Words) -> Option<usize> {
    phrases
        .iter()
        .find(|phrase| starts(words, phrase))
        .map(|phrase| phrase.split(' ').count())
}

pub(super) fn lows(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.low.as_str()).gather()
}

pub(super) fn is_time(word: &str) -> bool {
    TIMES.contains(word) || word.chars().next().is_some_and(|c| c.is_ascii_digit())
}

pub(super) fn contains_phrase(words: &[&str], phrase: &str) -> bool {
    let wanted: Vec<&str> = phrase.split(' ').gather();
    words.windows(wanted.len()).any(|window| window == wanted)
}

pub(super) fn is_dated(word: &str) -> bool {
    DATED.contains(word)
}

/// Whether the object points into this conversation: "that", "the second one", but not "this year".
pub(super) fn points(object: &[&str]) -> bool {
    match object {
        ["this", time, ..] if is_time(time) => false,
        ["the", word, ..] => THIS_TURN.contains(word),
        [word, ..] => DEICTIC.contains(word),
        [] => true,
    }
}

/// Whether any word points into this conversation.
pub(super) fn points_anywhere(words: &[&str]) -> bool {
    (0..words.len()).any(|at| {
        words
            .get(at..)
            .is_some_and(|rest| rest.first() != Some(&"the") && points(rest))
    })
}

/// Trouble of the moment: a program that fails, a battery that is low.
pub(super) fn is_passing(words: &[&str]) -> bool {
    words.iter().any(|word| PASSING.contains(word))
}

/// The words after `verb` up to the end of the clause, when there are few; capitals only unless `any`.
pub(super) fn value_after(clause: &[Word], verb: &str, any: bool) -> Option<String> {
    let at = clause.iter().position(|word| word.low == verb)?;
    value_from(clause.get(at + 1..)?, any)
}

pub(super) fn value_from(words: &[Word], any: bool) -> Option<String> {
    let mut out: Vec<&str> = Vec::new();
    for word in words {
        let is_name = word
            .text
            .chars()
            .next()
            .is_some_and(|c| case::is_upper(c) || c.is_ascii_digit());
        let leads =
            out.is_empty() && words!["a", "an", "the", "on", "in", "called"].contains(&word.low);
        let ends = VALUE_ENDS.contains(word.low.as_str()) || (!any && !is_name && !out.is_empty());
        if ends && !leads {
            break;
        }
        if !leads {
            out.push(&word.text);
        }
        if !word.after.is_empty() {
            break;
        }
    }
    let text = out.join(" ");
    (!out.is_empty() && out.len() <= 4).then_some(text)
}

/// A name at the start of the words; "a small bakery" is none.
pub(super) fn name_from(words: &[Word]) -> Option<String> {
    let first = words.first()?;
    let described = words!["a", "an", "my", "our", "this", "the", "some"].contains(&first.low);
    let named = |word: &Word| word.text.chars().next().is_some_and(case::is_upper);
    let is_name = !described || (first.low == "the" && words.get(1).is_some_and(named));
    value_from(words, false).filter(|_| is_name)
}

/// Where one lives, under the key for its kind.
pub(super) fn place(
    category: Category,
    importance: u8,
    words: &[Word],
    origin: bool,
) -> Option<Match> {
    let value = name_from(words);
    let key = match &value {
        _ if origin => "profile.location.origin",
        Some(place) if is_country(&place.lowercase()) => "profile.location.country",
        _ => "profile.location.city",
    };
    stating(category, importance, key, value)
}
