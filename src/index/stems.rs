//! Other forms of a word: what the stemmer leaves apart ("decid", "decis") and slips of the pen.

use super::tuning::Tuning;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Letters that two forms of a word have in common at the beginning, at least.
const COMMON: usize = 5;
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

    /// Tells the other forms of a word, and what each counts.
    pub(super) fn forms<'a>(
        &'a self,
        name: &str,
        is_known: bool,
        tuning: &Tuning,
        mut tell: impl FnMut(&'a str, u32, f64),
    ) {
        let Some(words) = drawer(name).and_then(|key| self.drawers.get(&key)) else {
            return;
        };
        // Slips may be anywhere; other forms begin alike, so they stand together.
        let start = match is_known {
            true => name.get(..COMMON).unwrap_or(name),
            false => "",
        };
        let first = words.partition_point(|(form, _)| **form < *start);
        let compared = words.iter().take(COMPARED).skip(first);
        for (form, number) in compared.take_while(|(form, _)| form.starts_with(start)) {
            let part = likeness(name, form, is_known, tuning);
            if part > 0.0 {
                tell(form, *number, part);
            }
        }
    }
}

fn drawer(name: &str) -> Option<[u8; DRAWER]> {
    let is_word = name.len() >= COMMON && name.bytes().all(|b| b.is_ascii_lowercase());
    name.as_bytes()
        .first_chunk::<DRAWER>()
        .copied()
        .filter(|_| is_word)
}

fn likeness(name: &str, form: &str, is_known: bool, tuning: &Tuning) -> f64 {
    let common = name
        .bytes()
        .zip(form.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let (short, long) = (name.len().min(form.len()), name.len().max(form.len()));
    if short == long && common == short {
        return 0.0;
    }
    if common == short && long - common <= 4 && common >= COMMON {
        tuning.variants
    } else if !is_known && long - short <= 1 && strsim::osa_distance(name, form) <= 1 {
        tuning.slips
    } else if common >= COMMON && short > COMMON && long - common <= 3 {
        tuning.variants * 0.7
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(words: &[&str], name: &str, is_known: bool) -> Vec<(String, f64)> {
        let mut stems = Stems::default();
        for (number, word) in (0..).zip(words) {
            stems.insert(&Rc::from(*word), number);
        }
        let mut found = Vec::new();
        stems.forms(name, is_known, &Tuning::default(), |form, _, part| {
            found.push((form.to_owned(), part));
        });
        found
    }

    #[test]
    fn forms_have_a_beginning_in_common() {
        let words = ["photograph", "photographi", "photosynthesi", "phone"];
        let found = forms(&words, "photograph", true);
        assert_eq!(found, [("photographi".to_owned(), 0.5)]);
        assert!(forms(&["teach", "teacup"], "teapot", true).is_empty());
    }

    #[test]
    fn a_slip_is_forgiven_only_where_nothing_is_spelt_so() {
        assert_eq!(
            forms(&["guitar"], "guitra", false),
            [("guitar".to_owned(), 0.8)]
        );
        assert!(forms(&["guitar"], "guitra", true).is_empty());
        assert!(forms(&["guitar"], "guitarrrr", false).len() < 2);
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
