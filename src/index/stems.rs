//! Slips of the pen: words of the index that are meant by one that no text has.

use std::rc::Rc;

/// Shorter words are too easily others.
const LETTERS: usize = 5;
const ALPHABET: usize = 26;
/// Words in a drawer that are compared with a word of the question, at most.
const COMPARED: usize = 2_000;

/// Words of Latin letters in drawers by their first two letters.
#[derive(Debug, Clone, Default)]
pub(super) struct Stems {
    /// Each in alphabetical order, with term numbers.
    drawers: Vec<Vec<(Rc<str>, u32)>>,
}

impl Stems {
    pub(super) fn insert(&mut self, name: &Rc<str>, number: u32) {
        let Some(drawer) = drawer(name) else { return };
        if self.drawers.is_empty() {
            self.drawers.resize(ALPHABET * ALPHABET, Vec::new());
        }
        let Some(words) = self.drawers.get_mut(drawer) else {
            return;
        };
        let at = words.partition_point(|(other, _)| *other < *name);
        words.insert(at, (name.clone(), number));
    }

    pub(super) fn remove(&mut self, name: &str) {
        let words = drawer(name).and_then(|drawer| self.drawers.get_mut(drawer));
        let Some(words) = words else { return };
        if let Ok(at) = words.binary_search_by(|(other, _)| (**other).cmp(name)) {
            words.remove(at);
        }
    }

    /// Tells the words that are one slip from this one, with their numbers.
    pub(super) fn slips<'a>(&'a self, name: &str, mut tell: impl FnMut(&'a str, u32)) {
        let Some(words) = drawer(name).and_then(|drawer| self.drawers.get(drawer)) else {
            return;
        };
        for (form, number) in words.iter().take(COMPARED) {
            if form.len().abs_diff(name.len()) <= 1 && strsim::osa_distance(name, form) == 1 {
                tell(form, *number);
            }
        }
    }
}

fn drawer(name: &str) -> Option<usize> {
    let is_word = name.len() >= LETTERS && name.bytes().all(|b| b.is_ascii_lowercase());
    let [first, second] = *name.as_bytes().first_chunk::<2>().filter(|_| is_word)?;
    Some(ALPHABET * usize::from(first - b'a') + usize::from(second - b'a'))
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
        assert!(stems.drawers.iter().all(Vec::is_empty));
    }
}
