//! What an instance knows of a user's memories: enough to tell which of them a new one may bear on, so
//! that only those are read and compared. What is decided is what comparing all of them would decide.
//!
//! It follows the changes by the memory head's log, as the search index does. What other instances note
//! of a use is seen with the memory's next change: a promotion that only it makes due is then left to
//! `maintain`. Where all memories count (a tier is full, something goes for good), all are read.

use super::log;
use super::snapshot::{MemoryHead, Snapshot};
use crate::config::Config;
use crate::conflict;
use crate::error::Result;
use crate::gather::Gather;
use crate::host::Host;
use crate::life::config::{DAY_MS, LifeConfig};
use crate::life::{evict, passage};
use crate::memory::{Candidate, Memory};
use crate::recall::{self, Changed};
use crate::scope::Scope;
use crate::similarity::Prepared;
use crate::similarity::sketch::{Sketch, hash};
use crate::sorted::{Facts, Names};
use crate::store;
use crate::table::Table;
use crate::vector::{self, Vector, external};
use std::cell::{OnceCell, RefCell};

/// Bytes that are held of all users together, about.
const BYTES: usize = 16 << 20;
/// What is held of one memory beside its embedding.
const ENTRY_BYTES: usize = 320;

/// The users that this instance served last.
#[derive(Debug, Default)]
pub struct Known {
    people: RefCell<Vec<Person>>,
    stored: RefCell<Option<Stored>>,
}

/// What is proposed to be remembered.
#[derive(Debug, Clone, Copy)]
pub struct Proposed<'a> {
    /// The proposals.
    pub candidates: &'a [Candidate],
    /// What each tells of others.
    pub(crate) sketches: &'a [Sketch],
    /// The embedding of each, where there is one.
    pub embeddings: &'a [Option<Vector>],
    /// When, ms.
    pub now_ms: i64,
}

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
    bytes: usize,
}

/// What this instance stored last, by a change that replaced a version of a user's memory head.
#[derive(Debug)]
struct Stored {
    head_key: String,
    replaced: String,
    id: String,
    entry: Entry,
}

#[derive(Debug)]
struct Entry {
    /// When time next makes something of it, ms.
    due: i64,
    is_hot: bool,
    is_cold: bool,
    is_pinned: bool,
    /// Up to when what was said is covered by its being forgotten, ms.
    covers: Option<i64>,
    facts: Box<[u32]>,
    /// None if it is not valid: then nothing is compared with it.
    text: Option<Sketch>,
    vector: Option<Vector>,
}

impl Entry {
    fn of(
        memory: &Memory,
        sketch: Option<Sketch>,
        vector: Option<Vector>,
        life: &LifeConfig,
    ) -> Self {
        let is_forgotten = !memory.is_valid && memory.forgotten_at.is_some();
        let covers = || memory.last_access_at.max(memory.observed_at);
        Self {
            due: due(memory, life),
            is_hot: evict::is_hot(memory),
            is_cold: evict::is_cold(memory),
            is_pinned: memory.is_valid && memory.is_pinned,
            covers: is_forgotten.then(covers),
            facts: facts(&memory.facts),
            text: sketch.filter(|_| memory.is_valid),
            vector,
        }
    }
}

impl Known {
    /// The memories that proposals may bear on, as they are now, and the embeddings that count. `all`
    /// of them, where they were read just now anyway, take the place of reading them again.
    pub async fn relevant<H: Host>(
        &self,
        host: &H,
        config: &Config,
        scope: &Scope,
        proposed: &Proposed<'_>,
        all: Option<Snapshot>,
    ) -> Result<Relevant> {
        if proposed.candidates.is_empty() {
            // What is known does not matter when there is nothing to keep.
            return Ok(all.unwrap_or_else(|| Snapshot::none(scope)).into());
        }
        let few = self
            .few(host, config, scope, proposed, all.as_ref())
            .await?;
        if let Some(few) = few {
            return Ok(few);
        }
        let all = match all {
            Some(all) => all,
            None => Snapshot::read(host, scope).await?,
        };
        let vectors = vector::read(host, scope).await?;
        let texts = self.learn(&all, &vectors, host.index_limits().memories, &config.life);
        Ok(Relevant {
            snapshot: all,
            texts,
            vectors,
        })
    }

    /// None where all count, or the instance does not know the user.
    async fn few<H: Host>(
        &self,
        host: &H,
        config: &Config,
        scope: &Scope,
        proposed: &Proposed<'_>,
        all: Option<&Snapshot>,
    ) -> Result<Option<Relevant>> {
        let key = scope.memory_head_key();
        let Some(version) = self.version(&key) else {
            return Ok(None);
        };
        let head = match all {
            Some(all) => all.head().cloned(),
            None => store::typed::<MemoryHead>(store::read(host, key.clone()).await)?,
        };
        let Some(head) = head else {
            return Ok(None);
        };
        let changed = match version == head.version {
            true => Some(Names::new()),
            false => log::since(&head.value.log, &version),
        };
        let is_told = head.value.vectors || !external::is_there(host);
        let Some(mut ids) = changed.filter(|_| is_told) else {
            return Ok(None);
        };
        let own = self.stored.take().filter(|own| {
            let is_of_user = own.head_key == key && own.replaced == version;
            is_of_user && log::is_of_first(&head.value.log, &version, &own.id)
        });
        if let Some(own) = &own {
            ids.remove(&own.id);
        }
        let changed = now(host, scope, all, ids).await?;
        let vectors = recall::vectors_of(host, scope, &changed).await?;
        // Another call may have been here meanwhile.
        let Some(mut person) = self.take(&key).filter(|person| person.version == version) else {
            return Ok(None);
        };
        person.follow(&head.version, changed, vectors, &config.life);
        if let Some(Stored { id, entry, .. }) = own {
            person.put(id, entry);
        }
        let wanted = person.wanted(proposed, config);
        self.keep(person);
        let Some((ids, vectors)) = wanted else {
            return Ok(None);
        };
        let memories = now(host, scope, all, ids).await?;
        let memories = memories.into_iter().filter_map(|(_, memory)| memory);
        let snapshot = Snapshot::of(host, scope, Some(head), memories.gather());
        Ok(Some(Relevant {
            vectors,
            ..snapshot.into()
        }))
    }

    /// Knows a user from now on by all memories, if they are worth it; gives their texts.
    fn learn(
        &self,
        all: &Snapshot,
        vectors: &Table<Vector>,
        least: usize,
        life: &LifeConfig,
    ) -> Vec<OnceCell<Prepared>> {
        let memories = &all.memories;
        let texts = vec![OnceCell::new(); memories.len()];
        let Some(head) = all.head().filter(|_| memories.len() >= least) else {
            return texts;
        };
        let mut person = Person {
            head_key: head.key.clone(),
            version: head.version.clone(),
            entries: Table::default(),
            bytes: 0,
        };
        for (memory, text) in memories.iter().zip(&texts) {
            let vector = vectors.get(&memory.id).cloned();
            person.read(memory, text, vector, life);
        }
        self.keep(person);
        texts
    }

    /// Takes note of memories whose use was noted.
    pub fn note(&self, scope: &Scope, used: &[Memory], life: &LifeConfig) {
        let key = scope.memory_head_key();
        let mut known = self.people.borrow_mut();
        let Some(person) = known.iter_mut().find(|person| person.head_key == key) else {
            return;
        };
        for memory in used {
            // What it was stored as is no longer what it is.
            let mut stored = self.stored.borrow_mut();
            stored.take_if(|stored| stored.id == memory.id);
            if let Some(entry) = person.entries.get_mut(&memory.id) {
                entry.due = due(memory, life);
            }
        }
    }

    /// Takes note of what this instance has stored by a change decided from this snapshot: nobody has to
    /// read it to know it.
    pub(crate) fn stored(
        &self,
        snapshot: &Snapshot,
        scope: &Scope,
        memory: &Memory,
        sketch: Sketch,
        vector: Option<Vector>,
        life: &LifeConfig,
    ) {
        let replaced = snapshot.version().unwrap_or_default().to_owned();
        *self.stored.borrow_mut() = Some(Stored {
            head_key: scope.memory_head_key(),
            replaced,
            id: memory.id.clone(),
            entry: Entry::of(memory, Some(sketch), vector, life),
        });
    }

    /// Drops what is known of a user.
    pub fn drop(&self, scope: &Scope) {
        self.take(&scope.memory_head_key());
    }

    fn version(&self, key: &str) -> Option<String> {
        let known = self.people.borrow();
        let person = known.iter().find(|person| person.head_key == key)?;
        Some(person.version.clone())
    }

    fn take(&self, key: &str) -> Option<Person> {
        let mut known = self.people.borrow_mut();
        let at = known.iter().position(|person| person.head_key == key)?;
        Some(known.remove(at))
    }

    fn keep(&self, person: Person) {
        let mut known = self.people.borrow_mut();
        known.retain(|other| other.head_key != person.head_key);
        known.insert(0, person);
        let mut bytes = 0;
        known.retain(|person| {
            bytes += person.bytes;
            bytes <= BYTES
        });
    }
}

impl Person {
    fn read(
        &mut self,
        memory: &Memory,
        text: &OnceCell<Prepared>,
        vector: Option<Vector>,
        life: &LifeConfig,
    ) {
        let text = || text.get_or_init(|| Prepared::new(&memory.content));
        let sketch = memory.is_valid.then(|| Sketch::of(text()));
        let entry = Entry::of(memory, sketch, vector, life);
        self.put(memory.id.clone(), entry);
    }

    fn put(&mut self, id: String, entry: Entry) {
        self.bytes += ENTRY_BYTES
            + entry.text.as_ref().map_or(0, Sketch::bytes)
            + entry.vector.as_ref().map_or(0, Vector::dimensions);
        self.entries.insert(id, entry);
    }

    fn follow(
        &mut self,
        version: &str,
        changed: Changed,
        mut vectors: Table<Vector>,
        life: &LifeConfig,
    ) {
        version.clone_into(&mut self.version);
        for (id, memory) in changed {
            match memory {
                Some(memory) => self.read(&memory, &OnceCell::new(), vectors.remove(&id), life),
                None => drop(self.entries.remove(&id)),
            }
        }
    }

    /// The memories that proposals may bear on, those that time has made something of, and those
    /// whose being forgotten may cover a proposal; beside them the embeddings that are near. None
    /// where all count.
    fn wanted(&self, proposed: &Proposed<'_>, config: &Config) -> Option<(Names, Table<Vector>)> {
        let life = &config.life;
        let candidates = proposed.candidates;
        let (mut hot, mut cold, mut pinned) = (candidates.len(), 0, 0);
        let kept = f64::from(life.purge_days) * DAY_MS;
        let is_purged =
            |due: i64| life.purge_days > 0 && due.saturating_add(kept as i64) <= proposed.now_ms;
        let said = candidates
            .iter()
            .map(|candidate| candidate.observed_at)
            .min();
        let new = candidates.iter().zip(proposed.sketches);
        let new: Vec<New<'_>> = new.map(New::of).gather();
        let mut wanted = Names::new();
        let mut vectors = Table::default();
        for (id, entry) in self.entries.iter() {
            hot += usize::from(entry.is_hot);
            cold += usize::from(entry.is_cold);
            pinned += usize::from(entry.is_pinned);
            let is_due = entry.due <= proposed.now_ms;
            if is_due && (entry.text.is_none() || is_purged(entry.due)) {
                return None;
            }
            let near = entry.vector.as_ref().filter(|vector| {
                let mut asked = proposed.embeddings.iter().flatten();
                asked.any(|asked| asked.cosine(vector) >= config.dedup.cosine)
            });
            let covers = entry.covers.is_some() && entry.covers >= said;
            let bears = || {
                let mut new = new.iter();
                new.any(|new| new.may_bear_on(id, entry, config.dedup.overlap))
            };
            if is_due || covers || near.is_some() || bears() {
                wanted.insert(id.clone());
                vectors.extend(near.map(|vector| (id.clone(), vector.clone())));
            }
        }
        let is_crowded = hot > life.max_hot || cold > life.max_cold || pinned > life.max_pinned;
        (!is_crowded).then_some((wanted, vectors))
    }
}

/// What these memories are by now; `all` were read just now where they are given.
async fn now<H: Host>(
    host: &H,
    scope: &Scope,
    all: Option<&Snapshot>,
    ids: Names,
) -> Result<Changed> {
    let Some(all) = all else {
        return recall::changed(host, scope, ids).await;
    };
    let mut there = Table::default();
    for memory in all
        .memories
        .iter()
        .filter(|memory| ids.contains(&memory.id))
    {
        there.insert(memory.id.clone(), memory.clone());
    }
    let now = ids.into_iter().map(|id| {
        let memory = there.remove(&id);
        (id, memory)
    });
    Ok(now.gather())
}

fn due(memory: &Memory, life: &LifeConfig) -> i64 {
    passage::next(memory, life).map_or(i64::MAX, |(due, _)| due)
}

fn facts(facts: &Facts) -> Box<[u32]> {
    facts.keys().map(|key| hash(key)).collect()
}

/// A proposal, as far as it bears on memories.
struct New<'a> {
    candidate: &'a Candidate,
    text: &'a Sketch,
    facts: Box<[u32]>,
    corrects: bool,
}

impl<'a> New<'a> {
    fn of((candidate, text): (&'a Candidate, &'a Sketch)) -> Self {
        Self {
            text,
            facts: facts(&candidate.facts),
            corrects: conflict::corrects(candidate),
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
