//! What an instance knows of a user's memories: enough to tell which of them a new one may bear on, so
//! that only those are read and compared. What is decided is what comparing all of them would decide.
//!
//! It follows the changes by the memory head's log, as the search index does. What other instances note
//! of a use is seen with the memory's next change: a promotion that only it makes due is then left to
//! `maintain`. Where all memories count (a tier is full, something goes for good), all are read.

use super::log;
use super::snapshot::{MemoryHead, Snapshot};
use crate::config::Config;
use crate::error::Result;
use crate::host::Host;
use crate::life::config::{DAY_MS, LifeConfig};
use crate::life::{evict, passage};
use crate::memory::{Candidate, Memory};
use crate::scope::Scope;
use crate::similarity::Prepared;
use crate::similarity::sketch::{Sketch, hash};
use crate::store::{self, Record};
use crate::table::Table;
use crate::vector::{self, Vector, external};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

/// Bytes that are held of all users together, about.
const BYTES: usize = 16 << 20;
/// What is held of one memory beside its embedding.
const ENTRY_BYTES: usize = 320;

/// The users that this instance served last.
#[derive(Debug, Default)]
pub struct Known(RefCell<Vec<Person>>);

/// The memories that a change is decided from.
#[derive(Debug)]
pub struct Relevant {
    /// All of the user's, or those that count.
    pub snapshot: Snapshot,
    /// Their texts, as far as they are ready.
    pub texts: Vec<OnceCell<Prepared>>,
    /// The embeddings that count.
    pub vectors: Table<Vector>,
}

impl From<Snapshot> for Relevant {
    fn from(snapshot: Snapshot) -> Self {
        Self {
            texts: vec![OnceCell::new(); snapshot.memories.len()],
            vectors: Table::default(),
            snapshot,
        }
    }
}

#[derive(Debug)]
struct Person {
    head_key: String,
    version: String,
    entries: Table<Entry>,
    vectors: Table<Vector>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    /// When time next makes something of it, ms.
    due: Option<i64>,
    is_hot: bool,
    is_cold: bool,
    is_pinned: bool,
    /// Up to when what was said is covered by its being forgotten, ms.
    forgotten: Option<i64>,
    facts: Box<[u32]>,
    /// None if it is not valid: then nothing is compared with it.
    text: Option<Sketch>,
}

impl Entry {
    fn of(memory: &Memory, text: Option<&Prepared>, life: &LifeConfig) -> Self {
        let forgotten = memory.forgotten_at.filter(|_| !memory.is_valid);
        Self {
            due: passage::next(memory, life).map(|(due, _)| due),
            is_hot: evict::is_hot(memory),
            is_cold: evict::is_cold(memory),
            is_pinned: memory.is_valid && memory.is_pinned,
            forgotten: forgotten.map(|_| memory.last_access_at.max(memory.observed_at)),
            facts: memory.facts.keys().map(|key| hash(key)).collect(),
            text: text.map(Sketch::of),
        }
    }
}

fn of_memory(memory: &Memory, life: &LifeConfig) -> Entry {
    let text = memory.is_valid.then(|| Prepared::new(&memory.content));
    Entry::of(memory, text.as_ref(), life)
}

impl Known {
    /// The memories that these proposals may bear on, as they are now, and their embeddings.
    pub async fn relevant<H: Host>(
        &self,
        host: &H,
        config: &Config,
        scope: &Scope,
        candidates: &[Candidate],
        embeddings: &[Option<Vector>],
    ) -> Result<Relevant> {
        let now = store::now(host)?;
        let key = scope.memory_head_key();
        let Some(version) = self.version(&key) else {
            return self.all(host, config, scope).await;
        };
        let head = store::read::<H, MemoryHead>(host, &key).await?;
        let Some(head) = head else {
            self.drop(scope);
            return self.all(host, config, scope).await;
        };
        let changed = match version == head.version {
            true => Some(BTreeSet::new()),
            false => log::since(&head.value.log, &version),
        };
        let is_told = head.value.vectors || !external::is_there(host);
        let Some(changed) = changed.filter(|_| is_told) else {
            return self.all(host, config, scope).await;
        };
        let changed: Vec<String> = changed.into_iter().collect();
        let memories = read(host, scope, &changed).await?;
        let vectors = match changed.is_empty() || !host.has_embeddings() {
            true => Table::default(),
            false => vector::read_some(host, scope, &changed).await?,
        };
        // Another call may have been here meanwhile.
        let Some(mut person) = self.take(&key).filter(|person| person.version == version) else {
            return self.all(host, config, scope).await;
        };
        person.follow(&head, changed, &memories, vectors, &config.life);
        let wanted = person.wanted(candidates, config, now);
        let vectors = person.near(embeddings, config.dedup.cosine);
        self.keep(person);
        let Some(mut wanted) = wanted else {
            return self.all(host, config, scope).await;
        };
        wanted.extend(vectors.iter().map(|(id, _)| id.clone()));
        let wanted: Vec<String> = wanted.into_iter().collect();
        let memories = read(host, scope, &wanted).await?;
        let snapshot = Snapshot::of(host, scope, Some(head), memories);
        Ok(Relevant {
            vectors,
            ..snapshot.into()
        })
    }

    async fn all<H: Host>(&self, host: &H, config: &Config, scope: &Scope) -> Result<Relevant> {
        let all = Snapshot::read(host, scope).await?;
        self.learn(host, config, scope, all).await
    }

    /// Knows a user from now on by all memories, and gives them.
    pub async fn learn<H: Host>(
        &self,
        host: &H,
        config: &Config,
        scope: &Scope,
        snapshot: Snapshot,
    ) -> Result<Relevant> {
        let vectors = vector::read(host, scope).await?;
        let memories = &snapshot.memories;
        let mut texts = vec![OnceCell::new(); memories.len()];
        if let Some(head) = snapshot.head()
            && memories.len() >= host.index_limits().memories
        {
            let mut person = Person {
                head_key: head.key.clone(),
                version: head.version.clone(),
                entries: Table::default(),
                vectors: Table::default(),
                bytes: 0,
            };
            for (memory, text) in memories.iter().zip(&mut texts) {
                if memory.is_valid {
                    *text = OnceCell::from(Prepared::new(&memory.content));
                }
                let entry = Entry::of(memory, text.get(), &config.life);
                person.put(memory.id.clone(), entry, vectors.get(&memory.id).cloned());
            }
            self.keep(person);
        }
        Ok(Relevant {
            snapshot,
            texts,
            vectors,
        })
    }

    /// Whether it knows the user's memories.
    pub fn knows(&self, scope: &Scope) -> bool {
        self.version(&scope.memory_head_key()).is_some()
    }

    /// Takes note of memories whose use was noted.
    pub fn note(&self, scope: &Scope, used: &[Memory], life: &LifeConfig) {
        let key = scope.memory_head_key();
        let mut known = self.0.borrow_mut();
        let Some(person) = known.iter_mut().find(|person| person.head_key == key) else {
            return;
        };
        for memory in used {
            if let Some(entry) = person.entries.get_mut(&memory.id) {
                entry.due = passage::next(memory, life).map(|(due, _)| due);
            }
        }
    }

    /// Drops what is known of a user.
    pub fn drop(&self, scope: &Scope) {
        self.take(&scope.memory_head_key());
    }

    fn version(&self, key: &str) -> Option<String> {
        let known = self.0.borrow();
        let person = known.iter().find(|person| person.head_key == key)?;
        Some(person.version.clone())
    }

    fn take(&self, key: &str) -> Option<Person> {
        let mut known = self.0.borrow_mut();
        let at = known.iter().position(|person| person.head_key == key)?;
        Some(known.remove(at))
    }

    fn keep(&self, person: Person) {
        let mut known = self.0.borrow_mut();
        known.retain(|other| other.head_key != person.head_key);
        known.insert(0, person);
        let mut bytes = 0;
        known.retain(|person| {
            bytes += person.bytes;
            bytes <= BYTES
        });
    }
}

/// Memories by their ids, in the order of these; one that cannot be read is logged and left out.
async fn read<H: Host>(host: &H, scope: &Scope, ids: &[String]) -> Result<Vec<Memory>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<String> = ids.iter().map(|id| scope.memory_key(id)).collect();
    let entries = store::get(host, &keys).await?;
    let records: Vec<Record<Memory>> =
        store::decode_all(host, entries.into_iter().flatten().collect());
    Ok(records.into_iter().map(|record| record.value).collect())
}

impl Person {
    fn put(&mut self, id: String, entry: Entry, vector: Option<Vector>) {
        self.bytes += ENTRY_BYTES + vector.as_ref().map_or(0, Vector::dimensions);
        if let Some(vector) = vector {
            self.vectors.insert(id.clone(), vector);
        }
        self.entries.insert(id, entry);
    }

    fn follow(
        &mut self,
        head: &Record<MemoryHead>,
        changed: Vec<String>,
        memories: &[Memory],
        mut vectors: Table<Vector>,
        life: &LifeConfig,
    ) {
        self.version.clone_from(&head.version);
        for id in changed {
            self.entries.remove(&id);
            self.vectors.remove(&id);
        }
        for memory in memories {
            let vector = vectors.remove(&memory.id);
            self.put(memory.id.clone(), of_memory(memory, life), vector);
        }
    }

    /// The embeddings that are near one of these.
    fn near(&self, embeddings: &[Option<Vector>], cosine: f64) -> Table<Vector> {
        let is_near = |vector: &Vector| {
            let mut asked = embeddings.iter().flatten();
            asked.any(|asked| asked.cosine(vector) >= cosine)
        };
        let near = self.vectors.iter().filter(|(_, vector)| is_near(vector));
        near.map(|(id, vector)| (id.clone(), vector.clone()))
            .collect()
    }

    /// The memories that these proposals may bear on, those that time has made something of, and those
    /// whose being forgotten may cover a proposal; none where all count.
    fn wanted(
        &self,
        candidates: &[Candidate],
        config: &Config,
        now: i64,
    ) -> Option<BTreeSet<String>> {
        let life = &config.life;
        let entries = || self.entries.iter().map(|(_, entry)| entry);
        let (hot, cold, pinned) = entries().fold((0, 0, 0), |(hot, cold, pinned), entry| {
            let one = usize::from;
            (
                hot + one(entry.is_hot),
                cold + one(entry.is_cold),
                pinned + one(entry.is_pinned),
            )
        });
        if hot + candidates.len() > life.max_hot || cold > life.max_cold || pinned > life.max_pinned
        {
            return None;
        }
        let kept = f64::from(life.purge_days) * DAY_MS;
        let purged = |due: i64| life.purge_days > 0 && due.saturating_add(kept as i64) <= now;
        let said = candidates
            .iter()
            .map(|candidate| candidate.observed_at)
            .min()?;
        let new: Vec<New<'_>> = candidates.iter().map(New::of).collect();
        let mut wanted = BTreeSet::new();
        for (id, entry) in self.entries.iter() {
            let due = entry.due.filter(|due| *due <= now);
            if let Some(due) = due
                && (entry.text.is_none() || purged(due))
            {
                return None;
            }
            let is_covering = || entry.forgotten.is_some_and(|until| said <= until);
            let bears = || {
                new.iter()
                    .any(|new| new.may_bear_on(id, entry, config.dedup.overlap))
            };
            if due.is_some() || is_covering() || bears() {
                wanted.insert(id.clone());
            }
        }
        Some(wanted)
    }
}

/// A proposal, as far as it bears on memories.
struct New<'a> {
    candidate: &'a Candidate,
    text: Sketch,
    facts: Box<[u32]>,
    corrects: bool,
}

impl<'a> New<'a> {
    fn of(candidate: &'a Candidate) -> Self {
        Self {
            text: Sketch::of(&Prepared::new(&candidate.content)),
            facts: candidate.facts.keys().map(|key| hash(key)).collect(),
            corrects: crate::conflict::corrects(candidate),
            candidate,
        }
    }

    fn may_bear_on(&self, id: &str, entry: &Entry, overlap: f64) -> bool {
        let Some(text) = &entry.text else {
            return false;
        };
        let mut named = self
            .candidate
            .replaces
            .iter()
            .chain(&self.candidate.contradicts);
        named.any(|named| named == id)
            || self.facts.iter().any(|fact| entry.facts.contains(fact))
            || self.text.may_bear_on(text, self.corrects, overlap)
    }
}
