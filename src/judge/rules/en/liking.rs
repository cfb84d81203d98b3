//! "I like …", "I hate …".

use super::parts::*;
use super::text::Word;
use super::words::*;
use crate::case::Lowercase;
use crate::judge::validate::fact_key;
use crate::memory::Category;
use crate::sorted::Facts;
use crate::words::{Words, words};

pub(super) fn liking(clause: &[Word], rest: &[&str]) -> Option<Match> {
    let table: [(Words, bool); 2] = [
        (
            words![
                "do not like", "do not enjoy", "do not love", "do not care for", "hate", "dislike",
                "detest", "loathe", "can not stand", "can not bear", "despise", "am not a fan of",
                "have never liked", "never liked",
            ],
            false,
        ),
        (
            words!["like", "love", "enjoy", "adore", "prefer", "am a fan of"],
            true,
        ),
    ];
    let (n, likes) = table
        .iter()
        .find_map(|(verbs, likes)| Some((starts_any(rest, *verbs)?, *likes)))?;
    let object = rest.get(n..)?;
    let object = match object {
        // What is told of the assistant's ways is meant for all its answers.
        ["it", "when", "you", ..] => return said(Category::Preference, 9),
        ["to", verb, ..]
            if words![
                "know", "see", "hear", "think", "thank", "point", "say", "bother", "interrupt",
                "admit", "ask", "break", "disappoint", "complain"
            ]
            .contains(verb) =>
        {
            return None;
        }
        ["to", "be", "called", ..] => {
            return stating(
                Category::Preference,
                9,
                "preference.address",
                value_after(clause, "called", true),
            );
        }
        ["to", tail @ ..] => tail,
        other => other,
    };
    let first = object.first()?;
    if points(object) || NOT_LIKED.contains(first) {
        return None;
    }
    let first_at = clause.iter().position(|word| word.low == *first)?;
    let facts = preference(clause.get(first_at..)?, likes);
    Some(Match {
        category: Category::Preference,
        importance: 6,
        facts,
    })
}

/// Words that may follow what is liked without narrowing it.
#[rustfmt::skip]
pub(super) const AFTER_OBJECT: Words = words![
    "and", "but", "because", "since", "so", "over", "more", "too", "anymore", "now", "again",
    "very", "a", "though",
];

/// The fact that an object is liked, when it is named in few words and not narrowed: not "meetings before 10".
pub(super) fn preference(object: &[Word], likes: bool) -> Facts {
    if object
        .first()
        .is_some_and(|word| matches!(word.low.as_str(), "my" | "our"))
    {
        return Facts::new();
    }
    let stop = object
        .iter()
        .position(|word| VALUE_ENDS.contains(word.low.as_str()));
    let narrowed = stop
        .and_then(|at| object.get(at))
        .is_some_and(|word| !AFTER_OBJECT.contains(word.low.as_str()));
    let comma = object.iter().position(|word| !word.after.is_empty());
    let narrowed = narrowed && comma.is_none_or(|comma| stop.is_some_and(|stop| stop <= comma));
    let key = value_from(object, true)
        .map(|text| fact_key(strip_activity(&text.lowercase())).replace('.', "_"));
    let value = if likes { "like" } else { "dislike" };
    let key = key.filter(|key| !(key.is_empty() || narrowed));
    Facts::from_iter(key.map(|key| (format!("preference.{key}"), value.to_owned())))
}

/// "drinking tea" is about tea.
pub(super) fn strip_activity(object: &str) -> &str {
    let mut out = object;
    for verb in [
        "drinking ", "eating ", "drink ", "eat ", "having ", "listening to ", "to ", "the ",
    ] {
        out = out.strip_prefix(verb).unwrap_or(out);
    }
    out
}
