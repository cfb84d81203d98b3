//! Reads typed values out of JSON; an error says where.
//!
//! JSON text, requests and what hosts answer are first a [`Tree`]. A type begins as its blank, and one
//! function fills its fields, in the order in which it declares them, by a table of their names and
//! places ([`Read`] derives both). What serde derives reads every type with code of its own, which is
//! four times as much. So
//!
//! - a field that may be missing has a `default`, or is an `Option`;
//! - fields have no `alias`, and structs no `flatten` (see [`crate::message`] for how to do without);
//! - enums have names only; those that carry something are [`tagged`].
//!
//! Requests and configuration are read strictly: a field that no type declares is refused. What was
//! stored or comes from outside may know more than this version.

mod fault;
mod fields;
mod fill;
mod json;
mod number;
mod record;
#[cfg(test)]
mod tests;
mod tree;

pub use fault::Fault;
use fault::Step;
pub(crate) use fields::fields;
pub use fill::{Fill, Read};
pub(crate) use fill::{Given, by_read};
pub(crate) use number::number;
pub(crate) use record::{Record, tagged};
use serde_json::Value;
pub use siltstone_derive::Read;
use tree::Text;
pub use tree::Tree;

pub(crate) type Result<T> = std::result::Result<T, Fault>;

/// Reads a request or a configuration.
pub fn strict<T: Read>(value: &Value) -> Result<T> {
    let mut read = T::blank();
    fill(&mut read, Tree::from(value), true)?;
    Ok(read)
}

/// Reads JSON text.
pub(crate) fn json(text: &str) -> Option<Value> {
    Some(Tree::parse(text).ok()?.into())
}

/// Reads what may have fields that are not known here.
pub fn lenient<T: Read>(value: &Value) -> Result<T> {
    tree(Tree::from(value))
}

/// The same from a tree.
pub(crate) fn tree<T: Read>(tree: Tree<'_>) -> Result<T> {
    let mut read = T::blank();
    fill(&mut read, tree, false)?;
    Ok(read)
}

/// Fills a place of any type.
#[inline(never)]
pub(crate) fn fill(place: &mut dyn Fill, tree: Tree<'_>, is_strict: bool) -> Result<()> {
    place.fill(Json::new(tree, is_strict))
}

fn one<T: Read>(json: Json<'_>) -> Result<T> {
    let mut read = T::blank();
    read.fill(json)?;
    Ok(read)
}

/// What is read.
#[derive(Debug)]
pub struct Json<'a> {
    pub(crate) tree: Tree<'a>,
    is_strict: bool,
}

/// The fields of a struct.
#[derive(Debug)]
pub(crate) struct Shape {
    /// What it is called where something else is found.
    pub(crate) title: &'static str,
    pub(crate) names: &'static [&'static str],
    /// A bit for each field that has to be there.
    pub(crate) required: u64,
}

type Named<'a> = Vec<(Text<'a>, Tree<'a>)>;

impl<'a> Json<'a> {
    fn new(tree: Tree<'a>, is_strict: bool) -> Self {
        Self { tree, is_strict }
    }

    /// Reads it.
    pub(crate) fn read<T: Read>(self) -> Result<T> {
        one(self)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn unexpected(&self, expected: &str) -> Fault {
        Fault::expected("type", &self.tree, expected)
    }

    #[inline(never)]
    fn text(self, expected: &str) -> Result<String> {
        match self.tree {
            Tree::Text(text) => Ok(text.into_owned()),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Reads the items of a list.
    #[inline(never)]
    fn items(
        self,
        expected: &str,
        size: Option<usize>,
        read: &mut dyn FnMut(usize, Json<'_>) -> Result<()>,
    ) -> Result<()> {
        let is_strict = self.is_strict;
        let Tree::List(items) = self.tree else {
            return Err(self.unexpected(expected));
        };
        if size.is_some_and(|size| items.len() != size) {
            let what = format!("invalid length {}, expected {expected}", items.len());
            return Err(Fault::new(what));
        }
        for (at, item) in items.into_iter().enumerate() {
            read(at, Self::new(item, is_strict)).map_err(|fault| fault.within(Step::Item(at)))?;
        }
        Ok(())
    }

    #[inline(never)]
    fn fields(self, expected: &str) -> Result<Named<'a>> {
        match self.tree {
            Tree::Record(fields) => Ok(fields),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Reads the fields of a map, in the order in which they are there.
    #[inline(never)]
    pub(crate) fn map(
        self,
        expected: &str,
        read: &mut dyn FnMut(&str, Json<'_>) -> Result<()>,
    ) -> Result<()> {
        let is_strict = self.is_strict;
        for (name, value) in self.fields(expected)? {
            let read = read(&name, Self::new(value, is_strict));
            read.map_err(|fault| fault.within(Step::Field(name.into_owned())))?;
        }
        Ok(())
    }

    /// Fills the places of the fields.
    #[inline(never)]
    pub(crate) fn record(self, shape: &Shape, places: &mut [&mut dyn Fill]) -> Result<()> {
        let is_strict = self.is_strict;
        let mut fields = self.fields(shape.title)?;
        if is_strict {
            known(&fields, shape.names)?;
        }
        // Where the next field is likely to be.
        let mut near = 0;
        let mut required = shape.required;
        for (name, place) in shape.names.iter().zip(places) {
            let is_it = |(own, _): &(Text<'a>, _)| own == name;
            let at = match fields.get(near).is_some_and(is_it) {
                true => Some(near),
                false => fields.iter().position(is_it),
            };
            if let Some((at, (_, value))) = at.and_then(|at| Some((at, fields.get_mut(at)?))) {
                near = at + 1;
                let json = Self::new(std::mem::take(value), is_strict);
                let fill = place.fill(json);
                fill.map_err(|fault| fault.within(Step::Field((*name).to_owned())))?;
            } else if required & 1 == 1 {
                return Err(Fault::missing_field(name));
            }
            required >>= 1;
        }
        Ok(())
    }

    /// The place of the name among those of an enum.
    #[inline(never)]
    pub(crate) fn variant(self, names: &'static [&'static str]) -> Result<usize> {
        let Tree::Text(text) = &self.tree else {
            return Err(self.unexpected("a string"));
        };
        let place = names.iter().position(|name| name == text);
        place.ok_or_else(|| Fault::unknown("variant", text, names))
    }
}

/// Whether all fields are known.
fn known(fields: &Named<'_>, names: &[&str]) -> Result<()> {
    let unknown = |(name, _): &&(Text<'_>, _)| !names.contains(&name.as_ref());
    match fields.iter().find(unknown) {
        None => Ok(()),
        Some((name, _)) => {
            let fault = Fault::unknown("field", name, names);
            Err(fault.within(Step::Field(name.to_string())))
        }
    }
}
