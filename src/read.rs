//! Reads typed values out of JSON, every type through the one deserializer here; an error says where.
//!
//! JSON text, requests and what hosts answer are first a [`Tree`]. Fields are handed over in the order
//! in which a type declares them, and enums by the number of the name: that takes far less code for each
//! type than looking at the names of the fields that are there, one after the other. So
//!
//! - a field that may be missing has a `default`, an `Option` as well;
//! - fields have no `alias`, and structs no `flatten` (see [`crate::message`] for how to do without);
//! - enums have names only; those that carry something are [`tagged`].
//!
//! Requests and configuration are read strictly: a field that no type declares is refused. What was
//! stored or comes from outside may know more than this version.

mod fault;
mod fields;
mod json;
mod number;
mod record;
#[cfg(test)]
mod tests;
mod tree;

pub use fault::Fault;
use fault::Step;
pub(crate) use fields::fields;
pub(crate) use number::number;
pub(crate) use record::{record, tagged};
use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected,
    IntoDeserializer, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
    value::U64Deserializer,
};
use serde::forward_to_deserialize_any;
use serde_json::Value;
use tree::Text;
pub(crate) use tree::Tree;

type Result<T> = std::result::Result<T, Fault>;

/// Reads a request or a configuration.
pub fn strict<T: DeserializeOwned>(value: &Value) -> Result<T> {
    T::deserialize(Json::new(Tree::from(value), true))
}

/// Reads JSON text.
pub(crate) fn json(text: &str) -> Option<Value> {
    tree(Tree::parse(text).ok()?).ok()
}

/// Reads what may have fields that are not known here.
pub fn lenient<T: DeserializeOwned>(value: &Value) -> Result<T> {
    tree(Tree::from(value))
}

/// The same from a tree.
pub(crate) fn tree<'a, T: Deserialize<'a>>(tree: Tree<'a>) -> Result<T> {
    T::deserialize(Json::new(tree, false))
}

struct Json<'a> {
    tree: Tree<'a>,
    is_strict: bool,
}

impl<'a> Json<'a> {
    fn new(tree: Tree<'a>, is_strict: bool) -> Self {
        Self { tree, is_strict }
    }

    #[cold]
    #[inline(never)]
    fn unexpected(self, expected: &dyn Expected) -> Fault {
        let found = match &self.tree {
            Tree::Null => Unexpected::Unit,
            Tree::Bool(value) => Unexpected::Bool(*value),
            Tree::Unsigned(value) => Unexpected::Unsigned(*value),
            Tree::Signed(value) => Unexpected::Signed(*value),
            Tree::Float(value) => Unexpected::Float(*value),
            Tree::Text(text) => Unexpected::Str(text),
            Tree::List(_) => Unexpected::Seq,
            Tree::Record(_) => Unexpected::Map,
        };
        Fault::invalid_type(found, expected)
    }

    #[inline(never)]
    fn text(self, expected: &dyn Expected) -> Result<String> {
        match self.tree {
            Tree::Text(text) => Ok(text.into_owned()),
            _ => Err(self.unexpected(expected)),
        }
    }

    #[inline(never)]
    fn list(self, expected: &dyn Expected) -> Result<Parts<'a>> {
        match self.tree {
            Tree::List(items) => Ok(Parts {
                source: Source::List(items.into_iter()),
                at: 0,
                is_strict: self.is_strict,
            }),
            _ => Err(self.unexpected(expected)),
        }
    }

    #[inline(never)]
    fn items(self, size: usize, expected: &dyn Expected) -> Result<Parts<'a>> {
        match &self.tree {
            Tree::List(items) if items.len() != size => Err(Fault::new(format!(
                "invalid length {}, expected {expected}",
                items.len()
            ))),
            _ => self.list(expected),
        }
    }

    #[inline(never)]
    fn fields(self, expected: &dyn Expected) -> Result<Vec<(Text<'a>, Tree<'a>)>> {
        match self.tree {
            Tree::Record(fields) => Ok(fields),
            _ => Err(self.unexpected(expected)),
        }
    }

    #[inline(never)]
    fn record(self, names: &'static [&'static str], expected: &dyn Expected) -> Result<Parts<'a>> {
        let is_strict = self.is_strict;
        let fields = self.fields(expected)?;
        if is_strict {
            let unknown = |(name, _): &&(Text<'a>, _)| !names.contains(&name.as_ref());
            if let Some((name, _)) = fields.iter().find(unknown) {
                let fault = Fault::unknown_field(name, names);
                return Err(fault.within(Step::Field(name.to_string())));
            }
        }
        Ok(Parts {
            source: Source::Record {
                fields,
                names,
                near: 0,
            },
            at: 0,
            is_strict,
        })
    }

    #[inline(never)]
    fn variant(self, names: &'static [&'static str], expected: &dyn Expected) -> Result<usize> {
        let Tree::Text(text) = &self.tree else {
            return Err(self.unexpected(expected));
        };
        let place = names.iter().position(|name| name == text);
        place.ok_or_else(|| Fault::unknown_variant(text, names))
    }
}

/// Numbers of every type are read alike; the visitor checks the range.
macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.tree {
                Tree::Unsigned(value) => visitor.visit_u64(value),
                Tree::Signed(value) => visitor.visit_i64(value),
                Tree::Float(value) => visitor.visit_f64(value),
                _ => Err(self.unexpected(&visitor)),
            }
        }
    )*};
}

macro_rules! texts {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.visit_string(self.text(&"a string")?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Json<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.tree {
            Tree::Null => visitor.visit_unit(),
            Tree::Bool(value) => visitor.visit_bool(value),
            Tree::Unsigned(value) => visitor.visit_u64(value),
            Tree::Signed(value) => visitor.visit_i64(value),
            Tree::Float(value) => visitor.visit_f64(value),
            Tree::Text(text) => visitor.visit_string(text.into_owned()),
            Tree::List(_) => self.deserialize_seq(visitor),
            Tree::Record(_) => self.deserialize_map(visitor),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
    }

    texts! { deserialize_char deserialize_str deserialize_string }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.tree {
            Tree::Bool(value) => visitor.visit_bool(value),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.tree {
            Tree::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut parts = self.list(&visitor)?;
        visitor.visit_seq(&mut parts)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, size: usize, visitor: V) -> Result<V::Value> {
        let mut parts = self.items(size, &visitor)?;
        visitor.visit_seq(&mut parts)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let is_strict = self.is_strict;
        let fields = self.fields(&visitor)?.into_iter();
        visitor.visit_map(&mut Fields {
            fields,
            value: None,
            is_strict,
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let mut parts = self.record(names, &visitor)?;
        let read = visitor.visit_seq(&mut parts);
        read.map_err(|fault| fault.naming(names))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(Variant(self.variant(names, &"a string")?))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { bytes byte_buf unit unit_struct tuple_struct identifier }
}

/// The items of a list, or the fields of a struct in the order in which it declares them.
///
/// One type for both, so that what is read in lists and in structs is compiled once.
struct Parts<'a> {
    source: Source<'a>,
    at: usize,
    is_strict: bool,
}

enum Source<'a> {
    List(std::vec::IntoIter<Tree<'a>>),
    Record {
        fields: Vec<(Text<'a>, Tree<'a>)>,
        names: &'static [&'static str],
        /// Where the next field is likely to be.
        near: usize,
    },
}

impl<'a> Parts<'a> {
    #[inline(never)]
    fn next(&mut self) -> Option<Json<'a>> {
        let at = self.at;
        self.at += 1;
        let tree = match &mut self.source {
            Source::List(items) => items.next()?,
            Source::Record {
                fields,
                names,
                near,
            } => {
                let name = *names.get(at)?;
                let is_it = |(own, _): &(Text<'a>, _)| own == name;
                let place = match fields.get(*near).is_some_and(is_it) {
                    true => *near,
                    false => fields.iter().position(is_it)?,
                };
                *near = place + 1;
                std::mem::take(&mut fields.get_mut(place)?.1)
            }
        };
        Some(Json::new(tree, self.is_strict))
    }

    /// The fault, in the part that was taken last.
    #[cold]
    #[inline(never)]
    fn within(&self, fault: Fault) -> Fault {
        let at = self.at.saturating_sub(1);
        fault.within(match &self.source {
            Source::List(_) => Step::Item(at),
            Source::Record { names, .. } => {
                let name = names.get(at).copied().unwrap_or_default();
                Step::Field(name.to_owned())
            }
        })
    }
}

impl<'de> SeqAccess<'de> for &mut Parts<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(json) = self.next() else {
            return Ok(None);
        };
        match seed.deserialize(json) {
            Ok(read) => Ok(Some(read)),
            Err(fault) => Err(self.within(fault)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        match &self.source {
            Source::List(items) => Some(items.len()),
            Source::Record { .. } => None,
        }
    }
}

/// The fields of a map.
struct Fields<'a> {
    fields: std::vec::IntoIter<(Text<'a>, Tree<'a>)>,
    value: Option<(Text<'a>, Tree<'a>)>,
    is_strict: bool,
}

impl<'de> MapAccess<'de> for &mut Fields<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((name, value)) = self.fields.next() else {
            return Ok(None);
        };
        let key = Json::new(Tree::Text(name.clone()), false);
        self.value = Some((name, value));
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let (name, value) = self.value.take().unwrap_or_default();
        let read = seed.deserialize(Json::new(value, self.is_strict));
        read.map_err(|fault| fault.within(Step::Field(name.into_owned())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.fields.len())
    }
}

/// The variant of this number.
struct Variant(usize);

impl<'de> EnumAccess<'de> for Variant {
    type Error = Fault;
    type Variant = Bare;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Bare)> {
        let number = u64::try_from(self.0).unwrap_or(u64::MAX);
        let number: U64Deserializer<Fault> = number.into_deserializer();
        Ok((seed.deserialize(number)?, Bare))
    }
}

/// A variant carries nothing.
struct Bare;

impl Bare {
    #[cold]
    #[inline(never)]
    fn refused<T>() -> Result<T> {
        Err(Fault::new(
            "invalid type: unit variant, expected one that carries something".to_owned(),
        ))
    }
}

impl<'de> VariantAccess<'de> for Bare {
    type Error = Fault;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value> {
        Self::refused()
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value> {
        Self::refused()
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value> {
        Self::refused()
    }
}
