//! Removing a person everywhere: every record, what lies in the hot cache, the vector store and the
//! memory services. It is an effect of the outbox itself: what a crash or an outage leaves, replay
//! finishes.

use crate::config::Config;
use crate::error::{Error, Result};
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::Host;
use crate::key::parts;
use crate::life::users::User;
use crate::outbox::effect::Attempt;
use crate::outbox::{self, Effect, Kind, Planned, Shelf};
use crate::provider;
use crate::scope::{Scope, Session};
use crate::sorted::Map;
use crate::store::{self, Change, Record};
use crate::vector::{external, follow};
use serde::Serialize;

/// Records removed at once.
const PAGE: usize = 500;
/// The lane of removing a user.
const LANE: &str = "forget-user";

/// Whether something outside the store is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is.
    Removed,
    /// Not yet: replay tries again.
    Pending,
}

/// What became of the person's data in one place outside the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outside {
    /// `cache`, `vectors`, `memos` or `mem0`.
    pub place: &'static str,
    /// Whether it is gone.
    pub status: Status,
    /// What is in the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What was removed and what could not be reached.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// Records removed from the store, by kind.
    pub removed: Map<String, usize>,
    /// Places outside it, each asked.
    pub outside: Vec<Outside>,
    /// Whether nothing is left anywhere.
    pub is_complete: bool,
}

impl Receipt {
    fn note(&mut self, place: &'static str, outcome: std::result::Result<(), String>) {
        let reason = outcome.err();
        self.outside.push(Outside {
            place,
            status: match reason {
                None => Status::Removed,
                Some(_) => Status::Pending,
            },
            reason,
        });
    }
}

/// Removes everything of a user. What is said to the user's sessions afterwards is new.
pub async fn forget_user<H: Host>(host: &H, config: &Config, scope: &Scope) -> Result<Receipt> {
    scope.check()?;
    for (path, is_given) in [
        ("scope.agent", scope.agent.is_some()),
        ("scope.session", scope.session.is_some()),
    ] {
        if is_given {
            return Err(Error::input(
                path,
                "nothing: a user is forgotten as a whole",
            ));
        }
    }
    let kind = Kind::ForgetUser {
        is_store_done: false,
        cached: Vec::new(),
    };
    let mut effect = Effect::new(host, &config.outbox, LANE, kind)?;
    let mut change = Change::new();
    outbox::plan(&mut change, scope, &effect);
    change.commit(host).await?;
    let mut receipt = Receipt::default();
    let erased = erase_store(host, config, scope, &mut receipt).await?;
    let cached = erase_outside(host, config, scope, &erased, &mut receipt).await?;
    let mut change = Change::new();
    if receipt.is_complete {
        change.delete(Shelf::Waiting.key(scope, &effect.id));
    } else {
        effect.kind = Kind::ForgetUser {
            is_store_done: true,
            cached,
        };
        outbox::plan(&mut change, scope, &effect);
    }
    change.commit(host).await?;
    Ok(receipt)
}

/// Tries again what was left. What came into the store since it was emptied is new, and stays.
pub async fn attempt<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    is_store_done: bool,
    cached: &[String],
) -> Result<Attempt> {
    let mut receipt = Receipt::default();
    let erased = match is_store_done {
        true => Erased {
            sessions: cached.to_vec(),
            ..Erased::default()
        },
        false => erase_store(host, config, scope, &mut receipt).await?,
    };
    let cached = erase_outside(host, config, scope, &erased, &mut receipt).await?;
    if !is_store_done && !receipt.is_complete {
        return Ok(Attempt::Next(Kind::ForgetUser {
            is_store_done: true,
            cached,
        }));
    }
    let left = receipt.outside.into_iter().filter_map(|place| {
        let reason = place.reason?;
        Some(format!("{}: {reason}", place.place))
    });
    let left: Vec<String> = left.gather();
    Ok(match left.is_empty() {
        true => Attempt::Done,
        false => Attempt::Failed(left.join("; ")),
    })
}

/// What emptying the store leaves to do outside.
#[derive(Debug, Default)]
struct Erased {
    /// Sessions that the hot cache may hold.
    sessions: Vec<String>,
    /// Effects that take memories out of the vector store.
    vectors: Vec<String>,
    /// Whether something may still arrive at a memory service.
    is_on_its_way: bool,
}

async fn erase_store<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    receipt: &mut Receipt,
) -> Result<Erased> {
    let mut erased = Erased {
        is_on_its_way: cancel(host, scope).await?,
        ..Erased::default()
    };
    loop {
        let entries = store::range(host, scope.everything(), PAGE, false).await?;
        if entries.is_empty() {
            break;
        }
        let mut change = Change::new();
        let mut memories = Vec::new();
        for entry in entries {
            let parts = parts(&entry.key).unwrap_or_default();
            let kind = parts.get(3).cloned().unwrap_or_default();
            match (kind.as_str(), parts.get(4)) {
                ("memory", Some(id)) => memories.push(id.clone()),
                ("session", Some(id)) => erased.sessions.push(id.clone()),
                _ => {}
            }
            receipt.removed.update(kind, 0, |count| *count += 1);
            change.delete(entry.key);
        }
        if external::is_there(host) && !memories.is_empty() {
            let planned = follow::plan_deletion(host, config, scope, memories, &mut change)?;
            erased.vectors.push_all(planned);
        }
        change.commit(host).await?;
    }
    let mut change = Change::new();
    change.delete(User::of(scope).key());
    change.commit(host).await?;
    Ok(erased)
}

/// Gives the sessions that the hot cache may still hold.
async fn erase_outside<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    erased: &Erased,
    receipt: &mut Receipt,
) -> Result<Vec<String>> {
    let (cached, cache) = empty_cache(host, scope, &erased.sessions).await;
    receipt.note("cache", cache);
    if external::is_there(host) {
        // An effect that does effects: its future has no bounded size unless it is boxed.
        Box::pin(outbox::run(host, config, scope, &erased.vectors)).await;
        let mut left = planned(host, scope).await?;
        left.retain(|record| record.value.effect.kind.is_of_vectors());
        receipt.note(
            "vectors",
            match left.first() {
                None => Ok(()),
                Some(left) => Err(left.value.effect.last_error.clone().unwrap_or_default()),
            },
        );
    }
    for api in provider::services(host, config) {
        let gone = provider::erase(host, config, api, scope).await;
        let gone = gone.map_err(|fault| fault.to_string());
        receipt.note(
            api.provider(),
            match erased.is_on_its_way {
                false => gone,
                // What was being added when this began may still arrive.
                true => gone.and(Err("something may still be on its way there".to_owned())),
            },
        );
    }
    receipt.is_complete = receipt
        .outside
        .iter()
        .all(|place| place.status == Status::Removed);
    Ok(cached)
}

/// The user's effects that wait or were given up.
async fn planned<H: Host>(host: &H, scope: &Scope) -> Result<Vec<Record<Planned>>> {
    let mut records = Vec::new();
    for shelf in [Shelf::Waiting, Shelf::Dead] {
        let entries = store::range(host, shelf.of_user(scope), usize::MAX, false).await?;
        records.push_all(store::decode_all(host, entries));
    }
    Ok(records)
}

/// Takes back what was still to be added to a memory service; says whether somebody may be adding
/// right now.
async fn cancel<H: Host>(host: &H, scope: &Scope) -> Result<bool> {
    let now = store::now(host)?;
    let mut records = planned(host, scope).await?;
    records.retain(|record| record.value.effect.kind.adds_to_a_service());
    let is_claimed = |record: &Record<Planned>| {
        let effect = &record.value.effect;
        record.value.died_at.is_none() && effect.attempts == 0 && effect.next_at > now
    };
    let on_its_way = records.iter().any(is_claimed);
    for records in records.chunks(PAGE) {
        let mut change = Change::new();
        for record in records {
            change.delete(record.key.clone());
        }
        change.commit(host).await?;
    }
    Ok(on_its_way)
}

/// Overwrites what the hot cache may hold of these sessions; gives those that it could not.
async fn empty_cache<H: Host>(
    host: &H,
    scope: &Scope,
    sessions: &[String],
) -> (Vec<String>, std::result::Result<(), String>) {
    let mut left = Vec::new();
    let mut outcome = Ok(());
    for id in sessions {
        let session = Session {
            scope,
            id,
            is_sub_agent: false,
        };
        let mut written = Ok(());
        for what in ["messages", "summary"] {
            written = written.and(host.cache_put(&session.cache_key(what), "", 1).await);
        }
        if let Err(error) = written {
            left.push(id.clone());
            outcome = Err(error.0);
        }
    }
    (left, outcome)
}
