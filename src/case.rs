//! Upper and lower case as the standard library has it, without its tables: they list every letter
//! and weigh 20 KB.

mod tables {
    /// First and last letter, how far they are apart, and how far away the other case is.
    pub(super) type Run = (u32, u32, u32, i32);

    include!(concat!(env!("OUT_DIR"), "/case.rs"));
}

use tables::{CASED, IGNORABLE, LOWER, Run, UPPER, UPPER_SEVERAL};

/// The one letter whose lower case is two characters: itself and this mark.
const DOTTED: (char, char) = ('İ', '\u{307}');

/// A character in lower case.
pub(crate) fn lower(c: char) -> impl Iterator<Item = char> {
    let (first, mark) = if c == DOTTED.0 {
        ('i', Some(DOTTED.1))
    } else {
        (other(c, LOWER), None)
    };
    std::iter::once(first).chain(mark)
}

/// A character in upper case.
pub(crate) fn upper(c: char) -> String {
    let several = UPPER_SEVERAL.split('|');
    let mut several = several.filter_map(|entry| entry.strip_prefix(c));
    match several.next().filter(|_| !c.is_ascii()) {
        Some(several) => several.to_owned(),
        None => other(c, UPPER).to_string(),
    }
}

/// A text in lower case.
pub(crate) trait Lowercase {
    fn lowercase(&self) -> String;
}

impl Lowercase for str {
    fn lowercase(&self) -> String {
        let mut out = String::with_capacity(self.len());
        for (at, c) in self.char_indices() {
            if c == 'Σ' {
                let before = self.get(..at).unwrap_or_default().chars().rev();
                let after = self.get(at + c.len_utf8()..).unwrap_or_default().chars();
                let is_final = is_in_word(before) && !is_in_word(after);
                out.push(if is_final { 'ς' } else { 'σ' });
            } else {
                out.extend(lower(c));
            }
        }
        out
    }
}

fn is_in_word(mut beside: impl Iterator<Item = char>) -> bool {
    let next = beside.find(|c| !is_one_of(*c, IGNORABLE));
    next.is_some_and(|c| is_one_of(c, CASED))
}

fn other(c: char, runs: &[Run]) -> char {
    let code = u32::from(c);
    let after = runs.partition_point(|(first, ..)| *first <= code);
    let run = after.checked_sub(1).and_then(|at| runs.get(at));
    run.filter(|(first, last, step, _)| code <= *last && (code - first) % step == 0)
        .and_then(|(.., by)| char::from_u32(code.checked_add_signed(*by)?))
        .unwrap_or(c)
}

fn is_one_of(c: char, spans: &[u8]) -> bool {
    let (mut is, mut at, mut span, mut shift) = (false, 0, 0, 0);
    for byte in spans {
        span |= u32::from(byte & 127) << shift;
        shift += 7;
        if *byte < 128 {
            at += span;
            if u32::from(c) < at {
                return is;
            }
            (is, span, shift) = (!is, 0, 0);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_character_has_the_case_that_the_standard_library_gives_it() {
        for c in char::MIN..=char::MAX {
            assert!(lower(c).eq(c.to_lowercase()), "{c:?}");
            assert_eq!(upper(c), c.to_uppercase().to_string(), "{c:?}");
            for text in [
                format!("a{c}Σ"),
                format!("{c}Σ"),
                format!("aΣ{c}"),
                format!("aΣ{c}a"),
            ] {
                assert_eq!(text.lowercase(), text.to_lowercase());
            }
        }
    }

    proptest! {
        #[test]
        fn texts_have_it_too(text in "([aΣσ.:'\u{301} ]|\\PC)*") {
            prop_assert_eq!(text.lowercase(), text.to_lowercase());
        }
    }
}
