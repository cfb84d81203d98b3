//! The rule compressor: takes out what tells nothing, sentence by sentence, and asks the guard each time.

use super::guard;
use super::guard_items::items;
use super::guard_names::inner_capitals;
use super::phatic;
use super::rules_edit::{Edit, Reason, render};
use super::text::{Kind, Text};
use super::{Compressed, Level, Removed};
use super::{rules_drop, rules_en, rules_zh};
use crate::gather::Gather;
use crate::gather::Push;
use crate::sorted::{self, Names};
use crate::words::words;
use std::ops::Range;

/// Shorter texts stay as they are (M2).
pub const MIN_CHARS: usize = 120;
/// A text that is not settled after so many rounds stays as it is.
const ROUNDS: usize = 8;
/// Longer sentences are not edited inside.
const SENTENCE_TOKENS_MAX: usize = 400;
/// When the guard refuses all edits of a sentence together, so many are tried alone.
const TRIES: usize = 24;

/// Makes a text shorter by rules alone.
///
/// Never longer than the text, the same for the same text, and nothing more when done again. What the
/// guard sees lost is put back. Texts under [`MIN_CHARS`] characters are returned as they are.
pub fn compress(text: &str, level: Level) -> Compressed {
    let mut current = text.to_owned();
    let mut removed = Vec::new();
    for _ in 0..ROUNDS {
        let size = current.chars().count();
        let next = if size < MIN_CHARS {
            None
        } else {
            pass(&current, level)
        };
        let Some((shorter, log)) = next.filter(|(next, _)| next.chars().count() < size) else {
            let safe = removed.is_empty() || guard::lost(text, &current).is_empty();
            return if safe {
                Compressed {
                    text: current,
                    removed,
                }
            } else {
                unchanged(text)
            };
        };
        current = shorter;
        removed.push_all(log);
    }
    unchanged(text)
}

fn unchanged(text: &str) -> Compressed {
    Compressed {
        text: text.to_owned(),
        removed: Vec::new(),
    }
}

/// One round; none where nothing can go.
fn pass(source: &str, level: Level) -> Option<(String, Vec<Removed>)> {
    for careful in [false, true] {
        let (text, log) = round(source, level, careful);
        if log.is_empty() {
            return None;
        }
        if guard::lost(source, &text).is_empty() {
            return Some((text, log));
        }
    }
    None
}

/// One round; a careful one leaves whole sentences out but edits none.
fn round(source: &str, level: Level, careful: bool) -> (String, Vec<Removed>) {
    let text = Text::new(source);
    let items = items(&text, &inner_capitals(&text)).into_iter();
    let guarded = sorted::set(items.map(|item| item.sentence));
    let mut log = Vec::new();
    let mut seen = Names::new();
    let mut kept: Vec<(Range<usize>, String)> = Vec::new();
    let mut line = Line::at(&text, 0);
    let mut end = 0;
    for (index, sentence) in text.sentences.iter().enumerate() {
        let span = text.span(sentence);
        let said = text.slice(span.clone());
        if let Some(at) = text.slice(end..span.start).rfind('\n') {
            line = Line::at(&text, end + at + 1);
        }
        end = span.end;
        let is_fixed = is_verbatim(&text, sentence, &line);
        let is_guarded = guarded.contains(&index) || holds_quote(&text, &span);
        let why = if is_fixed {
            None
        } else if is_repeat(&text, sentence, &mut seen) {
            Some(Reason::Repeat)
        } else if is_guarded {
            None
        } else {
            rules_drop::why(&text, sentence, level)
        };
        if let Some(reason) = why {
            log.push(Removed {
                reason,
                text: said.to_owned(),
                with: String::new(),
            });
            continue;
        }
        let mut result = said.to_owned();
        if !careful && sentence.len() <= SENTENCE_TOKENS_MAX && !is_fixed {
            let (edited, done) = edit(&text, sentence);
            result = edited;
            log.push_all(done);
        }
        kept.push((span, result));
    }
    if kept.is_empty() {
        // All of it tells nothing: the shortest sentence, one with some colour if there is one, stands for it.
        let colour = log
            .iter()
            .any(|gone: &Removed| gone.reason == Reason::Colour);
        let fits = |gone: &&Removed| !colour || gone.reason == Reason::Colour;
        let stays = log
            .iter()
            .filter(fits)
            .min_by_key(|gone| gone.text.chars().count());
        let stays = stays.map(|gone| gone.text.clone()).unwrap_or_default();
        if let Some(at) = log.iter().position(|gone| gone.text == stays) {
            log.remove(at);
        }
        return (stays, log);
    }
    (joined(&text, &kept), log)
}

/// The kept sentences with what stood before each of them.
fn joined(text: &Text<'_>, kept: &[(Range<usize>, String)]) -> String {
    let mut out = String::new();
    let mut end: Option<usize> = None;
    for (span, sentence) in kept {
        if sentence.is_empty() {
            continue;
        }
        if let Some(end) = end {
            let gap = text.slice(end..span.start);
            if gap.chars().all(char::is_whitespace) {
                out.push_str(gap);
            } else {
                let lines = gap.matches('\n').count();
                let near = text.slice(span.start.saturating_sub(1)..span.start);
                match lines {
                    0 if near.starts_with(' ') => out.push(' '),
                    0 => {}
                    1 => out.push('\n'),
                    _ if gap.contains("\n\n") => out.push_str("\n\n"),
                    _ => out.push('\n'),
                }
            }
        }
        out.push_str(sentence);
        end = Some(span.end);
    }
    out
}

fn edit(text: &Text<'_>, sentence: &Range<usize>) -> (String, Vec<Removed>) {
    let said = text.slice(text.span(sentence));
    let mut edits = rules_en::edits(text, sentence);
    rules_zh::edits(text, sentence, &mut edits);
    let all = edits.sorted();
    if all.is_empty() {
        return (said.to_owned(), Vec::new());
    }
    let fits = |result: &str| {
        result.len() < said.len()
            && result.chars().any(char::is_alphanumeric)
            && guard::lost(said, result).is_empty()
    };
    let result = render(text, sentence, &all);
    if fits(&result) {
        return (result, logged(text, &all));
    }
    let mut done: Vec<Edit> = Vec::new();
    let mut best = said.to_owned();
    for one in all.into_iter().take(TRIES) {
        let mut tried = done.clone();
        tried.push(one);
        let result = render(text, sentence, &tried);
        if fits(&result) {
            best = result;
            done = tried;
        }
    }
    (best, logged(text, &done))
}

fn logged(text: &Text<'_>, edits: &[Edit]) -> Vec<Removed> {
    let one = |edit: &Edit| Removed {
        reason: edit.reason,
        text: text.slice(text.span(&edit.range)).to_owned(),
        with: edit.with.to_owned(),
    };
    edits.iter().map(one).gather()
}

/// Whether the same sentence came before.
fn is_repeat(text: &Text<'_>, sentence: &Range<usize>, seen: &mut Names) -> bool {
    let mut key = String::new();
    let mut words = 0;
    for at in sentence.clone() {
        let Some(token) = text.token(at) else {
            continue;
        };
        if matches!(token.kind, Kind::Mark | Kind::Emoji | Kind::Break)
            && !words!["?", "$", "€", "£", "¥", "%", "-", "+", "=", "/"].contains(&token.low)
        {
            continue;
        }
        key.push_str(&token.low);
        key.push(' ');
        words += 1;
    }
    words > 1 && !seen.insert(key)
}

fn holds_quote(text: &Text<'_>, span: &Range<usize>) -> bool {
    let from = text.quotes.partition_point(|quote| quote.end < span.start);
    text.quotes
        .get(from)
        .is_some_and(|quote| quote.start <= span.end)
}

/// The line that a sentence stands in.
struct Line {
    /// Where it begins after its indentation.
    body: usize,
    is_indented: bool,
    is_quoted: bool,
}

impl Line {
    fn at(text: &Text<'_>, start: usize) -> Self {
        let rest = text.source.get(start..).unwrap_or_default();
        let body = rest.trim_start_matches([' ', '\t']);
        Self {
            body: start + rest.len() - body.len(),
            is_indented: rest.len() - body.len() >= 4,
            is_quoted: body.starts_with('>'),
        }
    }
}

/// Code, quoted lines, tables and headings stay as they are.
fn is_verbatim(text: &Text<'_>, sentence: &Range<usize>, line: &Line) -> bool {
    let span = text.span(sentence);
    let said = text.slice(span.clone());
    let marked = said.starts_with(['>', '|', '#']) || said.contains("```");
    let indented = line.is_indented && span.start == line.body;
    marked
        || indented
        || line.is_quoted
        || sentence
            .clone()
            .all(|at| text.token(at).is_some_and(|t| t.quoted))
}

/// Whether the run of emoji only shows a feeling.
pub(super) fn is_feeling(run: &str) -> bool {
    run.chars().all(|c| {
        matches!(c as u32, 0x1f600..=0x1f64f | 0x1f910..=0x1f92f | 0x1f970..=0x1f97a | 0x1f493..=0x1f49f | 0x1f44a..=0x1f450
            | 0x1f389 | 0x1f38a | 0x1f31f | 0x1f4aa | 0x1f4af | 0x1f525 | 0x1f31e | 0x1f9e1
            | 0x2728 | 0x2764 | 0x2665 | 0x263a | 0x2639 | 0x270c | 0x1f3fb..=0x1f3ff | 0xfe0f | 0x200d | 0x2b50 | 0x1f308)
    })
}

/// Words about oneself or one's own.
pub(super) fn has_self(text: &Text<'_>, range: &Range<usize>) -> bool {
    range.clone().any(|at| phatic::SELF.contains(text.low(at)))
}

/// The first word that is no mark.
pub(super) fn first_word<'t>(text: &'t Text<'_>, range: &Range<usize>) -> &'t str {
    text.low(phatic::trimmed(text, range).start)
}
