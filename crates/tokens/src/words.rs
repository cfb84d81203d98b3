//! Words of ASCII, which most texts are made of: where they end, eight bytes at a time.

use crate::hash;
use crate::recent::Piece;
use crate::split::Pattern;

/// The highest bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;
/// One in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// What lower case differs from upper case by.
const CASE: u64 = 0x20 * ONES;

/// The word at `at` and its length, of at most 15 bytes; it may begin with a space or symbol if `is_prefixed`.
/// Nothing where more has to be known to tell its end, as beside what is no ASCII.
pub(super) fn at(
    text: &[u8],
    at: usize,
    is_prefixed: bool,
    pattern: Pattern,
) -> Option<(Piece, usize)> {
    let first = chunk(text, at);
    let prefix = u64::from(is_prefixed);
    let (fold, more) = match pattern {
        // Upper case goes on a word at its beginning only; what begins with several is left to others.
        Pattern::O200k => (0x20 | prefix << 13, 0),
        // It may be a contraction.
        Pattern::Cl100k if first as u8 == b'\'' => return None,
        Pattern::Cl100k => (CASE, CASE),
    };
    let length = run(lower(first | fold) | prefix << 7);
    if length <= usize::from(is_prefixed) {
        return None;
    }
    if length < 8 {
        let (word, next) = cut(first, length);
        return ends(next).then(|| (Piece::new([word, 0], length), length));
    }
    let second = chunk(text, at + 8);
    let length = run(lower(second | more));
    if length == 8 {
        return None;
    }
    let (word, next) = cut(second, length);
    ends(next).then(|| (Piece::new([first, word], 8 + length), 8 + length))
}

/// Up to where the bytes from `at` on are the same as the one there, in steps of eight.
#[inline(never)]
pub(super) fn same(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let (eights, _) = rest.as_chunks::<8>();
    let all = [rest.first().copied().unwrap_or_default(); 8];
    at + 8 * eights.iter().take_while(|eight| **eight == all).count()
}

/// Eight bytes of the text, zeros after its end.
fn chunk(text: &[u8], at: usize) -> u64 {
    hash::word(text, at, 8)
}

/// The first bytes of a word, and the one after them.
fn cut(word: u64, length: usize) -> (u64, u8) {
    (
        word & ((1 << (8 * length)) - 1),
        (word >> (8 * length)) as u8,
    )
}

/// The high bits of bytes that are letters in lower case.
fn lower(word: u64) -> u64 {
    let low = word & !HIGH;
    let from_a = low + (0x80 - 0x61) * ONES;
    let beyond_z = low + (0x80 - 0x7b) * ONES;
    from_a & !beyond_z & !word & HIGH
}

/// How many bytes there are before the first whose high bit is not set.
fn run(marked: u64) -> usize {
    (!marked & HIGH).trailing_zeros() as usize / 8
}

/// Whether a word ends before this byte, whatever follows.
fn ends(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b'\''
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::split::Scanner;
    use crate::{Encoding, Vocabulary};

    #[test]
    fn words_end_where_the_scanner_ends_them() {
        let words = [
            "a", "A", "iPad", "Word", "UPPER", "abcdefg", "abcdefgh", "abcdefghijklmno",
        ];
        let after = [
            "", " ", ".", "'", "'s", "\n", "1", "B", "é", "中", "\0", "longer still",
        ];
        for encoding in Encoding::ALL {
            let vocabulary = Vocabulary::read(encoding, encoding.file()).unwrap();
            let mut told = 0;
            for prefix in ["", " ", "(", "\t", "'", "\n", "é", "7"] {
                for (word, after) in words
                    .iter()
                    .flat_map(|word| after.map(|after| (word, after)))
                {
                    let text = format!("{prefix}{word}{after}");
                    let scanner = Scanner::new(&text, &vocabulary.classes, vocabulary.pattern);
                    if let Some((_, length)) = scanner.word(0) {
                        assert_eq!(length, scanner.end(0), "{text:?}");
                        told += 1;
                    }
                }
            }
            assert!(told > 150, "{told}");
        }
    }
}
