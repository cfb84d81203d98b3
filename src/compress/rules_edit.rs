//! Edits to a sentence as ranges of its tokens, and the sentence with them done.

use super::text::{Kind, Text};
use crate::case;
use crate::order;
use crate::words::words;
use serde::Serialize;
use std::ops::Range;

/// Why something was taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A greeting, thanks, praise, wonder: it tells nothing.
    Phatic,
    /// Said before.
    Repeat,
    /// A word that only fills or strengthens.
    Filler,
    /// A question to the other side that states nothing.
    Question,
    /// Colour around what matters, taken out at the deep level only.
    Colour,
    /// A long phrase for a short one.
    Wordy,
    /// Marks and emoji of feeling.
    Marks,
}

/// One edit: the tokens go, and `with` stands in their place.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) with: &'static str,
    pub(super) reason: Reason,
}

/// Edits of one sentence, none over another.
pub(super) struct Edits {
    all: Vec<Edit>,
    taken: Vec<bool>,
    start: usize,
}

impl Edits {
    pub(super) fn new(sentence: &Range<usize>) -> Self {
        Self {
            all: Vec::new(),
            taken: vec![false; sentence.len()],
            start: sentence.start,
        }
    }

    /// Notes an edit unless another one has its place.
    pub(super) fn push(&mut self, range: Range<usize>, with: &'static str, reason: Reason) {
        if range.is_empty() || range.clone().any(|at| self.is_taken(at)) {
            return;
        }
        for at in range.clone() {
            if let Some(taken) = at
                .checked_sub(self.start)
                .and_then(|i| self.taken.get_mut(i))
            {
                *taken = true;
            }
        }
        self.all.push(Edit {
            range,
            with,
            reason,
        });
    }

    pub(super) fn drop(&mut self, range: Range<usize>, reason: Reason) {
        self.push(range, "", reason);
    }

    pub(super) fn is_taken(&self, at: usize) -> bool {
        let index = at.checked_sub(self.start);
        index
            .and_then(|i| self.taken.get(i))
            .copied()
            .unwrap_or(true)
    }

    /// In the order of the sentence.
    pub(super) fn sorted(mut self) -> Vec<Edit> {
        order::sort_by_key(&mut self.all, |edit| edit.range.start);
        self.all
    }
}

/// The sentence with the edits done, which are in its order.
pub(super) fn render(text: &Text<'_>, sentence: &Range<usize>, edits: &[Edit]) -> String {
    let mut out = String::new();
    let mut edits = edits.iter().peekable();
    let mut at = sentence.start;
    // Where the last kept token ended.
    let mut end = None;
    let mut cut = false;
    let capital = text.token(at).is_some_and(|t| t.capital);
    let starts_cut = edits
        .peek()
        .is_some_and(|edit| edit.range.start == at && edit.with.is_empty());
    while at < sentence.end {
        if let Some(edit) = edits.next_if(|edit| edit.range.start == at) {
            if !edit.with.is_empty() {
                space(&mut out, text, end, edit.range.start, cut);
                out.push_str(&matched(edit.with, out.is_empty() && capital));
                end = text.token(edit.range.end - 1).map(|t| t.span.end);
                cut = false;
            } else {
                cut = true;
            }
            at = edit.range.end.max(at + 1);
            continue;
        }
        if let Some(token) = text.token(at) {
            space(&mut out, text, end, at, cut);
            let source = text.slice(token.span.clone());
            if out.is_empty() && capital && starts_cut && token.kind == Kind::Word {
                out.push_str(&matched(source, true));
            } else {
                out.push_str(source);
            }
            end = Some(token.span.end);
            cut = false;
        }
        at += 1;
    }
    out
}

fn matched(word: &str, capital: bool) -> String {
    let mut chars = word.chars();
    match chars.next().filter(|_| capital) {
        Some(first) => case::upper(first).chars().chain(chars).collect(),
        None => word.to_owned(),
    }
}

/// The white space before the token at this place.
fn space(out: &mut String, text: &Text<'_>, end: Option<usize>, at: usize, cut: bool) {
    let (Some(end), Some(token)) = (end, text.token(at)) else {
        return;
    };
    let gap = text.slice(end..token.span.start);
    if !cut {
        out.push_str(gap);
        return;
    }
    let before = text.slice(token.span.start.saturating_sub(1)..token.span.start);
    let spaced = before.starts_with(char::is_whitespace) || gap.starts_with(char::is_whitespace);
    let closing = token.kind == Kind::Mark
        && words![",", ".", "!", "?", ";", ":", ")", "。", "…"].contains(&token.low);
    let wide = token.kind == Kind::Cjk
        && out
            .chars()
            .next_back()
            .is_some_and(crate::similarity::words::is_cjk);
    if spaced && !closing && !wide {
        out.push(' ');
    }
}
