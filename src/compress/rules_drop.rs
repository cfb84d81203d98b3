//! Which sentences go as a whole. Those with anything the guard looks for never get here.

use super::Level;
use super::phatic;
use super::phatic_en::{ABSTRACT, DEGREE, PHATIC, REACTIONS, SMALL};
use super::rules::has_self;
use super::rules_edit::Reason;
use super::text::{Kind, Text};
use crate::gather::Gather;
use crate::list;
use crate::words::{Words, words};
use std::ops::Range;

/// What a user may say of an assistant's work, which is no small talk.
#[rustfmt::skip]
const ABOUT_ANSWERS: Words = words![
    "answer", "answers", "reply", "replies", "response", "responses", "format", "tone", "style", "short", "shorter",
    "long", "longer", "brief", "detailed", "bullet", "bullets", "code", "language", "english", "chinese", "emoji",
    "emojis", "explanation", "explanations", "summary", "summaries", "examples", "wrong", "mistake", "mistakes",
];
/// What generalities are about.
const GENERAL: &str = "\
challenging|crucial|difficult|easier|essential|fulfilling|great|helpful|important|inspiring|key|\
life|matters|meaningful|necessary|refreshing|relaxing|rewarding|therapeutic|tough|uplifting|\
valuable|worth|worthwhile";
/// Words of feeling; a sentence of nothing else about oneself tells only a mood.
const FEELING: &str = "\
blessed|ecstatic|emotional|encouraged|energized|excited|glad|grateful|gratitude|happiness|happy|\
hopeful|inspired|joy|joyful|lucky|motivated|optimistic|overjoyed|overwhelmed|proud|pumped|\
refreshed|relieved|satisfied|satisfying|stoked|supported|thankful|thrilled|touched|uplifted";

/// Why the sentence may go, if it may.
pub(super) fn why(text: &Text<'_>, sentence: &Range<usize>, level: Level) -> Option<Reason> {
    if level == Level::Light && is_verdict(text, sentence) {
        return None;
    }
    if phatic::is_phatic(text, sentence) {
        return Some(Reason::Phatic);
    }
    let clauses = phatic::clauses(text, sentence);
    if phatic::phatic_clauses(text, &clauses)
        .into_iter()
        .all(|idle| idle)
    {
        return Some(Reason::Phatic);
    }
    if phatic::asks_other(text, sentence) {
        return Some(Reason::Question);
    }
    let spoken = sentence.clone().all(|at| {
        text.token(at)
            .is_some_and(|t| matches!(t.kind, Kind::Word | Kind::Mark | Kind::Emoji))
    });
    if !spoken || text.low(sentence.start) == "*" {
        return None;
    }
    if is_reaction(text, sentence) || is_praise(text, sentence) {
        return Some(Reason::Phatic);
    }
    let vague = level == Level::Deep || !tells_effect(text, sentence);
    if vague && (phatic::is_platitude(text, sentence) || is_mood(text, sentence)) {
        return Some(Reason::Colour);
    }
    (level == Level::Deep && is_colour(text, sentence)).then_some(Reason::Colour)
}

fn words<'t>(text: &'t Text<'_>, range: &Range<usize>) -> impl Iterator<Item = &'t str> {
    let tokens = text.tokens.get(range.clone()).unwrap_or_default();
    tokens
        .iter()
        .filter(|t| t.kind == Kind::Word)
        .map(|t| t.low.as_str())
}

/// "It's great!": what the speaker thinks of what was named before.
fn is_verdict(text: &Text<'_>, sentence: &Range<usize>) -> bool {
    let all: Vec<&str> = words(text, sentence)
        .filter(|word| !list::has(DEGREE, word))
        .gather();
    match all.as_slice() {
        ["it", "is", what] | ["it", "is", "kind" | "sort", "of", what] => {
            list::has(PHATIC, what) && *what != "okay"
        }
        _ => false,
    }
}

/// "Glad you found it": it only answers what the other side told.
fn is_reaction(text: &Text<'_>, sentence: &Range<usize>) -> bool {
    let mut at = sentence.start;
    while at < sentence.end {
        if let Some(end) = phatic::phrase_in(REACTIONS, text, at, sentence.end) {
            let rest = end..sentence.end;
            let about = words(text, &rest)
                .all(|word| !phatic::SELF.contains(word) && !phatic::THIRD.contains(word));
            // "Thanks for the tip. Keep answers short": an order is no thanks.
            return about
                && words(text, &rest).count() <= 18
                && !words(text, sentence).any(|word| ABOUT_ANSWERS.contains(word));
        }
        let low = text.low(at);
        let leads = list::has(PHATIC, low)
            || list::has(DEGREE, low)
            || words![",", "!", "-", "and", "but", "that"].contains(low)
            || phatic::is_called(text, at, sentence);
        if !leads {
            return false;
        }
        at += 1;
    }
    false
}

/// "That painting is amazing!", "You're so talented": what the other side has or is, in praise alone.
fn is_praise(text: &Text<'_>, sentence: &Range<usize>) -> bool {
    let small = |word: &str| {
        list::has(DEGREE, word) || words!["a", "an", "such", "both", "all"].contains(word)
    };
    let all: Vec<&str> = words(text, sentence)
        .filter(|word| !small(word))
        .skip_while(|word| list::has(PHATIC, word))
        .gather();
    let personal = all
        .iter()
        .any(|word| phatic::SELF.contains(word) || phatic::THIRD.contains(word));
    if personal || all.len() > 16 || all.iter().any(|word| ABOUT_ANSWERS.contains(word)) {
        return false;
    }
    match all.as_slice() {
        ["you", "are" | "look" | "both" | "guys", word, ..] if list::has(PHATIC, word) => true,
        ["you", "are", "doing" | "making", word, ..] if list::has(PHATIC, word) => true,
        ["that" | "those" | "your", rest @ ..] => {
            let link = rest.iter().position(|word| {
                words![
                    "is", "are", "'s", "looks", "look", "sounds", "sound", "seems", "was"
                ]
                .contains(word)
            });
            let (thing, praise) = rest.split_at(link.unwrap_or(rest.len()));
            let known = |word: &&str| list::has(PHATIC, word) || list::has(SMALL, word);
            let praise = praise.get(1..).unwrap_or_default();
            thing.len() <= 3
                && praise.iter().all(known)
                && praise.iter().any(|word| list::has(PHATIC, word))
        }
        _ => false,
    }
}

/// "It brings back memories": what a thing named before does, not only how it is.
fn tells_effect(text: &Text<'_>, sentence: &Range<usize>) -> bool {
    let all: Vec<&str> = words(text, sentence)
        .filter(|word| !list::has(DEGREE, word))
        .gather();
    let at = |i: usize| all.get(i).copied().unwrap_or_default();
    let third = if at(2) == "been" { at(3) } else { at(2) };
    let be = [
        "is", "was", "are", "were", "looks", "looked", "sounds", "sounded", "feels", "felt",
        "seems", "must", "can", "has", "means", "takes", "could", "been",
    ];
    let points = words!["it", "this", "that", "these", "those"].contains(at(0));
    points
        && (!be.contains(&at(1))
            || words!["a", "an", "about", "for", "like", "my", "our"].contains(third))
}

/// Only how one feels, and about nothing in particular.
fn is_mood(text: &Text<'_>, sentence: &Range<usize>) -> bool {
    let known = |word: &str| {
        [FEELING, PHATIC, SMALL, DEGREE, ABSTRACT]
            .iter()
            .any(|list| list::has(list, word))
            || words!["i", "me", "my", "we", "us", "our", "'s"].contains(word)
    };
    let all: Vec<&str> = words(text, sentence)
        .filter(|word| !list::has(DEGREE, word))
        .gather();
    let opening = matches!(
        all.as_slice(),
        ["i", "am" | "feel" | "felt", ..]
            | ["it" | "that" | "this", "makes" | "made", "me" | "us", ..]
            | ["feeling" | "excited" | "happy" | "grateful", ..]
    );
    opening
        && all.len() <= 12
        && all.iter().any(|word| list::has(FEELING, word))
        && all.iter().all(|word| known(word))
}

/// What surrounds the facts: praise of the other side, generalities, moods.
fn is_colour(text: &Text<'_>, sentence: &Range<usize>) -> bool {
    let all: Vec<&str> = words(text, sentence).gather();
    let has = |set: Words| all.iter().any(|word| set.contains(word));
    if has(words![
        "he", "she", "they", "his", "her", "their", "them", "him"
    ]) {
        return false;
    }
    if has_self(text, sentence) {
        return false;
    }
    let past = all.iter().any(|word| {
        words!["was", "were", "had", "did", "went", "got"].contains(word)
            || (word.ends_with("ed")
                && word.len() > 4
                && !list::has(PHATIC, word)
                && !list::has(FEELING, word))
    });
    if past {
        return false;
    }
    let asks = sentence.clone().any(|at| text.low(at) == "?");
    if asks || has(ABOUT_ANSWERS) || has(phatic::REQUESTS) {
        return false;
    }
    let to_other = has(words!["you", "your", "yours", "yourself"]);
    let general = all
        .iter()
        .any(|word| list::has(GENERAL, word) || list::has(PHATIC, word));
    let vague = all
        .iter()
        .find(|word| !list::has(DEGREE, word) && **word != "and" && **word != "but");
    let vague = vague.is_some_and(|word| {
        words!["it", "that", "this", "there", "life", "those", "these"].contains(word)
    });
    let links = has(words![
        "is", "are", "be", "'s", "can", "makes", "make", "matters", "brings", "feels",
    ]);
    let known = |word: &&&str| {
        [SMALL, DEGREE, PHATIC, ABSTRACT, GENERAL]
            .iter()
            .any(|list| list::has(list, word))
    };
    // Many words that are not general tell something in particular.
    let own = all.len() - all.iter().filter(known).count();
    general && ((to_other && own <= 4) || (vague && links && own <= 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(list::is_sorted(FEELING));
    }
}
