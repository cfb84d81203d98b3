//! Reads JSON text (RFC 8259) into a tree.

use super::tree::{Text, Tree};
use crate::decimal;
use siltstone_kernels::plain;

/// Lists and records within one another at most.
const MAX_DEPTH: usize = 127;

/// Reads a text; the error is how many bytes of it could be read.
pub(super) fn parse(text: &str) -> Result<Tree<'_>, usize> {
    let mut reader = Reader { text, at: 0 };
    let tree = reader.value(0);
    reader.blank();
    let is_whole = reader.at == text.len();
    tree.filter(|_| is_whole).ok_or(reader.at)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next byte; at the end 0, which JSON has nowhere.
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_it = self.peek() == byte;
        self.at += usize::from(is_it);
        is_it
    }

    fn blank(&mut self) -> u8 {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.peek()
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn value(&mut self, depth: usize) -> Option<Tree<'a>> {
        match self.blank() {
            b'"' => self.string().map(Tree::Text),
            b'[' if depth < MAX_DEPTH => self.list(depth),
            b'{' if depth < MAX_DEPTH => self.record(depth),
            b'n' => self.word("null", Tree::Null),
            b't' => self.word("true", Tree::Bool(true)),
            b'f' => self.word("false", Tree::Bool(false)),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, tree: Tree<'a>) -> Option<Tree<'a>> {
        let is_it = self.text.get(self.at..)?.starts_with(word);
        self.at += if is_it { word.len() } else { 0 };
        is_it.then_some(tree)
    }

    fn list(&mut self, depth: usize) -> Option<Tree<'a>> {
        self.at += 1;
        let mut items = Vec::new();
        if self.blank() == b']' {
            self.at += 1;
            return Some(Tree::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.ends(b']')? {
                return Some(Tree::List(items));
            }
        }
    }

    fn record(&mut self, depth: usize) -> Option<Tree<'a>> {
        self.at += 1;
        let mut fields = Vec::new();
        if self.blank() == b'}' {
            self.at += 1;
            return Some(Tree::Record(fields));
        }
        loop {
            self.blank();
            let name = self.string()?;
            self.blank();
            if !self.eat(b':') {
                return None;
            }
            fields.push((name, self.value(depth + 1)?));
            if self.ends(b'}')? {
                return Some(Tree::Record(fields));
            }
        }
    }

    /// Whether the end follows, and not a comma.
    fn ends(&mut self, end: u8) -> Option<bool> {
        self.blank();
        let is_end = self.eat(end);
        (is_end || self.eat(b',')).then_some(is_end)
    }

    fn string(&mut self) -> Option<Text<'a>> {
        if !self.eat(b'"') {
            return None;
        }
        let mut start = self.at;
        let mut text = String::new();
        loop {
            self.at += plain(self.text.as_bytes().get(self.at..)?);
            if self.peek() < b' ' {
                return None;
            }
            let plain = self.since(start);
            self.at += 1;
            let is_end = self.text.as_bytes().get(self.at - 1) == Some(&b'"');
            if is_end && text.is_empty() {
                return Some(plain.into());
            }
            text.push_str(plain);
            if is_end {
                return Some(text.into());
            }
            text.push(self.escape()?);
            start = self.at;
        }
    }

    fn escape(&mut self) -> Option<char> {
        let letter = self.peek();
        self.at += 1;
        Some(match letter {
            b'"' | b'\\' | b'/' => letter.into(),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                let low = match unit {
                    0xd800..0xdc00 if self.eat(b'\\') && self.eat(b'u') => self.unit()?,
                    _ => 0,
                };
                match low {
                    0xdc00..0xe000 => {
                        char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))?
                    }
                    // Half of a pair alone is no character.
                    _ => char::from_u32(unit)?,
                }
            }
            _ => return None,
        })
    }

    fn unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit << 4 | char::from(self.peek()).to_digit(16)?;
            self.at += 1;
        }
        Some(unit)
    }

    fn digits(&mut self) -> Option<&'a str> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        Some(self.since(start)).filter(|digits| !digits.is_empty())
    }

    fn number(&mut self) -> Option<Tree<'a>> {
        let is_negative = self.eat(b'-');
        let whole = self.digits()?;
        if whole.len() > 1 && whole.starts_with('0') {
            return None;
        }
        let (mut part, mut power) = (None, None);
        if self.eat(b'.') {
            part = Some(self.digits()?);
        }
        if self.eat(b'e') || self.eat(b'E') {
            let is_small = self.eat(b'-');
            if !is_small {
                self.eat(b'+');
            }
            power = Some(exponent(is_small, self.digits()?));
        }
        if part.is_none() && power.is_none() {
            match whole.parse::<u64>() {
                Ok(whole) if !is_negative => return Some(Tree::Unsigned(whole)),
                // Of zeros only the other kind of number has a negative one.
                Ok(whole @ 1..) => {
                    if let Some(whole) = 0_i64.checked_sub_unsigned(whole) {
                        return Some(Tree::Signed(whole));
                    }
                }
                _ => {}
            }
        }
        let size = decimal::read(whole, part.unwrap_or_default(), power.unwrap_or(0));
        let number = if is_negative { -size } else { size };
        number.is_finite().then_some(Tree::Float(number))
    }
}

/// A power of ten; too large a one is as good as any that is too large.
pub(super) fn exponent(is_small: bool, digits: &str) -> i64 {
    let size = digits.bytes().fold(0_i64, |size, digit| {
        size.saturating_mul(10)
            .saturating_add(i64::from(digit & 15))
    });
    if is_small { -size } else { size }
}
