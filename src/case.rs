//! Upper and lower case as the standard library has it, without its tables: they list every letter
//! and weigh 20 KB.

mod tables {
    /// Runs of letters whose other case is as far away.
    pub(super) struct Runs {
        pub(super) planes: [Plane; 2],
        /// How long a step is, and how far away the other case.
        pub(super) ways: &'static [(u8, i32)],
    }

    /// The runs of one plane: their first letters, how many follow each, and their ways.
    pub(super) struct Plane {
        pub(super) firsts: &'static [u16],
        pub(super) counts: &'static [u8],
        pub(super) ways: &'static [u8],
    }

    include!(concat!(env!("OUT_DIR"), "/case.rs"));
}

use tables::{CASED, IGNORABLE, LOWER, ODD, ODD_LOWER, ODD_UPPER};

/// The one letter whose lower case is two characters: itself and this mark.
const DOTTED: (char, char) = ('İ', '\u{307}');

/// A character in lower case.
pub(crate) fn lower(c: char) -> impl Iterator<Item = char> {
    let (first, mark) = if c == DOTTED.0 {
        ('i', Some(DOTTED.1))
    } else {
        (below(c).unwrap_or(c), None)
    };
    std::iter::once(first).chain(mark)
}

/// A character in upper case.
pub(crate) fn upper(c: char) -> String {
    let odd = ODD.split('|').find_map(|entry| entry.strip_prefix(c));
    match odd.filter(|_| !c.is_ascii()) {
        Some(odd) => odd.to_owned(),
        None => above(c).unwrap_or(c).to_string(),
    }
}

/// The first letter that has this one as its lower case.
fn above(c: char) -> Option<char> {
    let planes = (0..).step_by(0x10000).zip(&LOWER.planes);
    let runs = planes.flat_map(|(start, plane)| {
        let runs = plane.firsts.iter().zip(plane.counts).zip(plane.ways);
        runs.map(move |((first, count), way)| (start + u32::from(*first), *count, *way))
    });
    let mut from = runs.filter_map(|(first, count, way)| {
        let (step, by) = LOWER.ways.get(usize::from(way))?;
        let from = u32::from(c).checked_add_signed(-by)?;
        let (past, step) = (from.checked_sub(first)?, u32::from(*step));
        let is_in = past % step == 0 && past / step <= u32::from(count);
        is_in.then_some(from)
    });
    from.next().and_then(char::from_u32)
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

fn below(c: char) -> Option<char> {
    let (plane, code) = (u32::from(c) >> 16, u32::from(c) & 0xffff);
    let plane = LOWER.planes.get(plane as usize)?;
    let after = plane
        .firsts
        .partition_point(|first| u32::from(*first) <= code);
    let at = after.checked_sub(1)?;
    let (step, by) = LOWER.ways.get(usize::from(*plane.ways.get(at)?))?;
    let (step, past) = (u32::from(*step), code - u32::from(*plane.firsts.get(at)?));
    let is_in = past % step == 0 && past / step <= u32::from(*plane.counts.get(at)?);
    is_in.then(|| {
        u32::from(c)
            .checked_add_signed(*by)
            .and_then(char::from_u32)
    })?
}

/// Whether a character is an upper-case letter.
pub(crate) fn is_upper(c: char) -> bool {
    let is_ascii = c.is_ascii_uppercase();
    is_ascii || !c.is_ascii() && (lower(c).next() != Some(c)) != is_one_of(c, ODD_UPPER)
}

/// Whether a character is a lower-case letter.
pub(crate) fn is_lower(c: char) -> bool {
    let has_upper = || !upper(c).starts_with(c);
    c.is_ascii_lowercase() || !c.is_ascii() && has_upper() != is_one_of(c, ODD_LOWER)
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
            assert_eq!(is_upper(c), c.is_uppercase(), "{c:?}");
            assert_eq!(is_lower(c), c.is_lowercase(), "{c:?}");
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
