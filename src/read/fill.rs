//! What can be filled with what is read, and the types of the language that can.

use super::tree::object;
use super::{Fault, Json, Result, Tree, one};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A place that can be filled with what is read.
pub trait Fill {
    /// Fills it.
    fn fill(&mut self, json: Json<'_>) -> Result<()>;
}

/// A type that can be read: derived for structs and for enums with names only.
pub trait Read: Fill + Sized {
    /// Whether a field of this type may be missing.
    const IS_OPTIONAL: bool = false;

    /// What is filled; nobody sees it as it is.
    fn blank() -> Self;
}

/// Lets serde's formats read what is [`Read`].
macro_rules! by_read {
    ($type:ty) => {
        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                let tree = $crate::read::Tree::deserialize(deserializer)?;
                $crate::read::tree(tree).map_err(::serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use by_read;

/// A place that `null` fills as well, as what is in the `Option`.
pub(crate) struct Given<'p, T>(pub(crate) &'p mut Option<T>);

impl<T: Read> Fill for Given<'_, T> {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        *self.0 = Some(one(json)?);
        Ok(())
    }
}

impl Fill for String {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        *self = json.text("a string")?;
        Ok(())
    }
}

impl Read for String {
    fn blank() -> Self {
        Self::new()
    }
}

impl Fill for bool {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        match json.tree {
            Tree::Bool(value) => *self = value,
            _ => return Err(json.unexpected("a boolean")),
        }
        Ok(())
    }
}

impl Read for bool {
    fn blank() -> Self {
        false
    }
}

/// A whole number within these bounds, as the bits of 64.
#[inline(never)]
fn whole(json: &Json<'_>, least: i64, most: u64, kind: &str) -> Result<u64> {
    match json.tree {
        Tree::Unsigned(value) if value <= most => Ok(value),
        Tree::Signed(value) if least <= value && (value < 0 || value.unsigned_abs() <= most) => {
            Ok(value.cast_unsigned())
        }
        Tree::Unsigned(_) | Tree::Signed(_) => Err(Fault::expected("value", &json.tree, kind)),
        _ => Err(json.unexpected(kind)),
    }
}

macro_rules! wholes {
    ($($type:ident)*) => {$(
        impl Fill for $type {
            fn fill(&mut self, json: Json<'_>) -> Result<()> {
                // What is within the bounds keeps its value.
                let bits = whole(&json, $type::MIN as i64, $type::MAX as u64, stringify!($type))?;
                *self = bits as $type;
                Ok(())
            }
        }

        impl Read for $type {
            fn blank() -> Self {
                0
            }
        }
    )*};
}

wholes! { u8 u16 u32 u64 usize i64 }

impl Fill for f64 {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        *self = match json.tree {
            Tree::Unsigned(value) => value as f64,
            Tree::Signed(value) => value as f64,
            Tree::Float(value) => value,
            _ => return Err(json.unexpected("f64")),
        };
        Ok(())
    }
}

impl Read for f64 {
    fn blank() -> Self {
        0.0
    }
}

impl<T: Read> Fill for Option<T> {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        *self = match json.tree {
            Tree::Null => None,
            _ => Some(one(json)?),
        };
        Ok(())
    }
}

impl<T: Read> Read for Option<T> {
    const IS_OPTIONAL: bool = true;

    fn blank() -> Self {
        None
    }
}

impl<T: Read> Fill for Box<T> {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        self.as_mut().fill(json)
    }
}

impl<T: Read> Read for Box<T> {
    fn blank() -> Self {
        Self::new(T::blank())
    }
}

impl<T: Read> Fill for Vec<T> {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        self.clear();
        json.items("a sequence", None, &mut |_, json| {
            self.push(one(json)?);
            Ok(())
        })
    }
}

impl<T: Read> Read for Vec<T> {
    fn blank() -> Self {
        Self::new()
    }
}

impl<A: Read, B: Read> Fill for (A, B) {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        let size = Some(2);
        json.items("a tuple of size 2", size, &mut |at, json| match at {
            0 => self.0.fill(json),
            _ => self.1.fill(json),
        })
    }
}

impl<A: Read, B: Read> Read for (A, B) {
    fn blank() -> Self {
        (A::blank(), B::blank())
    }
}

impl<T: Read> Fill for BTreeMap<String, T> {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        self.clear();
        json.map("a map", &mut |name, json| {
            self.insert(name.to_owned(), one(json)?);
            Ok(())
        })
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    fn blank() -> Self {
        Self::new()
    }
}

impl Fill for Value {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        *self = json.tree.into();
        Ok(())
    }
}

impl Read for Value {
    fn blank() -> Self {
        Self::Null
    }
}

impl Fill for Map<String, Value> {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        *self = object(json.fields("a map")?);
        Ok(())
    }
}

impl Read for Map<String, Value> {
    fn blank() -> Self {
        Self::new()
    }
}
