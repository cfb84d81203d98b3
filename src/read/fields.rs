//! Types that several kinds of record share, each with some of the fields.

use super::{Fault, Json, Read, Result, Tree, known, one};
use serde_json::Value;

/// Reads a record that has these fields, strictly, as a type that has more: the others count as
/// missing. The nullable ones may be `null` where they are not required.
pub(crate) fn fields<T: Read>(
    value: &Value,
    names: &'static [&'static str],
    required: &[&str],
    nullable: &[&str],
) -> Result<T> {
    let (record, missing) = split(value, names, required, nullable)?;
    let read = one(Json::new(record, true))?;
    match missing {
        Some(name) => Err(Fault::missing_field(name)),
        None => Ok(read),
    }
}

/// The record up to the first field that it lacks: what is wrong before that is told first.
fn split<'a>(
    value: &'a Value,
    names: &'static [&'static str],
    required: &[&str],
    nullable: &[&str],
) -> Result<(Tree<'a>, Option<&'static str>)> {
    let mut fields = Json::new(Tree::from(value), true).fields("a record")?;
    known(&fields, names)?;
    let is_there = |name: &str| fields.iter().any(|(own, _)| own == name);
    let missing = names
        .iter()
        .position(|name| required.contains(name) && !is_there(name));
    let before = names.get(..missing.unwrap_or(names.len()));
    let before = before.unwrap_or_default();
    fields.retain(|(name, value)| {
        let name = name.as_ref();
        let may_be_null = nullable.contains(&name) && !required.contains(&name);
        before.contains(&name) && !(may_be_null && matches!(value, Tree::Null))
    });
    let missing = missing.and_then(|at| names.get(at).copied());
    Ok((Tree::Record(fields), missing))
}
