//! Contradictions that are worth asking the person about, and what the answer does (M5).

use crate::config::Config;
use crate::error::{Code, Error, Result};
use crate::gather::Gather;
use crate::host::{Commit, Host};
use crate::memories::snapshot::Snapshot;
use crate::memory::Memory;
use crate::prompt;
use crate::read::Read;
use crate::scope::{Scope, check_id};
use crate::similarity::words::is_cjk;
use crate::store::{self, Attempts, Record};
use crate::vector::follow;
use serde::Serialize;

/// Two live memories that cannot both be true.
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
pub struct Question {
    /// Its id.
    pub id: String,
    /// The memory that was there.
    pub old: String,
    /// The memory that contradicts it.
    pub new: String,
    /// What is at odds.
    pub reason: String,
}

/// A question as the app can ask it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Asked {
    /// Its id, for the answer.
    pub id: String,
    /// A sentence for the person, in the language of the memories (English or Chinese).
    pub text: String,
    /// The memory that was there.
    pub old: Memory,
    /// The memory that contradicts it.
    pub new: Memory,
}

/// What the person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Read)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// What was there is right.
    Old,
    /// What contradicts it is right.
    New,
    /// Both are.
    Both,
}

/// The questions that still stand: both memories live and visible to the scope.
pub async fn list<H: Host>(host: &H, scope: &Scope) -> Result<Vec<Asked>> {
    scope.check()?;
    let entries = store::range(host, scope.questions(), usize::MAX, false).await?;
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let snapshot = Snapshot::read(host, scope).await?;
    let now = store::now(host)?;
    let live = |id: &str| {
        let found = snapshot.find(scope, id);
        found.filter(|memory| memory.is_live(now)).cloned()
    };
    let questions: Vec<Record<Question>> = store::decode_all(host, entries);
    Ok(questions
        .into_iter()
        .filter_map(|record| {
            let (old, new) = (live(&record.value.old)?, live(&record.value.new)?);
            let text = sentence(&old, &new);
            let id = record.value.id;
            Some(Asked { id, text, old, new })
        })
        .gather())
}

fn sentence(old: &Memory, new: &Memory) -> String {
    let (was, is) = (prompt::plain(&old.content), prompt::plain(&new.content));
    let (before, after) = (prompt::date(old.observed_at), prompt::date(new.observed_at));
    if new.content.chars().any(is_cjk) {
        format!("「{was}」（{before}）和「{is}」（{after}）互相矛盾，哪个是对的？")
    } else {
        format!("“{was}” ({before}) and “{is}” ({after}) cannot both be true. Which is right?")
    }
}

/// Settles a question; gives both memories as they are now.
pub async fn answer<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
    keep: Keep,
) -> Result<Vec<Memory>> {
    scope.check()?;
    check_id("id", id)?;
    let gone = || {
        Error::new(
            Code::NotFound,
            format!("no open question `{id}` in this scope"),
        )
        .with_path("id")
    };
    let key = scope.question_key(id);
    let mut attempts = Attempts::default();
    loop {
        let question = store::read(host, key.clone()).await;
        let question = store::typed::<Question>(question)?.ok_or_else(gone)?;
        let snapshot = Snapshot::read(host, scope).await?;
        let live = |id: &str| {
            let found = snapshot.find(scope, id);
            found
                .filter(|memory| memory.is_valid)
                .cloned()
                .ok_or_else(gone)
        };
        let (mut old, mut new) = (live(&question.value.old)?, live(&question.value.new)?);
        old.conflict_ids.retain(|other| *other != new.id);
        new.conflict_ids.retain(|other| *other != old.id);
        match keep {
            Keep::New => end(&mut old, &mut new),
            Keep::Old => end(&mut new, &mut old),
            Keep::Both => {}
        }
        let mut change = snapshot.change();
        change.check(key.clone(), Some(&question));
        change.delete(key.clone());
        change.put(scope.memory_key(&old.id), &old);
        change.put(scope.memory_key(&new.id), &new);
        if follow::commit(host, config, scope, &snapshot, change).await? == Commit::Done {
            return Ok(vec![old, new]);
        }
        attempts.lost("the user's memories")?;
    }
}

/// `ended` becomes an earlier version of `kept`.
fn end(ended: &mut Memory, kept: &mut Memory) {
    ended.is_valid = false;
    ended.next_id = Some(kept.id.clone());
    kept.version = kept.version.max(ended.version.saturating_add(1));
    kept.previous_id.get_or_insert_with(|| ended.id.clone());
    kept.is_pinned |= ended.is_pinned;
}
