//! Keys of the store: readable tuples whose encoding keeps their order and never collides.
//!
//! Parts are joined by `!`. Bytes from `-` to `}` stand for themselves; lower ones become `#XX`,
//! higher ones `~XX`. Separator < `#` < every literal < `~`, so encoded keys are printable ASCII
//! and compare, byte by byte, as the tuples they encode: whatever a database's own collation, and
//! whatever an id contains, no key of one scope lies in the range of another.

use std::fmt::Write;

/// Bytes of one id (tenant, user, agent, session, message).
pub const MAX_ID_BYTES: usize = 128;

const SEPARATOR: char = '!';

/// Builds one encoded key, part by part.
#[derive(Debug, Clone)]
pub struct Key(String);

impl Key {
    /// A key that starts with this part.
    pub fn new(part: &str) -> Self {
        let mut key = Self(String::with_capacity(96));
        key.encode(part);
        key
    }

    /// The key with one more text part.
    #[must_use]
    pub fn part(mut self, part: &str) -> Self {
        self.0.push(SEPARATOR);
        self.encode(part);
        self
    }

    /// The key with one more number, zero-padded so that order by text is order by value.
    #[must_use]
    pub fn number(self, number: u64) -> Self {
        self.part(&format!("{number:016}"))
    }

    /// The encoded key.
    pub fn build(self) -> String {
        self.0
    }

    /// The bounds of all keys that have this one as a proper prefix: start inclusive, end exclusive.
    pub fn children(self) -> (String, String) {
        let mut start = self.0;
        let mut end = start.clone();
        start.push(SEPARATOR);
        // The byte after the separator.
        end.push('"');
        (start, end)
    }

    fn encode(&mut self, part: &str) {
        for byte in part.bytes() {
            let written = match byte {
                b'-'..=b'}' => {
                    self.0.push(char::from(byte));
                    Ok(())
                }
                0..=b',' => write!(self.0, "#{byte:02X}"),
                _ => write!(self.0, "~{byte:02X}"),
            };
            debug_assert!(written.is_ok(), "writing to a String cannot fail");
        }
    }
}

/// The decoded last part of a key.
pub fn last_part(key: &str) -> Option<String> {
    decode(key.rsplit(SEPARATOR).next()?)
}

/// The decoded parts of a key; none if one of them is no encoded text.
pub fn parts(key: &str) -> Option<Vec<String>> {
    key.split(SEPARATOR).map(decode).collect()
}

fn decode(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        if matches!(byte, b'#' | b'~') {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encode(parts: &[String]) -> String {
        let mut parts = parts.iter();
        let first = parts.next().map(String::as_str).unwrap_or_default();
        parts
            .fold(Key::new(first), |key, part| key.part(part))
            .build()
    }

    proptest! {
        #[test]
        fn encoded_keys_compare_as_their_tuples(
            a in prop::collection::vec(".{0,6}", 1..4),
            b in prop::collection::vec("[!-0#~a\u{e9}]{0,3}", 1..4),
        ) {
            prop_assert_eq!(encode(&a).cmp(&encode(&b)), a.cmp(&b));
            prop_assert!(encode(&a).bytes().all(|byte| (0x21..0x7f).contains(&byte)));
        }

        #[test]
        fn the_last_part_comes_back(part in ".{0,20}") {
            let key = Key::new("x").part(&part).build();
            prop_assert_eq!(last_part(&key), Some(part.clone()));
            prop_assert_eq!(parts(&key), Some(vec!["x".to_owned(), part]));
        }

        #[test]
        fn children_hold_exactly_what_is_below(
            parent in "[!a\"#]{0,3}", child in ".{0,4}", other in "[!a\"#]{0,3}",
        ) {
            let (start, end) = Key::new("t").part(&parent).children();
            let inside = Key::new("t").part(&parent).part(&child).build();
            prop_assert!(start <= inside && inside < end);
            let outside = Key::new("t").part(&other).part(&child).build();
            prop_assert_eq!(parent == other, start <= outside && outside < end);
        }
    }
}
