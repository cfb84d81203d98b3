//! A text as tokens: words, numbers, marks, emoji, addresses.

use super::text::{Kind, Token, fold, is_emoji};
use crate::case;
use crate::similarity::words::is_cjk;
use crate::words::{Words, words};
use std::ops::Range;

#[rustfmt::skip]
const EXTENSIONS: Words = words![
    "c", "cn", "com", "cpp", "css", "csv", "dev", "doc", "docx", "exe", "go", "h", "html", "io",
    "java", "jpg", "js", "json", "log", "md", "net", "org", "pdf", "png", "py", "rs", "sh", "sql",
    "toml", "ts", "tsx", "txt", "xls", "xlsx", "xml", "yaml", "yml", "zip",
];
/// Words typed without their apostrophe, and where the first part ends.
#[rustfmt::skip]
const BARE: &[(&str, usize)] = &[
    ("arent", 3), ("cannot", 3), ("cant", 2), ("couldnt", 5), ("didnt", 3), ("doesnt", 4),
    ("dont", 2), ("havent", 4), ("im", 1), ("isnt", 2), ("ive", 1), ("shouldnt", 6), ("thats", 4),
    ("theyre", 4), ("wasnt", 3), ("werent", 4), ("whats", 4), ("wouldnt", 5), ("youre", 3),
    ("youve", 3),
];
#[rustfmt::skip]
const BEFORE_IS: Words = words![
    "everything", "he", "here", "how", "it", "she", "that", "there", "this", "what", "where", "who",
];

fn lower(text: &str) -> String {
    text.chars().map(fold).flat_map(case::lower).collect()
}

/// All tokens of the text, in linear time.
pub(super) fn tokens(source: &str) -> Vec<Token> {
    Tokens::of(source)
}

struct Tokens<'a> {
    source: &'a str,
    out: Vec<Token>,
}

impl<'a> Tokens<'a> {
    fn of(source: &'a str) -> Vec<Token> {
        let mut tokens = Self {
            source,
            out: Vec::new(),
        };
        let mut at = 0;
        let mut fresh = true;
        while let Some(c) = tokens.at(at) {
            let end = if fresh && let Some(end) = tokens.raw(at) {
                tokens.push(at..end, Kind::Raw);
                end
            } else {
                tokens.next(at, c)
            };
            // Each of these also ends what `raw` looks at, so that the whole stays linear.
            fresh = stops_raw(c) || c == '(';
            at = end.max(at + c.len_utf8());
        }
        tokens.out
    }

    fn at(&self, at: usize) -> Option<char> {
        self.source.get(at..).and_then(|rest| rest.chars().next())
    }

    fn push(&mut self, span: Range<usize>, kind: Kind) {
        let text = self.source.get(span.clone()).unwrap_or_default();
        self.out.push(Token {
            kind,
            low: if kind == Kind::Raw {
                text.to_owned()
            } else {
                lower(text)
            },
            capital: text.chars().next().is_some_and(case::is_upper),
            quoted: false,
            span,
        });
    }

    /// The end of the token that begins here.
    fn next(&mut self, at: usize, c: char) -> usize {
        let end = |test: fn(char) -> bool| {
            let rest = self.source.get(at..).unwrap_or_default();
            at + rest.find(|c| !test(c)).unwrap_or(rest.len())
        };
        if c == '\n' {
            self.push(at..at + 1, Kind::Break);
            at + 1
        } else if c.is_whitespace() || c.is_control() {
            at + c.len_utf8()
        } else if is_emoji(c) {
            let end = end(is_emoji);
            self.push(at..end, Kind::Emoji);
            end
        } else if is_cjk(c) {
            self.push(at..at + c.len_utf8(), Kind::Cjk);
            at + c.len_utf8()
        } else if fold(c).is_ascii_digit() {
            let end = self.number(at);
            self.push(at..end, Kind::Number);
            end
        } else if c.is_alphanumeric() || c == '_' {
            self.word(at)
        } else {
            self.push(at..at + c.len_utf8(), Kind::Mark);
            at + c.len_utf8()
        }
    }

    fn number(&self, start: usize) -> usize {
        let rest = self.source.get(start..).unwrap_or_default();
        let mut chars = rest.char_indices().peekable();
        let mut dashes = 0;
        let mut digits = 0;
        while let Some((at, c)) = chars.next() {
            let plain = fold(c);
            if plain.is_ascii_digit() {
                digits += 1;
                continue;
            }
            let then = chars
                .peek()
                .is_some_and(|(_, next)| fold(*next).is_ascii_digit());
            // 2023-05-08 is one number, 10-12 are two.
            let dash = plain == '-' && (dashes == 1 || digits == 4) && is_date(rest);
            dashes += usize::from(dash);
            if !(then && (dash || matches!(plain, '.' | ',' | ':' | '/'))) {
                return start + at;
            }
        }
        start + rest.len()
    }

    /// Takes a word; a contraction is two tokens.
    fn word(&mut self, start: usize) -> usize {
        let rest = self.source.get(start..).unwrap_or_default();
        let mut chars = rest.char_indices().peekable();
        let mut mark = None;
        let mut end = rest.len();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            if fold(c) == '\'' && mark.is_none() && next.is_some_and(char::is_alphabetic) {
                mark = Some(at);
            } else if c == '.'
                && next.is_some_and(|n| n.is_ascii_digit())
                && at < 6
                && has_digit(rest, at)
            {
                // v1.2
            } else if !(c.is_alphanumeric() || c == '_') || is_cjk(c) {
                end = at;
                break;
            }
        }
        // "C++" and "C#" are other words than "C".
        let after = rest.get(end..).unwrap_or_default();
        if after.starts_with("++") {
            end += 2;
        } else if after.starts_with('#') && end == 1 {
            end += 1;
        }
        let word = rest.get(..end).unwrap_or_default();
        let low = lower(word);
        let bare = BARE
            .binary_search_by(|(known, _)| (*known).cmp(low.as_str()))
            .ok();
        let cut = match mark {
            Some(mark) if low.ends_with("n't") => mark - 1,
            Some(mark) => mark,
            None => match bare.and_then(|at| BARE.get(at)) {
                Some((_, cut)) => *cut,
                None => end,
            },
        };
        self.push(start..start + cut, Kind::Word);
        if cut < end {
            let head = self.out.last().map(|t| t.low.clone()).unwrap_or_default();
            self.push(start + cut..start + end, Kind::Word);
            self.expand(&head);
        }
        start + end
    }

    fn expand(&mut self, head: &str) {
        let Some([first, second]) = self.out.last_chunk_mut::<2>() else {
            return;
        };
        let full = match second.low.trim_start_matches('\'') {
            "n't" | "nt" | "not" | "t" => "not",
            "re" => "are",
            "m" => "am",
            "ve" => "have",
            "ll" => "will",
            "d" => "would",
            "s" if head == "let" => "us",
            "s" if BEFORE_IS.contains(head) => "is",
            _ => return,
        };
        second.low = full.to_owned();
        if full == "not" {
            match head {
                "ca" => first.low = "can".to_owned(),
                "wo" => first.low = "will".to_owned(),
                _ => {}
            }
        }
    }

    /// The end of an address, a path or a code-like word that begins here.
    fn raw(&self, start: usize) -> Option<usize> {
        let rest = self.source.get(start..)?;
        let end = rest
            .char_indices()
            .find(|&(at, c)| {
                stops_raw(c) || (c == '(' && !rest.get(at..).is_some_and(|r| r.starts_with("()")))
            })
            .map_or(rest.len(), |(at, _)| at);
        let chunk = rest.get(..end)?;
        let chunk = chunk.trim_end_matches(['.', ',', '!', '?', ';', ':', ')', '\'', '*']);
        let inner = |c: char| {
            chunk
                .find(c)
                .is_some_and(|at| at > 0 && at + 1 < chunk.len())
        };
        let is_mail = inner('@') && inner('.');
        let is_tag = chunk.starts_with(['@', '#'])
            && chunk.chars().nth(1).is_some_and(char::is_alphanumeric);
        let is_path = chunk.len() > 2
            && (chunk.starts_with(['/', '~']) || chunk.starts_with("./") || chunk.contains(":\\"))
            && chunk.chars().any(char::is_alphabetic);
        let is_code = chunk.contains("::") || chunk.ends_with("()") || chunk.contains('\\');
        let is_file = chunk.rsplit_once('.').is_some_and(|(head, ext)| {
            head.chars().any(char::is_alphanumeric) && EXTENSIONS.contains(ext)
        });
        let is_url = chunk.contains("://") || chunk.starts_with("www.");
        let any = is_url || is_mail || is_tag || is_path || is_code || is_file;
        (any && chunk.len() > 1).then_some(start + chunk.len())
    }
}

fn stops_raw(c: char) -> bool {
    c.is_whitespace()
        || is_cjk(c)
        || matches!(
            c,
            '（' | '）' | '：' | '，' | '。' | '"' | '“' | '”' | '<' | '>' | '`'
        )
}

fn has_digit(text: &str, end: usize) -> bool {
    text.get(..end)
        .is_some_and(|head| head.bytes().next_back().is_some_and(|b| b.is_ascii_digit()))
}

/// Whether the text begins like 2023-05-08.
fn is_date(text: &str) -> bool {
    let head = text.get(..text.floor_char_boundary(16)).unwrap_or_default();
    let mut parts = head.splitn(3, ['-', '–']);
    let digits = |part: Option<&str>| {
        part.map_or(0, |p| {
            p.bytes().take(5).take_while(u8::is_ascii_digit).count()
        })
    };
    let year = digits(parts.next());
    year == 4 && (1..=2).contains(&digits(parts.next())) && (1..=2).contains(&digits(parts.next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_are_two_words() {
        let low = |text: &str| -> Vec<String> { tokens(text).into_iter().map(|t| t.low).collect() };
        assert_eq!(
            low("I can’t, won't"),
            ["i", "can", "not", ",", "will", "not"]
        );
        assert_eq!(
            low("dont it's Ann's"),
            ["do", "not", "it", "is", "ann", "'s"]
        );
        assert_eq!(
            low("2023-05-08 10-12 5pm"),
            ["2023-05-08", "10", "-", "12", "5", "pm"]
        );
        assert_eq!(
            low("main.rs at a@b.co, v1.2"),
            ["main.rs", "at", "a@b.co", ",", "v1.2"]
        );
    }

    #[test]
    fn lists_are_sorted() {
        assert!(EXTENSIONS.iter().is_sorted() && BARE.iter().is_sorted());
    }
}
