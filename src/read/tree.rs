//! A JSON value as it is read: texts are borrowed where they can be, and fields keep their order.

use super::json;
use crate::gather::Gather;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

pub(crate) type Text<'a> = Cow<'a, str>;

/// A JSON value.
#[derive(Debug, Default)]
pub enum Tree<'a> {
    #[default]
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(Text<'a>),
    List(Vec<Tree<'a>>),
    Record(Vec<(Text<'a>, Tree<'a>)>),
}

impl<'a> Tree<'a> {
    /// Reads JSON text; the error is from which byte on it is none.
    pub(crate) fn parse(text: &'a str) -> Result<Self, usize> {
        json::parse(text)
    }

    /// Takes a field out of a record.
    pub(crate) fn take(&mut self, name: &str) -> Option<Self> {
        let Self::Record(fields) = self else {
            return None;
        };
        let field = fields.iter_mut().find(|(own, _)| own == name);
        field.map(|(_, value)| std::mem::take(value))
    }
}

impl<'a> From<&'a Value> for Tree<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => Self::Unsigned(value),
                (_, Some(value)) => Self::Signed(value),
                _ => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            Value::Array(items) => Self::List(items.iter().map(Self::from).gather()),
            Value::Object(fields) => {
                let own = |(name, value): (&'a String, &'a Value)| {
                    (Cow::Borrowed(name.as_str()), Self::from(value))
                };
                Self::Record(fields.iter().map(own).gather())
            }
        }
    }
}

impl From<Tree<'_>> for Value {
    fn from(tree: Tree<'_>) -> Self {
        match tree {
            Tree::Null => Self::Null,
            Tree::Bool(value) => value.into(),
            Tree::Unsigned(value) => value.into(),
            Tree::Signed(value) => value.into(),
            Tree::Float(value) => value.into(),
            Tree::Text(text) => Self::String(text.into_owned()),
            Tree::List(items) => Self::Array(items.into_iter().map(Self::from).gather()),
            Tree::Record(fields) => Self::Object(object(fields)),
        }
    }
}

/// One by one: collecting them would sort them first, with code of its own.
#[inline(never)]
pub(super) fn object(fields: Vec<(Text<'_>, Tree<'_>)>) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, value) in fields {
        object.insert(name.into_owned(), value.into());
    }
    object
}

impl<'de> Deserialize<'de> for Tree<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Tree<'de>, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree<'de>, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree<'de>, E> {
        Ok(Tree::Unsigned(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree<'de>, E> {
        Ok(Tree::Signed(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree<'de>, E> {
        Ok(Tree::Float(value))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree<'de>, A::Error> {
        let mut fields = Vec::new();
        // A name is read as a value of its own: that reads it borrowed, and takes no further code.
        while let Some(Tree::Text(name)) = map.next_key()? {
            fields.push((name, map.next_value()?));
        }
        Ok(Tree::Record(fields))
    }
}
