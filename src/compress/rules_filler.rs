//! Words and marks inside an English sentence that only strengthen, fill or repeat.

use super::phatic::is_seam;
use super::phatic_en::PHATIC;
use super::rules::is_feeling;
use super::rules_edit::{Edits, Reason};
use super::text::{Kind, Text};
use super::words_en::{ADJECTIVES, STRONG, WORDY};
use crate::list;
use crate::words::words;
use std::ops::Range;

/// Emoji of feeling, and marks that repeat.
pub(super) fn marks(text: &Text<'_>, sentence: &Range<usize>, at: usize, edits: &mut Edits) {
    let Some(token) = text.token(at).filter(|t| !t.quoted) else {
        return;
    };
    let before = text.before(at, sentence);
    match token.kind {
        Kind::Emoji
            if at > sentence.start
                && is_feeling(text.slice(token.span.clone()))
                && !words!["is", ":", "=", "emoji"].contains(before) =>
        {
            edits.drop(at..at + 1, Reason::Marks);
        }
        Kind::Mark if at > sentence.start && text.touch(at - 1, at) => {
            let again = before == token.low && words!["!", "?", "~", "。"].contains(before);
            let mixed = matches!((before, token.low.as_str()), ("?", "!") | ("!", "~"));
            let dots = before == "."
                && token.low == "."
                && at >= sentence.start + 3
                && text.low(at - 2) == "."
                && text.low(at - 3) == ".";
            if again || mixed || dots {
                edits.drop(at..at + 1, Reason::Marks);
            }
        }
        _ => {}
    }
}

pub(super) fn wordy(text: &Text<'_>, sentence: &Range<usize>, at: usize, edits: &mut Edits) {
    let lead = format!("{} ", text.low(at));
    for (long, short) in list::pairs(WORDY).filter(|(long, _)| long.starts_with(lead.as_str())) {
        let mut end = at;
        let fits = long.split(' ').all(|word| {
            let same = end < sentence.end
                && text.low(end) == word
                && text.token(end).is_some_and(|t| t.kind == Kind::Word);
            end += 1;
            same
        });
        if fits {
            edits.push(at..end, short, Reason::Wordy);
            return;
        }
    }
}

/// Whether "so" measures what follows: "so tired that", "so nervous I forgot".
fn has_result(text: &Text<'_>, range: Range<usize>) -> bool {
    range
        .take_while(|at| !is_seam(text, *at) && !matches!(text.low(*at), "and" | "but" | "to"))
        .any(|at| {
            words!["that", "as", "i", "we", "he", "she", "they", "it", "you"].contains(text.low(at))
        })
}

/// Words that only strengthen or fill.
pub(super) fn filler(text: &Text<'_>, sentence: &Range<usize>, at: usize, edits: &mut Edits) {
    let low = text.low(at);
    let before = text.before(at, sentence);
    let next = if at + 1 < sentence.end {
        text.low(at + 1)
    } else {
        ""
    };
    if low == before
        && at > sentence.start
        && words![
            "very", "really", "so", "i", "the", "a", "to", "and", "no", "super", "my", "we", "it"
        ]
        .contains(low)
    {
        edits.drop(at..at + 1, Reason::Repeat);
        return;
    }
    let negated = (1..=3).any(|back| {
        at.checked_sub(back).is_some_and(|i| {
            i >= sentence.start
                && words!["not", "never", "no", "without", "hardly"].contains(text.low(i))
        })
    });
    if negated
        || text
            .token(at)
            .is_none_or(|t| t.capital && at > sentence.start)
    {
        return;
    }
    let word = |at: usize| text.token(at).is_some_and(|t| t.kind == Kind::Word);
    let adjective = |word: &str| list::has(ADJECTIVES, word) || list::has(PHATIC, word);
    let linked = words![
        "is", "was", "are", "were", "am", "be", "been", "being", "feel", "feels", "felt", "look",
        "looks", "looked", "sounds", "sounded", "seem", "seems", "seemed", "got", "get", "getting",
        "'s"
    ]
    .contains(before);
    let capital_next = text
        .token(at + 1)
        .is_some_and(|t| t.capital && t.low != "i");
    let gone = match low {
        _ if list::has(STRONG, low) => {
            word(at + 1)
                && !words!["not", "if", "when", "the", "because"].contains(next)
                && (at > sentence.start || !capital_next)
        }
        "really" | "very" => {
            word(at + 1)
                && !words![
                    "not", "if", "much", "well", "few", "little", "many", "own", "same", "first",
                    "last", "best", "that", "to"
                ]
                .contains(next)
                && before != "the"
                && before != "how"
        }
        "super" | "pretty" | "extremely" | "incredibly" | "insanely" | "so" => {
            let leads = linked || words!["a", "some", ",", "and", "really"].contains(before);
            let result = low == "so" && has_result(text, at + 2..sentence.end.min(at + 7));
            (linked || (low != "so" && leads)) && adjective(next) && !result && !capital_next
        }
        "kinda" | "sorta" => {
            word(at + 1)
                && !words!["of", "what", "some", "a", "this", "that", "these"].contains(before)
        }
        "just" => {
            words![
                "love", "wanted", "want", "feel", "felt", "know", "think", "so", "really", "like",
                "need", "amazing", "wish", "hope", "adore"
            ]
            .contains(next)
                && !words!["", "have", "has", "had", "was"].contains(before)
        }
        "such" => {
            matches!(next, "a" | "an")
                && !(at + 2..sentence.end.min(at + 7)).any(|i| matches!(text.low(i), "that" | "as"))
        }
        _ => false,
    };
    if gone {
        edits.drop(at..at + 1, Reason::Filler);
        return;
    }
    let of_kind = matches!(low, "kind" | "sort")
        && next == "of"
        && (linked || matches!(before, "i" | "we" | "just"));
    if of_kind && text.low(at + 2) != "a" && adjective(text.low(at + 2)) {
        edits.drop(at..at + 2, Reason::Filler);
    }
}
