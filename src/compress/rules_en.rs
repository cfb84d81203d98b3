//! What goes inside an English sentence.

use super::phatic::{clauses, is_phatic, is_platitude, phatic_clauses, phrase_in, trimmed};
use super::phatic_en::PHRASES;
use super::rules::first_word;
use super::rules_edit::{Edits, Reason};
use super::rules_filler::{filler, marks, wordy};
use super::text::{Kind, Text};
use super::words::DATES;
use super::words_en::{ASIDES, FILLERS, LEADS, OPENERS, SUBJECTS};
use crate::gather::Gather;
use crate::list;
use crate::words::{Words, words};
use std::ops::Range;

/// What joins a clause to the one before, so that this one can not go alone.
#[rustfmt::skip]
const JOINERS: Words = words![
    "and", "as", "at", "because", "but", "especially", "for", "from", "if", "in", "like", "of", "on", "or", "since",
    "so", "than", "that", "then", "though", "although", "to", "until", "when", "where", "which", "while", "who",
    "with", "nor", "yet", "not", "just", "except", "only", "even",
];

/// The edits of a sentence.
pub(super) fn edits(text: &Text<'_>, sentence: &Range<usize>) -> Edits {
    let mut edits = Edits::new(sentence);
    let parts = clauses(text, sentence);
    let idle = phatic_clauses(text, &parts);
    let vain: Vec<bool> = parts
        .iter()
        .zip(&idle)
        .map(|(part, idle)| *idle || is_platitude(text, part))
        .gather();
    lead(text, sentence, &parts, &idle, &mut edits);
    tail(text, sentence, &parts, &vain, &mut edits);
    middle(text, &parts, &mut edits);
    for at in sentence.clone() {
        marks(text, sentence, at, &mut edits);
        if text
            .token(at)
            .is_some_and(|t| t.kind == Kind::Word && !t.quoted)
        {
            wordy(text, sentence, at, &mut edits);
            filler(text, sentence, at, &mut edits);
        }
    }
    edits
}

fn is_interjection(text: &Text<'_>, clause: &Range<usize>) -> bool {
    let bare = trimmed(text, clause);
    bare.len() <= 4
        && !bare.clone().any(|at| {
            words!["is", "it", "that", "are", "you", "was", "this"].contains(text.low(at))
        })
}

/// Phatic clauses and openers at the start.
fn lead(
    text: &Text<'_>,
    sentence: &Range<usize>,
    parts: &[Range<usize>],
    idle: &[bool],
    edits: &mut Edits,
) {
    let mut start = sentence.start;
    for (i, (part, is_idle)) in parts.iter().zip(idle).enumerate() {
        let Some(next) = parts.get(i + 1).filter(|_| *is_idle) else {
            break;
        };
        let seam = text.low(part.end);
        let joint = first_word(text, next);
        if words!["for", "to", "of", "with", "and"].contains(joint) && i < 2 {
            start = sentence.start;
            break;
        }
        let free = is_interjection(text, part);
        // "What a moment - one I keep": what follows leans on it.
        let stands = text
            .token(trimmed(text, next).start)
            .is_some_and(|t| t.capital || t.kind == Kind::Number)
            || SUBJECTS.contains(joint)
            || list::has(DATES, joint)
            || idle.get(i + 1) == Some(&true);
        if !free && !stands {
            break;
        }
        if matches!(seam, "(" | ")") || (JOINERS.contains(joint) && !free) {
            break;
        }
        if !trimmed(text, next).is_empty() {
            start = next.start;
        }
    }
    // "- " and the like.
    while start > sentence.start
        && text.token(start).is_some_and(|t| {
            t.kind == Kind::Mark && words!["-", ",", ".", "!", "…"].contains(&t.low)
        })
    {
        start += 1;
    }
    let filler = list::has(FILLERS, text.low(start)) && text.low(start + 1) == ",";
    if filler && sentence.end - start > 4 {
        start += 2;
    }
    edits.drop(sentence.start..start, Reason::Phatic);
    let mut at = start;
    while at < sentence.end {
        let opener = phrase_in(OPENERS, text, at, sentence.end).filter(|end| {
            text.token(*end).is_some_and(|t| t.kind == Kind::Word) && sentence.end - end > 3
        });
        let lead = list::has(LEADS, text.low(at)) && SUBJECTS.contains(text.low(at + 1));
        let after = match opener {
            Some(end) => end,
            None if lead => at + 1,
            None => break,
        };
        edits.drop(at..after, Reason::Filler);
        at = after;
    }
}

/// Phatic clauses at the end, tag questions, a call by name.
fn tail(
    text: &Text<'_>,
    sentence: &Range<usize>,
    parts: &[Range<usize>],
    idle: &[bool],
    edits: &mut Edits,
) {
    let mut end = sentence.end;
    while end > sentence.start
        && text
            .token(end - 1)
            .is_some_and(|t| matches!(t.kind, Kind::Mark | Kind::Emoji) && t.low != ")")
    {
        end -= 1;
    }
    let mut cut = end;
    for (i, (part, idle)) in parts.iter().zip(idle).enumerate().rev() {
        let bare = trimmed(text, part);
        if bare.is_empty() {
            continue;
        }
        if i == 0 || !idle || edits.is_taken(bare.start) {
            break;
        }
        let head = first_word(text, part);
        let whole = words![
            "it", "that", "this", "which", "what", "how", "so", "you", "such", "and", "here"
        ]
        .contains(head)
            && bare.clone().any(|at| {
                words![
                    "is", "was", "are", "were", "looks", "sounds", "means", "seems"
                ]
                .contains(text.low(at))
            });
        let opinion = head == "it" && text.low(bare.start + 1) == "is";
        let relative = matches!(
            (head, text.low(bare.start + 2)),
            ("that", "when" | "how" | "why" | "what" | "where")
        );
        let whole = whole && !opinion && !relative;
        let called = bare.len() == 1 && text.token(bare.start).is_some_and(|t| t.capital);
        let phrase = phrase_in(PHRASES, text, bare.start, bare.end) == Some(bare.end);
        let cry = bare.len() == 1
            && words![
                "lol", "haha", "hahaha", "thanks", "please", "right", "huh", "okay", "ok", "yeah",
                "wow", "omg"
            ]
            .contains(head);
        if !(whole || called || phrase || cry) {
            break;
        }
        cut = part.start.saturating_sub(1);
        while cut > sentence.start
            && text
                .token(cut - 1)
                .is_some_and(|t| t.kind == Kind::Mark && matches!(t.low.as_str(), "-" | ","))
        {
            cut -= 1;
        }
    }
    if cut == end {
        cut = judged(text, sentence, end, edits).unwrap_or(end);
    }
    if cut < end && cut > sentence.start {
        edits.drop(cut..end, Reason::Phatic);
        if text.low(end) == "?" && asked_by_tag(text, cut, end) {
            edits.push(end..end + 1, ".", Reason::Phatic);
        }
    }
}

/// Where "… and it was so cool" begins, without a comma.
fn judged(text: &Text<'_>, sentence: &Range<usize>, end: usize, edits: &Edits) -> Option<usize> {
    let from = end.saturating_sub(9).max(sentence.start + 3);
    (from..end).find(|at| {
        text.low(*at) == "and"
            && matches!(text.low(at + 1), "it" | "that")
            && matches!(
                (text.low(at + 1), text.low(at + 2)),
                (_, "was") | ("that", "is")
            )
            && !edits.is_taken(*at)
            && (is_phatic(text, &(at + 1..end)) || is_platitude(text, &(at + 1..end)))
    })
}

fn asked_by_tag(text: &Text<'_>, from: usize, to: usize) -> bool {
    (from..to).any(|at| matches!(text.low(at), "right" | "huh" | "know"))
}

/// Asides between commas: ", you know,".
fn middle(text: &Text<'_>, parts: &[Range<usize>], edits: &mut Edits) {
    for (i, part) in parts.iter().enumerate().skip(1) {
        let last = i + 1 == parts.len();
        let fits = phrase_in(ASIDES, text, part.start, part.end) == Some(part.end);
        let commas = text.low(part.start - 1) == "," && (last || text.low(part.end) == ",");
        if fits && commas && !last {
            edits.drop(part.start - 1..part.end, Reason::Filler);
        }
    }
}
