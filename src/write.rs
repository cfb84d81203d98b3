//! Writes typed values as JSON, every type through the one serializer here. What JavaScript gets, and
//! what is needed as a [`Value`], goes through the text too: a second serializer would take the code for
//! every type that is written once more.

use crate::{decimal, read};
use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Value;
use siltstone_kernels::plain;
use std::fmt::{self, Display, Write as _};

#[cfg(test)]
mod tests;

/// The largest whole number up to which JavaScript knows every one.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// A value as compact JSON.
pub fn text<T: Serialize + ?Sized>(value: &T) -> String {
    Writer::of(value).text
}

/// A number as people write it: a whole one without a point.
pub(crate) fn number(number: f64) -> String {
    let text = text(&number);
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A value as a tree of JSON.
pub(crate) fn value<T: Serialize + ?Sized>(value: &T) -> Value {
    // What was written here can be read.
    read::json(&text(value)).unwrap_or_default()
}

/// A record of these fields: less code than a macro that sets one after the other.
pub(crate) fn record(fields: &[(&str, &dyn Field)]) -> Value {
    read::json(&Writer::record(fields).text).unwrap_or_default()
}

/// What a field may hold.
pub(crate) trait Field {
    fn write(&self, writer: &mut Writer);
}

impl<T: Serialize + ?Sized> Field for T {
    fn write(&self, writer: &mut Writer) {
        writer.add(self);
    }
}

/// JSON in the making.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) text: String,
    /// Whether it holds a whole number that JavaScript's numbers cannot.
    pub(crate) is_beyond_js: bool,
}

impl Writer {
    /// Goes on behind this text.
    pub(crate) fn after(text: String) -> Self {
        Self {
            text,
            is_beyond_js: false,
        }
    }

    pub(crate) fn of<T: Serialize + ?Sized>(value: &T) -> Self {
        let mut writer = Self::default();
        writer.add(value);
        writer
    }

    /// A record of these fields.
    pub(crate) fn record(fields: &[(&str, &dyn Field)]) -> Self {
        let mut writer = Self::default();
        writer.text.push('{');
        for (name, value) in fields {
            writer.field(name);
            value.write(&mut writer);
        }
        writer.text.push('}');
        writer
    }

    pub(crate) fn add<T: Serialize + ?Sized>(&mut self, value: &T) {
        // None of the types written here refuses.
        let _ = value.serialize(self);
    }

    /// What stands between an item and what is before it.
    #[inline(never)]
    fn next(&mut self) {
        if !matches!(self.text.as_bytes().last(), Some(b'[' | b'{')) {
            self.text.push(',');
        }
    }

    #[inline(never)]
    fn field(&mut self, name: &str) {
        self.next();
        self.string(name);
        self.text.push(':');
    }

    #[inline(never)]
    fn open(&mut self, open: &str, close: &'static str) -> Open<'_> {
        self.text.push_str(open);
        Open {
            writer: self,
            close,
        }
    }

    #[inline(never)]
    fn string(&mut self, text: &str) {
        self.text.push('"');
        let mut rest = text;
        // All of them are ASCII: the text can be cut there.
        loop {
            let (before, special) = rest.split_at(plain(rest.as_bytes()));
            self.text.push_str(before);
            let mut chars = special.chars();
            let Some(special) = chars.next() else { break };
            self.escape(special);
            rest = chars.as_str();
        }
        self.text.push('"');
    }

    fn escape(&mut self, special: char) {
        let letter = match special {
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{c}' => 'f',
            '\r' => 'r',
            '"' | '\\' => special,
            _ => {
                let _ = write!(self.text, "\\u{:04x}", u32::from(special));
                return;
            }
        };
        self.text.push('\\');
        self.text.push(letter);
    }

    #[inline(never)]
    fn whole(&mut self, is_negative: bool, size: u64) {
        self.is_beyond_js |= size > MAX_SAFE;
        if is_negative {
            self.text.push('-');
        }
        self.text.push_str(&size.to_string());
    }

    /// The shortest digits that give the number again, laid out as serde_json does.
    #[inline(never)]
    fn float(&mut self, number: f64) {
        if !number.is_finite() {
            self.text.push_str("null");
            return;
        }
        let size = number.abs();
        if number.is_sign_negative() {
            self.text.push('-');
        }
        let (digits, power) = match size {
            0.0 => (0, 0),
            _ => decimal::shortest(size),
        };
        let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
        let mut digits = digits.to_string();
        // How many digits are before the point.
        let mut point = digits.len() as i32 + power;
        let mut tail = String::new();
        if size == 0.0 || (1e-5..1e16).contains(&size) {
            digits = zeros(1 - point) + &digits + &zeros(power + 1);
            point = point.max(1);
        } else {
            let sign = if size < 1.0 { "" } else { "+" };
            tail = format!("e{sign}{}", point - 1);
            point = 1;
        }
        let (whole, part) = digits.split_at_checked(point as usize).unwrap_or_default();
        self.text.push_str(whole);
        if !part.is_empty() {
            self.text.push('.');
            self.text.push_str(part);
        }
        self.text.push_str(&tail);
    }
}

/// No type refuses to be written: this is never made.
#[derive(Debug)]
pub(crate) struct Refused;

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not to be written as JSON")
    }
}

impl std::error::Error for Refused {}

impl serde::ser::Error for Refused {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

type Result<T = ()> = std::result::Result<T, Refused>;

macro_rules! numbers {
    ($($method:ident($type:ty) $value:ident => $size:expr, $is_negative:expr;)*) => {$(
        fn $method(self, $value: $type) -> Result {
            self.whole($is_negative, $size);
            Ok(())
        }
    )*};
}

impl<'a> Serializer for &'a mut Writer {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Open<'a>;
    type SerializeTuple = Open<'a>;
    type SerializeTupleStruct = Open<'a>;
    type SerializeTupleVariant = Open<'a>;
    type SerializeMap = Open<'a>;
    type SerializeStruct = Open<'a>;
    type SerializeStructVariant = Open<'a>;

    numbers! {
        serialize_i8(i8) value => value.unsigned_abs().into(), value < 0;
        serialize_i16(i16) value => value.unsigned_abs().into(), value < 0;
        serialize_i32(i32) value => value.unsigned_abs().into(), value < 0;
        serialize_i64(i64) value => value.unsigned_abs(), value < 0;
        serialize_u8(u8) value => value.into(), false;
        serialize_u16(u16) value => value.into(), false;
        serialize_u32(u32) value => value.into(), false;
        serialize_u64(u64) value => value, false;
    }

    fn serialize_bool(self, value: bool) -> Result {
        self.text.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result {
        self.float(value);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result {
        self.string(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result {
        self.text.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result {
        self.string(name);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result {
        self.text.push('{');
        self.field(name);
        value.serialize(&mut *self)?;
        self.text.push('}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Open<'a>> {
        Ok(self.open("[", "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Open<'a>> {
        Ok(self.open("[", "]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Open<'a>> {
        Ok(self.open("[", "]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Open<'a>> {
        self.text.push('{');
        self.field(name);
        Ok(self.open("[", "]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Open<'a>> {
        Ok(self.open("{", "}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Open<'a>> {
        Ok(self.open("{", "}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Open<'a>> {
        self.text.push('{');
        self.field(name);
        Ok(self.open("{", "}}"))
    }
}

/// A list or a record in the making.
pub(crate) struct Open<'a> {
    writer: &'a mut Writer,
    close: &'static str,
}

impl Open<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        self.writer.next();
        value.serialize(&mut *self.writer)
    }

    fn named<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result {
        self.writer.field(name);
        value.serialize(&mut *self.writer)
    }

    fn done(self) -> Result {
        self.writer.text.push_str(self.close);
        Ok(())
    }
}

macro_rules! lists {
    ($($kind:ident $method:ident)*) => {$(
        impl $kind for Open<'_> {
            type Ok = ();
            type Error = Refused;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
                self.item(value)
            }

            fn end(self) -> Result {
                self.done()
            }
        }
    )*};
}

lists! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! records {
    ($($kind:ident)*) => {$(
        impl $kind for Open<'_> {
            type Ok = ();
            type Error = Refused;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result {
                self.named(name, value)
            }

            fn end(self) -> Result {
                self.done()
            }
        }
    )*};
}

records! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Open<'_> {
    type Ok = ();
    type Error = Refused;

    /// The names of all maps are texts.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result {
        self.item(name)?;
        self.writer.text.push(':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result {
        self.done()
    }
}
