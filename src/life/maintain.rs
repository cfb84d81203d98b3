//! One bounded slice of looking after all users' memories (R7), for a cron trigger, an alarm or a
//! timer. It goes on where the last one stopped; any number may run at once.

use super::users::{self, User};
use super::{Effects, condense, settle, tombstone};
use crate::config::Config;
use crate::error::Result;
use crate::gather::Push;
use crate::host::{Commit, Host};
use crate::memories::snapshot::Snapshot;
use crate::outbox;
use crate::outbox::replay::ReplayOptions;
use crate::read::Read;
use crate::recall;
use crate::scope::Scope;
use crate::store::{self, Change, Record};
use crate::vector::follow;
use serde::Serialize;

/// Times that one user is tried within a slice.
const TRIES: usize = 3;

/// What a slice did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Maintained {
    /// Users looked after.
    pub users: usize,
    /// Users that it could not look after: logged, and tried again in the next round.
    pub failed: usize,
    /// Memories moved to the cold tier.
    pub evicted: usize,
    /// Memories settled in the long tier.
    pub promoted: usize,
    /// Texts made shorter as their memories settled.
    pub condensed: usize,
    /// Pins taken back.
    pub demoted: usize,
    /// Memories forgotten, softly or for good.
    pub forgotten: usize,
    /// Records of memories that are gone for good, older versions included.
    pub removed: usize,
    /// Tombstones whose time was over.
    pub tombstones: usize,
    /// Sessions whose processed marks were folded into their head.
    pub sessions: usize,
    /// Locks that nobody holds any more.
    pub locks: usize,
    /// Effects outside the store that were done at last.
    pub effects_done: usize,
    /// Attempts at such effects that failed: logged, and made again later.
    pub effects_failed: usize,
    /// Such effects that were given up and became dead letters.
    pub effects_dead: usize,
    /// Which memories these are and why, by user.
    pub changes: Vec<UserChanges>,
    /// Whether the round through all users is complete and no effect is due.
    pub done: bool,
    /// When to call again, ms: at once unless done.
    pub next_run_at: i64,
}

/// What became of one user's memories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UserChanges {
    /// The customer whose user this is.
    pub tenant: String,
    /// The person.
    pub user: String,
    /// What became of which memory, and why.
    #[serde(flatten)]
    pub effects: Effects,
}

/// After which user the next slice goes on.
#[derive(Debug, Clone, Serialize, Read)]
struct Cursor {
    after: String,
}

/// Looks after the next users, at most `limit` of them.
pub async fn maintain<H: Host>(host: &H, config: &Config, limit: usize) -> Result<Maintained> {
    let now = store::now(host)?;
    let cursor = store::typed::<Cursor>(store::read(host, users::cursor_key()).await)?;
    let (mut start, end) = users::all();
    if let Some(cursor) = &cursor {
        // The least text behind it.
        start = format!("{}\u{20}", cursor.value.after);
    }
    let entries = store::range(host, (start, end), limit.saturating_add(1), false).await?;
    let mut done = Maintained {
        done: entries.len() <= limit,
        ..Maintained::default()
    };
    let mut after = None;
    let mut read = 0;
    for entry in entries.into_iter().take(limit) {
        if read >= config.life.maintain_memories {
            done.done = false;
            break;
        }
        after = Some(entry.key.clone());
        match look_after(host, config, entry, now, &mut done).await {
            Ok(memories) => {
                done.users += 1;
                read += memories;
            }
            Err(error) => {
                done.failed += 1;
                store::warn(host, "maintain_failed", &error.message);
            }
        }
    }
    let after = after.filter(|_| !done.done);
    go_on_after(host, cursor.as_ref(), after).await;
    let replayed = replay_due(host, config, &mut done).await;
    done.next_run_at = if done.done {
        let interval = config.life.maintain_interval_ms;
        let next = replayed.unwrap_or(i64::MAX);
        now.saturating_add_unsigned(interval).min(next.max(now))
    } else {
        now
    };
    Ok(done)
}

/// Effects outside the store that are due; gives when the next one is.
async fn replay_due<H: Host>(host: &H, config: &Config, done: &mut Maintained) -> Option<i64> {
    match outbox::replay(host, config, ReplayOptions::default()).await {
        Ok(replayed) => {
            done.effects_done = replayed.done;
            done.effects_failed = replayed.failed;
            done.effects_dead = replayed.dead;
            done.done &= replayed.is_done;
            replayed.next_run_at
        }
        Err(error) => {
            store::warn(host, "replay_failed", &error.message);
            None
        }
    }
}

/// A slice that ran at the same time may have moved the cursor: then its place counts.
async fn go_on_after<H: Host>(host: &H, cursor: Option<&Record<Cursor>>, after: Option<String>) {
    if cursor.is_none() && after.is_none() {
        return;
    }
    let mut change = Change::new();
    change.check(users::cursor_key(), cursor);
    match after {
        Some(after) => change.put(users::cursor_key(), &Cursor { after }),
        None => change.delete(users::cursor_key()),
    }
    if let Err(error) = change.commit(host).await {
        store::warn(host, "maintain_failed", &error.message);
    }
}

async fn look_after<H: Host>(
    host: &H,
    config: &Config,
    entry: crate::host::Entry,
    now: i64,
    done: &mut Maintained,
) -> Result<usize> {
    let user = store::record::<User>(entry)?.value;
    let scope = user.scope();
    scope.check()?;
    let read = settle_user(host, config, &scope, now, done).await?;
    let mut change = Change::new();
    let mut over = 0;
    for record in tombstone::read(host, &scope).await? {
        if record.value.until <= now {
            change.check_read(&record);
            change.delete(record.key);
            over += 1;
        }
    }
    if over > 0 && change.commit(host).await? == Commit::Done {
        done.tombstones += over;
    }
    super::tidy::tidy(host, config, &scope, now, done).await?;
    Ok(read)
}

async fn settle_user<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    now: i64,
    done: &mut Maintained,
) -> Result<usize> {
    let mut read = 0;
    for _ in 0..TRIES {
        let mut snapshot = Snapshot::read(host, scope).await?;
        let mut memories = std::mem::take(&mut snapshot.memories);
        read += memories.len();
        let settled = settle(&mut memories, now, super::rules(config));
        if settled.is_empty() && !snapshot.is_new_to_vector_store() {
            if let Some(head) = snapshot.head()
                && let Err(error) = recall::keep_up(host, scope, head, memories).await
            {
                store::warn(host, "index_not_saved", &error.message);
            }
            break;
        }
        let mut change = snapshot.upkeep();
        settled.write(scope, &memories, now, &mut change);
        let committed = follow::commit(host, config, scope, &snapshot, change).await?;
        if committed == Commit::Done {
            if settled.is_empty() {
                break;
            }
            let mut effects = settled.effects;
            let condensed = condense::by_llm(host, config, scope, &effects.promoted).await;
            effects.condensed.push_all(condensed);
            done.count(&effects, settled.removed.len());
            done.changes.push(UserChanges {
                tenant: scope.tenant.clone(),
                user: scope.user.clone(),
                effects,
            });
            break;
        }
    }
    Ok(read)
}

impl Maintained {
    fn count(&mut self, effects: &Effects, removed: usize) {
        self.evicted += effects.evicted.len();
        self.promoted += effects.promoted.len();
        self.condensed += effects.condensed.len();
        self.demoted += effects.demoted.len();
        // What is purged was counted when it was forgotten.
        let anew = effects
            .forgotten
            .iter()
            .filter(|fate| fate.reason != "purged");
        self.forgotten += anew.count();
        self.removed += removed;
    }
}
