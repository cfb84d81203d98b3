//! From a vocabulary file to tables, in one pass over its merge pairs.

use crate::Encoding;
use crate::format;
use crate::hash;
use crate::split::{Classes, Pattern};
use crate::vocabulary::{MOST_TOKENS, NONE, Rank, Table, Vocabulary};
use std::ops::Range;

/// Room after the tokens, so that short ones are copied in one move.
const SLACK: usize = 8;

/// Why a file cannot be read as the vocabulary of an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is no vocabulary file.
    Foreign,
    /// It is that of another encoding.
    OtherEncoding,
    /// Its layout is of another version.
    Version,
    /// Bytes of it changed or are missing.
    Damaged,
}

pub(super) fn unpack(encoding: Encoding, file: &[u8]) -> Result<Vocabulary, Fault> {
    let header = header(encoding, file)?;
    let damaged = || Fault::Damaged;
    let (runs, body) = header
        .body
        .split_at_checked(header.runs * 4)
        .ok_or_else(damaged)?;
    let (characters, body) = body
        .split_at_checked(format::CHARACTERS)
        .ok_or_else(damaged)?;
    let (single, pairs) = body.split_at_checked(256).ok_or_else(damaged)?;
    let longer = header.tokens.checked_sub(256).ok_or_else(damaged)?;
    if pairs.len() != longer * 6 || header.tokens > MOST_TOKENS {
        return Err(damaged());
    }
    let mut building = Building::new(single, header.tokens, header.bytes);
    building.merge_all(pairs, longer).ok_or_else(damaged)?;
    if building.end != header.bytes {
        return Err(damaged());
    }
    let mut vocabulary = building.done(Classes::unpack(runs), header.pattern);
    vocabulary.know_characters(characters);
    Ok(vocabulary)
}

struct Header<'a> {
    pattern: Pattern,
    tokens: usize,
    bytes: usize,
    runs: usize,
    body: &'a [u8],
}

fn header(encoding: Encoding, file: &[u8]) -> Result<Header<'_>, Fault> {
    if !file.starts_with(format::MAGIC) {
        return Err(Fault::Foreign);
    }
    let damaged = || Fault::Damaged;
    let (head, body) = file.split_at_checked(format::HEADER).ok_or_else(damaged)?;
    if head.get(8) != Some(&format::VERSION) {
        return Err(Fault::Version);
    }
    let (numbers, rest) = head
        .split_at_checked(format::CHECKSUM)
        .ok_or_else(damaged)?;
    let (checksum, name) = rest
        .split_at_checked(format::NAME - format::CHECKSUM)
        .ok_or_else(damaged)?;
    if format::checksum(&[numbers, name, body]).to_le_bytes() != checksum {
        return Err(damaged());
    }
    let end = name
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(name.len());
    if name.get(..end) != Some(encoding.name().as_bytes()) {
        return Err(Fault::OtherEncoding);
    }
    let number = |at: usize| {
        let bytes = numbers.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes) as usize)
    };
    let read = || {
        Some(Header {
            pattern: match numbers.get(9)? {
                0 => Pattern::O200k,
                1 => Pattern::Cl100k,
                _ => return None,
            },
            tokens: number(12)?,
            bytes: number(16)?.min(MOST_TOKENS * hash::LONGEST),
            runs: number(20)?.min(body.len()),
            body,
        })
    };
    read().ok_or_else(damaged)
}

struct Building {
    bytes: Vec<u8>,
    end: usize,
    ends: Vec<u32>,
    hashes: Vec<u64>,
    table: Table,
    pairs: Vec<Rank>,
    longest: usize,
}

impl Building {
    fn new(single: &[u8], tokens: usize, size: usize) -> Self {
        let mut building = Self {
            bytes: vec![0; size.max(single.len()) + SLACK],
            end: single.len(),
            ends: Vec::with_capacity(tokens),
            hashes: Vec::with_capacity(tokens),
            table: Table::new(tokens),
            pairs: vec![NONE; 1 << 16],
            longest: 1,
        };
        for ((rank, &byte), to) in (0..).zip(single).zip(&mut building.bytes) {
            *to = byte;
            let hash = hash::push(0, byte);
            building.ends.push(rank + 1);
            building.hashes.push(hash);
            building.table.insert(hash, rank);
        }
        building
    }

    /// Nothing when a pair names a token that does not come before it.
    fn merge_all(&mut self, pairs: &[u8], longer: usize) -> Option<()> {
        // Engines compile a function better only from one call to the next, so one call for all tokens
        // would run slowly to its end.
        const AT_ONCE: usize = 512;
        let plane = |at: usize| pairs.get(at * longer..(at + 1) * longer);
        let planes = [
            plane(0)?,
            plane(1)?,
            plane(2)?,
            plane(3)?,
            plane(4)?,
            plane(5)?,
        ];
        for start in (0..longer).step_by(AT_ONCE) {
            self.merge_some(&planes, start..(start + AT_ONCE).min(longer))?;
        }
        Some(())
    }

    #[inline(never)]
    fn merge_some(&mut self, planes: &[&[u8]; 6], which: Range<usize>) -> Option<()> {
        let [a, b, c, d, e, f] = planes;
        let first = which.start;
        let part = || which.clone();
        let left = a
            .get(part())?
            .iter()
            .zip(b.get(part())?)
            .zip(c.get(part())?);
        let right = d
            .get(part())?
            .iter()
            .zip(e.get(part())?)
            .zip(f.get(part())?);
        for ((rank, ((a, b), c)), ((d, e), f)) in (first + 256..).zip(left).zip(right) {
            let left = u32::from_le_bytes([*a, *b, *c, 0]);
            let right = u32::from_le_bytes([*d, *e, *f, 0]);
            self.merge(u32::try_from(rank).ok()?, left as usize, right as usize)?;
        }
        Some(())
    }

    fn merge(&mut self, rank: Rank, left: usize, right: usize) -> Option<()> {
        let (left_start, left_length) = self.span(left)?;
        let (right_start, right_length) = self.span(right)?;
        let length = left_length + right_length;
        if length > hash::LONGEST {
            return None;
        }
        let start = self.end;
        self.copy(left_start, left_length)?;
        self.copy(right_start, right_length)?;
        self.longest = self.longest.max(length);
        let hash = hash::join(
            *self.hashes.get(left)?,
            *self.hashes.get(right)?,
            right_length,
        );
        self.ends.push(u32::try_from(self.end).ok()?);
        self.hashes.push(hash);
        self.table.insert(hash, rank);
        if length == 2 {
            let at = usize::from(*self.bytes.get(start)?) << 8
                | usize::from(*self.bytes.get(start + 1)?);
            *self.pairs.get_mut(at)? = rank;
        }
        Some(())
    }

    fn span(&self, token: usize) -> Option<(usize, usize)> {
        let end = *self.ends.get(token)? as usize;
        let start = match token.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        Some((start, end - start))
    }

    fn copy(&mut self, from: usize, length: usize) -> Option<()> {
        let to = self.end;
        if length <= SLACK {
            let moved: [u8; SLACK] = self.bytes.get(from..from + SLACK)?.try_into().ok()?;
            self.bytes.get_mut(to..to + SLACK)?.copy_from_slice(&moved);
        } else if to + length <= self.bytes.len() {
            self.bytes.copy_within(from..from + length, to);
        } else {
            return None;
        }
        self.end += length;
        Some(())
    }

    fn done(self, classes: Classes, pattern: Pattern) -> Vocabulary {
        Vocabulary {
            bytes: self.bytes,
            ends: self.ends,
            table: self.table,
            pairs: self.pairs,
            characters: vec![false; 0x1_0000],
            longest: self.longest,
            classes,
            pattern,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn read(file: &[u8]) -> Result<Vocabulary, Fault> {
        Vocabulary::read(Encoding::Cl100k, file)
    }

    /// Makes the checksum right again, as someone who means harm would.
    fn sealed(mut file: Vec<u8>) -> Vec<u8> {
        let parts = [
            &file[..format::CHECKSUM],
            &file[format::NAME..format::HEADER],
            &file[format::HEADER..],
        ];
        let checksum = format::checksum(&parts).to_le_bytes();
        file[format::CHECKSUM..format::NAME].copy_from_slice(&checksum);
        file
    }

    #[test]
    fn what_is_not_the_file_is_told() {
        let file = Encoding::Cl100k.file();
        assert!(read(file).is_ok());
        assert_eq!(read(b"").unwrap_err(), Fault::Foreign);
        assert_eq!(
            read(Encoding::O200k.file()).unwrap_err(),
            Fault::OtherEncoding
        );
        for at in (8..file.len())
            .step_by(30_011)
            .chain([8, 9, 12, 20, 24, 32])
        {
            let mut changed = file.to_vec();
            changed[at] ^= 0x10;
            assert!(read(&changed).is_err(), "{at}");
        }
        for length in [
            8,
            20,
            format::HEADER,
            format::HEADER + 1,
            10_000,
            file.len() - 1,
        ] {
            assert_eq!(
                read(&file[..length]).unwrap_err(),
                Fault::Damaged,
                "{length}"
            );
        }
    }

    #[test]
    fn a_crafted_file_is_read_or_refused() {
        let file = Encoding::Cl100k.file();
        for at in (format::HEADER..file.len()).step_by(20_011).chain(9..24) {
            for byte in [0, 0x7f, 0xff] {
                let mut crafted = file.to_vec();
                crafted[at] = byte;
                if let Ok(vocabulary) = read(&sealed(crafted)) {
                    let count = vocabulary.count_to("Any text, 你好 as well 😀", usize::MAX);
                    assert!(count.is_some());
                }
            }
        }
    }
}
