//! Which parts of a text tell nothing: greetings, thanks, wonder, praise, fillers.
//!
//! Rules and guard share this: what is phatic may go, and a name in it only calls somebody.

use super::phatic_en::{ABSTRACT, DEGREE, PHATIC, PHRASES, SMALL};
use super::phatic_zh;
use super::text::{Kind, Text};
use super::words::{CALLS, DATES, PLACES};
use crate::gather::Gather;
use crate::list::{self, Found};
use crate::words::{Words, words};
use std::ops::Range;

/// Words about oneself or one's own.
#[rustfmt::skip]
pub(super) const SELF: Words = words![
    "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "我", "咱", "俺",
];
/// Words about others.
#[rustfmt::skip]
pub(super) const THIRD: Words = words![
    "he", "she", "they", "his", "her", "hers", "their", "them", "him", "他", "她",
];
/// Questions that ask for work or advice say what the user wants.
#[rustfmt::skip]
pub(super) const REQUESTS: Words = words![
    "advise", "answer", "compare", "convert", "describe", "explain", "find", "fix", "give", "help", "know",
    "make", "mind", "recommend", "remember", "show", "suggest", "summarize", "teach", "translate", "use", "write",
    "can", "could", "would", "should", "will", "best", "difference", "between", "need",
];
/// How questions about the other side begin.
#[rustfmt::skip]
const ASKING: Words = words![
    "any", "anything", "are", "did", "do", "got", "have", "how", "what", "when", "where", "which", "who", "why",
    "ever", "were", "wanna", "was", "is", "does", "has",
];
/// Phrases have at most this many words that count.
const WORDS_MAX: usize = 9;
/// Chinese phrases have at most this many characters.
const CHARS_MAX: usize = 13;

/// Where the longest phrase that begins here ends.
pub(super) fn phrase(text: &Text<'_>, at: usize, end: usize) -> Option<usize> {
    match text.token(at)?.kind {
        Kind::Word => phrase_in(PHRASES, text, at, end),
        Kind::Cjk => phrase_zh(phatic_zh::PHRASES, text, at, end),
        _ => None,
    }
}

/// Where the longest entry of an English list ends, degree words not counted.
pub(super) fn phrase_in(list: &str, text: &Text<'_>, at: usize, end: usize) -> Option<usize> {
    let mut key = String::new();
    let mut longest = None;
    let mut words = 0;
    let mut i = at;
    while i < end && words < WORDS_MAX {
        let token = text
            .token(i)
            .filter(|t| t.kind == Kind::Word && !t.quoted)?;
        let low = token.low.as_str();
        if i > at && list::has(DEGREE, low) {
            i += 1;
            continue;
        }
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(if low == "'s" { "is" } else { low });
        words += 1;
        i += 1;
        match list::find(list, &key) {
            Found::Whole => longest = Some(i),
            Found::Start => {}
            Found::Nothing => break,
        }
        // The next word must be on the same side of a mark.
        if text.token(i).is_none_or(|t| t.kind != Kind::Word) {
            break;
        }
    }
    longest
}

/// Where the longest entry of a Chinese list ends.
pub(super) fn phrase_zh(list: &str, text: &Text<'_>, at: usize, end: usize) -> Option<usize> {
    let mut key = String::new();
    let mut longest = None;
    for i in at..end.min(at + CHARS_MAX) {
        let Some(token) = text.token(i).filter(|t| t.kind == Kind::Cjk && !t.quoted) else {
            break;
        };
        key.push_str(&token.low);
        if list::has(list, &key) {
            longest = Some(i + 1);
        }
    }
    longest
}

/// Whether the range of tokens tells nothing.
pub(super) fn is_phatic(text: &Text<'_>, range: &Range<usize>) -> bool {
    let mut at = range.start;
    let mut says = false;
    while at < range.end {
        let Some(token) = text.token(at) else {
            break;
        };
        if token.quoted {
            return false;
        }
        if let Some(end) = phrase(text, at, range.end) {
            says = true;
            at = end;
            continue;
        }
        let low = token.low.as_str();
        match token.kind {
            Kind::Mark => {
                if words!["$", "€", "£", "¥", "%", "+", "=", "#", "/", "<", ">", "`"].contains(low)
                {
                    return false;
                }
            }
            Kind::Emoji => says |= super::rules::is_feeling(text.slice(token.span.clone())),
            Kind::Word if list::has(PHATIC, low) => says = true,
            Kind::Word if list::has(SMALL, low) || list::has(DEGREE, low) => {}
            Kind::Word if is_called(text, at, range) => {}
            Kind::Cjk if phatic_zh::PARTICLES.contains(low) && says => {}
            _ => return false,
        }
        at += 1;
    }
    says
}

/// Praise and wisdom of words so general that they tell of nobody and nothing.
pub(super) fn is_platitude(text: &Text<'_>, range: &Range<usize>) -> bool {
    let mut count = 0;
    let mut says = false;
    for at in range.clone() {
        let Some(token) = text.token(at) else {
            continue;
        };
        let low = token.low.as_str();
        match token.kind {
            Kind::Mark | Kind::Emoji => {}
            Kind::Word if !token.quoted => {
                count += 1;
                says |= list::has(ABSTRACT, low) || list::has(PHATIC, low);
                let known = [SMALL, DEGREE, PHATIC, ABSTRACT]
                    .iter()
                    .any(|words| list::has(words, low));
                let plain = words!["us", "we", "our", "'s", "let"].contains(low);
                if !known && !plain && !is_called(text, at, range) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    says && count > 2
}

/// Whether the name here only calls the person spoken to: "Thanks, Ann!", "Hey Ann,".
pub(super) fn is_called(text: &Text<'_>, at: usize, range: &Range<usize>) -> bool {
    let Some(token) = text.token(at).filter(|t| t.kind == Kind::Word && t.capital) else {
        return false;
    };
    let low = token.low.as_str();
    if list::has(PLACES, low) || list::has(DATES, low) || low == "i" || token.span.len() < 2 {
        return false;
    }
    let before = text.before(at, range);
    let after = if at + 1 < range.end {
        text.low(at + 1)
    } else {
        ""
    };
    let closed = words!["", ",", "!", ".", "?", "-", "…", ":"].contains(after)
        || text
            .token(at + 1)
            .is_none_or(|t| matches!(t.kind, Kind::Emoji | Kind::Break | Kind::Mark));
    let opened = words!["", ",", "-", "!"].contains(before) || list::has(CALLS, before);
    opened && closed
}

/// The clauses of a sentence: what stands between commas, dashes and the like.
pub(super) fn clauses(text: &Text<'_>, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = sentence.start;
    for at in sentence.clone() {
        if is_seam(text, at) {
            if start < at {
                out.push(start..at);
            }
            start = at + 1;
        }
    }
    if start < sentence.end {
        out.push(start..sentence.end);
    }
    out
}

/// Whether clauses meet at this mark.
pub(super) fn is_seam(text: &Text<'_>, at: usize) -> bool {
    let Some(token) = text.token(at).filter(|t| t.kind == Kind::Mark && !t.quoted) else {
        return false;
    };
    match token.low.as_str() {
        "," | ";" | "、" | "—" | "(" | ")" => true,
        ":" => true,
        "-" => {
            !(at > 0 && text.touch(at - 1, at) && text.touch(at, at + 1))
                || token.span.len() > 1
                || is_long_dash(text, at)
        }
        "." | "!" | "?" | "~" | "…" => true,
        _ => false,
    }
}

fn is_long_dash(text: &Text<'_>, at: usize) -> bool {
    text.low(at + 1) == "-" || (at > 0 && text.low(at - 1) == "-")
}

/// For each clause, whether it tells nothing: phatic, or only a name beside a phatic one.
pub(super) fn phatic_clauses(text: &Text<'_>, clauses: &[Range<usize>]) -> Vec<bool> {
    let mut out: Vec<bool> = clauses
        .iter()
        .map(|clause| is_phatic(text, clause))
        .gather();
    for (i, clause) in clauses.iter().enumerate() {
        let bare = trimmed(text, clause);
        if bare.len() != 1 || !is_called(text, bare.start, &bare) {
            continue;
        }
        let before = i.checked_sub(1).and_then(|i| out.get(i)).copied();
        let after = out.get(i + 1).copied();
        let next = clauses.get(i + 1).and_then(|next| text.token(next.start));
        // "Great, Ann, Bob and Carl came": a list, not a call.
        let lists = next.is_some_and(|t| t.kind == Kind::Word && t.capital && t.low != "i")
            || matches!(next.map(|t| t.low.as_str()), Some("and" | "or" | "&"));
        let spoken =
            i > 0 && !lists && clauses.get(i - 1).is_some_and(|said| speaks_to(text, said));
        let called = (before == Some(true) && !lists) || (i == 0 && after == Some(true)) || spoken;
        if called && let Some(flag) = out.get_mut(i) {
            *flag = true;
        }
    }
    out
}

/// Whether the sentence asks about the person spoken to, and so states nothing.
pub(super) fn asks_other(text: &Text<'_>, sentence: &Range<usize>) -> bool {
    let asks = sentence.clone().rev().take(3).any(|at| text.low(at) == "?");
    let has = |set: Words| sentence.clone().any(|at| set.contains(text.low(at)));
    let begin = sentence.clone().map(|at| text.low(at)).find(|word| {
        !list::has(PHATIC, word) && !words!["so", "and", "but", ",", "-", "!"].contains(word)
    });
    let chinese = matches!(begin, Some("你" | "您"))
        && !has(words![
            "推", "荐", "建", "议", "帮", "能", "可", "会", "写", "知", "觉",
        ]);
    // "Anything you'd like to share?" asks for no work.
    let asks_work = sentence.clone().any(|at| {
        let low = text.low(at);
        REQUESTS.contains(low) && !(low == "would" && text.before(at, sentence) == "you")
    });
    asks && sentence.len() <= 24
        && (chinese || begin.is_some_and(|word| ASKING.contains(word)))
        && !has(SELF)
        && !has(THIRD)
        && !asks_work
        && (chinese
            || has(words!["you", "your", "yours"])
            || matches!(begin, Some("any" | "anything" | "ever" | "got")))
}

/// Whether the clause is said to somebody, so that a name after it calls.
fn speaks_to(text: &Text<'_>, clause: &Range<usize>) -> bool {
    let has = |set: Words| clause.clone().any(|at| set.contains(text.low(at)));
    let introduces = words![
        "my", "our", "his", "her", "their", "named", "called", "met", "friend", "and", "or", "a",
        "from", "in", "visit",
    ];
    is_platitude(text, clause) || (has(words!["you", "your"]) && !has(introduces))
}

/// The clause without marks and emoji at its ends.
pub(super) fn trimmed(text: &Text<'_>, clause: &Range<usize>) -> Range<usize> {
    let is_edge = |at: usize| {
        text.token(at)
            .is_none_or(|t| matches!(t.kind, Kind::Mark | Kind::Emoji))
    };
    let mut range = clause.clone();
    while range.start < range.end && is_edge(range.start) {
        range.start += 1;
    }
    while range.start < range.end && is_edge(range.end - 1) {
        range.end -= 1;
    }
    range
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phatic(text: &str) -> bool {
        let parsed = Text::new(text);
        is_phatic(&parsed, &(0..parsed.tokens.len()))
    }

    #[test]
    fn tells_phatic_from_facts() {
        for text in [
            "Thanks, Melanie!", "Hey Mel! Good to see you!",
            "Wow, Caroline, that's really amazing!", "I'm so proud of you!", "No worries, John.",
            "Can’t wait!", "哈哈，太棒了！", "谢谢你呀～", "好的好的", "You're awesome 😀",
        ] {
            assert!(phatic(text), "{text}");
        }
        for text in [
            "Paris is great!", "I love tea.", "Not great.", "It was 5.", "He is great!",
            "I'm vegan.", "\"Great\"", "我喜欢茶", "", "That's great, Paris!",
            "See you on Monday!", "It is not good.",
        ] {
            assert!(!phatic(text), "{text}");
        }
    }

    #[test]
    fn lists_are_sorted() {
        for list in [PHRASES, PHATIC, SMALL, DEGREE, phatic_zh::PHRASES] {
            assert!(list::is_sorted(list));
        }
    }
}
