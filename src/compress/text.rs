//! A text as tokens, protected spans and sentences; every byte of it belongs to one of them or to white space.

use crate::similarity::words::is_cjk;
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
const EXTENSIONS: &[&str] = &[
    "c", "cn", "com", "cpp", "css", "csv", "dev", "doc", "docx", "exe", "go", "h", "html", "io",
    "java", "jpg", "js", "json", "log", "md", "net", "org", "pdf", "png", "py", "rs", "sh", "sql",
    "toml", "ts", "tsx", "txt", "xls", "xlsx", "xml", "yaml", "yml", "zip",
];
#[rustfmt::skip]
const ABBREVIATIONS: &[&str] = &[
    "approx", "apt", "ave", "dept", "dr", "eg", "fig", "ie", "inc", "jr", "ltd", "mr", "mrs", "ms",
    "mt", "prof", "sr", "st", "vs",
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
const BEFORE_IS: &[&str] = &[
    "everything", "he", "here", "how", "it", "she", "that", "there", "this", "what", "where", "who",
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

fn lower(text: &str) -> String {
    text.chars()
        .map(fold)
        .flat_map(char::to_lowercase)
        .collect()
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
        let mut tokens = Tokens::of(source);
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
            capital: text.chars().next().is_some_and(char::is_uppercase),
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
            "s" if BEFORE_IS.contains(&head) => "is",
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
            head.chars().any(char::is_alphanumeric) && EXTENSIONS.binary_search(&ext).is_ok()
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
    out.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
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
            let end = matches!(
                token.low.as_str(),
                "." | "!" | "?" | "。" | "…" | "~" | "～"
            );
            let close = matches!(
                token.low.as_str(),
                "\"" | "”" | "」" | "』" | ")" | "'" | "*" | "》"
            );
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
                    && ((w.span.len() == 1 && w.low != "i")
                        || ABBREVIATIONS.binary_search(&w.low.as_str()).is_ok())
            });
            let dots = follows.is_some_and(|n| n.low == ".");
            let goes_on = follows.is_some_and(|n| n.kind == Kind::Word && !n.capital)
                && word.is_some_and(|w| w.low == "." || short);
            open && !dots && !goes_on && !(short && follows.is_some())
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
    fn contractions_are_two_words() {
        let low = |text: &str| -> Vec<String> {
            Text::new(text).tokens.into_iter().map(|t| t.low).collect()
        };
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
        assert!(EXTENSIONS.is_sorted() && ABBREVIATIONS.is_sorted() && BARE.is_sorted());
    }
}
