//! What people see of the outbox, and what they do about dead letters (X2).

use super::{Planned, Shelf};
use crate::error::{Code, Error, Result};
use crate::gather::Gather;
use crate::host::{Commit, Host};
use crate::scope::Scope;
use crate::store::{self, Attempts, Change, Record};
use crate::write;
use serde::Serialize;

/// Dead letters that one call takes up again at most.
const REDRIVEN: usize = 500;

/// A page of effects, the oldest of a user first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Page {
    /// The effects.
    pub effects: Vec<Planned>,
    /// Where to go on, if there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// How many dead letters are to be tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Redriven {
    /// Those that this call took up.
    pub redriven: usize,
    /// Whether there are no more.
    pub is_done: bool,
}

fn bounds(shelf: Shelf, scope: Option<&Scope>) -> Result<(String, String)> {
    match scope {
        Some(scope) => scope.check().map(|()| shelf.of_user(scope)),
        None => Ok(shelf.all()),
    }
}

/// Reads effects of a user, or of all.
pub async fn list<H: Host>(
    host: &H,
    shelf: Shelf,
    scope: Option<&Scope>,
    limit: usize,
    cursor: Option<&str>,
) -> Result<Page> {
    let (mut start, end) = bounds(shelf, scope)?;
    if let Some(cursor) = cursor {
        if !(start.as_str()..end.as_str()).contains(&cursor) {
            return Err(Error::input("cursor", "the cursor of an earlier page"));
        }
        // The least text behind it.
        start = format!("{cursor}\u{20}");
    }
    let mut entries = store::range(host, (start, end), limit.saturating_add(1), false).await?;
    let is_more = entries.len() > limit;
    entries.truncate(limit);
    let cursor = entries
        .last()
        .filter(|_| is_more)
        .map(|last| last.key.clone());
    let records: Vec<Record<Planned>> = store::decode_all(host, entries);
    let effects = records.into_iter().map(|record| record.value);
    Ok(Page {
        effects: effects.gather(),
        cursor,
    })
}

/// Takes dead letters up again: one of a user, all of a user, or all.
pub async fn redrive<H: Host>(
    host: &H,
    scope: Option<&Scope>,
    id: Option<&str>,
) -> Result<Redriven> {
    let now = store::now(host)?;
    let entries = match (scope, id) {
        (Some(scope), Some(id)) => vec![find(host, Shelf::Dead, scope, id).await?],
        (None, Some(_)) => {
            return Err(Error::input("scope", "the user whom the effect is about"));
        }
        (_, None) => {
            let bounds = bounds(Shelf::Dead, scope)?;
            let entries = store::range(host, bounds, REDRIVEN + 1, false).await?;
            store::decode_all(host, entries)
        }
    };
    let mut done = Redriven {
        redriven: 0,
        is_done: entries.len() <= REDRIVEN,
    };
    for record in entries.into_iter().take(REDRIVEN) {
        let mut planned = record.value.clone();
        planned.died_at = None;
        planned.effect.attempts = 0;
        planned.effect.next_at = now;
        let key = Shelf::Waiting.key(&planned.scope(), &planned.effect.id);
        let mut change = Change::new();
        change.check_read(&record);
        change.delete(record.key);
        change.put(key, &planned);
        // Whoever came first has taken it up or discarded it.
        done.redriven += usize::from(change.commit(host).await? == Commit::Done);
    }
    Ok(done)
}

/// Gives an effect up for good, a dead letter or one that still waits.
pub async fn discard<H: Host>(host: &H, scope: &Scope, id: &str) -> Result<Planned> {
    let mut attempts = Attempts::default();
    loop {
        let dead = find(host, Shelf::Dead, scope, id).await;
        let record = match dead {
            Err(error) if error.code == Code::NotFound => {
                find(host, Shelf::Waiting, scope, id).await?
            }
            found => found?,
        };
        let mut change = Change::new();
        change.check_read(&record);
        change.delete(record.key);
        if change.commit(host).await? == Commit::Done {
            return Ok(record.value);
        }
        attempts.lost("the effect")?;
    }
}

async fn find<H: Host>(host: &H, shelf: Shelf, scope: &Scope, id: &str) -> Result<Record<Planned>> {
    scope.check()?;
    crate::scope::check_id("id", id)?;
    let found = store::typed::<Planned>(store::read(host, shelf.key(scope, id)).await)?;
    found.ok_or_else(|| {
        Error::new(Code::NotFound, format!("no effect `{id}` of this user"))
            .with_path("id")
            .with_details(write::record(&[("id", &id)]))
    })
}
