//! A tolerant JSON reader: JSON, and what language models write instead where the meaning is certain.
//!
//! Accepted beyond JSON: comments, trailing and missing commas, single and typographic quotes, unquoted keys,
//! `True`, `None`, raw line breaks and stray quotes inside strings, and an end in the middle of the text.
//! The characters of a string are never changed.

use crate::read;
use serde_json::{Map, Number, Value};

/// Containers may nest this deep.
pub(super) const DEPTH_MAX: usize = 64;

/// What a read gave.
pub(super) enum Read {
    /// A whole value, or the whole parts of one that the text breaks off.
    Value {
        /// What could be read.
        value: Value,
        /// False when the text ended or broke inside it: the part it broke in is left out.
        whole: bool,
    },
    /// Not JSON at this place.
    Nothing,
}

/// Reads values from a text, with a bound on all work done on it.
pub(super) struct Reader<'a> {
    text: &'a str,
    pos: usize,
    fuel: usize,
}

/// Why a part could not be read.
enum Fault {
    /// The text ends, or is broken, here; a container holds what was whole before.
    Broken(Option<Value>),
}

type Part = Result<Value, Fault>;

const BROKEN: Fault = Fault::Broken(None);

impl<'a> Reader<'a> {
    /// A reader at the start of `text`; its work is linear in the length of the text.
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            pos: 0,
            fuel: text.len().saturating_mul(4).saturating_add(4096),
        }
    }

    /// Where the next read starts, in bytes.
    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    /// Moves on to `pos`.
    pub(super) fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }

    /// Whether the bound on work is used up.
    pub(super) fn is_spent(&self) -> bool {
        self.fuel == 0
    }

    /// The text from here on.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// The text before `pos`.
    pub(super) fn before(&self, pos: usize) -> &'a str {
        self.text.get(..pos).unwrap_or_default()
    }

    /// Reads the object or array that starts here.
    pub(super) fn read(&mut self) -> Read {
        match self.container(0) {
            Ok(value) => Read::Value { value, whole: true },
            Err(Fault::Broken(Some(value))) => Read::Value {
                value,
                whole: false,
            },
            Err(Fault::Broken(None)) => Read::Nothing,
        }
    }

    /// The next character, without moving.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Moves over one character.
    pub(super) fn bump(&mut self) -> Option<char> {
        if self.fuel == 0 {
            return None;
        }
        self.fuel -= 1;
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.peek() == Some(wanted) && self.bump().is_some()
    }

    fn skip_blank(&mut self) {
        while let Some(c) = self.peek() {
            if c.is_whitespace() || c == '\u{feff}' {
                if self.bump().is_none() {
                    return;
                }
            } else if c == '#' || self.rest().starts_with("//") {
                while self.bump().is_some_and(|c| c != '\n') {}
            } else if self.rest().starts_with("/*") {
                while !self.rest().starts_with("*/") && self.bump().is_some() {}
                if self.bump().is_none() || self.bump().is_none() {
                    return;
                }
            } else {
                return;
            }
        }
    }

    fn container(&mut self, depth: usize) -> Part {
        if depth >= DEPTH_MAX {
            return Err(BROKEN);
        }
        match self.bump() {
            Some('{') => self.object(depth),
            Some('[') => self.array(depth),
            _ => Err(BROKEN),
        }
    }

    fn array(&mut self, depth: usize) -> Part {
        let mut items = Vec::new();
        loop {
            self.skip_separators();
            if self.eat(']') {
                return Ok(Value::Array(items));
            }
            let starts_object = self.peek() == Some('{');
            match self.value(depth) {
                Ok(value) => items.push(value),
                // A broken object is a broken memory and is left out; a broken list keeps its whole items.
                Err(Fault::Broken(Some(Value::Array(part)))) if !starts_object => {
                    items.push(Value::Array(part));
                    return Err(Fault::Broken(Some(Value::Array(items))));
                }
                Err(_) => return Err(keep(Value::Array(items))),
            }
            self.skip_blank();
            let joined = matches!(self.peek(), Some(',' | '，' | ']' | '{'));
            if !joined {
                return Err(keep(Value::Array(items)));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Part {
        let mut members = Map::new();
        loop {
            self.skip_separators();
            if self.eat('}') {
                return Ok(Value::Object(members));
            }
            let Some(key) = self.key() else {
                return Err(keep(Value::Object(members)));
            };
            self.skip_blank();
            if !(self.eat(':') || self.eat('：')) {
                return Err(keep(Value::Object(members)));
            }
            self.skip_blank();
            match self.value(depth) {
                Ok(value) => _ = members.insert(key, value),
                Err(Fault::Broken(part)) => {
                    if let Some(part) = part {
                        members.insert(key, part);
                    }
                    return Err(keep(Value::Object(members)));
                }
            }
            self.skip_blank();
            let joined = self
                .peek()
                .is_some_and(|c| matches!(c, ',' | '，' | '}') || closing(c).is_some());
            if !joined {
                return Err(keep(Value::Object(members)));
            }
        }
    }

    fn skip_separators(&mut self) {
        self.skip_blank();
        while self.eat(',') || self.eat('，') {
            self.skip_blank();
        }
    }

    fn key(&mut self) -> Option<String> {
        if let Some(close) = self.peek().and_then(closing) {
            return self.string(close);
        }
        let name: String = self
            .rest()
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.'))
            .collect();
        self.pos += name.len();
        self.fuel = self.fuel.saturating_sub(name.len());
        (!name.is_empty()).then_some(name)
    }

    fn value(&mut self, depth: usize) -> Part {
        match self.peek() {
            Some('{' | '[') => self.container(depth + 1),
            Some(c) => match closing(c) {
                Some(close) => self.string(close).map(Value::String).ok_or(BROKEN),
                None => self.word(),
            },
            None => Err(BROKEN),
        }
    }

    /// A number or a literal.
    fn word(&mut self) -> Part {
        let word: String = self
            .rest()
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
            .collect();
        self.pos += word.len();
        self.fuel = self.fuel.saturating_sub(word.len());
        if self.rest().is_empty() {
            // "importance": 1 … of a 10 that was cut.
            return Err(BROKEN);
        }
        match word.as_str() {
            "true" | "True" | "TRUE" => Ok(Value::Bool(true)),
            "false" | "False" | "FALSE" => Ok(Value::Bool(false)),
            "null" | "None" | "Null" | "NULL" | "undefined" | "NaN" | "nan" | "Infinity"
            | "-Infinity" => Ok(Value::Null),
            _ => number(&word).ok_or(BROKEN),
        }
    }

    fn string(&mut self, close: &[char]) -> Option<String> {
        self.bump()?;
        let mut out = String::new();
        loop {
            let c = self.bump()?;
            if c == '\\' {
                self.escape(&mut out)?;
            } else if close.contains(&c) && self.ends_string() {
                return Some(out);
            } else {
                out.push(c);
            }
        }
    }

    /// Whether what follows a quote says that the string ends there.
    fn ends_string(&mut self) -> bool {
        let mut crossed_line = false;
        let mut looked = 0_usize;
        let mut found = None;
        for c in self.rest().chars() {
            looked += 1;
            if !c.is_whitespace() {
                found = Some(c);
                break;
            }
            crossed_line |= c == '\n';
        }
        self.fuel = self.fuel.saturating_sub(looked);
        match found {
            None => true,
            Some(',' | '，' | ':' | '：' | '}' | ']' | '/' | '#') => true,
            Some(c) => crossed_line && (closing(c).is_some() || c == '`'),
        }
    }

    fn escape(&mut self, out: &mut String) -> Option<()> {
        match self.bump()? {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            c @ ('"' | '\\' | '/' | '\'') => out.push(c),
            'u' => match self.unit() {
                Some(unit) => out.push(self.scalar(unit)),
                None => out.push_str("\\u"),
            },
            // Not an escape of JSON: a lone backslash, as in C:\data.
            other => out.extend(['\\', other]),
        }
        Some(())
    }

    fn unit(&mut self) -> Option<u32> {
        let unit = u32::from_str_radix(self.rest().get(..4)?, 16).ok()?;
        self.pos += 4;
        self.fuel = self.fuel.saturating_sub(4);
        Some(unit)
    }

    fn scalar(&mut self, unit: u32) -> char {
        if !(0xd800..0xdc00).contains(&unit) {
            return char::from_u32(unit).unwrap_or('\u{fffd}');
        }
        let here = self.pos;
        if self.rest().starts_with("\\u") {
            self.pos += 2;
            if let Some(low) = self.unit().filter(|low| (0xdc00..0xe000).contains(low)) {
                let scalar = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return char::from_u32(scalar).unwrap_or('\u{fffd}');
            }
        }
        self.pos = here;
        '\u{fffd}'
    }
}

/// A broken container that still holds something.
fn keep(value: Value) -> Fault {
    Fault::Broken(Some(value))
}

/// The characters that may close a string opened by this one.
fn closing(open: char) -> Option<&'static [char]> {
    match open {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '“' | '”' => Some(&['”', '“', '"']),
        '‘' | '’' => Some(&['’', '‘', '\'']),
        _ => None,
    }
}

fn number(word: &str) -> Option<Value> {
    let word = word.strip_prefix('+').unwrap_or(word);
    if !word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
        return None;
    }
    if let Ok(whole) = word.parse::<i64>() {
        return Some(Value::from(whole));
    }
    // A number too large for JSON counts as absent.
    read::number(word).map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number))
}
