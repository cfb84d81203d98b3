//! Which letters count as the same, and how a character takes part in a word.

use crate::case;

/// ASCII base letters of U+00E0..=U+017F, one byte each; `.` where there is no single one.
const LATIN: &str = "aaaaaa.ceeeeiiiidnooooo.ouuuuy.y\
aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkkllllllllllnnnnnnnnnoooooo..rrrrrrsssss\
sssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/// How a (folded) character takes part in a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Part of a word that spaces or punctuation end.
    Word,
    /// A character of a script written without spaces.
    RunOn,
    /// Ends a word.
    Break,
}

/// The class of a folded character.
pub(super) fn class(c: char) -> Class {
    match c as u32 {
        0..=0x7f if c.is_ascii_alphanumeric() => Class::Word,
        0..=0x7f => Class::Break,
        // Thai and Lao, Myanmar, Khmer: letters, vowel signs and tone marks alike.
        0xe01..=0xe4e | 0xe80..=0xece | 0x1000..=0x103f | 0x1780..=0x17d3 => Class::RunOn,
        // Hangul jamo and syllables, kana, Han (and their supplements), half-width kana.
        0x3005..=0x3007
        | 0x3041..=0x30fa
        | 0x30fc..=0x318e
        | 0x31f0..=0x31ff
        | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xff66..=0xff9f
        | 0x1b000..=0x1b16f
        | 0x20000..=0x323af => Class::RunOn,
        // Indic signs that are no letters but stand inside words (virama, nukta); not the dandas.
        0x900..=0xdff if !matches!(c as u32, 0x964 | 0x965 | 0xdf4) => Class::Word,
        _ if c.is_alphanumeric() => Class::Word,
        _ => Class::Break,
    }
}

/// Marks that never tell two words apart here: accents, vowel points, joiners.
fn is_dropped(c: char) -> bool {
    matches!(
        c as u32,
        0xad | 0x300..=0x36f
            | 0x483..=0x487
            | 0x591..=0x5bd
            | 0x5bf..=0x5c7
            | 0x610..=0x61a
            | 0x640
            | 0x64b..=0x65f
            | 0x670
            | 0x6d6..=0x6dc
            | 0x200c
            | 0x200d
            | 0x2060
            | 0xfe00..=0xfe0f
            | 0xfeff
    )
}

/// Lower case without accents, full-width forms as ASCII, one kind of apostrophe. Linear time.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else {
            // Full-width forms lie at a fixed distance from ASCII.
            let narrow = match c as u32 {
                wide @ 0xff01..=0xff5e => char::from_u32(wide - 0xfee0).unwrap_or(c),
                _ => c,
            };
            case::lower(narrow).for_each(|c| push_base(c, &mut out));
        }
    }
    out
}

fn push_base(c: char, out: &mut String) {
    if is_dropped(c) {
        return;
    }
    match c {
        'ß' => out.push_str("ss"),
        'æ' => out.push_str("ae"),
        'œ' => out.push_str("oe"),
        'þ' => out.push_str("th"),
        'ĳ' => out.push_str("ij"),
        '‘' | '’' | 'ʼ' | '`' => out.push('\''),
        _ => out.push(base(c)),
    }
}

/// The base of one lower-case letter, itself if it has none.
fn base(c: char) -> char {
    match c as u32 {
        n @ 0xe0..=0x17f => match LATIN.as_bytes().get(n as usize - 0xe0) {
            Some(b'.') | None => c,
            Some(&b) => b as char,
        },
        // Vietnamese, Romanian and pinyin letters outside the two first blocks.
        0x1a1 | 0x1d2 | 0x1ecd..=0x1ee3 => 'o',
        0x1b0 | 0x1d4 | 0x1d6 | 0x1d8 | 0x1da | 0x1dc | 0x1ee5..=0x1ef1 => 'u',
        0x1ce | 0x1ea1..=0x1eb7 => 'a',
        0x1eb9..=0x1ec7 => 'e',
        0x1d0 | 0x1ec9..=0x1ecb => 'i',
        0x1ef3..=0x1ef9 => 'y',
        0x219 => 's',
        0x21b => 't',
        // Greek and Cyrillic letters that decompose; final sigma.
        0x390 | 0x3af | 0x3ca => 'ι',
        0x3b0 | 0x3cb | 0x3cd => 'υ',
        0x3ac => 'α',
        0x3ad => 'ε',
        0x3ae => 'η',
        0x3cc => 'ο',
        0x3ce => 'ω',
        0x3c2 => 'σ',
        0x439 => 'и',
        0x450 | 0x451 => 'е',
        0x457 => 'і',
        0x45e => 'у',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_width_and_case_do_not_matter() {
        assert_eq!(
            fold("Crème BRÛLÉE Straße Œuvre"),
            "creme brulee strasse oeuvre"
        );
        assert_eq!(fold("Łódź Žižek İstanbul"), "lodz zizek istanbul");
        assert_eq!(
            fold("tiếng Việt"),
            fold("tie\u{302}\u{301}ng Vie\u{323}\u{302}t")
        );
        assert_eq!(fold("ＡＢＣ１２"), "abc12");
        assert_eq!(fold("Ёлка Йод"), "елка иод");
        assert_eq!(fold("ΟΔΌΣ"), fold("οδός"));
        assert_eq!(fold("don’t"), "don't");
    }

    #[test]
    fn the_latin_table_covers_its_range() {
        assert_eq!(LATIN.len(), 0x180 - 0xe0);
        assert!(LATIN.is_ascii());
    }

    #[test]
    fn classes() {
        assert_eq!(class('a'), Class::Word);
        assert_eq!(class('-'), Class::Break);
        assert_eq!(class('咖'), Class::RunOn);
        assert_eq!(class('。'), Class::Break);
        assert_eq!(class('ー'), Class::RunOn);
        assert_eq!(class('ก'), Class::RunOn);
        assert_eq!(class('д'), Class::Word);
        assert_eq!(class('\u{94d}'), Class::Word);
        assert_eq!(class('।'), Class::Break);
        assert_eq!(class('🎉'), Class::Break);
    }
}
