//! Slips of the pen: words of the index that are meant by one that no text has.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Shorter words are too easily others.
const LETTERS: usize = 5;
/// Letters by which words are sorted into drawers.
const DRAWER: usize = 2;
/// Words in a drawer that are compared with a word of the question, at most.
const COMPARED: usize = 2_000;

/// Words of Latin letters by their first letters.
#[derive(Debug, Clone, Default)]
pub(super) struct Stems {
    /// In alphabetical order, with term numbers.
    drawers: FxHashMap<[u8; DRAWER], Vec<(Rc<str>, u32)>>,
}

impl Stems {
    pub(super) fn insert(&mut self, name: &Rc<str>, number: u32) {
        let Some(key) = drawer(name) else { return };
        let words = self.drawers.entry(key).or_default();
        let at = words.partition_point(|(other, _)| *other < *name);
        words.insert(at, (name.clone(), number));
    }

    pub(super) fn remove(&mut self, name: &str) {
        let Some(key) = drawer(name) else { return };
        let Some(words) = self.drawers.get_mut(&key) else {
            return;
        };
        if let Ok(at) = words.binary_search_by(|(other, _)| (**other).cmp(name)) {
            words.remove(at);
        }
        if words.is_empty() {
            self.drawers.remove(&key);
        }
    }

    /// Tells the words that are one slip from this one, with their numbers.
    pub(super) fn slips<'a>(&'a self, name: &str, mut tell: impl FnMut(&'a str, u32)) {
        let Some(words) = drawer(name).and_then(|key| self.drawers.get(&key)) else {
            return;
        };
        for (form, number) in words.iter().take(COMPARED) {
            if form.len().abs_diff(name.len()) <= 1 && strsim::osa_distance(name, form) == 1 {
                tell(form, *number);
            }
        }
    }
}

fn drawer(name: &str) -> Option<[u8; DRAWER]> {
    let is_word = name.len() >= LETTERS && name.bytes().all(|b| b.is_ascii_lowercase());
    name.as_bytes()
        .first_chunk::<DRAWER>()
        .copied()
        .filter(|_| is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_one_letter_or_two_exchanged() {
        let mut stems = Stems::default();
        for (number, word) in (0..).zip(["guitar", "guilt", "phone"]) {
            stems.insert(&Rc::from(word), number);
        }
        let slips = |name: &str| {
            let mut found = Vec::new();
            stems.slips(name, |form, _| found.push(form));
            found
        };
        assert_eq!(slips("guitra"), ["guitar"]);
        assert_eq!(slips("guitars"), ["guitar"]);
        assert!(slips("guitar").is_empty() && slips("ghost").is_empty());
        assert!(slips("guitarrr").is_empty() && slips("gui").is_empty());
    }

    #[test]
    fn what_is_removed_is_forgotten() {
        let mut stems = Stems::default();
        stems.insert(&Rc::from("friend"), 1);
        stems.insert(&Rc::from("friendship"), 2);
        stems.remove("friend");
        stems.remove("friendly");
        stems.remove("friendship");
        assert!(stems.drawers.is_empty());
    }
}
