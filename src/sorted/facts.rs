//! What is known of something, as keys and values.

use crate::read::{self, Fill, Json, Read};
use serde::ser::{Serialize, Serializer};

/// Texts by the names that they have, in the order of the names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts(Vec<(String, String)>);

impl Facts {
    /// Without any.
    pub fn new() -> Self {
        Self::default()
    }

    #[inline(never)]
    fn place(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(own, _)| own.as_str().cmp(key))
    }

    /// What a key stands for.
    pub fn get(&self, key: &str) -> Option<&String> {
        let (_, value) = self.0.get(self.place(key).ok()?)?;
        Some(value)
    }

    /// Whether a key is there.
    pub fn contains_key(&self, key: &str) -> bool {
        self.place(key).is_ok()
    }

    /// Gives a key something else to stand for.
    #[inline(never)]
    pub fn insert(&mut self, key: String, value: String) {
        match self.place(&key) {
            Ok(at) => {
                if let Some((_, own)) = self.0.get_mut(at) {
                    *own = value;
                }
            }
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    /// Gives a key something to stand for, unless it is there.
    pub fn add(&mut self, key: String, value: String) {
        if !self.contains_key(&key) {
            self.insert(key, value);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys and what they stand for.
    pub fn iter(&self) -> std::slice::Iter<'_, (String, String)> {
        self.0.iter()
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.iter().map(|(key, _)| key)
    }

    /// What they stand for.
    pub fn values(&self) -> impl Iterator<Item = &String> {
        self.iter().map(|(_, value)| value)
    }
}

impl IntoIterator for Facts {
    type Item = (String, String);
    type IntoIter = std::vec::IntoIter<(String, String)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Facts {
    type Item = &'a (String, String);
    type IntoIter = std::slice::Iter<'a, (String, String)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<(String, String)> for Facts {
    fn extend<I: IntoIterator<Item = (String, String)>>(&mut self, pairs: I) {
        for (key, value) in pairs {
            self.insert(key, value);
        }
    }
}

impl FromIterator<(String, String)> for Facts {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        let mut facts = Self::new();
        facts.extend(pairs);
        facts
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl Fill for Facts {
    fn fill(&mut self, json: Json<'_>) -> read::Result<()> {
        *self = Self::new();
        json.map("a map", &mut |key, json| {
            self.insert(key.to_owned(), json.read()?);
            Ok(())
        })
    }
}

impl Read for Facts {
    fn blank() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn are_a_map(steps: Vec<(String, u8, bool)>) {
            let (mut map, mut facts) = (BTreeMap::new(), Facts::new());
            for (value, key, is_new) in steps {
                let key = (key % 8).to_string();
                prop_assert_eq!(facts.get(&key), map.get(&key));
                if is_new {
                    map.insert(key.clone(), value.clone());
                    facts.insert(key, value);
                } else {
                    map.entry(key.clone()).or_insert(value.clone());
                    facts.add(key, value);
                }
                prop_assert!(facts.keys().eq(map.keys()) && facts.values().eq(map.values()));
            }
            prop_assert_eq!(write::value(&facts), write::value(&map));
            prop_assert_eq!(&read::lenient::<Facts>(&write::value(&map)).unwrap(), &facts);
            prop_assert_eq!(facts, map.into_iter().collect());
        }
    }
}
