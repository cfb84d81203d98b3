//! How new memories join those that are there: merged into one that says the same, taking the
//! place of one that they contradict, or stored beside them (E5–E7, F6, F7).

use crate::config::DedupConfig;
use crate::conflict::{self, Relation, Resolution, Standing};
use crate::gather::Gather;
use crate::gather::Push;
use crate::life::{self, Settled};
use crate::memories::questions::Question;
use crate::memory::{Candidate, Memory, MemoryScope, Source, Temperature, Tier};
use crate::safety::SafetyConfig;
use crate::scope::Scope;
use crate::similarity::{Prepared, Similarity};
use crate::sorted::{self, Names};
use crate::store::Change;
use crate::table::Table;
use crate::vector::{self, Vector};
use serde::Serialize;
use std::cell::OnceCell;

/// Where new memories come from.
#[derive(Debug, Clone)]
pub struct Origin<'a> {
    /// The agent that was there.
    pub agent: Option<String>,
    /// The session they were learnt in.
    pub session: Option<String>,
    /// Dialogue, tool or API.
    pub source: Source,
    /// When, ms.
    pub now_ms: i64,
    /// Every text is kept as it is: only the very same words are merged, nothing contradicts.
    pub verbatim: bool,
    /// What of it must not be believed as it is.
    pub safety: &'a SafetyConfig,
    /// Severe contradictions become questions to the person instead of being settled.
    pub ask_severe: bool,
}

/// A proposal that said what another memory says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Merged {
    /// Its text.
    pub content: String,
    /// The text of the memory that it went into.
    pub into: String,
    /// How they are alike: `exact`, `contains`, `jaccard`, `levenshtein`, `cosine`.
    pub reason: String,
}

/// A memory that a new one replaced.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Superseded {
    /// The old one.
    pub id: String,
    /// The new one.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// What a merge did.
#[derive(Debug)]
pub struct Outcome {
    /// New memories, in the order of the proposals.
    pub stored: Vec<Memory>,
    /// Proposals that went into another memory.
    pub merged: Vec<Merged>,
    /// Memories that were replaced.
    pub superseded: Vec<Superseded>,
    /// Texts that a newer memory contradicts, with its id: kept in its history only.
    pub outdated: Vec<(String, String)>,
    /// Ids of questions that arose.
    pub questions: Vec<String>,
}

/// A merge in the making: pure, over all memories of a user.
#[derive(Debug)]
pub struct Merge<'a> {
    memories: Vec<Memory>,
    /// Their texts, made ready when they are first compared: most never are.
    texts: Vec<OnceCell<Prepared>>,
    origin: &'a Origin<'a>,
    config: &'a DedupConfig,
    changed: Names,
    stored: Vec<String>,
    merged: Vec<Merged>,
    superseded: Vec<Superseded>,
    outdated: Vec<(String, String)>,
    questions: Vec<Question>,
    vectors: Table<Vector>,
}

/// Links of one memory to others that overlap with it.
const RELATED: usize = 8;

enum Decision {
    /// This memory says it already, in this way.
    Same(String, &'static str),
    /// This newer memory says otherwise.
    Outdated(String),
    /// Stored.
    Store {
        /// Memories that it ends, each after the reason.
        ended: Vec<(String, String)>,
        /// Memories that it contradicts and stands beside.
        beside: Vec<String>,
        /// Those of them to ask the person about, each after the reason.
        asked: Vec<(String, String)>,
    },
}

fn same_words(a: &Prepared, b: &Prepared) -> Relation {
    if a.norm() == b.norm() {
        let why = Similarity::Exact;
        return Relation::Duplicate { why };
    }
    Relation::None
}

impl<'a> Merge<'a> {
    /// Starts from these memories.
    pub fn new(memories: Vec<Memory>, origin: &'a Origin<'a>, config: &'a DedupConfig) -> Self {
        Self {
            texts: vec![OnceCell::new(); memories.len()],
            memories,
            origin,
            config,
            changed: Names::new(),
            stored: Vec::new(),
            merged: Vec::new(),
            superseded: Vec::new(),
            outdated: Vec::new(),
            questions: Vec::new(),
            vectors: Table::default(),
        }
    }

    /// With the texts of the memories, as far as they are ready.
    #[must_use]
    pub fn with_texts(mut self, texts: Vec<OnceCell<Prepared>>) -> Self {
        self.texts = texts;
        self
    }

    /// With the embeddings of these memories, by id.
    #[must_use]
    pub fn with_vectors(mut self, vectors: Table<Vector>) -> Self {
        self.vectors = vectors;
        self
    }

    /// Takes a proposal, its text too if it is ready, under this id if it is stored; gives the id of the
    /// memory that holds it, or of the newer one that it contradicts.
    pub fn take(
        &mut self,
        candidate: Candidate,
        text: Option<Prepared>,
        id: String,
        position: Option<u32>,
        vector: Option<Vector>,
    ) -> String {
        let text = text.unwrap_or_else(|| Prepared::new(&candidate.content));
        let new = self.memory(candidate.clone(), id, position);
        let near = self.near(vector.as_ref());
        if let Some(vector) = vector {
            self.vectors.insert(new.id.clone(), vector);
        }
        match self.decide(&candidate, &text, &new, &near) {
            Decision::Same(into, why) => {
                self.absorb(&into, &new, why);
                into
            }
            Decision::Outdated(by) => {
                self.precede(new, text, &by);
                by
            }
            Decision::Store {
                ended,
                beside,
                asked,
            } => {
                let related = self.overlapping(&new, &text, &ended, &near);
                self.store(new, text, &ended, &beside, &asked, &related)
            }
        }
    }

    /// Ids of the memories whose embedding is near this one.
    fn near(&self, vector: Option<&Vector>) -> Names {
        let Some(vector) = vector.filter(|_| !self.origin.verbatim) else {
            return Names::new();
        };
        let is_near = |other: &Vector| vector.cosine(other) >= self.config.cosine;
        let near = self.vectors.iter().filter(|(_, other)| is_near(other));
        Names::from_iter(near.map(|(id, _)| id.clone()))
    }

    fn decide(
        &self,
        candidate: &Candidate,
        text: &Prepared,
        new: &Memory,
        near: &Names,
    ) -> Decision {
        let cube = new.cube();
        let mut against = Vec::new();
        for (old, old_text) in self.memories.iter().zip(&self.texts) {
            // What is held neither hides in another memory nor replaces one.
            if !old.is_valid || old.is_held != new.is_held || !old.is_of(&cube) {
                continue;
            }
            let old_text = old_text.get_or_init(|| Prepared::new(&old.content));
            let mut standing = Standing::from(old);
            // What was said earlier in the same session is older, whatever the clock says.
            if old.session_id == new.session_id && old.position < new.position {
                standing.observed_at = standing.observed_at.min(new.observed_at.saturating_sub(1));
            }
            let relation = if self.origin.verbatim || new.is_held {
                same_words(text, old_text)
            } else {
                conflict::relate_prepared(candidate, text, &standing, old_text, self.config)
            };
            // Embeddings only suggest: another value or a negation is near, too.
            let is_same = || near.contains(&old.id) && conflict::same_meaning(text, old_text);
            let relation = match relation {
                Relation::None if is_same() => Relation::Duplicate {
                    why: Similarity::Cosine,
                },
                relation => relation,
            };
            if relation != Relation::None {
                against.push((standing, relation));
            }
        }
        let reason = |id: &str| {
            let of_id = against.iter().find(|(standing, _)| standing.id == id);
            match of_id.map(|(_, relation)| relation) {
                Some(Relation::Update { reason } | Relation::Conflict { reason, .. }) => {
                    reason.clone()
                }
                _ => "it says the same, and something else has changed".to_owned(),
            }
        };
        match conflict::resolve(candidate, &against, self.origin.ask_severe) {
            Resolution::Precede { id } => Decision::Outdated(id),
            Resolution::Skip { id } => {
                let of_id = against.iter().find(|(standing, _)| standing.id == id);
                let why = match of_id.map(|(_, relation)| relation) {
                    Some(Relation::Duplicate { why }) => why.as_str(),
                    _ => "exact",
                };
                Decision::Same(id, why)
            }
            Resolution::Store {
                expire,
                beside,
                ask,
            } => Decision::Store {
                asked: ask.into_iter().map(|id| (reason(&id), id)).gather(),
                ended: expire.into_iter().map(|id| (reason(&id), id)).gather(),
                beside,
            },
        }
    }

    fn memory(&self, candidate: Candidate, id: String, position: Option<u32>) -> Memory {
        let now = self.origin.now_ms;
        let agent = self.origin.agent.clone();
        // Without an agent there is no experience of one: what it learnt is the user's.
        let scope = match (candidate.scope, &agent) {
            (MemoryScope::Agent, Some(_)) => MemoryScope::Agent,
            _ => MemoryScope::User,
        };
        let mut memory = Memory {
            id,
            content: candidate.content,
            created_at: now,
            last_access_at: now,
            access_count: 0,
            observed_at: candidate.observed_at,
            weight: 1.0,
            importance: candidate.importance,
            category: candidate.category,
            kind: candidate.kind,
            scope,
            agent_id: agent.filter(|_| scope == MemoryScope::Agent),
            tier: Tier::Short,
            temperature: Temperature::Hot,
            tags: Vec::new(),
            source: self.origin.source,
            version: 1,
            previous_id: None,
            next_id: None,
            related_ids: Vec::new(),
            conflict_ids: Vec::new(),
            is_valid: true,
            forgotten_at: None,
            is_pinned: false,
            session_id: self.origin.session.clone(),
            message_ids: candidate.message_ids,
            position,
            facts: candidate.facts,
            cues: candidate.cues,
            is_sensitive: candidate.is_sensitive,
            expires_at: None,
            suspicion: None,
            is_held: false,
        };
        memory.inspect(self.origin.safety);
        memory
    }

    /// Touches the memory that says the same; its own text stays.
    fn absorb(&mut self, into: &str, new: &Memory, reason: &str) {
        let Some(old) = self.memories.iter_mut().find(|old| old.id == into) else {
            return;
        };
        old.last_access_at = old.last_access_at.max(new.last_access_at);
        old.access_count = old.access_count.saturating_add(1);
        old.weight = old.weight.max(new.weight);
        old.temperature = Temperature::Hot;
        old.observed_at = old.observed_at.max(new.observed_at);
        old.importance = old.importance.max(new.importance);
        for id in &new.message_ids {
            if !old.message_ids.contains(id) {
                old.message_ids.push(id.clone());
            }
        }
        for (key, value) in &new.facts {
            old.facts.add(key.clone(), value.clone());
        }
        self.merged.push(Merged {
            content: new.content.clone(),
            into: old.content.clone(),
            reason: reason.to_owned(),
        });
        self.changed.insert(into.to_owned());
    }

    fn store(
        &mut self,
        mut new: Memory,
        text: Prepared,
        ended: &[(String, String)],
        beside: &[String],
        asked: &[(String, String)],
        related: &[String],
    ) -> String {
        self.supersede(&mut new, ended);
        self.mark(&mut new, beside);
        self.link(&mut new, related);
        self.questions
            .push_all(asked.iter().map(|(reason, old)| Question {
                id: format!("{old}+{}", new.id),
                old: old.clone(),
                new: new.id.clone(),
                reason: reason.clone(),
            }));
        let id = new.id.clone();
        self.stored.push(id.clone());
        self.changed.insert(id.clone());
        self.memories.push(new);
        self.texts.push(OnceCell::from(text));
        id
    }

    /// The new memory takes the place of these; the one with most versions is its previous one.
    fn supersede(&mut self, new: &mut Memory, ended: &[(String, String)]) {
        for (reason, id) in ended {
            let Some(old) = self.memories.iter_mut().find(|old| old.id == *id) else {
                continue;
            };
            old.is_valid = false;
            old.next_id = Some(new.id.clone());
            if new.version <= old.version {
                new.version = old.version.saturating_add(1);
                new.previous_id = Some(old.id.clone());
            }
            new.is_pinned |= old.is_pinned;
            self.changed.insert(id.clone());
            self.superseded.push(Superseded {
                id: id.clone(),
                by: new.id.clone(),
                reason: reason.clone(),
            });
        }
    }

    /// Goes into the history of the memory that was said after it.
    fn precede(&mut self, mut new: Memory, text: Prepared, by: &str) {
        let Some(newer) = self.memories.iter_mut().find(|newer| newer.id == by) else {
            return;
        };
        new.is_valid = false;
        new.next_id = Some(by.to_owned());
        if newer.previous_id.is_none() {
            newer.previous_id = Some(new.id.clone());
            newer.version = newer.version.saturating_add(1);
            self.changed.insert(by.to_owned());
        }
        self.outdated.push((new.content.clone(), by.to_owned()));
        self.changed.insert(new.id.clone());
        self.memories.push(new);
        self.texts.push(OnceCell::from(text));
    }

    /// Live memories that tell a part of the same: both stay, linked (M3).
    fn overlapping(
        &self,
        new: &Memory,
        text: &Prepared,
        ended: &[(String, String)],
        near: &Names,
    ) -> Vec<String> {
        if self.origin.verbatim {
            return Vec::new();
        }
        let cube = new.cube();
        let is_ended = |id: &str| ended.iter().any(|(_, ended)| ended == id);
        let of_cube = |old: &Memory| {
            old.is_valid && old.is_held == new.is_held && old.is_of(&cube) && !is_ended(&old.id)
        };
        let overlap = self.config.overlap;
        self.memories
            .iter()
            .zip(&self.texts)
            .filter(|(old, old_text)| {
                let overlaps = || {
                    let old_text = old_text.get_or_init(|| Prepared::new(&old.content));
                    text.overlap(old_text) >= overlap
                };
                of_cube(old) && (near.contains(&old.id) || overlaps())
            })
            .map(|(old, _)| old.id.clone())
            .take(RELATED)
            .gather()
    }

    fn link(&mut self, new: &mut Memory, ids: &[String]) {
        for id in ids {
            let Some(old) = self.memories.iter_mut().find(|old| old.id == *id) else {
                continue;
            };
            if old.related_ids.len() < RELATED {
                old.related_ids.push(new.id.clone());
                self.changed.insert(id.clone());
            }
            new.related_ids.push(id.clone());
        }
    }

    /// Both stay, each knowing of the other.
    fn mark(&mut self, new: &mut Memory, ids: &[String]) {
        for id in ids {
            let Some(old) = self.memories.iter_mut().find(|old| old.id == *id) else {
                continue;
            };
            old.conflict_ids.push(new.id.clone());
            new.conflict_ids.push(id.clone());
            self.changed.insert(id.clone());
        }
    }

    /// Changes a memory that this merge stored.
    pub fn amend(&mut self, id: &str, amend: impl FnOnce(&mut Memory)) {
        if let Some(memory) = self.memories.iter_mut().find(|memory| memory.id == id) {
            amend(memory);
        }
    }

    /// A memory as it is now.
    pub fn get(&self, id: &str) -> Option<&Memory> {
        self.memories.iter().find(|memory| memory.id == id)
    }

    /// Brings all memories to what they are now: before a proposal is taken, so that it is not
    /// merged into what is over, and before they are written.
    pub fn settle(&mut self, rules: life::Rules<'_>) -> Settled {
        let settled = life::settle(&mut self.memories, self.origin.now_ms, rules);
        self.changed.extend(settled.changed.iter().cloned());
        if !settled.removed.is_empty() {
            self.texts = vec![OnceCell::new(); self.memories.len()];
        }
        settled
    }

    /// Whether nothing has changed so far.
    pub fn is_unchanged(&self) -> bool {
        self.changed.is_empty()
    }

    /// Puts everything that changed into a change of the store.
    pub fn write(&self, scope: &Scope, change: &mut Change) {
        for memory in &self.memories {
            if self.changed.contains(&memory.id) {
                change.put(scope.memory_key(&memory.id), memory);
            }
        }
        for id in &self.stored {
            vector::put(change, scope, id, self.vectors.get(id));
        }
        for question in &self.questions {
            change.put(scope.question_key(&question.id), question);
        }
    }

    /// What it did.
    pub fn finish(self) -> Outcome {
        // Both lists are in the order in which they were stored.
        let stored = sorted::set(&self.stored);
        let is_new = |memory: &&Memory| stored.contains(&memory.id);
        let stored = self.memories.iter().filter(is_new).cloned().gather();
        Outcome {
            stored,
            merged: self.merged,
            superseded: self.superseded,
            outdated: self.outdated,
            questions: self
                .questions
                .into_iter()
                .map(|question| question.id)
                .gather(),
        }
    }
}
