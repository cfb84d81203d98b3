//! One bounded slice of doing what is due (X1), for a cron trigger, an alarm or a start.

use super::run::{Allowance, Drained, drain};
use super::{Planned, Shelf};
use crate::config::Config;
use crate::error::Result;
use crate::host::Host;
use crate::key::Key;
use crate::store::{self, Change, Record};
use serde::{Deserialize, Serialize};

/// Records looked at in one slice at most, but for the last user's.
const RECORDS: usize = 5_000;

/// How much one slice does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Attempts at most.
    pub limit: usize,
    /// No attempt begins after this time, ms.
    pub deadline_ms: u64,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self {
            limit: 100,
            deadline_ms: 20_000,
        }
    }
}

/// What a slice did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replayed {
    /// Effects that are done.
    pub done: usize,
    /// Attempts that failed and are made again later.
    pub failed: usize,
    /// Effects that became dead letters.
    pub dead: usize,
    /// Effects that this slice looked at and that are still to be done.
    pub remaining: usize,
    /// Whether nothing that is due is left.
    pub is_done: bool,
    /// When to call again, ms: at once unless it is done; absent when nothing remains.
    pub next_run_at: Option<i64>,
}

/// Where the next slice goes on.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cursor {
    /// The first key of the user with whom it goes on.
    from: String,
    /// When the next effect of the users before that may be claimed, ms.
    next_at: Option<i64>,
}

/// Does what is due, user by user.
pub async fn replay<H: Host>(
    host: &H,
    config: &Config,
    options: ReplayOptions,
) -> Result<Replayed> {
    let begun = store::now(host)?;
    let cursor = store::read::<H, Cursor>(host, &cursor_key()).await?;
    let (first, end) = Shelf::Waiting.all();
    let before = cursor.as_ref().map(|cursor| cursor.value.clone());
    let mut start = before.as_ref().map_or(first, |cursor| cursor.from.clone());
    let until = begun.saturating_add_unsigned(options.deadline_ms);
    let mut sum = Drained::default();
    sum.wait(before.and_then(|cursor| cursor.next_at));
    let mut looked_at = 0;
    let goes_on = loop {
        let next = store::range(host, (start.clone(), end.clone()), 1, false).await?;
        let Some(entry) = next.into_iter().next() else {
            break None;
        };
        let attempts = sum.done + sum.failed + sum.dead;
        if attempts >= options.limit || looked_at >= RECORDS || store::now(host)? >= until {
            break Some(start);
        }
        let key = entry.key.clone();
        let scope = match store::record::<Planned>(entry) {
            Ok(record) => record.value.scope(),
            Err(error) => {
                store::warn(host, "corrupt_record", &error.message);
                // The least text behind it.
                start = format!("{key}\u{20}");
                continue;
            }
        };
        let allowance = Allowance {
            attempts: options.limit - attempts,
            until,
        };
        let of_user = drain(host, config, &scope, None, allowance).await?;
        looked_at += of_user.done + of_user.dead + of_user.remaining;
        sum.done += of_user.done;
        sum.failed += of_user.failed;
        sum.dead += of_user.dead;
        sum.remaining += of_user.remaining;
        if of_user.is_cut {
            break Some(start);
        }
        sum.wait(of_user.next_at);
        start = Shelf::Waiting.of_user(&scope).1;
    };
    let is_done = goes_on.is_none();
    go_on(host, cursor.as_ref(), goes_on, sum.next_at).await?;
    Ok(Replayed {
        done: sum.done,
        failed: sum.failed,
        dead: sum.dead,
        remaining: sum.remaining,
        is_done,
        next_run_at: if is_done { sum.next_at } else { Some(begun) },
    })
}

/// A slice that ran at the same time may have moved the cursor: then its place counts.
async fn go_on<H: Host>(
    host: &H,
    cursor: Option<&Record<Cursor>>,
    from: Option<String>,
    next_at: Option<i64>,
) -> Result<()> {
    if cursor.is_none() && from.is_none() {
        return Ok(());
    }
    let mut change = Change::new();
    change.check(cursor_key(), cursor);
    match from {
        Some(from) => change.put(cursor_key(), &Cursor { from, next_at })?,
        None => change.delete(cursor_key()),
    }
    change.commit(host).await.map(drop)
}

fn cursor_key() -> String {
    Key::new("m1").part("replay").build()
}
