//! What is taken out: everything of a user but locks and what can be made again, in the order of
//! its keys, a page at a time.

use super::item::{Item, VERSION};
use crate::error::{Error, Result};
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{Entry, Host};
use crate::key::parts;
use crate::marks::Marks;
use crate::read::Read;
use crate::scope::Scope;
use crate::store;
use crate::vector::Stored;
use serde::Serialize;

/// Records in a page unless told.
const PAGE: usize = 200;
/// Records in a page at most.
const MAX_PAGE: usize = 1_000;

/// A page of an export.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exported {
    /// What it holds.
    pub lines: Vec<Item>,
    /// Where the next page begins; none on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Reads a page of everything that is stored of a user. What cannot be read is logged and left out.
pub async fn export<H: Host>(
    host: &H,
    scope: &Scope,
    limit: Option<usize>,
    cursor: Option<&str>,
) -> Result<Exported> {
    scope.check()?;
    let limit = limit.unwrap_or(PAGE);
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::input("limit", "a whole number from 1 to 1000"));
    }
    let mut items = Vec::new();
    let (first, end) = scope.everything();
    let start = match cursor {
        None => {
            items.push(Item::Siltstone {
                version: VERSION,
                exported_at: store::now(host)?,
                tenant: scope.tenant.clone(),
                user: scope.user.clone(),
            });
            first.clone()
        }
        // Right after the last key of the page before, whatever the cursor holds: below the user.
        Some(cursor) => format!("{first}{cursor}\u{20}"),
    };
    if start >= end {
        return Err(Error::input("cursor", "a cursor that an export gave"));
    }
    let entries = store::range(host, (start, end), limit, false).await?;
    let next = entries.last().filter(|_| entries.len() == limit);
    let cursor = next.and_then(|entry| entry.key.strip_prefix(&first));
    let cursor = cursor.map(str::to_owned);
    items.push_all(entries.into_iter().filter_map(|entry| {
        item(&entry)
            .inspect_err(|error| store::warn(host, "corrupt_record", &error.message))
            .ok()
            .flatten()
    }));
    Ok(Exported {
        lines: items,
        cursor,
    })
}

fn item(entry: &Entry) -> Result<Option<Item>> {
    fn read<T: Read>(entry: &Entry) -> Result<T> {
        store::decode(&entry.key, &entry.value)
    }
    let parts = parts(&entry.key).unwrap_or_default();
    let below: Vec<&str> = parts.iter().skip(3).map(String::as_str).gather();
    Ok(match *below {
        ["forgotten", id] => Some(Item::Forgotten {
            id: id.to_owned(),
            tombstone: read(entry)?,
        }),
        ["mark", session, _] => {
            let marks: Marks = read(entry)?;
            marks.done.then(|| Item::Mark {
                session: session.to_owned(),
                at: marks.at,
                items: marks.items,
            })
        }
        ["memory", _] => Some(Item::Memory {
            memory: read(entry)?,
        }),
        ["message", session, number] => number
            .parse()
            .ok()
            .map(|number| {
                Ok::<_, Error>(Item::Message {
                    session: session.to_owned(),
                    number,
                    message: read(entry)?,
                })
            })
            .transpose()?,
        ["question", _] => Some(Item::Question {
            question: read(entry)?,
        }),
        ["session", _] => Some(Item::Session { head: read(entry)? }),
        ["summary", session] => Some(Item::Summary {
            session: session.to_owned(),
            summary: read(entry)?,
        }),
        ["vector", id] => Some(Item::Vector {
            id: id.to_owned(),
            q: read::<Stored>(entry)?.q,
        }),
        _ => None,
    })
}
