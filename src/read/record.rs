//! Records that a type reads by hand: by a tag, or as the fields of several types.

use super::{Fault, Result, Tree, tree};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Reads a record by the name in its field `tag`: what `read` makes of the name and the other fields.
pub(crate) fn tagged<'de, D: Deserializer<'de>, N: Deserialize<'de>, T>(
    deserializer: D,
    tag: &'static str,
    read: fn(N, Record<'de>) -> Result<T>,
) -> std::result::Result<T, D::Error> {
    let (name, record) = deserializer.deserialize_map(TagVisitor(tag, PhantomData))?;
    read(name, record).map_err(D::Error::custom)
}

struct TagVisitor<N>(&'static str, PhantomData<N>);

impl<'de, N: Deserialize<'de>> Visitor<'de> for TagVisitor<N> {
    type Value = (N, Record<'de>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a record with `{}`", self.0)
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Self::Value, A::Error> {
        let mut name = None;
        let mut fields = Vec::new();
        while let Some(Tree::Text(field)) = map.next_key()? {
            match field == self.0 {
                true => name = Some(map.next_value()?),
                false => fields.push((field, map.next_value()?)),
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field(self.0))?;
        Ok((name, Record(Tree::Record(fields))))
    }
}

/// Reads a record whose fields are those of several types.
pub(crate) fn record<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    read: fn(Record<'de>) -> Result<T>,
) -> std::result::Result<T, D::Error> {
    read(Record(Tree::deserialize(deserializer)?)).map_err(D::Error::custom)
}

/// A record that is read by hand.
pub(crate) struct Record<'a>(Tree<'a>);

impl<'a> Record<'a> {
    /// Reads a field.
    pub(crate) fn field<T: Deserialize<'a>>(&mut self, name: &'static str) -> Result<T> {
        match self.0.take(name) {
            Some(field) => tree(field),
            None => Err(Fault::missing_field(name)),
        }
    }

    /// Reads a field that may be missing.
    pub(crate) fn optional<T: Deserialize<'a> + Default>(&mut self, name: &str) -> Result<T> {
        self.0.take(name).map_or_else(|| Ok(T::default()), tree)
    }

    /// Reads the whole as one type.
    pub(crate) fn whole<T: Deserialize<'a>>(self) -> Result<T> {
        tree(self.0)
    }
}
