//! A set of texts.

use serde::Serialize;

/// Texts, each once, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Names(Vec<String>);

impl Names {
    /// Without any.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where a text is, or would be.
    #[inline(never)]
    fn place(&self, name: &str) -> Result<usize, usize> {
        // What comes in order need not be looked for.
        match self.0.last().is_none_or(|last| last.as_str() < name) {
            true => Err(self.0.len()),
            false => self.0.binary_search_by(|own| own.as_str().cmp(name)),
        }
    }

    /// Whether a text is in it.
    pub fn contains(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Puts a text in; whether it was not there.
    #[inline(never)]
    pub fn insert(&mut self, name: String) -> bool {
        let place = self.place(&name);
        if let Err(at) = place {
            self.0.insert(at, name);
        }
        place.is_err()
    }

    /// Takes a text out; whether it was there.
    #[inline(never)]
    pub fn remove(&mut self, name: &str) -> bool {
        let place = self.place(name);
        if let Ok(at) = place {
            self.0.remove(at);
        }
        place.is_ok()
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The texts.
    pub fn iter(&self) -> std::slice::Iter<'_, String> {
        self.0.iter()
    }

    /// The same by value.
    pub fn into_vec(self) -> Vec<String> {
        self.0
    }
}

impl IntoIterator for Names {
    type Item = String;
    type IntoIter = std::vec::IntoIter<String>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Names {
    type Item = &'a String;
    type IntoIter = std::slice::Iter<'a, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<String> for Names {
    fn extend<I: IntoIterator<Item = String>>(&mut self, names: I) {
        for name in names {
            self.insert(name);
        }
    }
}

impl FromIterator<String> for Names {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let mut all = Self::new();
        all.extend(names);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn are_a_set(steps: Vec<(u8, bool)>) {
            let (mut set, mut names) = (BTreeSet::new(), Names::new());
            for (name, is_in) in steps {
                let name = (name % 8).to_string();
                if is_in {
                    prop_assert_eq!(names.insert(name.clone()), set.insert(name));
                } else {
                    prop_assert_eq!(names.contains(&name), set.contains(&name));
                    prop_assert_eq!(names.remove(&name), set.remove(&name));
                }
                prop_assert!(names.iter().eq(&set));
            }
            let all: Names = set.iter().rev().cloned().collect();
            prop_assert_eq!(&all, &names);
            prop_assert!(names.into_iter().eq(set));
        }
    }
}
