//! One bounded slice of doing what is due (X1), for a cron trigger, an alarm or a start.

use super::run::{Allowance, Drained, drain, is_due};
use super::{Planned, Shelf};
use crate::config::Config;
use crate::error::Result;
use crate::gather::Gather;
use crate::host::Host;
use crate::key::Key;
use crate::read::Read;
use crate::scope::Scope;
use crate::sorted::Set;
use crate::store::{self, Change, Record};
use serde::Serialize;

/// Records read at once.
const PAGE: usize = 200;
/// After looking at this many records a slice ends.
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
#[derive(Debug, Clone, Serialize, Read)]
#[serde(rename_all = "camelCase")]
struct Cursor {
    /// The key with which it goes on.
    from: String,
    /// When the next effect of the users before that may be claimed, ms.
    #[serde(default)]
    next_at: Option<i64>,
}

/// Does what is due, user by user.
pub async fn replay<H: Host>(
    host: &H,
    config: &Config,
    options: ReplayOptions,
) -> Result<Replayed> {
    let begun = store::now(host)?;
    let cursor = store::typed::<Cursor>(store::read(host, cursor_key()).await)?;
    let before = cursor.as_ref().map(|cursor| cursor.value.clone());
    let mut slice = Slice {
        host,
        config,
        attempts: options.limit,
        until: begun.saturating_add_unsigned(options.deadline_ms),
        looked_at: 0,
        sum: Drained::default(),
    };
    let from = before.as_ref().map(|cursor| cursor.from.clone());
    slice.sum.wait(before.and_then(|cursor| cursor.next_at));
    let goes_on = slice.go_on_from(from).await?;
    let sum = slice.sum;
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

/// How a slice passed a user.
enum Passed {
    /// Nothing read of them is due.
    Waits,
    /// All of theirs that was due was tried.
    Drained,
    /// The slice ended before that.
    Cut,
    /// The slice ended before it looked at what was read.
    Stopped,
}

/// A slice in the making.
struct Slice<'a, H> {
    host: &'a H,
    config: &'a Config,
    /// Attempts that are left.
    attempts: usize,
    /// When it ends, ms.
    until: i64,
    looked_at: usize,
    sum: Drained,
}

impl<H: Host> Slice<'_, H> {
    /// Goes through the users; gives the key of the one at whom it stopped, if it did.
    async fn go_on_from(&mut self, from: Option<String>) -> Result<Option<String>> {
        let (first, end) = Shelf::Waiting.all();
        let mut start = from.unwrap_or(first);
        loop {
            let bounds = (start.clone(), end.clone());
            let entries = store::range(self.host, bounds, PAGE, false).await?;
            let is_last = entries.len() < PAGE;
            if let Some(entry) = entries.last() {
                // The least text behind it.
                start = format!("{}\u{20}", entry.key);
            }
            for (scope, records) in by_user(store::decode_all(self.host, entries)) {
                let (first, end) = Shelf::Waiting.of_user(&scope);
                match self.user(&scope, &records).await? {
                    Passed::Waits => {}
                    Passed::Drained => start = start.max(end),
                    Passed::Cut => return Ok(Some(first)),
                    Passed::Stopped => {
                        let next = records.first().map(|record| &record.effect.id);
                        return Ok(next.map(|id| Shelf::Waiting.key(&scope, id)));
                    }
                }
            }
            if is_last {
                return Ok(None);
            }
        }
    }

    /// Does what is due of a user of whom these effects were read, maybe not all of them.
    async fn user(&mut self, scope: &Scope, records: &[Planned]) -> Result<Passed> {
        if self.looked_at >= RECORDS {
            return Ok(Passed::Stopped);
        }
        let now = store::now(self.host)?;
        let mut lanes: Set<&str> = Set::new();
        let effects = records.iter().map(|planned| &planned.effect);
        let heads = effects.filter(|effect| lanes.insert(effect.lane.as_str()));
        let heads: Vec<i64> = heads.map(|effect| effect.next_at).gather();
        let config = &self.config.outbox;
        if !heads.iter().any(|at| is_due(config, *at, now)) {
            self.looked_at += records.len();
            self.sum.remaining += records.len();
            self.sum.wait(heads.into_iter().min());
            return Ok(Passed::Waits);
        }
        if self.attempts == 0 || now >= self.until {
            return Ok(Passed::Cut);
        }
        let allowance = Allowance {
            attempts: self.attempts,
            until: self.until,
        };
        let done = drain(self.host, self.config, scope, None, allowance).await?;
        let attempts = done.done + done.failed + done.dead;
        self.attempts = self.attempts.saturating_sub(attempts);
        self.looked_at += done.done + done.dead + done.remaining;
        self.sum.done += done.done;
        self.sum.failed += done.failed;
        self.sum.dead += done.dead;
        self.sum.remaining += done.remaining;
        if done.is_cut {
            return Ok(Passed::Cut);
        }
        self.sum.wait(done.next_at);
        Ok(Passed::Drained)
    }
}

/// Effects in the order of their keys, apart by user.
fn by_user(records: Vec<Record<Planned>>) -> Vec<(Scope, Vec<Planned>)> {
    let mut users: Vec<(Scope, Vec<Planned>)> = Vec::new();
    for record in records {
        let scope = record.value.scope();
        match users.last_mut() {
            Some((last, of_user)) if *last == scope => of_user.push(record.value),
            _ => users.push((scope, vec![record.value])),
        }
    }
    users
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
        Some(from) => change.put(cursor_key(), &Cursor { from, next_at }),
        None => change.delete(cursor_key()),
    }
    change.commit(host).await.map(drop)
}

fn cursor_key() -> String {
    Key::new("m1").part("replay").build()
}
