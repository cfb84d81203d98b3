//! From a vocabulary file to what counting needs: what is in it is checked, hardly anything is unpacked.

use crate::Encoding;
use crate::codes::Codes;
use crate::format::{self, CHARACTERS, DIRECTORY};
use crate::groups::{Groups, LONGEST, Rank};
use crate::split::{Classes, Pattern};
use crate::vocabulary::Vocabulary;
use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

static NEXT_ID: AtomicUsize = AtomicUsize::new(1);

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

impl Fault {
    /// For programs.
    pub fn reason(self) -> &'static str {
        match self {
            Fault::Foreign | Fault::OtherEncoding => "foreign",
            Fault::Version => "version",
            Fault::Damaged => "damaged",
        }
    }

    /// For people; `encoding` is the one that the file was given for.
    pub fn message(self, encoding: Encoding) -> String {
        let what = match self {
            Fault::Foreign => "is no vocabulary file of Siltstone",
            Fault::OtherEncoding => "is that of another encoding",
            Fault::Version => "is of another version of Siltstone",
            Fault::Damaged => "is damaged",
        };
        let name = encoding.name();
        format!("what was given as the vocabulary of `{name}` {what}")
    }
}

pub(super) fn unpack(encoding: Encoding, file: Cow<'static, [u8]>) -> Result<Vocabulary, Fault> {
    let header = header(encoding, &file)?;
    let damaged = || Fault::Damaged;
    let (runs, body) = header
        .body
        .split_at_checked(header.runs * 4)
        .ok_or_else(damaged)?;
    let (_, body) = body.split_at_checked(CHARACTERS).ok_or_else(damaged)?;
    let (single, body) = body.split_at_checked(256).ok_or_else(damaged)?;
    let (directory, planes) = body.split_at_checked(DIRECTORY).ok_or_else(damaged)?;
    let longer = header.tokens.checked_sub(256).ok_or_else(damaged)?;
    let codes = Codes::new(directory, longer, planes.len()).ok_or_else(damaged)?;
    if header.longest > LONGEST {
        return Err(damaged());
    }
    // From 1, so that what belongs to none is told.
    let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
    let groups = Groups::new(codes, id);
    let mut bytes = [0; 256];
    for (rank, byte) in (0..).zip(single) {
        if let Some(place) = bytes.get_mut(usize::from(*byte)) {
            *place = rank as Rank;
        }
    }
    let classes = Classes::new(runs);
    let characters = format::HEADER + header.runs * 4;
    Ok(Vocabulary {
        planes: file.len() - planes.len(),
        characters: characters..characters + CHARACTERS,
        longest: header.longest,
        pattern: header.pattern,
        id,
        bytes,
        groups,
        classes,
        file,
    })
}

struct Header<'a> {
    pattern: Pattern,
    tokens: usize,
    longest: usize,
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
            longest: number(16)?,
            runs: number(20)?.min(body.len()),
            body,
        })
    };
    read().ok_or_else(damaged)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn read(file: &[u8]) -> Result<Vocabulary, Fault> {
        Vocabulary::read(Encoding::Cl100k, file.to_vec())
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
