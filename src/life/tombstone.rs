//! How what is forgotten for good stays gone (R6): what came before a tombstone and says or stems
//! from the same is not stored again. Said anew later, it is new.

use super::config::{DAY_MS, LifeConfig};
use crate::case;
use crate::error::Result;
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::Host;
use crate::memory::{Candidate, Memory};
use crate::read::Read;
use crate::scope::Scope;
use crate::sorted::Set;
use crate::store::{self, Change, Record};
use md5::{Digest, Md5};
use serde::Serialize;

/// What is left of a memory that is gone: enough to know it again, not to read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "camelCase")]
pub struct Tombstone {
    /// md5 of the letters and digits of its text.
    pub content: String,
    /// md5 of the session and id of each message it came from.
    pub messages: Vec<String>,
    /// What was said up to then is covered, ms; said later it is new.
    pub before: i64,
    /// Until when this record is kept, ms.
    pub until: i64,
}

impl Tombstone {
    /// The tombstone of a memory that goes at `at` and covers what was said up to `before`: up to
    /// its last use, if time forgot it, up to now, if a person did.
    pub fn of(memory: &Memory, before: i64, at: i64, config: &LifeConfig) -> Self {
        let kept = f64::from(config.tombstone_days) * DAY_MS;
        Self {
            content: content_hash(&memory.content),
            messages: message_hashes(memory.session_id.as_deref(), &memory.message_ids),
            before,
            until: at.saturating_add(kept as i64),
        }
    }

    /// Puts it into the change that deletes its memory, unless its time is over already.
    pub fn write(&self, scope: &Scope, id: &str, now_ms: i64, change: &mut Change) {
        if self.until > now_ms {
            change.put(scope.tombstone_key(id), self);
        }
    }
}

/// What of a user was forgotten.
#[derive(Debug, Default)]
pub struct Forgotten(Vec<Tombstone>);

impl Forgotten {
    /// Tombstones, and memories that were forgotten softly.
    pub async fn read<H: Host>(
        host: &H,
        scope: &Scope,
        memories: &[Memory],
        candidates: &[Candidate],
        config: &LifeConfig,
    ) -> Result<Self> {
        let Some(first) = candidates
            .iter()
            .map(|candidate| candidate.observed_at)
            .min()
        else {
            return Ok(Self::default());
        };
        let records = read(host, scope).await?;
        let mut forgotten: Vec<Tombstone> = records.into_iter().map(|record| record.value).gather();
        forgotten.push_all(memories.iter().filter_map(|memory| {
            let at = memory.forgotten_at.filter(|_| !memory.is_valid)?;
            let before = memory.last_access_at.max(memory.observed_at);
            (first <= before).then(|| Tombstone::of(memory, before, at, config))
        }));
        Ok(Self(forgotten))
    }

    /// Whether a proposal from this session only brings back what was forgotten.
    pub fn holds(&self, candidate: &Candidate, session: Option<&str>) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let content = content_hash(&candidate.content);
        let messages = message_hashes(session, &candidate.message_ids);
        let later = self
            .0
            .iter()
            .filter(|tombstone| candidate.observed_at <= tombstone.before);
        let mut from: Set<&str> = Set::new();
        for tombstone in later {
            if tombstone.content == content {
                return true;
            }
            from.extend(
                tombstone
                    .messages
                    .iter()
                    .map(|message| (message.as_str(), ())),
            );
        }
        !messages.is_empty()
            && messages
                .iter()
                .all(|message| from.contains(message.as_str()))
    }
}

/// The user's tombstones.
pub async fn read<H: Host>(host: &H, scope: &Scope) -> Result<Vec<Record<Tombstone>>> {
    let entries = store::range(host, scope.tombstones(), usize::MAX, false).await?;
    Ok(store::decode_all(host, entries))
}

fn content_hash(content: &str) -> String {
    let letters = content
        .chars()
        .filter(|character| character.is_alphanumeric());
    hash(&letters.flat_map(case::lower).collect::<String>())
}

fn message_hashes(session: Option<&str>, messages: &[String]) -> Vec<String> {
    let Some(session) = session else {
        return Vec::new();
    };
    let of_session = messages.iter().map(|id| hash(&format!("{session}\n{id}")));
    of_session.gather()
}

fn hash(text: &str) -> String {
    let digest = Md5::digest(text);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
