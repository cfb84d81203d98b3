//! What people and apps do about the life of a memory: pin, unpin, forget, restore, ask for cold ones.

use super::pin::{self, PinCandidate};
use super::tombstone::Tombstone;
use super::{Effects, LifeConfig, settle, touch};
use crate::config::Config;
use crate::error::{Code, Error, Result};
use crate::host::{Commit, Host};
use crate::memories::decide::decide;
use crate::memories::snapshot::Snapshot;
use crate::memories::{check, not_found};
use crate::memory::{Memory, Temperature};
use crate::rest;
use crate::scope::Scope;
use crate::similarity::Prepared;
use crate::store::{self, Change};
use crate::vector::follow;
use crate::write;
use serde::Serialize;
use std::future::Future;
use std::pin::Pin;

/// A memory after a change, and what that did to others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Altered {
    /// The memory.
    #[serde(flatten)]
    pub memory: Memory,
    /// What the rules of life did along with it.
    #[serde(flatten)]
    pub effects: Effects,
}

/// What becomes of a memory at a moment.
type Make = fn(&mut Memory, i64, &LifeConfig) -> Result<()>;

/// Pins or unpins a memory. Beyond the limit the pinned ones that are worth least lose their pin,
/// and this may be one of them.
pub fn pin<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
    pinned: bool,
) -> impl Future<Output = Result<Altered>> {
    let make: Make = match pinned {
        true => |memory, now, _| set_pin(memory, now, true),
        false => |memory, now, _| set_pin(memory, now, false),
    };
    alter(host, config, scope, id, make)
}

fn set_pin(memory: &mut Memory, now: i64, pinned: bool) -> Result<()> {
    if !memory.is_valid {
        return Err(not_live(memory, "pin it after restoring it"));
    }
    memory.is_pinned = pinned;
    // From now on it ages like any other; what it missed while pinned does not count.
    memory.last_access_at = memory.last_access_at.max(now);
    Ok(())
}

/// Brings back a memory that was forgotten softly.
pub fn restore<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
) -> impl Future<Output = Result<Altered>> {
    alter(host, config, scope, id, |memory, now, config| {
        if memory.is_valid {
            return Ok(());
        }
        if memory.forgotten_at.is_none() {
            return Err(not_live(memory, "it was replaced, not forgotten"));
        }
        memory.is_valid = true;
        memory.forgotten_at = None;
        memory.temperature = Temperature::Hot;
        memory.expires_at = memory.expires_at.filter(|at| *at > now);
        touch::used(memory, now, config);
        Ok(())
    })
}

/// Lets a memory that was held for its text take part like any other.
pub fn allow<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
) -> impl Future<Output = Result<Altered>> {
    alter(host, config, scope, id, |memory, now, config| {
        if memory.is_held {
            memory.is_held = false;
            touch::used(memory, now, config);
        }
        Ok(())
    })
}

fn not_live(memory: &Memory, why: &str) -> Error {
    let id = &memory.id;
    let current = memory.next_id.as_deref().unwrap_or(id);
    let message = format!("memory `{id}` is not live: {why}");
    Error::new(Code::Conflict, message)
        .with_details(write::record(&[("id", &id), ("current", &current)]))
}

fn takes_part(memory: &Memory) -> bool {
    memory.is_valid && !memory.is_held
}

/// Whether another memory that takes part has the very words of this one.
fn says(other: &Memory, memory: &Memory) -> bool {
    let same_words =
        || Prepared::new(&other.content).norm() == Prepared::new(&memory.content).norm();
    other.id != memory.id
        && takes_part(other)
        && takes_part(memory)
        && other.cube() == memory.cube()
        && same_words()
}

fn said_already(memory: &Memory, same: &Memory) -> Error {
    let (id, current) = (&memory.id, &same.id);
    let message = format!("memory `{current}` says the same as `{id}` by now; it stays as it is");
    Error::new(Code::Conflict, message)
        .with_details(write::record(&[("id", &id), ("current", &current)]))
}

async fn alter<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
    make: Make,
) -> Result<Altered> {
    check(scope, id)?;
    let now = store::now(host)?;
    let mut altered = None;
    let mut make = |snapshot: &Snapshot| {
        let (change, done) = altered_by(config, scope, id, make, now, snapshot)?;
        altered = Some(done);
        Ok(Some(change))
    };
    decide(host, config, scope, &mut make).await?;
    altered.ok_or_else(|| not_found(id))
}

fn altered_by(
    config: &Config,
    scope: &Scope,
    id: &str,
    make: Make,
    now: i64,
    snapshot: &Snapshot,
) -> Result<(Change, Altered)> {
    snapshot.find(scope, id).ok_or_else(|| not_found(id))?;
    let mut memories = snapshot.memories.clone();
    if let Some(memory) = memories.iter_mut().find(|memory| memory.id == id) {
        let took_part = takes_part(memory);
        make(memory, now, &config.life)?;
        if let Some(same) = snapshot.memories.iter().find(|other| says(other, memory))
            && !took_part
        {
            return Err(said_already(memory, same));
        }
    }
    let mut settled = settle(&mut memories, now, super::rules(config));
    settled.changed.insert(id.to_owned());
    let mut change = snapshot.change();
    settled.write(scope, &memories, now, &mut change);
    let memory = memories.into_iter().find(|memory| memory.id == id);
    let altered = Altered {
        memory: memory.ok_or_else(|| not_found(id))?,
        effects: settled.effects,
    };
    Ok((change, altered))
}

/// Forgets a memory: softly (out of recall and lists, its history kept) or, with `hard`, all its
/// versions for good. Returns how many records that touched.
pub async fn forget<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
    hard: bool,
) -> Result<usize> {
    check(scope, id)?;
    let now = store::now(host)?;
    let mut touched = 0;
    let mut forget = |snapshot: &Snapshot| {
        let memory = snapshot.find(scope, id).ok_or_else(|| not_found(id))?;
        let mut change = snapshot.change();
        touched = 0;
        for version in snapshot.chain(memory) {
            touched += usize::from(forgotten(config, scope, version, hard, now, &mut change));
        }
        Ok((touched > 0).then_some(change))
    };
    decide(host, config, scope, &mut forget).await?;
    Ok(touched)
}

/// Whether there is anything to forget of a version.
fn forgotten(
    config: &Config,
    scope: &Scope,
    version: &Memory,
    hard: bool,
    now: i64,
    change: &mut Change,
) -> bool {
    let key = scope.memory_key(&version.id);
    if hard {
        change.delete(key);
        change.delete(scope.vector_key(&version.id));
        let tombstone = Tombstone::of(version, now, now, &config.life);
        tombstone.write(scope, &version.id, now, change);
    } else if version.is_valid {
        let forgotten = Memory {
            is_valid: false,
            is_pinned: false,
            forgotten_at: Some(now),
            last_access_at: version.last_access_at.max(now),
            ..version.clone()
        };
        change.put(key, &forgotten);
    }
    hard || version.is_valid
}

/// Live memories that are worth a pin, best first.
pub async fn pin_candidates<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    limit: usize,
) -> Result<Vec<PinCandidate>> {
    scope.check()?;
    let now = store::now(host)?;
    let snapshot = Snapshot::read(host, scope).await?;
    let seen = snapshot.memories.iter();
    let seen = seen.filter(|memory| scope.sees(memory.scope, memory.agent_id.as_deref()));
    let mut found = pin::candidates(seen, now, &config.life);
    found.truncate(limit);
    Ok(found)
}

/// Takes cold memories that someone asked for back into the hot tier. Best effort: what fails is
/// logged, and they are found again the next time.
pub async fn warm<H: Host>(host: &H, config: &Config, scope: &Scope, ids: &[String], now_ms: i64) {
    if ids.is_empty() {
        return;
    }
    let warming = rest::enter(|| {
        let warming = try_to_warm(host, config, scope, ids, now_ms);
        Box::pin(warming) as Pin<Box<dyn Future<Output = Result<Commit>>>>
    });
    let warmed = match warming {
        Ok(warming) => warming.await,
        Err(missing) => Err(missing),
    };
    match warmed {
        Ok(Commit::Done) => {}
        Ok(Commit::Conflict) => store::warn(host, "warm_failed", "another change came first"),
        Err(error) => store::warn(host, "warm_failed", &error.message),
    }
}

async fn try_to_warm<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    ids: &[String],
    now_ms: i64,
) -> Result<Commit> {
    let snapshot = Snapshot::read(host, scope).await?;
    let mut memories = snapshot.memories.clone();
    let mut warmed = Vec::new();
    for memory in &mut memories {
        if memory.is_live(now_ms) && ids.contains(&memory.id) {
            memory.temperature = Temperature::Hot;
            touch::used(memory, now_ms, &config.life);
            warmed.push(memory.id.clone());
        }
    }
    let mut settled = settle(&mut memories, now_ms, super::rules(config));
    settled.changed.extend(warmed);
    let mut change = snapshot.change();
    settled.write(scope, &memories, now_ms, &mut change);
    follow::commit(host, config, scope, &snapshot, change).await
}
