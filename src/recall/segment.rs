//! One part of a stored index as bytes: a range of memories, with the words they have.
//!
//! Numbers are of variable length. A part has its own list of words, each without what it has in
//! common with the one before, and its own list of sessions and cubes.

use super::indexed::{COLD, Indexed, THERE};
use crate::gather::Gather;
use crate::gather::Push;
use crate::index::{Digest, Doc};
use crate::order;
use crate::vector::Vector;
use siltstone_kernels::{Marks, append};

/// The form of parts, and what words are found in a text: whatever changes one of them gets the next
/// number, and what is stored is made anew.
pub(super) const FORMAT: u8 = 2;

/// Writes bytes.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// What may be missing: 0, or one more than it is.
    fn maybe(&mut self, number: Option<u64>) {
        self.number(number.map_or(0, |number| number.saturating_add(1)));
    }
}

/// Reads them; nothing once something is not as it should be.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn text(&mut self) -> Option<&'a str> {
        str::from_utf8(self.bytes()?).ok()
    }

    fn maybe(&mut self) -> Option<Option<u32>> {
        Some(self.small()?.checked_sub(1))
    }
}

/// FNV-1a, to know damaged bytes.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| {
        (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// The distinct ones, in their order.
fn sorted<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut texts: Vec<&str> = texts.gather();
    order::sort_by(&mut texts, Ord::cmp);
    texts.dedup();
    texts
}

fn place(list: &[&str], text: &str) -> u64 {
    list.binary_search(&text).unwrap_or_default() as u64
}

impl Indexed {
    fn session_name(&self, number: Option<u32>) -> Option<&str> {
        self.sessions.get(number? as usize).map(String::as_str)
    }

    fn cube_name(&self, number: u32) -> &str {
        self.cubes.get(number as usize).map_or("", String::as_str)
    }

    /// The words of these terms in alphabetical order, and the place among them of each by its number.
    fn ranked<'a>(
        &'a self,
        terms: impl Iterator<Item = &'a (u32, u32)>,
    ) -> (Vec<&'a str>, Vec<u32>) {
        let mut ranks = vec![u32::MAX; self.lexical.numbers()];
        let mut words = Vec::new();
        for (number, _) in terms {
            if let Some(rank) = ranks.get_mut(*number as usize).filter(|rank| **rank != 0) {
                *rank = 0;
                words.push((self.lexical.name(*number), *number));
            }
        }
        order::sort_by(&mut words, Ord::cmp);
        for (at, (_, number)) in (0..).zip(&words) {
            if let Some(rank) = ranks.get_mut(*number as usize) {
                *rank = at;
            }
        }
        (words.into_iter().map(|(word, _)| word).gather(), ranks)
    }

    /// These documents as bytes. `first` is where the part begins, `end` where the next one does.
    pub(super) fn pack(&self, docs: &[u32], first: &str, end: Option<&str>) -> Vec<u8> {
        let packed: Vec<(u32, &Marks, &Doc)> = docs
            .iter()
            .filter_map(|doc| Some((*doc, self.marks(*doc)?, self.lexical.doc(*doc)?)))
            .gather();
        let places = packed.iter().flat_map(|(_, marks, known)| {
            let session = self.session_name(known.session);
            session.into_iter().chain([self.cube_name(marks.cube)])
        });
        let places = sorted(places);
        let (words, ranks) = self.ranked(packed.iter().flat_map(|(_, _, known)| &known.terms));
        let rank = |number: u32| ranks.get(number as usize).copied().unwrap_or_default();
        let mut out = Writer(vec![FORMAT]);
        out.bytes(first.as_bytes());
        out.number(u64::from(end.is_some()));
        out.bytes(end.unwrap_or_default().as_bytes());
        out.number(u64::from(self.has_rows));
        out.number(places.len() as u64);
        places.iter().for_each(|place| out.bytes(place.as_bytes()));
        out.number(words.len() as u64);
        let mut before = "";
        for word in &words {
            let shared = before.bytes().zip(word.bytes()).take_while(|(a, b)| a == b);
            let shared = shared.count();
            out.number(shared as u64);
            out.bytes(word.as_bytes().get(shared..).unwrap_or_default());
            before = word;
        }
        out.number(packed.len() as u64);
        for (doc, marks, known) in &packed {
            out.bytes(self.id(*doc).as_bytes());
            out.0.push_all([marks.marks, marks.importance]);
            // From the far end, so that what never ends is one byte.
            out.number((i64::MAX as u64).wrapping_sub(marks.until.cast_unsigned()));
            out.number(place(&places, self.cube_name(marks.cube)));
            let session = self.session_name(known.session);
            out.maybe(session.map(|session| place(&places, session)));
            out.maybe(
                self.places
                    .of(*doc)
                    .map(|(_, position)| u64::from(position)),
            );
            out.number(u64::from(known.is_told));
            out.number(u64::from(known.length));
            let terms = known.terms.iter();
            let mut terms: Vec<(u32, u32)> = terms
                .map(|(number, weight)| (rank(*number), *weight))
                .gather();
            order::sort_as(
                &mut terms,
                |(at, weight)| u64::from(at) << 32 | u64::from(weight),
                |both| ((both >> 32) as u32, both as u32),
            );
            let opening = known.opening.map(rank);
            let opening = terms.iter().position(|(at, _)| Some(*at) == opening);
            out.maybe(opening.map(|at| at as u64));
            out.number(terms.len() as u64);
            let mut last = 0;
            for (at, weight) in terms {
                out.number(u64::from(at - last));
                out.number(u64::from(weight));
                last = at;
            }
            if self.has_rows {
                let row = self.vectors.row(*doc).unwrap_or_default();
                out.number(row.len() as u64);
                append(&mut out.0, row);
            }
        }
        let sum = checksum(&out.0);
        out.0.push_all(sum.to_le_bytes());
        out.0
    }

    /// Takes in a part, and says whether it holds the embeddings; none if it is damaged, of another
    /// form, or does not begin and end as told.
    pub(super) fn unpack(&mut self, bytes: &[u8], first: &str, end: Option<&str>) -> Option<bool> {
        let (bytes, sum) = bytes.split_last_chunk::<4>()?;
        if checksum(bytes) != u32::from_le_bytes(*sum) {
            return None;
        }
        let mut from = Reader(bytes);
        let is_asked_for = from.byte()? == FORMAT && from.text()? == first;
        let has_end = from.number()? == 1;
        let there = from.text()?;
        if !is_asked_for || has_end.then_some(there) != end {
            return None;
        }
        let has_rows = from.number()? == 1;
        let mut places = Vec::new();
        for _ in 0..from.number()? {
            places.push(from.text()?);
        }
        let mut words: Vec<String> = Vec::new();
        let mut word = Vec::new();
        for _ in 0..from.number()? {
            word.truncate(usize::try_from(from.number()?).ok()?);
            word.extend_from_slice(from.bytes()?);
            words.push(str::from_utf8(&word).ok()?.to_owned());
        }
        for _ in 0..from.number()? {
            self.unpack_one(&mut from, &places, &words)?;
            if has_rows {
                let row = Vector::from_bytes(from.bytes()?);
                let doc = self.ids.len().checked_sub(1)? as u32;
                self.vectors.set(doc, row.filter(|_| self.has_rows));
            }
        }
        from.0.is_empty().then_some(has_rows)
    }

    fn unpack_one(
        &mut self,
        from: &mut Reader<'_>,
        places: &[&str],
        words: &[String],
    ) -> Option<()> {
        let id = from.text()?;
        let (marks, importance) = (from.byte()?, from.byte()?);
        let until = (i64::MAX as u64).wrapping_sub(from.number()?).cast_signed();
        let cube = *places.get(from.small()? as usize)?;
        let session = match from.maybe()? {
            Some(at) => Some(*places.get(at as usize)?),
            None => None,
        };
        let position = from.maybe()?;
        let mut digest = Digest {
            is_told: from.number()? == 1,
            length: from.small()?,
            opening: from.maybe()?.map(|at| at as usize),
            ..Digest::default()
        };
        let mut at = 0usize;
        for _ in 0..from.number()? {
            at = at.checked_add(from.small()? as usize)?;
            digest.terms.push((words.get(at)?, from.small()?));
        }
        let is_next = self.ids.last().is_none_or(|last| **last < *id);
        // With cold memories in it, a recall of those has stored it: it once did.
        if !is_next || marks & (THERE | COLD) != THERE {
            return None;
        }
        digest.session = session.map(|session| self.session(session));
        let marks = Marks {
            until,
            cube: self.cube(cube),
            importance,
            marks,
        };
        let place = digest.session.zip(position);
        self.put_digest(id, marks, &digest, place);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::Indexed;
    use crate::memory::Memory;
    use serde_json::json;

    #[test]
    fn a_part_with_a_cold_memory_is_not_taken_in() {
        for (temperature, is_taken) in [("hot", Some(false)), ("cold", None)] {
            let memory: Memory = serde_json::from_value(json!({
                "id": "1", "content": "a red boat", "createdAt": 1, "lastAccessAt": 1, "observedAt": 1,
                "weight": 1.0, "importance": 5, "category": "note", "kind": "text", "scope": "user",
                "tier": "short", "temperature": temperature, "tags": [], "source": "chat", "version": 1,
                "relatedIds": [], "conflictIds": [], "isValid": true, "isPinned": false,
                "messageIds": [], "isSensitive": false,
            }))
            .unwrap();
            let part = Indexed::new(String::new(), vec![memory], true).pack(&[0], "", None);
            let mut taken = Indexed::empty(String::new(), false);
            assert_eq!(taken.unpack(&part, "", None), is_taken);
        }
    }
}
