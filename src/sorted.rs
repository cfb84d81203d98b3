//! Maps and sets in a sorted list: a tenth of the code that a tree takes for every type in it. For
//! the few thousand items that any of them holds, a list is as fast.

mod facts;
mod names;

pub use facts::Facts;
pub use names::Names;
use serde::{Serialize, Serializer};
use std::borrow::Borrow;

/// A map; its keys are in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map<K, V>(Vec<(K, V)>);

/// A set; its items are in order.
pub type Set<T> = Map<T, ()>;

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> Map<K, V> {
    /// Without anything in it.
    pub fn new() -> Self {
        Self::default()
    }

    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        let ends_before = |(last, _): &(K, V)| last.borrow() < key;
        // What comes in order need not be looked for.
        match self.0.last().is_none_or(ends_before) {
            true => Err(self.0.len()),
            false => self.0.binary_search_by(|(own, _)| own.borrow().cmp(key)),
        }
    }

    /// What a key stands for.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (_, value) = self.0.get(self.place(key).ok()?)?;
        Some(value)
    }

    /// Whether a key is there.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// Changes what a key stands for, at first this value.
    pub fn update(&mut self, key: K, first: V, change: impl FnOnce(&mut V)) {
        let at = match self.place(&key) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (key, first));
                at
            }
        };
        if let Some((_, value)) = self.0.get_mut(at) {
            change(value);
        }
    }

    /// Takes a key out; whether it was there.
    pub fn remove(&mut self, key: &K) -> bool {
        let place = self.place(key);
        if let Ok(at) = place {
            self.0.remove(at);
        }
        place.is_ok()
    }

    /// The last key.
    pub fn last(&self) -> Option<&K> {
        self.0.last().map(|(key, _)| key)
    }

    /// Takes the last key out.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is there.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys and what they stand for.
    pub fn iter(&self) -> std::slice::Iter<'_, (K, V)> {
        self.0.iter()
    }

    /// The same by value.
    pub fn into_pairs(self) -> Vec<(K, V)> {
        self.0
    }
}

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<T: Ord> Set<T> {
    /// Puts an item in; whether it was not there.
    pub fn insert(&mut self, item: T) -> bool {
        let before = self.len();
        self.update(item, (), |()| {});
        self.len() > before
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        for (key, value) in pairs {
            match self.place(&key) {
                Ok(at) => {
                    if let Some((_, own)) = self.0.get_mut(at) {
                        *own = value;
                    }
                }
                Err(at) => self.0.insert(at, (key, value)),
            }
        }
    }
}

/// A map of these pairs; the last of a key counts.
pub fn map<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> Map<K, V> {
    let mut map = Map::new();
    map.extend(pairs);
    map
}

/// A set of these items.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> Set<T> {
    map(items.into_iter().map(|item| (item, ())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn is_a_map(steps: Vec<(u8, u8)>) {
            let (mut tree, mut map) = (BTreeMap::new(), Map::new());
            for (at, (key, step)) in steps.into_iter().enumerate() {
                let key = key % 16;
                match step % 4 {
                    0 => prop_assert_eq!(map.remove(&key), tree.remove(&key).is_some()),
                    1 => {
                        *tree.entry(key).or_insert(at) += 1;
                        map.update(key, at, |value| *value += 1);
                    }
                    _ => {
                        tree.insert(key, at);
                        map.extend([(key, at)]);
                    }
                }
                prop_assert_eq!(map.get(&key), tree.get(&key));
                prop_assert_eq!(map.last(), tree.last_key_value().map(|(key, _)| key));
                prop_assert_eq!(map.len(), tree.len());
                prop_assert!(map.iter().map(|(key, value)| (key, value)).eq(tree.iter()));
            }
            map.pop();
            tree.pop_last();
            prop_assert_eq!(map.into_pairs(), tree.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn is_a_set(items: Vec<String>) {
            let mut own = Set::new();
            let tree: std::collections::BTreeSet<&str> = items.iter().map(String::as_str).collect();
            let new = items.iter().filter(|item| own.insert(item.as_str())).count();
            prop_assert_eq!(new, tree.len());
            prop_assert!(items.iter().all(|item| own.contains(item.as_str())));
            prop_assert!(set(items.iter()).iter().map(|(item, ())| item.as_str()).eq(tree));
        }
    }
}
