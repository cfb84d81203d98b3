//! A map from names. A map brings some 5 KB of instructions for every type that is in it; here all
//! of them share that of names and places.

use crate::sorted::Map;

/// What names stand for, in the order of the names.
#[derive(Debug, Clone)]
pub struct Table<T> {
    places: Map<String, usize>,
    items: Vec<Option<T>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            places: Map::new(),
            items: Vec::new(),
        }
    }
}

impl<T> Table<T> {
    /// What the name stands for.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.items.get(*self.places.get(name)?)?.as_ref()
    }

    /// What the name stands for, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.items.get_mut(*self.places.get(name)?)?.as_mut()
    }

    /// Gives the name something else to stand for.
    pub fn insert(&mut self, name: String, item: T) {
        let place = place(&mut self.places, name, self.items.len());
        match self.items.get_mut(place) {
            Some(here) => *here = Some(item),
            None => self.items.push(Some(item)),
        }
    }

    /// Takes out what the name stands for.
    pub fn remove(&mut self, name: &str) -> Option<T> {
        self.items.get_mut(*self.places.get(name)?)?.take()
    }

    /// How many names there have been.
    pub fn names(&self) -> usize {
        self.items.len()
    }

    /// The names, each with what it stands for.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &T)> {
        let places = self.places.iter();
        places.filter_map(|(name, place)| Some((name, self.items.get(*place)?.as_ref()?)))
    }

    /// What the names stand for, in their order.
    pub fn into_values(mut self) -> impl Iterator<Item = T> {
        let places = self.places.into_pairs().into_iter();
        places.filter_map(move |(_, place)| self.items.get_mut(place)?.take())
    }
}

impl<T> Extend<(String, T)> for Table<T> {
    fn extend<I: IntoIterator<Item = (String, T)>>(&mut self, pairs: I) {
        for (name, item) in pairs {
            self.insert(name, item);
        }
    }
}

impl<T> FromIterator<(String, T)> for Table<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(pairs: I) -> Self {
        let mut table = Self::default();
        table.extend(pairs);
        table
    }
}

#[inline(never)]
fn place(places: &mut Map<String, usize>, name: String, next: usize) -> usize {
    let mut place = next;
    places.update(name, next, |own| place = *own);
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn is_a_map(steps: Vec<(u8, bool)>) {
            let (mut map, mut table) = (BTreeMap::new(), Table::default());
            for (at, (name, is_in)) in steps.into_iter().enumerate() {
                let name = (name % 8).to_string();
                if is_in {
                    map.insert(name.clone(), at);
                    table.insert(name, at);
                } else {
                    prop_assert_eq!(table.remove(&name), map.remove(&name));
                }
                prop_assert!(table.iter().eq(map.iter()));
            }
            prop_assert_eq!(table.get_mut("3"), map.get_mut("3"));
            prop_assert_eq!(table.get("3"), map.get("3"));
            prop_assert!(table.into_values().eq(map.into_values()));
        }
    }
}
