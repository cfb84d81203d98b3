//! A vocabulary: which bytes are a token.

use crate::Encoding;
use crate::groups::{Groups, NONE, Rank};
use crate::merge::Merger;
use crate::recent::{self, Piece};
use crate::split::{Classes, Pattern, Scanner};
use crate::unpack::{self, Fault};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

thread_local! {
    // Its buffers, and what it merged lately, serve every text.
    static MERGER: RefCell<Merger> = RefCell::default();
}

/// A vocabulary file, and what of it was unpacked so far.
pub struct Vocabulary {
    pub(super) file: Cow<'static, [u8]>,
    /// Where the planes of the longer tokens start in the file.
    pub(super) planes: usize,
    /// Where the file says which characters up to U+FFFF may be merged before all else, where no ASCII
    /// is beside them.
    pub(super) characters: Range<usize>,
    pub(super) longest: usize,
    /// The rank of every single byte.
    pub(super) bytes: [Rank; 256],
    pub(super) groups: Groups,
    pub(super) classes: Classes,
    pub(super) pattern: Pattern,
    /// No other vocabulary has it.
    pub(super) id: usize,
}

impl std::fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vocabulary").finish_non_exhaustive()
    }
}

/// The length of what starts at `at` and is merged before all else: a character of two or three bytes
/// between others beyond ASCII, or one byte. What is outside of the piece does not count.
pub(super) fn first_part(piece: &[u8], at: usize, characters: &[u8]) -> usize {
    let rest = piece.get(at..).unwrap_or_default();
    let inner = |byte: u8| usize::from(byte & 0x3f);
    let (code, length) = match *rest {
        [lead @ 0xe0..0xf0, second, third, ..] => {
            let lead = usize::from(lead & 0x0f);
            (lead << 12 | inner(second) << 6 | inner(third), 3)
        }
        [lead @ 0xc0..0xe0, second, ..] => (usize::from(lead & 0x1f) << 6 | inner(second), 2),
        _ => return 1,
    };
    let is_first = characters
        .get(code / 8)
        .is_some_and(|bits| bits >> (code % 8) & 1 == 1);
    let is_ascii = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii);
    let before = at.wrapping_sub(1);
    match is_first && !is_ascii(rest.get(length)) && !is_ascii(piece.get(before)) {
        true => length,
        false => 1,
    }
}

impl Vocabulary {
    /// Takes a vocabulary file.
    pub fn read(encoding: Encoding, file: impl Into<Cow<'static, [u8]>>) -> Result<Self, Fault> {
        unpack::unpack(encoding, file.into())
    }

    /// The rank of what is from `start` to `end` in a text, or `NONE`.
    pub(super) fn rank(&self, text: &[u8], start: usize, end: usize) -> Rank {
        #[cfg(test)]
        crate::steps::step();
        let length = end.wrapping_sub(start);
        if length > self.longest {
            return NONE;
        }
        if length == 1 {
            let rank = text
                .get(start)
                .and_then(|byte| self.bytes.get(usize::from(*byte)));
            return rank.copied().unwrap_or(NONE);
        }
        let planes = || self.file.get(self.planes..).unwrap_or_default();
        self.groups.rank(text, start, length, planes)
    }

    /// A bit for each character up to U+FFFF that may be merged before all else.
    pub(super) fn characters(&self) -> &[u8] {
        self.file.get(self.characters.clone()).unwrap_or_default()
    }

    /// How many tokens `text` has, if at most `limit`; special tokens in it count as plain text.
    pub fn count_to(&self, text: &str, limit: usize) -> Option<usize> {
        // No token has more bytes than the longest.
        if text.len() / self.longest.max(1) > limit {
            return None;
        }
        MERGER.with_borrow_mut(|merger| self.count_with(merger, text, limit))
    }

    // One function for whoever counts: an engine compiles it better once it has run often.
    #[inline(never)]
    fn count_with(&self, merger: &mut Merger, text: &str, limit: usize) -> Option<usize> {
        let scanner = Scanner::new(text, &self.classes, self.pattern);
        let bytes = text.as_bytes();
        let (mut total, mut start) = (0, 0);
        merger.recent.of(self.id);
        while start < bytes.len() {
            let word = scanner.word(start);
            let length = match word {
                Some((_, length)) => length,
                None => scanner.end(start) - start,
            };
            total += match length {
                0 | 1 => 1,
                2..=recent::LONGEST => {
                    let piece = match word {
                        Some((piece, _)) => piece,
                        None => Piece::of(bytes, start, length),
                    };
                    match merger.recent.find(piece) {
                        Some(count) => count,
                        None => {
                            let count = self.count_piece(merger, bytes, start..start + length);
                            merger.recent.keep(piece, count);
                            count
                        }
                    }
                }
                _ => self.count_piece(merger, bytes, start..start + length),
            };
            if total > limit {
                return None;
            }
            start += length;
        }
        Some(total)
    }

    #[inline(never)]
    fn count_piece(&self, merger: &mut Merger, bytes: &[u8], piece: Range<usize>) -> usize {
        match self.rank(bytes, piece.start, piece.end) {
            NONE => merger.count(bytes, piece, self),
            _ => 1,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_its_rank() {
        let oracles = [tiktoken_rs::o200k_base(), tiktoken_rs::cl100k_base()];
        for ((encoding, oracle), size) in Encoding::ALL
            .into_iter()
            .zip(oracles)
            .zip([199_998, 100_256])
        {
            let vocabulary = Vocabulary::read(encoding, encoding.file()).unwrap();
            let oracle = oracle.unwrap();
            for rank in 0..size {
                let token = oracle.decode_bytes(&[rank]).unwrap();
                assert_eq!(vocabulary.rank(&token, 0, token.len()), rank, "{token:?}");
            }
        }
    }
}
