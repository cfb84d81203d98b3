//! Taking messages out of a session: single ones, or all of them.
//!
//! Numbers of messages are never used again: each removal takes one for itself. So a cache or a mark
//! that knows an older state of the session can not be mistaken for one of today.

use crate::config::Config;
use crate::error::{Error, Result};
use crate::gather::Push;
use crate::history::SessionHead;
use crate::host::{Commit, Host};
use crate::scope::{Scope, Session, check_id};
use crate::sorted::Set;
use crate::store::{self, Attempts, Change, Record};
use serde::Serialize;

/// What `removeMessages` did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Removed {
    /// Ids of the messages that were there, in the order of the request.
    pub removed: Vec<String>,
}

/// What `clearSession` did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Cleared {
    /// How many messages were there.
    pub removed: u64,
}

/// Removes the messages of these ids, all of them or none; ids that are not there are left out.
pub async fn remove<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    ids: &[String],
) -> Result<Removed> {
    let session = scope.session()?;
    let limit = config.history.max_append;
    if ids.len() > limit {
        return Err(Error::too_large("ids", ids.len(), limit, "messages"));
    }
    for (index, id) in ids.iter().enumerate() {
        check_id(&format!("ids[{index}]"), id)?;
    }
    let now = store::now(host)?;
    let mut keys = vec![session.head_key()];
    keys.push_all(ids.iter().map(|id| session.message_id_key(id)));
    let mut attempts = Attempts::default();
    loop {
        let mut entries = store::get(host, &keys).await?.into_iter();
        let Some(head) = entries.next().flatten() else {
            return Ok(Removed::default());
        };
        let head: Record<SessionHead> = store::record(head)?;
        let mut change = Change::new();
        let mut seen = Set::new();
        let mut removed = Vec::new();
        for (id, entry) in ids.iter().zip(entries) {
            let Some(entry) = entry.filter(|_| seen.insert(id.as_str())) else {
                continue;
            };
            change.delete(session.message_key(store::record(entry)?.value));
            change.delete(session.message_id_key(id));
            removed.push(id.clone());
        }
        if removed.is_empty() {
            return Ok(Removed::default());
        }
        let taken = u64::try_from(removed.len()).unwrap_or(u64::MAX);
        let next = SessionHead {
            removed: head.value.removed.saturating_add(taken),
            ..head.value.clone()
        };
        if commit(host, &session, &head, next, now, change).await? {
            forget_cached(host, config, &session, &["messages"]).await;
            return Ok(Removed { removed });
        }
        attempts.lost("the session")?;
    }
}

/// Removes all messages of the session and its summary. Memories that were learnt from them stay.
pub async fn clear<H: Host>(host: &H, config: &Config, scope: &Scope) -> Result<Cleared> {
    let session = scope.session()?;
    let now = store::now(host)?;
    let mut attempts = Attempts::default();
    loop {
        let Some(head) = store::typed::<SessionHead>(store::read(host, session.head_key()).await)?
        else {
            return Ok(Cleared::default());
        };
        let removed = head.value.messages();
        if removed == 0 {
            return Ok(Cleared::default());
        }
        let mut change = Change::new();
        for bounds in [session.messages(), session.message_ids(), session.marks()] {
            for entry in store::range(host, bounds, usize::MAX, false).await? {
                change.delete(entry.key);
            }
        }
        change.delete(session.summary_key());
        let below = head.value.next.saturating_add(1);
        let next = SessionHead {
            judged_below: below,
            summarized_below: below,
            removed: head.value.next,
            ..head.value.clone()
        };
        if commit(host, &session, &head, next, now, change).await? {
            forget_cached(host, config, &session, &["messages", "summary"]).await;
            return Ok(Cleared { removed });
        }
        attempts.lost("the session")?;
    }
}

/// Writes the head with one number more, which nothing has, and everything else of the change.
async fn commit<H: Host>(
    host: &H,
    session: &Session<'_>,
    head: &Record<SessionHead>,
    next: SessionHead,
    now: i64,
    mut change: Change,
) -> Result<bool> {
    change.check_read(head);
    let next = SessionHead {
        next: next.next.saturating_add(1),
        removed: next.removed.saturating_add(1),
        updated_at: now,
        ..next
    };
    change.put(session.head_key(), &next);
    Ok(matches!(change.commit(host).await?, Commit::Done))
}

/// Takes the text out of the hot cache too: it is read where the store is down.
async fn forget_cached<H: Host>(host: &H, config: &Config, session: &Session<'_>, what: &[&str]) {
    for what in what {
        let key = session.cache_key(what);
        if let Err(error) = host.cache_put(&key, "", config.history.cache_ttl_ms).await {
            store::warn(host, "cache_failed", &error.0);
        }
    }
}
