//! Records that a type reads by hand: by a tag, or as the fields of several types.

use super::{Fault, Json, Read, Result, Step, Tree, tree};

/// Reads a record by the name in its field `tag`: what `read` makes of the name and the other fields.
/// `expected` is what such a record is called.
pub(crate) fn tagged<N: Read, T>(
    json: Json<'_>,
    tag: &'static str,
    read: fn(N, Record<'_>) -> Result<T>,
) -> Result<T> {
    let (name, record) = split(json, tag)?;
    let name = tree(name).map_err(|fault| fault.within(Step::Field(tag.to_owned())))?;
    read(name, record).map_err(Fault::whole)
}

/// The name, and the record.
#[inline(never)]
fn split<'a>(json: Json<'a>, tag: &'static str) -> Result<(Tree<'a>, Record<'a>)> {
    let mut fields = match json.tree {
        Tree::Record(fields) => Tree::Record(fields),
        _ => return Err(json.unexpected(&format!("a record with `{tag}`"))),
    };
    let name = fields.take(tag).ok_or_else(|| Fault::missing_field(tag))?;
    Ok((name, Record(fields)))
}

/// A record that is read by hand.
pub(crate) struct Record<'a>(Tree<'a>);

impl<'a> Record<'a> {
    /// What is read.
    pub(crate) fn of(json: Json<'a>) -> Self {
        Self(json.tree)
    }

    /// Reads a field.
    pub(crate) fn field<T: Read>(&mut self, name: &'static str) -> Result<T> {
        match self.0.take(name) {
            Some(field) => tree(field),
            None => Err(Fault::missing_field(name)),
        }
    }

    /// Reads a field that may be missing.
    pub(crate) fn optional<T: Read + Default>(&mut self, name: &str) -> Result<T> {
        self.0.take(name).map_or_else(|| Ok(T::default()), tree)
    }

    /// Reads the whole as one type.
    pub(crate) fn whole<T: Read>(self) -> Result<T> {
        tree(self.0)
    }
}
