//! A message as sentences: without code, quoted lines and what stands inside quotation marks.

use crate::case::Lowercase;
use crate::gather::Gather;
use crate::words::{Words, words};

/// One sentence of a message.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sentence {
    /// Its text with the closing mark.
    pub text: String,
    /// Whether it ends with a question mark.
    pub asks: bool,
    /// Whether it starts inside quotation marks.
    pub quoted: bool,
}

/// More sentences of one message are not read: it is a pasted text.
const SENTENCES_MAX: usize = 100;
/// Longer sentences are not statements about oneself.
const SENTENCE_CHARS_MAX: usize = 400;

#[rustfmt::skip]
const ABBREVIATIONS: Words = words![
    "approx", "apt", "ave", "co", "corp", "dept", "dr", "e.g", "eg", "etc", "fig", "i.e", "ie",
    "inc", "jr", "ltd", "mr", "mrs", "ms", "mt", "no", "prof", "sr", "st", "vs",
];

/// Splits a message into sentences.
pub(super) fn split(text: &str) -> Vec<Sentence> {
    let mut out = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
        } else if !in_code && !line.starts_with('>') {
            split_line(strip_bullet(line), &mut out);
        }
        if out.len() >= SENTENCES_MAX {
            break;
        }
    }
    out.truncate(SENTENCES_MAX);
    out
}

fn strip_bullet(line: &str) -> &str {
    let plain = line.trim_start_matches(['-', '*', '•', '·', '#', ' ']);
    let digits = plain.trim_start_matches(|c: char| c.is_ascii_digit());
    match digits
        .strip_prefix([')', '、'])
        .or_else(|| digits.strip_prefix(". "))
    {
        Some(rest) if digits.len() < plain.len() => rest.trim_start(),
        _ => plain,
    }
}

fn split_line(line: &str, out: &mut Vec<Sentence>) {
    let chars: Vec<char> = line.chars().gather();
    let at = |i: usize| chars.get(i).copied();
    let mut sentence = String::new();
    let mut open = false;
    let mut quoted = false;
    let mut i = 0;
    while let Some(c) = at(i) {
        i += 1;
        sentence.push(c);
        match c {
            '"' => open = !open,
            '“' | '「' | '『' => open = true,
            '”' | '」' | '』' => open = false,
            _ => {}
        }
        if !ends(c, at(i), &sentence) {
            continue;
        }
        while let Some(mark) = at(i).filter(|next| is_closing(*next)) {
            if matches!(mark, '"' | '”' | '」' | '』') {
                open = false;
            }
            sentence.push(mark);
            i += 1;
        }
        push(&mut sentence, quoted, out);
        quoted = open;
    }
    push(&mut sentence, quoted, out);
}

/// Whether a sentence ends with this character.
fn ends(c: char, next: Option<char>, so_far: &str) -> bool {
    match c {
        '。' | '！' | '？' | '；' | '…' => {
            next.is_none_or(|n| !matches!(n, '。' | '！' | '？' | '…'))
        }
        '!' | '?' => next.is_none_or(|n| {
            n.is_whitespace() || is_closing(n) || crate::similarity::words::is_cjk(n)
        }),
        ';' => next.is_none_or(char::is_whitespace),
        '.' => {
            next.is_none_or(|n| n.is_whitespace() || is_closing(n))
                && !ends_with_abbreviation(so_far, next)
        }
        _ => false,
    }
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '”' | '」' | '』' | ')' | '）' | '!' | '?' | '.' | '\'' | '’'
    )
}

fn ends_with_abbreviation(text: &str, next: Option<char>) -> bool {
    if next.is_none() {
        return false;
    }
    let word = text
        .trim_end_matches('.')
        .rsplit([' ', '(', ','])
        .next()
        .unwrap_or_default()
        .lowercase();
    // "J. Smith", "U.S.", "p.m.": a point after a single letter; "Me and I." is rare enough.
    let initial = word.chars().next_back().is_some_and(char::is_alphabetic)
        && (word.chars().count() == 1 || word.chars().rev().nth(1) == Some('.'))
        && word != "i";
    initial || ABBREVIATIONS.contains(word.as_str())
}

fn push(sentence: &mut String, quoted: bool, out: &mut Vec<Sentence>) {
    let text = std::mem::take(sentence);
    let text = text.trim();
    let bare = text.trim_end_matches(['"', '”', '」', '』', ')', '）', '!', '！']);
    let size = text.chars().count();
    if size > 1 && size <= SENTENCE_CHARS_MAX && text.chars().any(char::is_alphanumeric) {
        out.push(Sentence {
            text: text.to_owned(),
            asks: bare.ends_with(['?', '？']),
            quoted,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        split(text)
            .into_iter()
            .map(|sentence| sentence.text)
            .collect()
    }

    #[test]
    fn splits_where_sentences_end() {
        assert_eq!(
            texts(
                "I live in St. Louis. It costs 3.5 dollars, e.g. for Mr. Smith. See https://a.b/c.d?e=f now!"
            ),
            [
                "I live in St. Louis.",
                "It costs 3.5 dollars, e.g. for Mr. Smith.",
                "See https://a.b/c.d?e=f now!"
            ]
        );
        assert_eq!(
            texts("我叫小明。我住在杭州！你呢？"),
            ["我叫小明。", "我住在杭州！", "你呢？"]
        );
        assert_eq!(
            texts("Meet at 5 p.m. on Monday. OK?"),
            ["Meet at 5 p.m. on Monday.", "OK?"]
        );
        assert_eq!(
            texts("- I like tea\n2. I like Go\n> I like quotes\n```\nlet i = like;\n```\nEnd"),
            ["I like tea", "I like Go", "End"]
        );
    }

    #[test]
    fn knows_questions_and_quotes() {
        let all = split("She said: \"I live in Paris. I love it.\" Do you?");
        assert_eq!(
            all.iter().map(|s| (s.quoted, s.asks)).collect::<Vec<_>>(),
            [(false, false), (true, false), (false, true)]
        );
    }
}
