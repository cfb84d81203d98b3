//! What people and apps do with memories by hand: list, read, add, change, pin, forget.

pub(crate) mod decide;
pub mod known;
pub(crate) mod log;
pub mod merge;
pub mod questions;
pub mod snapshot;

use crate::config::Config;
use crate::error::{Code, Error, Result};
use crate::gather::Gather;
use crate::host::{Commit, Host};
use crate::life::{self, Effects};
use crate::memory::{Candidate, Category, Kind, Memory, MemoryScope, Source};
use crate::read::Read;
use crate::safety::{SafetyConfig, secrets};
use crate::scope::{Scope, check_id};
use crate::similarity::Prepared;
use crate::similarity::sketch::Sketch;
use crate::sorted::Facts;
use crate::store::{self, Attempts, Change};
use crate::vector::{self, Vector, follow};
use crate::write;
use known::{Known, Proposed, Relevant};
use merge::{Merge, Origin};
use serde::Serialize;
use snapshot::Snapshot;

/// Characters of a memory that is added or edited by hand.
pub const MAX_CONTENT_CHARS: usize = 8_000;
/// Tags, facts or message ids of one memory.
const MAX_ITEMS: usize = 100;
/// Characters of one tag, fact key or fact value.
const MAX_ITEM_CHARS: usize = 500;

/// Which memories to list.
#[derive(Debug, Clone, Default)]
pub struct ListOptions {
    /// Memories at most; 100 unless told.
    pub limit: Option<usize>,
    /// Go on after this id, from the answer before.
    pub cursor: Option<String>,
    /// Superseded, forgotten and expired ones too.
    pub include_invalid: bool,
}

/// A page of memories, newest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Page {
    /// The memories.
    pub memories: Vec<Memory>,
    /// How many there are on all pages.
    pub total: usize,
    /// Where to go on, if there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A memory given by hand.
#[derive(Debug, Clone, Read)]
#[serde(rename_all = "camelCase")]
pub struct NewMemory {
    /// The text.
    pub content: String,
    /// What it is about; `note` unless told.
    #[serde(default = "default_category")]
    pub category: Category,
    /// Its content form.
    #[serde(default)]
    pub kind: Kind,
    /// Who shares it; `user` unless told.
    #[serde(default = "default_scope")]
    pub scope: MemoryScope,
    /// 1 to 10; 5 unless told.
    #[serde(default = "default_importance")]
    pub importance: u8,
    /// Free labels.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Where it came from; `external` unless told.
    #[serde(default = "default_source")]
    pub source: Source,
    /// Key–value pairs that name what it states.
    #[serde(default)]
    pub facts: Facts,
    /// Kept out of prompts that filter sensitive memories.
    #[serde(default)]
    pub is_sensitive: bool,
    /// The messages it came from.
    #[serde(default)]
    pub message_ids: Vec<String>,
    /// When what it tells was said, ms; now unless told.
    #[serde(default)]
    pub observed_at: Option<i64>,
    /// When it stops being true, ms.
    #[serde(default)]
    pub expires_at: Option<i64>,
}

fn default_category() -> Category {
    Category::Note
}
fn default_scope() -> MemoryScope {
    MemoryScope::User
}
fn default_importance() -> u8 {
    5
}
fn default_source() -> Source {
    Source::External
}

/// What became of an added memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Added {
    /// The memory that holds it now.
    pub memory: Memory,
    /// `stored`, `merged` into one that said the same, or `outdated`: a newer one says otherwise.
    pub action: &'static str,
    /// Ids of the memories that it replaced.
    pub superseded: Vec<String>,
    /// Ids of questions to the person that arose.
    pub questions: Vec<String>,
    /// What the rules of life did along with it.
    #[serde(flatten)]
    pub life: Effects,
}

/// Fields to change; what is absent stays.
#[derive(Debug, Clone, Default, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct Patch {
    /// A text that takes the old one's place: a new version (override).
    pub content: Option<String>,
    /// A text that goes behind what still holds: a new version (increment).
    pub add: Option<String>,
    /// What it is about.
    pub category: Option<Category>,
    /// 1 to 10.
    pub importance: Option<u8>,
    /// Free labels.
    pub tags: Option<Vec<String>>,
    /// New facts make a new version.
    pub facts: Option<Facts>,
    /// Whether it is sensitive.
    pub is_sensitive: Option<bool>,
    /// When it stops being true, ms; `null` for never.
    #[read(given)]
    pub expires_at: Option<Option<i64>>,
}

impl Patch {
    fn changes_text(&self) -> bool {
        self.content.is_some() || self.add.is_some()
    }

    /// The text that a new version will have, embedded before the change begins; none where this
    /// patch makes no new version, or there are no embeddings.
    async fn embed<H: Host>(
        &self,
        host: &H,
        config: &Config,
        scope: &Scope,
        id: &str,
    ) -> Result<Option<(String, Vector)>> {
        if !host.has_embeddings() || !(self.changes_text() || self.facts.is_some()) {
            return Ok(None);
        }
        let text = self.content_after(&get(host, scope, id).await?);
        let vector = vector::embed_one(host, &text, config.recall.embed_timeout_ms).await;
        Ok(vector.map(|vector| (text, vector)))
    }

    /// The same without secrets.
    fn masked(&self, safety: &SafetyConfig) -> Self {
        let text = |text: &Option<String>| {
            let text = text.as_ref();
            text.map(|text| safety.masked(text).unwrap_or(text.clone()))
        };
        Self {
            content: text(&self.content),
            add: text(&self.add),
            facts: self.facts.as_ref().map(|facts| safety.masked_facts(facts)),
            ..self.clone()
        }
    }

    /// The text of a memory once this patch is applied.
    fn content_after(&self, memory: &Memory) -> String {
        let content = self.content.as_deref().unwrap_or(&memory.content).trim();
        match &self.add {
            Some(added) => format!("{content} {}", added.trim()),
            None => content.to_owned(),
        }
    }
}

/// Lists the memories of a scope, newest first.
pub async fn list<H: Host>(host: &H, scope: &Scope, options: &ListOptions) -> Result<Page> {
    scope.check()?;
    let limit = options.limit.unwrap_or(100);
    if !(1..=1_000).contains(&limit) {
        return Err(Error::input("limit", "a whole number from 1 to 1000"));
    }
    let now = store::now(host)?;
    let mut memories = Snapshot::read(host, scope).await?.memories;
    memories.retain(|memory| {
        scope.sees(memory.scope, memory.agent_id.as_deref())
            && (options.include_invalid || !memory.is_over(now))
    });
    memories.reverse();
    let total = memories.len();
    if let Some(cursor) = &options.cursor {
        memories.retain(|memory| memory.id < *cursor);
    }
    let more = memories.len() > limit;
    memories.truncate(limit);
    let cursor = memories.last().filter(|_| more).map(|last| last.id.clone());
    Ok(Page {
        memories,
        total,
        cursor,
    })
}

/// One memory by its id.
pub async fn get<H: Host>(host: &H, scope: &Scope, id: &str) -> Result<Memory> {
    check(scope, id)?;
    let read = store::typed::<Memory>(store::read(host, scope.memory_key(id)).await)?;
    read.map(|record| record.value)
        .filter(|memory| scope.sees(memory.scope, memory.agent_id.as_deref()))
        .ok_or_else(|| not_found(id))
}

pub(crate) fn check(scope: &Scope, id: &str) -> Result<()> {
    scope.check()?;
    check_id("id", id)
}

pub(crate) fn not_found(id: &str) -> Error {
    Error::new(Code::NotFound, format!("no memory `{id}` in this scope"))
        .with_path("id")
        .with_details(write::record(&[("id", &id)]))
}

/// Checks a memory given by hand.
pub(crate) fn check_new(scope: &Scope, new: &NewMemory) -> Result<()> {
    scope.check()?;
    check_content("memory.content", &new.content)?;
    check_importance("memory.importance", new.importance)?;
    check_items("memory.tags", &new.tags)?;
    check_items("memory.messageIds", &new.message_ids)?;
    check_facts("memory.facts", &new.facts)?;
    if new.scope == MemoryScope::Agent && scope.agent.is_none() {
        return Err(Error::input(
            "scope.agent", "the agent whose memory this is",
        ));
    }
    Ok(())
}

/// A memory given by hand as a judge would propose it, without its secrets.
pub(crate) fn candidate(new: &NewMemory, safety: &SafetyConfig, now: i64) -> Candidate {
    let content = new.content.trim();
    let content = safety.masked(content).unwrap_or(content.to_owned());
    Candidate {
        is_sensitive: new.is_sensitive || secrets::is_masked(&content),
        content,
        category: new.category,
        kind: new.kind,
        scope: new.scope,
        importance: new.importance,
        facts: safety.masked_facts(&new.facts),
        cues: String::new(),
        replaces: Vec::new(),
        contradicts: Vec::new(),
        message_ids: new.message_ids.clone(),
        observed_at: new.observed_at.unwrap_or(now),
    }
}

/// Adds a memory, as session end would: merged with one that says the same, replacing one that it
/// contradicts.
pub async fn add<H: Host>(
    host: &H,
    config: &Config,
    known: &Known,
    scope: &Scope,
    new: &NewMemory,
) -> Result<Added> {
    check_new(scope, new)?;
    let now = store::now(host)?;
    let id = store::new_id(host)?;
    let candidate = candidate(new, &config.safety, now);
    let origin = Origin {
        agent: scope.agent.clone(),
        session: scope.session.clone(),
        source: new.source,
        now_ms: now,
        verbatim: false,
        safety: &config.safety,
        ask_severe: config.dedup.ask_severe,
    };
    let contents = [candidate.content.clone()];
    let embeddings = vector::embed(host, &contents, config.recall.embed_timeout_ms).await;
    let embedding = embeddings.first().cloned().flatten();
    let text = Prepared::new(&candidate.content);
    let sketch = Sketch::of(&text);
    let mut text = Some(text);
    let proposed = Proposed {
        candidates: std::slice::from_ref(&candidate),
        sketches: std::slice::from_ref(&sketch),
        embeddings: &embeddings,
        now_ms: now,
    };
    let mut attempts = Attempts::default();
    loop {
        if new.expires_at.is_some_and(|at| at <= now) {
            // It may be gone at once, and older versions with it: then all count.
            known.drop(scope);
        }
        let Relevant {
            mut snapshot,
            texts,
            vectors,
        } = known.relevant(host, config, scope, &proposed, None).await?;
        let memories = std::mem::take(&mut snapshot.memories);
        let mut merge = Merge::new(memories, &origin, &config.dedup)
            .with_texts(texts)
            .with_vectors(vectors);
        let mut settled = merge.settle(life::rules(config));
        let vector = embedding.clone();
        let into = merge.take(candidate.clone(), text.take(), id.clone(), None, vector);
        if into == id {
            merge.amend(&id, |memory| {
                memory.tags.clone_from(&new.tags);
                memory.expires_at = new.expires_at;
            });
        }
        settled.extend(merge.settle(life::rules(config)));
        let mut change = snapshot.change();
        merge.write(scope, &mut change);
        settled.write_removed(scope, now, &mut change);
        // One that expired long ago is gone before it is there.
        let is_gone = || Error::input("memory.expiresAt", "a time that is not long past");
        let memory = merge.get(&into).cloned().ok_or_else(is_gone)?;
        let outcome = merge.finish();
        if follow::commit(host, config, scope, &snapshot, change).await? == Commit::Done {
            if into == id {
                let life = &config.life;
                known.stored(&snapshot, scope, &memory, sketch, embedding, life);
            }
            return Ok(Added {
                memory,
                action: match (outcome.stored.is_empty(), outcome.merged.is_empty()) {
                    (false, _) => "stored",
                    (true, false) => "merged",
                    (true, true) => "outdated",
                },
                superseded: outcome.superseded.into_iter().map(|old| old.id).gather(),
                questions: outcome.questions,
                life: settled.effects,
            });
        }
        attempts.lost("the user's memories")?;
    }
}

/// Changes a memory. A new text or new facts make a new version; the old one stays readable. With
/// an expected version, only if it is still that one (compare-and-set).
pub async fn update<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
    patch: &Patch,
    expected: Option<u32>,
) -> Result<Memory> {
    if let Some(content) = &patch.content {
        check_content("patch.content", content)?;
    }
    if let Some(importance) = patch.importance {
        check_importance("patch.importance", importance)?;
    }
    check_items("patch.tags", patch.tags.as_deref().unwrap_or_default())?;
    if let Some(facts) = &patch.facts {
        check_facts("patch.facts", facts)?;
    }
    let patch = &patch.masked(&config.safety);
    let now = store::now(host)?;
    let new_id = store::new_id(host)?;
    let embedded = patch.embed(host, config, scope, id).await?;
    edit(host, config, scope, id, |memory, change| {
        if let Some(expected) = expected.filter(|expected| *expected != memory.version) {
            return Err(Error::new(
                Code::Conflict,
                format!(
                    "memory `{id}` is at version {}, not {expected}",
                    memory.version
                ),
            )
            .with_path("expectedVersion")
            .with_details(write::record(&[("id", &id), ("version", &memory.version)])));
        }
        let mut new = memory.clone();
        if patch.changes_text() {
            new.content = patch.content_after(memory);
            if patch.content.is_some() {
                // They are of what it said before.
                new.cues.clear();
            }
            check_content("patch.add", &new.content)?;
            new.inspect(&config.safety);
        }
        new.category = patch.category.unwrap_or(new.category);
        new.importance = patch.importance.unwrap_or(new.importance);
        new.is_sensitive = patch.is_sensitive.unwrap_or(new.is_sensitive);
        new.expires_at = patch.expires_at.unwrap_or(new.expires_at);
        new.tags = patch.tags.clone().unwrap_or(new.tags);
        new.facts = patch.facts.clone().unwrap_or(new.facts);
        new.last_access_at = new.last_access_at.max(now);
        if new.content != memory.content || new.facts != memory.facts {
            let old = succeed(memory.clone(), &mut new, &new_id, now);
            change.put(scope.memory_key(&old.id), &old);
            let of_text = embedded.as_ref().filter(|(text, _)| *text == new.content);
            vector::put(change, scope, &new.id, of_text.map(|(_, vector)| vector));
        }
        change.put(scope.memory_key(&new.id), &new);
        Ok(new)
    })
    .await
}

/// Takes a memory back to an older version of it: a new version with the old text and facts.
pub async fn revert<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
    to: &str,
) -> Result<Memory> {
    let versions = history(host, scope, id).await?;
    let not_a_version = || {
        Error::new(
            Code::NotFound,
            format!("`{to}` is no version of memory `{id}`"),
        )
        .with_path("to")
    };
    let old = versions.iter().find(|version| version.id == to);
    let old = old.ok_or_else(not_a_version)?;
    let current = versions.iter().find(|version| version.is_valid);
    let current = current.ok_or_else(|| not_found(id))?;
    let patch = Patch {
        content: Some(old.content.clone()),
        facts: Some(old.facts.clone()),
        ..Patch::default()
    };
    update(
        host,
        config,
        scope,
        &current.id,
        &patch,
        Some(current.version),
    )
    .await
}

/// Makes `new` the version after `old`, linked both ways; the old one, no longer valid, comes back.
fn succeed(mut old: Memory, new: &mut Memory, new_id: &str, now_ms: i64) -> Memory {
    new_id.clone_into(&mut new.id);
    new.version = old.version.saturating_add(1);
    new.previous_id = Some(old.id.clone());
    new.created_at = now_ms;
    new.last_access_at = now_ms;
    new.observed_at = now_ms;
    old.is_valid = false;
    old.next_id = Some(new.id.clone());
    old
}

/// Runs a change of one live memory until no other writer came first.
async fn edit<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
    make: impl Fn(&Memory, &mut Change) -> Result<Memory>,
) -> Result<Memory> {
    check(scope, id)?;
    let mut attempts = Attempts::default();
    loop {
        let snapshot = Snapshot::read(host, scope).await?;
        let memory = snapshot.find(scope, id).ok_or_else(|| not_found(id))?;
        if !memory.is_valid {
            let current = &snapshot.newest(memory).id;
            return Err(Error::new(
                Code::Conflict,
                format!("memory `{id}` is not the current version; change `{current}` instead"),
            )
            .with_details(write::record(&[("id", &id), ("current", &current)])));
        }
        let mut change = snapshot.change();
        let new = make(memory, &mut change)?;
        if follow::commit(host, config, scope, &snapshot, change).await? == Commit::Done {
            return Ok(new);
        }
        attempts.lost("the user's memories")?;
    }
}

/// All versions of a memory, oldest first, whichever of them is asked for.
pub async fn history<H: Host>(host: &H, scope: &Scope, id: &str) -> Result<Vec<Memory>> {
    check(scope, id)?;
    let snapshot = Snapshot::read(host, scope).await?;
    let memory = snapshot.find(scope, id).ok_or_else(|| not_found(id))?;
    Ok(snapshot.chain(memory).into_iter().cloned().gather())
}

fn check_content(path: &str, content: &str) -> Result<()> {
    if content.trim().is_empty() {
        return Err(Error::input(path, "a text that is not blank"));
    }
    check_chars(path, content, MAX_CONTENT_CHARS)
}

pub(crate) fn check_chars(path: &str, text: &str, limit: usize) -> Result<()> {
    let size = text.chars().count();
    if size > limit {
        return Err(Error::too_large(path, size, limit, "characters"));
    }
    Ok(())
}

pub(crate) fn check_importance(path: &str, importance: u8) -> Result<()> {
    if (1..=10).contains(&importance) {
        return Ok(());
    }
    Err(Error::input(path, "a whole number from 1 to 10"))
}

fn check_items(path: &str, items: &[String]) -> Result<()> {
    if items.len() > MAX_ITEMS {
        return Err(Error::too_large(path, items.len(), MAX_ITEMS, "items"));
    }
    for (index, item) in items.iter().enumerate() {
        check_chars(&format!("{path}[{index}]"), item, MAX_ITEM_CHARS)?;
    }
    Ok(())
}

pub(crate) fn check_facts(path: &str, facts: &Facts) -> Result<()> {
    if facts.len() > MAX_ITEMS {
        return Err(Error::too_large(path, facts.len(), MAX_ITEMS, "facts"));
    }
    for (key, value) in facts {
        let path = format!("{path}.{key}");
        check_chars(&path, key, MAX_ITEM_CHARS)?;
        check_chars(&path, value, MAX_ITEM_CHARS)?;
    }
    Ok(())
}
