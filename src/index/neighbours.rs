//! Where texts stand in their dialogues.
//!
//! In a dialogue the answer often stands beside the words that were asked for: one speaker
//! names the thing, the other tells about it.

use rustc_hash::FxHashMap;

/// How far neighbours lend, in messages.
pub(super) const REACH: i32 = 2;

/// Where documents stand in their dialogues.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// By document.
    places: Vec<Option<(u32, u32)>>,
    docs: FxHashMap<(u32, u32), Vec<u32>>,
}

impl Places {
    /// No document has a place.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says where a document stands: the number of its session, its position there. Several
    /// may stand at one place (memories of one message).
    pub fn insert(&mut self, doc: u32, session: u32, position: u32) {
        self.remove(doc);
        let at = doc as usize;
        if self.places.len() <= at {
            self.places.resize(at + 1, None);
        }
        if let Some(place) = self.places.get_mut(at) {
            *place = Some((session, position));
        }
        let here = self.docs.entry((session, position)).or_default();
        let at = here.partition_point(|&d| d < doc);
        here.insert(at, doc);
    }

    /// Forgets a document.
    pub fn remove(&mut self, doc: u32) {
        let Some(place) = self.places.get_mut(doc as usize).and_then(Option::take) else {
            return;
        };
        if let Some(here) = self.docs.get_mut(&place) {
            here.retain(|&d| d != doc);
            if here.is_empty() {
                self.docs.remove(&place);
            }
        }
    }

    /// Where a document stands.
    pub fn of(&self, doc: u32) -> Option<(u32, u32)> {
        self.places.get(doc as usize).copied().flatten()
    }

    /// Gives the documents other numbers, by their old ones: the order must stay.
    pub fn renumber(&mut self, numbers: &[u32]) {
        let old = std::mem::take(self);
        for (place, number) in old.places.into_iter().zip(numbers) {
            if let Some((session, position)) = place {
                self.insert(*number, session, position);
            }
        }
    }

    /// The documents that stand at a place.
    pub(super) fn at(&self, place: (u32, u32)) -> &[u32] {
        self.docs.get(&place).map_or(&[], Vec::as_slice)
    }

    /// The places up to [`REACH`] before and after this one, with the distance to them: below 0
    /// before.
    pub(super) fn around(
        (session, position): (u32, u32),
    ) -> impl Iterator<Item = (i32, (u32, u32))> {
        let offsets = (-REACH..=REACH).filter(|offset| *offset != 0);
        offsets.filter_map(move |offset| {
            Some((offset, (session, position.checked_add_signed(offset)?)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_removed_is_forgotten() {
        let mut places = Places::new();
        for (doc, session, position) in [(1, 1, 0), (2, 1, 1), (2, 1, 4), (3, 1, 4)] {
            places.insert(doc, session, position);
        }
        assert_eq!(places.at((1, 4)), [2, 3]);
        places.remove(2);
        places.remove(2);
        assert_eq!((places.of(2), places.at((1, 4))), (None, &[3][..]));
        places.remove(1);
        places.remove(3);
        assert!(places.docs.is_empty());
        places.insert(0, 1, 4);
        places.renumber(&[5]);
        assert_eq!((places.of(0), places.at((1, 4))), (None, &[5][..]));
    }

    #[test]
    fn there_is_nothing_around_the_ends() {
        let offsets = |at| {
            Places::around((0, at))
                .map(|(offset, _)| offset)
                .collect::<Vec<_>>()
        };
        assert_eq!(offsets(0), [1, 2]);
        assert_eq!(offsets(1), [-1, 1, 2]);
        assert_eq!(offsets(u32::MAX), [-2, -1]);
    }
}
