//! A user's memories, ready to be searched.

use super::{Found, FoundSession, Query, Recalled, Used, question, refine};
use crate::config::Config;
use crate::index::{Asking, Entry, Hit, Lexical, Places, Tuning, mmr, rank, said_times};
use crate::life::LifeConfig;
use crate::life::{score, touch};
use crate::memory::{Memory, Temperature};
use crate::prompt;
use crate::scope::Scope;
use crate::vector::{Usual, Vector};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Conversations that one answer names, at most.
const SESSIONS: usize = 10;

/// A user's memories, ready to be searched.
#[derive(Debug)]
pub struct Indexed {
    version: String,
    pub(super) memories: Vec<Memory>,
    /// By document: the number of its cube.
    cubes_of: Vec<u32>,
    cubes: Vec<String>,
    /// By number.
    sessions: Vec<String>,
    lexical: Lexical,
    places: Places,
    /// By document; empty without embeddings.
    pub(super) vectors: Vec<Option<Vector>>,
    /// What the embeddings have in common, once it was asked.
    pub(super) usual: OnceCell<Usual>,
    /// Documents by the ids of their vectors in a vector store, once it was asked.
    pub(super) numbers: OnceCell<FxHashMap<String, u32>>,
    /// When the use of a memory was last noted through this index, ms.
    noted: RefCell<BTreeMap<String, i64>>,
    /// Memories as that left them. What other instances noted is seen with the next change of
    /// memories: it bears on their order only.
    fresh: RefCell<BTreeMap<String, Memory>>,
}

/// Who asks, and when.
struct Reader {
    /// By the number of a cube: whether it may be read.
    cubes: Vec<bool>,
    now_ms: i64,
    filter_sensitive: bool,
}

impl Indexed {
    /// Indexes the memories that stand, the hot ones or also the `cold`.
    pub fn new(version: String, mut memories: Vec<Memory>, cold: bool) -> Self {
        let is_in = |memory: &Memory| cold || memory.temperature == Temperature::Hot;
        memories.retain(|memory| memory.is_valid && is_in(memory));
        // A contradiction is worth showing only while the other side stands.
        let live: BTreeSet<String> = memories.iter().map(|memory| memory.id.clone()).collect();
        for memory in &mut memories {
            memory.conflict_ids.retain(|id| live.contains(id));
        }
        let mut indexed = Self {
            version,
            memories: Vec::with_capacity(memories.len()),
            cubes_of: Vec::new(),
            cubes: Vec::new(),
            sessions: Vec::new(),
            lexical: Lexical::new(Tuning::default().bm25),
            places: Places::new(),
            vectors: Vec::new(),
            usual: OnceCell::new(),
            numbers: OnceCell::new(),
            noted: RefCell::default(),
            fresh: RefCell::default(),
        };
        let mut numbers = BTreeMap::new();
        for (doc, memory) in (0u32..).zip(memories) {
            indexed.add(doc, memory, &mut numbers);
        }
        indexed
    }

    fn add(&mut self, doc: u32, memory: Memory, numbers: &mut BTreeMap<String, u32>) {
        let session = memory.session_id.as_ref().map(|session| {
            *numbers.entry(session.clone()).or_insert_with(|| {
                self.sessions.push(session.clone());
                (self.sessions.len() - 1) as u32
            })
        });
        let said = format!("{} {}", memory.content, memory.cues);
        let beside = format!(
            "{} {} {} {}",
            prompt::date(memory.observed_at),
            said_times(&said, memory.observed_at),
            memory.tags.join(" "),
            memory.cues
        );
        let entry = Entry {
            text: &memory.content,
            beside: &beside,
            about: memory.cues.split_once(": ").map(|(speaker, _)| speaker),
            session,
            is_told: !memory.cues.is_empty(),
        };
        self.lexical.add(doc, &entry);
        if let (Some(session), Some(position)) = (session, memory.position) {
            self.places.insert(doc, session, position);
        }
        let cube = memory.cube();
        let known = self.cubes.iter().position(|other| *other == cube);
        let number = known.unwrap_or_else(|| {
            self.cubes.push(cube);
            self.cubes.len() - 1
        });
        self.cubes_of.push(number as u32);
        self.memories.push(memory);
    }

    /// With the embeddings of the memories, by memory id.
    pub fn with_vectors(mut self, mut vectors: BTreeMap<String, Vector>) -> Self {
        if !vectors.is_empty() {
            let of = |memory: &Memory| vectors.remove(&memory.id);
            self.vectors = self.memories.iter().map(of).collect();
        }
        self
    }

    /// The version of the memory head that it was made from.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    fn reader(&self, scope: &Scope, now_ms: i64, filter_sensitive: bool) -> Reader {
        let readable = scope.readable_cubes();
        let cubes = self.cubes.iter().map(|cube| readable.contains(cube));
        Reader {
            cubes: cubes.collect(),
            now_ms,
            filter_sensitive,
        }
    }

    fn may_read(&self, doc: u32, reader: &Reader) -> bool {
        let at = doc as usize;
        let cube = self.cubes_of.get(at).copied().unwrap_or(u32::MAX);
        reader.cubes.get(cube as usize) == Some(&true)
            && self.memory(doc).is_some_and(|memory| {
                memory.is_live(reader.now_ms) && !(reader.filter_sensitive && memory.is_sensitive)
            })
    }

    /// The live memories that this scope may read in a turn, in the order of their creation.
    pub fn readable<'a>(
        &'a self,
        scope: &Scope,
        now_ms: i64,
        filter_sensitive: bool,
    ) -> impl Iterator<Item = &'a Memory> {
        let reader = self.reader(scope, now_ms, filter_sensitive);
        (0u32..)
            .zip(&self.memories)
            .filter(move |(doc, _)| self.may_read(*doc, &reader))
            .map(|(_, memory)| memory)
    }

    /// The memories that share words with a text, best first.
    pub(super) fn about<'a>(
        &'a self,
        scope: &Scope,
        text: &str,
        now_ms: i64,
    ) -> impl Iterator<Item = &'a Memory> {
        let reader = self.reader(scope, now_ms, false);
        let found = self.lexical.search(text).into_iter();
        found
            .filter(move |hit| self.may_read(hit.doc, &reader))
            .filter_map(|hit| self.memory(hit.doc))
    }

    /// The memories that answer best, without near-repeats, and the conversations they are from.
    pub fn search(&self, scope: &Scope, query: &Query<'_>, config: &Config, now_ms: i64) -> Found {
        let tuning = Tuning {
            share: config.recall.neighbour_share,
            ..Tuning::default()
        };
        self.search_with(scope, query, config, now_ms, tuning)
    }

    /// The same with other constants of the ranking.
    pub fn search_with(
        &self,
        scope: &Scope,
        query: &Query<'_>,
        config: &Config,
        now_ms: i64,
        tuning: Tuning,
    ) -> Found {
        let (config, life) = (&config.recall, &config.life);
        let reader = self.reader(scope, now_ms, query.filter_sensitive);
        let near = match query.keyword_only {
            true => None,
            false => self.near(query, config.min_cosine, tuning.usual),
        };
        let asking = Asking {
            question: &question(query, config.context_chars),
            near: &near.unwrap_or_default(),
            may_read: &|doc| self.may_read(doc, &reader),
        };
        let tuning = if query.keyword_only {
            tuning.words_only()
        } else {
            tuning
        };
        let ranking = rank(&self.lexical, &self.places, &asking, &tuning);
        let fresh = self.fresh.borrow();
        let mut hits: Vec<Hit> = ranking
            .hits
            .into_iter()
            .filter(|hit| hit.score >= config.local_min_score)
            .filter_map(|hit| {
                let memory = self.memory(hit.doc)?;
                let memory = fresh.get(&memory.id).unwrap_or(memory);
                let kept = score::recency(memory, now_ms, life).min(1.0);
                let score = hit.score * (1.0 - config.recency_share * (1.0 - kept));
                Some(Hit { score, ..hit })
            })
            .collect();
        hits.sort_unstable_by(Hit::rank);
        let alike = |a, b| self.lexical.similarity(a, b);
        let picked = mmr(&hits, alike, config.mmr_lambda, query.limit);
        let recalled = picked.iter().filter_map(|hit| {
            let memory = self.memory(hit.doc)?;
            Some(Recalled {
                memory: fresh.get(&memory.id).unwrap_or(memory).clone(),
                score: Some(hit.score),
            })
        });
        let sessions = ranking.sessions.into_iter().take(SESSIONS);
        let sessions = sessions.filter_map(|(number, score)| {
            let session = self.sessions.get(number as usize)?.clone();
            Some(FoundSession { session, score })
        });
        Found {
            // Gated above, before recency could push an exact old match under the gate.
            hits: refine(recalled.collect(), 0.0, config.item_chars),
            sessions: sessions.collect(),
        }
    }

    /// Which of the memories found count as used and were not noted of late; from now on they were.
    pub fn note(&self, hits: &[Recalled], now_ms: i64, config: &LifeConfig) -> Used {
        let mut used = Used::default();
        let mut noted = self.noted.borrow_mut();
        for Recalled { memory, score } in hits {
            if score.is_none_or(|score| score < config.touch_min_score) {
                continue;
            }
            if memory.temperature == Temperature::Cold {
                used.cold.push(memory.id.clone());
                continue;
            }
            let last = noted.get(&memory.id).copied().unwrap_or(i64::MIN);
            if touch::is_due(last.max(memory.last_access_at), now_ms, config) {
                noted.insert(memory.id.clone(), now_ms);
                used.hot.push(memory.id.clone());
            }
        }
        used
    }

    /// Takes in memories whose use was noted.
    pub fn take_in(&self, used: Vec<Memory>) {
        let by_id = used.into_iter().map(|memory| (memory.id.clone(), memory));
        self.fresh.borrow_mut().extend(by_id);
    }

    fn memory(&self, doc: u32) -> Option<&Memory> {
        self.memories.get(usize::try_from(doc).ok()?)
    }
}
