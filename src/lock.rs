//! One consolidation per session at a time (E1): a lock with an owner and an expiry.

use crate::error::Result;
use crate::host::{Commit, Host};
use crate::read::Read;
use crate::scope::Session;
use crate::store::{self, Change, Record};
use serde::Serialize;

/// Who holds a session, and until when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "camelCase")]
pub struct Lease {
    /// The owner's token.
    pub owner: String,
    /// When the lock may be taken over, ms.
    pub expires_at: i64,
}

/// A lock that this call holds. Commits check it, so that an owner that comes late writes nothing.
#[derive(Debug)]
pub struct Held(Record<Lease>);

impl Held {
    /// Makes a change valid only while the lock is still this owner's.
    pub fn guard(&self, change: &mut Change) {
        change.check_read(&self.0);
    }

    /// Whether the lock is still this owner's.
    pub async fn is_current<H: Host>(&self, host: &H) -> Result<bool> {
        let lease = store::typed::<Lease>(store::read(host, self.0.key.clone()).await)?;
        Ok(lease.is_some_and(|lease| lease.value.owner == self.0.value.owner))
    }

    /// The owner's token.
    pub fn owner(&self) -> &str {
        &self.0.value.owner
    }
}

/// Takes the lock; none when another owner holds it.
pub async fn acquire<H: Host>(
    host: &H,
    session: &Session<'_>,
    lock_ms: u64,
) -> Result<Option<Held>> {
    let key = session.lock_key();
    let now = store::now(host)?;
    let current = store::typed::<Lease>(store::read(host, key.clone()).await)?;
    // What expires later than clocks differ was taken before the clock was set back: its owner, if it still
    // lives, writes nothing once the lock is another's.
    let longest = now.saturating_add_unsigned(lock_ms.saturating_mul(2));
    let is_held = |lease: &Lease| lease.expires_at > now && lease.expires_at <= longest;
    if current.as_ref().is_some_and(|held| is_held(&held.value)) {
        return Ok(None);
    }
    let lease = Lease {
        owner: store::new_id(host)?,
        expires_at: now.saturating_add_unsigned(lock_ms),
    };
    let mut change = Change::new();
    change.check(key.clone(), current.as_ref());
    change.put(key.clone(), &lease);
    if change.commit(host).await? == Commit::Conflict {
        return Ok(None);
    }
    let taken = store::typed::<Lease>(store::read(host, key).await)?;
    Ok(taken
        .filter(|taken| taken.value.owner == lease.owner)
        .map(Held))
}

/// Gives the lock back, unless another owner has it by now.
pub async fn release<H: Host>(host: &H, held: Held) {
    let mut change = Change::new();
    held.guard(&mut change);
    change.delete(held.0.key.clone());
    if let Err(error) = change.commit(host).await {
        store::warn(host, "unlock_failed", &error.message);
    }
}
