//! Lists of what an iterator gives in little code: what `collect` compiles to for each iterator is twice as
//! much, to save a few reallocations.

/// An iterator whose items are gathered in a list.
pub(crate) trait Gather: Iterator + Sized {
    /// The items.
    fn gather(self) -> Vec<Self::Item> {
        let mut items = Vec::new();
        self.for_each(|item| items.push(item));
        items
    }
}

impl<I: Iterator> Gather for I {}

/// A list at whose end the items of an iterator are put.
pub(crate) trait Push<T> {
    /// Puts them there.
    fn push_all(&mut self, items: impl IntoIterator<Item = T>);
}

impl<T> Push<T> for Vec<T> {
    fn push_all(&mut self, items: impl IntoIterator<Item = T>) {
        for item in items {
            self.push(item);
        }
    }
}
