//! A text as tokens, protected spans and sentences; every byte of it belongs to one of them or to white space.

use super::tokens;
use crate::order;
use crate::similarity::words::is_cjk;
use crate::words::{Words, words};
use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters of a script with spaces.
    Word,
    /// Digits with what joins them.
    Number,
    /// One character of a script without spaces.
    Cjk,
    /// One mark.
    Mark,
    /// A run of emoji.
    Emoji,
    /// An address, a path, code.
    Raw,
    /// A line break.
    Break,
}

/// One token.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) span: Range<usize>,
    pub(super) kind: Kind,
    /// Folded, in lower case; a contraction is two tokens, written out: `do`, `not`.
    pub(super) low: String,
    /// Whether it begins with a capital.
    pub(super) capital: bool,
    /// Whether it stands inside quotation marks or code.
    pub(super) quoted: bool,
}

/// A text taken apart.
pub(super) struct Text<'a> {
    pub(super) source: &'a str,
    pub(super) tokens: Vec<Token>,
    /// What stands in quotation marks or code, without the marks.
    pub(super) quotes: Vec<Range<usize>>,
    /// Ranges of tokens.
    pub(super) sentences: Vec<Range<usize>>,
}

/// Longer quotations are read as plain text.
const QUOTE_BYTES_MAX: usize = 600;

#[rustfmt::skip]
const ABBREVIATIONS: Words = words![
    "approx", "apt", "ave", "dept", "dr", "eg", "fig", "ie", "inc", "jr", "ltd", "mr", "mrs", "ms",
    "mt", "prof", "sr", "st", "vs",
];

/// The character as it is compared.
pub(super) fn fold(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' | '\u{a0}' => ' ',
        '\u{2018}' | '\u{2019}' | '\u{2bc}' => '\'',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '￥' => '¥',
        _ => c,
    }
}

/// Whether the character is part of an emoji.
pub(super) fn is_emoji(c: char) -> bool {
    matches!(c as u32, 0x1f000..=0x1faff | 0x2600..=0x27bf | 0x2b00..=0x2bff | 0xfe0f | 0x200d
        | 0x20e3 | 0xe0020..=0xe007f)
}

impl<'a> Text<'a> {
    /// Takes the text apart, in linear time.
    pub(super) fn new(source: &'a str) -> Self {
        let quotes = quotes(source);
        let mut tokens = tokens::tokens(source);
        let mut next = quotes.iter().peekable();
        for token in &mut tokens {
            while next
                .next_if(|quote| quote.end <= token.span.start)
                .is_some()
            {}
            token.quoted = next
                .peek()
                .is_some_and(|quote| quote.start <= token.span.start);
        }
        let sentences = sentences(source, &tokens);
        Self {
            source,
            tokens,
            quotes,
            sentences,
        }
    }

    /// The token at this place.
    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    /// The folded token at this place, or nothing.
    pub(super) fn low(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.low.as_str())
    }

    /// The folded token before this place within the sentence, or nothing.
    pub(super) fn before(&self, at: usize, sentence: &Range<usize>) -> &str {
        if at > sentence.start {
            self.low(at - 1)
        } else {
            ""
        }
    }

    /// What the source has at this span.
    pub(super) fn slice(&self, span: Range<usize>) -> &'a str {
        self.source.get(span).unwrap_or_default()
    }

    /// Whether the two neighbouring tokens touch.
    pub(super) fn touch(&self, left: usize, right: usize) -> bool {
        match (self.tokens.get(left), self.tokens.get(right)) {
            (Some(l), Some(r)) => l.span.end == r.span.start,
            _ => false,
        }
    }

    /// The bytes of a range of tokens.
    pub(super) fn span(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.tokens.get(range.start).map_or(0, |t| t.span.start);
        let last = range.end.checked_sub(1).and_then(|at| self.tokens.get(at));
        start..last.map_or(start, |t| t.span.end).max(start)
    }
}

/// What stands in quotation marks, on one line, and in code; without the marks.
fn quotes(source: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    // Where each kind of mark was opened on this line.
    let mut open: [Option<usize>; 7] = [None; 7];
    let mut before = ' ';
    let mut skip = 0;
    let mut chars = source.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map_or(' ', |(_, next)| *next);
        let previous = std::mem::replace(&mut before, c);
        if at < skip {
            continue;
        }
        if c == '\n' {
            open = [None; 7];
            continue;
        }
        let edge = |c: char| !c.is_alphanumeric();
        let (slot, opens, closes) = match c {
            '"' => (0, true, true),
            '“' => (1, true, false),
            '”' => (1, false, true),
            '「' | '『' => (2, true, false),
            '」' | '』' => (2, false, true),
            '《' => (3, true, false),
            '》' => (3, false, true),
            '`' => (4, true, true),
            '‘' => (5, true, false),
            '’' => (5, false, edge(after)),
            '\'' => (6, edge(previous), edge(after)),
            _ => continue,
        };
        let Some(place) = open.get_mut(slot) else {
            continue;
        };
        match *place {
            Some(start) if closes => {
                *place = None;
                let limit = if slot == 6 { 80 } else { QUOTE_BYTES_MAX };
                if start < at && at - start <= limit {
                    while out
                        .last()
                        .is_some_and(|last: &Range<usize>| last.start >= start)
                    {
                        out.pop();
                    }
                    out.push(start..at);
                }
            }
            None if opens => *place = Some(at + c.len_utf8()),
            _ => {}
        }
        if c == '`' && source.get(at..).is_some_and(|rest| rest.starts_with("```")) {
            // A block of code: up to its end, however many lines.
            let body = at + 3;
            let rest = source.get(body..).unwrap_or_default();
            let length = rest.find("```").unwrap_or(rest.len());
            out.push(body..body + length);
            skip = body + length + 3;
            open = [None; 7];
        }
    }
    order::sort_by_key(&mut out, |span| (span.start, std::cmp::Reverse(span.end)));
    let mut end = 0;
    out.retain(|span| {
        let free = span.start >= end;
        if free {
            end = span.end;
        }
        free
    });
    out
}

fn sentences(source: &str, tokens: &[Token]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        if token.kind == Kind::Break && !token.quoted {
            push(start..at - 1, &mut out);
            start = at;
        } else if ends(source, tokens, at - 1) {
            while tokens.get(at).is_some_and(|next| closes(next, tokens, at)) {
                at += 1;
            }
            push(start..at, &mut out);
            start = at;
        }
    }
    push(start..tokens.len(), &mut out);
    out
}

fn push(range: Range<usize>, out: &mut Vec<Range<usize>>) {
    if !range.is_empty() {
        out.push(range);
    }
}

/// Whether the mark belongs to the end before it.
fn closes(token: &Token, tokens: &[Token], at: usize) -> bool {
    let touches = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| before.span.end == token.span.start);
    match token.kind {
        Kind::Emoji => true,
        Kind::Mark => {
            let end = words![".", "!", "?", "。", "…", "~", "～"].contains(&token.low);
            let close = words!["\"", "”", "」", "』", ")", "'", "*", "》"].contains(&token.low);
            end || (close && touches)
        }
        _ => false,
    }
}

/// Whether a sentence ends with this token.
fn ends(source: &str, tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at).filter(|t| t.kind == Kind::Mark && !t.quoted) else {
        return false;
    };
    let next = source
        .get(token.span.end..)
        .and_then(|rest| rest.chars().next());
    let open =
        next.is_none_or(|n| n.is_whitespace() || is_cjk(n) || is_emoji(n) || !n.is_alphanumeric());
    let follows = tokens.get(at + 1);
    match token.low.as_str() {
        "。" | "…" => follows.is_none_or(|n| n.kind != Kind::Word || n.capital),
        ";" => token.span.len() > 1,
        "!" | "?" => open,
        "." => {
            let word = at.checked_sub(1).and_then(|before| tokens.get(before));
            let short = word.is_some_and(|w| {
                w.kind == Kind::Word
                    && w.span.end == token.span.start
                    && ((w.span.len() == 1 && w.low != "i") || ABBREVIATIONS.contains(&w.low))
            });
            let dots = follows.is_some_and(|n| n.low == ".");
            let goes_on = follows.is_some_and(|n| n.kind == Kind::Word && !n.capital)
                && word.is_some_and(|w| w.low == ".");
            open && !dots && !goes_on && (!short || follows.is_none())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        let parsed = Text::new(text);
        let spans = parsed.sentences.iter().map(|s| parsed.span(s));
        spans.map(|span| text.get(span).unwrap()).collect()
    }

    #[test]
    fn sentences_end_where_they_end() {
        assert_eq!(
            split("I paid 3.5 dollars to Mr. Smith. See https://a.b/c.d?e=f now! Really?! 😀 OK"),
            [
                "I paid 3.5 dollars to Mr. Smith.", "See https://a.b/c.d?e=f now!", "Really?! 😀",
                "OK"
            ]
        );
        assert_eq!(
            split("我叫小明。我住在杭州！你呢？好"),
            ["我叫小明。", "我住在杭州！", "你呢？", "好"]
        );
        assert_eq!(
            split("She said \"Stop. Now.\" to me.\nOK"),
            ["She said \"Stop. Now.\" to me.", "OK"]
        );
        assert_eq!(
            split("Hmm... maybe. J. Smith came"),
            ["Hmm... maybe.", "J. Smith came"]
        );
    }

    #[test]
    fn lists_are_sorted() {
        assert!(ABBREVIATIONS.iter().is_sorted());
    }
}
