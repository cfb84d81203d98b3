//! Where tiktoken's patterns split a text, as one pass over the characters.
//!
//! The patterns backtrack quadratically, or give up, on long runs of white space; a scanner written
//! by hand does neither. `tests/tokens.rs` holds it against the patterns themselves.

use crate::recent::Piece;
use crate::words;
use std::sync::OnceLock;

const UPPER: u8 = 1;
const LOWER: u8 = 1 << 1;
const LETTER: u8 = 1 << 2;
const MARK: u8 = 1 << 3;
const NUMBER: u8 = 1 << 4;
const SPACE: u8 = 1 << 5;
const NEWLINE: u8 = 1 << 6;
const OTHER: u8 = 1 << 7;

const ANY_LETTER: u8 = UPPER | LOWER | LETTER;
/// What o200k takes for the upper-case half of a word.
const HEAD: u8 = UPPER | LETTER | MARK;
/// What o200k takes for the lower-case half of a word.
const TAIL: u8 = LOWER | LETTER | MARK;
/// What may stand before a word: `[^\r\n\p{L}\p{N}]`.
const PREFIX: u8 = MARK | SPACE | OTHER;
/// `[^\s\p{L}\p{N}]`.
const SYMBOL: u8 = MARK | OTHER;
const WHITE: u8 = SPACE | NEWLINE;

/// Which pattern splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    O200k,
    Cl100k,
}

/// A run of this many bytes is long: it is left to what looks for the same byte again and again.
const LONG: usize = 64;

/// Characters in a plane of Unicode.
const PLANE: usize = 0x1_0000;

/// The class of every character, as one bit each. Of characters beyond ASCII, a plane is laid out when the
/// first text has one of it.
pub(super) struct Classes {
    /// By byte; no class for those that are no ASCII.
    ascii: [u8; 256],
    /// Where a run of one class starts, and the class.
    runs: Vec<(u32, u8)>,
    planes: [OnceLock<Box<[u8]>>; 17],
}

impl Classes {
    /// From runs of characters of one class, `start << 3 | class`, in four planes of bytes.
    pub(super) fn new(packed: &[u8]) -> Self {
        let count = packed.len() / 4;
        let byte =
            |plane: usize, at: usize| packed.get(plane * count + at).copied().unwrap_or_default();
        let run = |at| {
            let run = u32::from_le_bytes([byte(0, at), byte(1, at), byte(2, at), byte(3, at)]);
            (run >> 3, 1 << (run & 7))
        };
        let mut classes = Self {
            ascii: [0; 256],
            runs: (0..count).map(run).collect(),
            planes: [const { OnceLock::new() }; 17],
        };
        let mut ascii = [OTHER; 128];
        classes.lay_out(0, &mut ascii);
        for (class, known) in classes.ascii.iter_mut().zip(ascii) {
            *class = known;
        }
        classes
    }

    /// Writes the classes of the characters from `first` on.
    fn lay_out(&self, first: usize, table: &mut [u8]) {
        let place = |start: u32| (start as usize).saturating_sub(first).min(table.len());
        let starts = self.runs.iter().map(|(start, _)| place(*start));
        let ends: Vec<usize> = starts.skip(1).chain([table.len()]).collect();
        for ((start, class), end) in self.runs.iter().zip(ends) {
            let start = (*start as usize).saturating_sub(first).min(end);
            if let Some(run) = table.get_mut(start..end) {
                run.fill(*class);
            }
        }
    }

    fn of(&self, code: usize) -> u8 {
        let Some(cell) = self.planes.get(code / PLANE) else {
            return OTHER;
        };
        let plane = match cell.get() {
            Some(plane) => plane,
            None => self.plane(cell, code / PLANE),
        };
        plane.get(code % PLANE).copied().unwrap_or(OTHER)
    }

    #[cold]
    #[inline(never)]
    fn plane<'a>(&self, cell: &'a OnceLock<Box<[u8]>>, plane: usize) -> &'a [u8] {
        cell.get_or_init(|| {
            let mut table = vec![OTHER; PLANE];
            self.lay_out(plane * PLANE, &mut table);
            table.into()
        })
    }
}

/// Splits a text: gives, from where one piece starts, where it ends.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    classes: &'a Classes,
    pattern: Pattern,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, classes: &'a Classes, pattern: Pattern) -> Self {
        Self {
            text,
            classes,
            pattern,
        }
    }

    /// The word of ASCII that starts at `at` and its length, where they can be told at once.
    pub(super) fn word(&self, at: usize) -> Option<(Piece, usize)> {
        let is_prefixed = self.byte(at) & (SPACE | OTHER) != 0;
        words::at(self.text.as_bytes(), at, is_prefixed, self.pattern)
    }

    /// The end of the piece that starts at `at`, which is before the end of the text.
    pub(super) fn end(&self, at: usize) -> usize {
        match self.pattern {
            Pattern::O200k => self.o200k(at),
            Pattern::Cl100k => self.cl100k(at),
        }
    }

    /// The class of the character at `at` and where it ends; no class at the end of the text.
    fn at(&self, at: usize) -> (u8, usize) {
        match self.text.as_bytes().get(at) {
            None => (0, at),
            Some(&byte) if byte < 0x80 => (self.ascii(byte), at + 1),
            Some(&lead) => self.wide(lead, at),
        }
    }

    fn ascii(&self, byte: u8) -> u8 {
        self.classes
            .ascii
            .get(usize::from(byte))
            .copied()
            .unwrap_or_default()
    }

    /// The same for a character of two to four bytes: the text is known to be well-formed.
    fn wide(&self, lead: u8, at: usize) -> (u8, usize) {
        let low = |offset: usize| {
            let byte = self.text.as_bytes().get(at + offset);
            usize::from(byte.copied().unwrap_or_default()) & 0x3f
        };
        let lead = usize::from(lead);
        let (code, length) = match lead {
            0xf0.. => ((lead & 0x07) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4),
            0xe0.. => ((lead & 0x0f) << 12 | low(1) << 6 | low(2), 3),
            _ => ((lead & 0x1f) << 6 | low(1), 2),
        };
        (self.classes.of(code), at + length)
    }

    /// The class of a byte of ASCII; none beyond ASCII, and a line break for the end of the text.
    fn byte(&self, at: usize) -> u8 {
        match self.text.as_bytes().get(at) {
            Some(byte) => self.ascii(*byte),
            None => NEWLINE,
        }
    }

    /// The end of a run of ASCII of one set; nothing where it is long or may go on beyond ASCII.
    fn ascii_run(&self, mut at: usize, set: u8) -> Option<usize> {
        let mut class = self.byte(at);
        let long = at + LONG;
        while class & set != 0 && at < long {
            at += 1;
            class = self.byte(at);
        }
        (class != 0 && at < long).then_some(at)
    }

    /// The end of a piece of ASCII as o200k splits it; nothing where more has to be known.
    fn ascii_piece(&self, at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let first = self.byte(at);
        let second = self.byte(at + 1);
        let prefixed = first & (SPACE | OTHER) != 0;
        if (if prefixed { second } else { first }) & ANY_LETTER != 0 {
            let mut end = at + usize::from(prefixed);
            let mut last = self.byte(end);
            while last == UPPER {
                end += 1;
                last = self.byte(end);
            }
            let long = end + LONG;
            while last == LOWER && end < long {
                end += 1;
                last = self.byte(end);
            }
            // A character beyond ASCII may go on the word, an apostrophe may be part of it.
            let is_end = last != 0 && end < long && bytes.get(end) != Some(&b'\'');
            return is_end.then_some(end);
        }
        if first == OTHER || (bytes.get(at) == Some(&b' ') && second == OTHER) {
            let end = self.ascii_run(at + 1, OTHER)?;
            return Some(match self.byte(end) {
                NEWLINE => self.after(end, b"\r\n/"),
                _ => end,
            });
        }
        if first == NUMBER {
            let is_number = |at: usize| self.byte(at) == NUMBER;
            let more = usize::from(second == NUMBER);
            let end = at + 1 + more + usize::from(more == 1 && is_number(at + 2));
            return (end == at + 3 || self.byte(end) != 0).then_some(end);
        }
        // Of white space without a line break, a word or symbol may take the last one.
        let end = self.ascii_run(at, SPACE)?;
        match end == self.text.len() || end <= at + 1 {
            true => {
                (end > at && self.byte(end) != NEWLINE || end == self.text.len()).then_some(end)
            }
            false => (self.byte(end) != NEWLINE).then_some(end - 1),
        }
    }

    fn is(&self, at: usize, set: u8) -> bool {
        self.at(at).0 & set != 0
    }

    /// The end of the run of `set` at `at`, and the end of the last character in it that is `last`.
    #[inline(never)]
    fn run(&self, mut at: usize, set: u8, last: u8) -> (usize, Option<usize>) {
        let mut seen = None;
        let bytes = self.text.as_bytes();
        if bytes.get(at) == bytes.get(at + LONG) {
            let (class, same) = (self.byte(at), words::same(bytes, at));
            if class & set != 0 && same > at {
                at = same;
                seen = (class & last != 0).then_some(at);
            }
        }
        loop {
            let (class, next) = match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
                Some(&[lead @ 0xe0..0xf0, second, third]) => {
                    let code = usize::from(lead & 0x0f) << 12
                        | usize::from(second & 0x3f) << 6
                        | usize::from(third & 0x3f);
                    (self.classes.of(code), at + 3)
                }
                _ => self.at(at),
            };
            if class & set == 0 {
                return (at, seen);
            }
            if class & last != 0 {
                seen = Some(next);
            }
            at = next;
        }
    }

    fn end_of(&self, at: usize, set: u8) -> usize {
        self.run(at, set, 0).0
    }

    fn o200k(&self, at: usize) -> usize {
        match self.ascii_piece(at) {
            Some(end) => end,
            None => self.any_piece(at),
        }
    }

    #[inline(never)]
    fn any_piece(&self, at: usize) -> usize {
        let (class, next) = self.at(at);
        let prefixed = (class & PREFIX != 0).then_some(next);
        let starts = || prefixed.into_iter().chain([at]);
        let word = starts()
            .find_map(|start| self.ends_lower(start))
            .or_else(|| starts().find_map(|start| self.starts_upper(start)));
        if let Some(end) = word {
            return self.contraction(end).unwrap_or(end);
        }
        if class == NUMBER {
            return self.digits(at);
        }
        match self.symbols(at) {
            Some(end) => self.after(end, b"\r\n/"),
            None => self.white(at),
        }
    }

    /// `[HEAD]*[TAIL]+`: when nothing follows the head, it gives back to its last tail character.
    fn ends_lower(&self, start: usize) -> Option<usize> {
        let (head, shared) = self.run(start, HEAD, HEAD & TAIL);
        if self.is(head, TAIL) {
            return Some(self.end_of(head, TAIL));
        }
        shared
    }

    /// `[HEAD]+[TAIL]*`.
    fn starts_upper(&self, start: usize) -> Option<usize> {
        let head = self.end_of(start, HEAD);
        (head > start).then(|| self.end_of(head, TAIL))
    }

    #[inline(never)]
    fn cl100k(&self, at: usize) -> usize {
        if let Some(end) = self.contraction(at) {
            return end;
        }
        let (class, next) = self.at(at);
        let start = if class & PREFIX != 0 { next } else { at };
        if self.is(start, ANY_LETTER) {
            return self.end_of(start, ANY_LETTER);
        }
        if class == NUMBER {
            return self.digits(at);
        }
        match self.symbols(at) {
            Some(end) => self.after(end, b"\r\n"),
            None if self.end_of(at, WHITE) == self.text.len() => self.text.len(),
            None => self.white(at),
        }
    }

    /// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`; the long s folds to s.
    fn contraction(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?.strip_prefix('\'')?;
        let mut letters = rest.chars().map(|ch| ch.to_ascii_lowercase());
        let length = match (letters.next()?, letters.next()) {
            ('s' | 't' | 'm' | 'd', _) => 1,
            ('\u{17f}', _) => '\u{17f}'.len_utf8(),
            ('r' | 'v', Some('e')) | ('l', Some('l')) => 2,
            _ => return None,
        };
        Some(at + 1 + length)
    }

    /// One to three numbers.
    fn digits(&self, start: usize) -> usize {
        let mut at = start;
        for _ in 0..3 {
            let (class, next) = self.at(at);
            if class != NUMBER {
                break;
            }
            at = next;
        }
        at
    }

    /// ` ?[^\s\p{L}\p{N}]+`.
    fn symbols(&self, at: usize) -> Option<usize> {
        let space = self.text.as_bytes().get(at) == Some(&b' ');
        let start = at + usize::from(space);
        self.is(start, SYMBOL).then(|| self.end_of(start, SYMBOL))
    }

    fn after(&self, at: usize, bytes: &[u8]) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| bytes.contains(byte)).count()
    }

    /// `\s*[\r\n]|\s+(?!\S)|\s`: up to the last line break, else all but the character that a word
    /// may take as its prefix.
    fn white(&self, at: usize) -> usize {
        let (end, newline) = self.run(at, WHITE, NEWLINE);
        if let Some(newline) = newline {
            return newline;
        }
        let last = self
            .text
            .get(at..end)
            .and_then(|run| run.char_indices().last());
        match last {
            Some((offset, _)) if offset > 0 && end < self.text.len() => at + offset,
            _ => end,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::{Encoding, Vocabulary};

    fn split(text: &str, pattern: Pattern) -> Vec<&str> {
        let encoding = match pattern {
            Pattern::O200k => Encoding::O200k,
            Pattern::Cl100k => Encoding::Cl100k,
        };
        let vocabulary = Vocabulary::read(encoding, encoding.file()).unwrap();
        let scanner = Scanner::new(text, &vocabulary.classes, pattern);
        let mut starts = vec![0];
        while starts[starts.len() - 1] < text.len() {
            starts.push(scanner.end(starts[starts.len() - 1]));
        }
        let pieces = starts.windows(2);
        pieces.map(|ends| &text[ends[0]..ends[1]]).collect()
    }

    #[test]
    fn words_numbers_and_white_space() {
        let text = "Hello  World's 1234\n\n  end  ";
        assert_eq!(
            split(text, Pattern::O200k),
            [
                "Hello", " ", " World's", " ", "123", "4", "\n\n", " ", " end", "  "
            ]
        );
        assert_eq!(
            split(text, Pattern::Cl100k),
            [
                "Hello", " ", " World", "'s", " ", "123", "4", "\n\n", " ", " end", "  "
            ]
        );
    }

    #[test]
    fn camel_case_is_split_by_o200k_only() {
        assert_eq!(
            split("camelCaseXML", Pattern::O200k),
            ["camel", "Case", "XML"]
        );
        assert_eq!(split("camelCaseXML", Pattern::Cl100k), ["camelCaseXML"]);
    }
}
