//! How deep a request may nest: what is stored must be readable again, and reading stops at 128.

use crate::error::{Error, Result};
use crate::gather::Push;
use serde_json::Value;

/// Objects and arrays within one another at most, the request itself included.
pub const MAX_DEPTH: usize = 64;

/// Refuses what nests deeper.
pub fn check(value: &Value) -> Result<()> {
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        let inner = depth + 1;
        match value {
            Value::Array(items) => open.push_all(items.iter().map(|item| (item, inner))),
            Value::Object(fields) => open.push_all(fields.values().map(|field| (field, inner))),
            _ => continue,
        }
        if depth > MAX_DEPTH {
            return Err(Error::input(
                ".",
                format!("at most {MAX_DEPTH} levels of nesting"),
            ));
        }
    }
    Ok(())
}
