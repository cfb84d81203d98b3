//! Standing instructions to the assistant: "always answer in French", "call me Max".

use super::parts::{begins, contains_phrase, lows, starts, starts_any};
use super::text::{Word, join};
use super::trim_end;
use super::words::*;
use crate::case;
use crate::gather::Gather;
use crate::sorted::Facts;
use crate::words::words;

/// A standing instruction to the assistant, told so that it stands alone.
pub(super) fn instruction(words: &[Word], who: &str) -> Option<(String, Facts)> {
    let low = lows(words);
    let polite = starts_any(&low, POLITE).unwrap_or(0);
    let rest = low.get(polite..)?;
    let mut facts = Facts::new();
    let named = |n: usize| {
        let name: Vec<&Word> = words.iter().skip(polite + n).take(3).gather();
        let end = name.iter().position(|word| {
            !word.after.is_empty() || words!["from", "instead", "please", "and"].contains(&word.low)
        });
        let cut = match end {
            Some(at) if name.get(at).is_some_and(|word| !word.after.is_empty()) => at + 1,
            Some(at) => at,
            None => name.len(),
        };
        name.iter()
            .take(cut)
            .map(|word| word.text.as_str())
            .gather()
            .join(" ")
    };
    if let Some(n) = begins(rest, "call me|address me as|refer to me as") {
        let given = named(n);
        let usual = given.is_empty()
            || begins(
                rest.get(n..)?,
                "back|later|when|if|at|on|tomorrow|a|an|crazy",
            )
            .is_some();
        if usual {
            return None;
        }
        facts.insert("preference.address".to_owned(), given.clone());
        return Some((format!("{who} wants to be called {given}"), facts));
    }
    let standing_start = starts_any(rest, STANDING_STARTS);
    let is_verb = |word: Option<&&str>| {
        word.is_some_and(|word| !(word.ends_with("ed") || NOT_COMMANDS.contains(word)))
    };
    let standing = match standing_start {
        Some(n) => is_verb(rest.get(n)),
        None => {
            STANDING_ANYWHERE
                .iter()
                .any(|phrase| contains_phrase(rest, phrase))
                && (polite > 0 || rest.first().is_some_and(|verb| COMMANDS.contains(verb)))
        }
    };
    let stops = begins(
        rest,
        "stop using|stop calling|stop adding|stop saying|stop apologizing|no more emojis",
    )
    .is_some();
    let forbids = starts(rest, "do not")
        && rest
            .iter()
            .any(|word| matches!(*word, "ever" | "again" | "anymore"));
    // "When you write code, use tabs."
    let comma = words.iter().position(|word| word.after.contains(','));
    let after_comma = comma
        .and_then(|at| words.get(at + 1))
        .map_or("", |word| word.low.as_str());
    let whenever = begins(rest, "when you|whenever you|when i ask|whenever i").is_some();
    let whenever = whenever
        && (COMMANDS.contains(after_comma)
            || words!["always", "never", "please", "only"].contains(after_comma));
    if !(standing || stops || forbids || whenever) || rest.len() < 2 {
        return None;
    }
    if let Some(language) = rest
        .iter()
        .find(|word| LANGUAGES.contains(word))
        .filter(|_| rest.iter().any(|word| ANSWERING.contains(word)))
    {
        facts.insert(
            "preference.response_language".to_owned(),
            (*language).to_owned(),
        );
    }
    let text = trim_end(&join(words.get(polite..)?));
    Some((
        format!("{who}'s standing instruction: {}", lower_first(&text)),
        facts,
    ))
}

pub(super) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        case::lower(first).chain(chars).collect()
    })
}
