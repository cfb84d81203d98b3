//! Reads typed values out of JSON values; an error says where.
//!
//! One small deserializer for requests and configuration alike: one that also tells the path, wrapped
//! around a general one, takes twice the code for every type that is read.

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor, value::StringDeserializer,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Number, Value};
use std::fmt::{self, Display};

/// What is wrong, and where: `messages[2].content`, or `.` for the whole.
#[derive(Debug)]
pub struct Fault {
    /// The segments of the path, the last one first.
    steps: Vec<Step>,
    message: String,
}

#[derive(Debug)]
enum Step {
    Field(String),
    Item(usize),
}

type Result<T> = std::result::Result<T, Fault>;

/// Reads a value.
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T> {
    T::deserialize(Json(value))
}

impl Fault {
    /// The path.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Item(at) => path.push_str(&format!("[{at}]")),
                Step::Field(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
            }
        }
        if path.is_empty() {
            path.push('.');
        }
        path
    }

    fn within(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl serde::de::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self {
            steps: Vec::new(),
            message: message.to_string(),
        }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!(
            "invalid type: {}, expected {expected}",
            Shown(found)
        ))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!(
            "invalid value: {}, expected {expected}",
            Shown(found)
        ))
    }
}

/// `null` by its name in JSON.
struct Shown<'a>(Unexpected<'a>);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unexpected::Unit => f.write_str("null"),
            other => other.fmt(f),
        }
    }
}

struct Json(Value);

impl Json {
    fn unexpected(&self, expected: &dyn Expected) -> Fault {
        let found = match &self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => Unexpected::Unsigned(value),
                (_, Some(value)) => Unexpected::Signed(value),
                _ => Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Fault::invalid_type(found, expected)
    }
}

fn number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value> {
    match (number.as_u64(), number.as_i64()) {
        (Some(value), _) => visitor.visit_u64(value),
        (_, Some(value)) => visitor.visit_i64(value),
        _ => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
    }
}

fn list<'de, V: Visitor<'de>>(values: Vec<Value>, visitor: V) -> Result<V::Value> {
    let length = values.len();
    let mut items = Items {
        values: values.into_iter(),
        at: 0,
    };
    let read = visitor.visit_seq(&mut items)?;
    match items.values.len() {
        0 => Ok(read),
        _ => Err(Fault::invalid_length(length, &"fewer elements in array")),
    }
}

fn record<'de, V: Visitor<'de>>(fields: Map<String, Value>, visitor: V) -> Result<V::Value> {
    let length = fields.len();
    let mut fields = Fields {
        fields: fields.into_iter(),
        value: None,
        name: String::new(),
    };
    let read = visitor.visit_map(&mut fields)?;
    match fields.fields.len() {
        0 => Ok(read),
        _ => Err(Fault::invalid_length(length, &"fewer elements in map")),
    }
}

/// Numbers of every type are read alike; the visitor checks the range.
macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match &self.0 {
                Value::Number(value) => number(value, visitor),
                _ => Err(self.unexpected(&visitor)),
            }
        }
    )*};
}

macro_rules! texts {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.0 {
                Value::String(text) => visitor.visit_string(text),
                _ => Err(self.unexpected(&visitor)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Json {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(value) => number(&value, visitor),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(values) => list(values, visitor),
            Value::Object(fields) => record(fields, visitor),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
    }

    texts! { deserialize_char deserialize_str deserialize_string deserialize_identifier }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(value),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Null => visitor.visit_none(),
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
        match self.0 {
            Value::Array(values) => list(values, visitor),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Object(fields) => record(fields, visitor),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.0 {
            Value::Object(fields) => record(fields, visitor),
            Value::Array(values) => list(values, visitor),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let expected = "map with a single key";
        match self.0 {
            Value::String(name) => visitor.visit_enum(Variant { name, value: None }),
            Value::Object(fields) => {
                let mut fields = fields.into_iter();
                match (fields.next(), fields.next()) {
                    (Some((name, value)), None) => visitor.visit_enum(Variant {
                        name,
                        value: Some(value),
                    }),
                    _ => Err(Fault::invalid_value(Unexpected::Map, &expected)),
                }
            }
            _ => Err(self.unexpected(&"string or map")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { bytes byte_buf unit unit_struct tuple tuple_struct }
}

struct Items {
    values: std::vec::IntoIter<Value>,
    at: usize,
}

impl<'de> SeqAccess<'de> for &mut Items {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(value) = self.values.next() else {
            return Ok(None);
        };
        let at = self.at;
        self.at += 1;
        let read = seed.deserialize(Json(value));
        read.map(Some).map_err(|fault| fault.within(Step::Item(at)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len())
    }
}

struct Fields {
    fields: serde_json::map::IntoIter,
    value: Option<Value>,
    name: String,
}

impl Fields {
    fn fault(&mut self, fault: Fault) -> Fault {
        fault.within(Step::Field(std::mem::take(&mut self.name)))
    }
}

impl<'de> MapAccess<'de> for &mut Fields {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((name, value)) = self.fields.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        self.name.clone_from(&name);
        let read = seed.deserialize(StringDeserializer::new(name));
        read.map(Some).map_err(|fault| self.fault(fault))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let value = self.value.take().unwrap_or_default();
        seed.deserialize(Json(value))
            .map_err(|fault| self.fault(fault))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.fields.len())
    }
}

struct Variant {
    name: String,
    value: Option<Value>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Fault;
    type Variant = Content;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content)> {
        let variant = seed.deserialize(StringDeserializer::new(self.name.clone()))?;
        Ok((
            variant,
            Content {
                name: self.name,
                value: self.value,
            },
        ))
    }
}

/// What a variant carries.
struct Content {
    name: String,
    value: Option<Value>,
}

impl Content {
    fn read<T>(self, read: impl FnOnce(Json) -> Result<T>, expected: &str) -> Result<T> {
        match self.value {
            Some(value) => read(Json(value)).map_err(|fault| fault.within(Step::Field(self.name))),
            None => Err(Fault::invalid_type(Unexpected::UnitVariant, &expected)),
        }
    }
}

impl<'de> VariantAccess<'de> for Content {
    type Error = Fault;

    fn unit_variant(self) -> Result<()> {
        match self.value {
            Some(_) => self.read(serde::Deserialize::deserialize, "unit variant"),
            None => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.read(|json| seed.deserialize(json), "newtype variant")
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.read(|json| json.deserialize_seq(visitor), "tuple variant")
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.read(|json| json.deserialize_map(visitor), "struct variant")
    }
}
