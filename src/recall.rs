//! Which memories answer a question: the local provider's lexical recall (M7, P3, L3–L5).

mod near;

use crate::config::{Config, RecallConfig};
use crate::error::Result;
use crate::host::Host;
use crate::index::{Bm25, Hit, Lexical, Places, mmr};
use crate::life::LifeConfig;
use crate::life::{score, touch};
use crate::memories::snapshot::{MemoryHead, Snapshot};
use crate::memory::{Memory, MemoryScope, Temperature};
use crate::order;
use crate::prompt;
use crate::scope::Scope;
use crate::store;
use crate::vector::{self, Vector, external};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Users whose index stays in memory.
const INDEXES: usize = 8;

/// Hits that lend to their neighbours at most.
const LENDERS: usize = 200;

/// What a recall asks for.
#[derive(Debug, Clone)]
pub struct Query<'a> {
    /// The user's message.
    pub text: &'a str,
    /// What was said before it; only its first characters count (L3).
    pub context: Option<&'a str>,
    /// Memories at most.
    pub limit: usize,
    /// Only what holds the words themselves (L4), nothing by its neighbours or its embedding.
    pub keyword_only: bool,
    /// The embedding of the text, if there are embeddings.
    pub vector: Option<Vector>,
    /// What the vector store says is near, where there is one; then the embedding does not count.
    pub near: Option<Vec<Hit>>,
    /// Leave sensitive ones out.
    pub filter_sensitive: bool,
}

impl Query<'_> {
    /// Asks the host for the embedding of the text, unless only keywords count.
    pub async fn embed<H: Host>(&self, host: &H, config: &RecallConfig) -> Option<Vector> {
        if self.keyword_only || !host.has_embeddings() {
            return None;
        }
        let question = question(self, config.context_chars);
        vector::embed_one(host, &question, config.embed_timeout_ms).await
    }
}

/// A memory found, with its relevance from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recalled {
    /// The memory.
    pub memory: Memory,
    /// How well it answers; absent when the provider gave none.
    pub score: Option<f64>,
}

/// Ids of memories that were used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Used {
    /// Of the hot tier.
    pub hot: Vec<String>,
    /// Of the cold tier.
    pub cold: Vec<String>,
}

/// A user's memories, ready to be searched.
#[derive(Debug)]
pub struct Indexed {
    version: String,
    memories: Vec<Memory>,
    lexical: Lexical,
    places: Places,
    /// By document; empty without embeddings.
    vectors: Vec<Option<Vector>>,
    /// Documents by the ids of their vectors in a vector store, once it was asked.
    numbers: OnceCell<FxHashMap<String, u32>>,
    /// When the use of a memory was last noted through this index, ms.
    noted: RefCell<BTreeMap<String, i64>>,
    /// Memories as that left them. What other instances noted is seen with the next change of
    /// memories: it bears on their order only.
    fresh: RefCell<BTreeMap<String, Memory>>,
}

/// Indexes of the users that this instance served last. They are only ever used after the store
/// said that nothing has changed since.
#[derive(Debug, Default)]
pub struct Indexes(RefCell<Vec<(String, Rc<Indexed>)>>);

impl Indexes {
    /// The index of the user's memories as they are now, of the hot ones or also of the `cold`;
    /// none before the first memory.
    pub async fn open<H: Host>(
        &self,
        host: &H,
        scope: &Scope,
        cold: bool,
    ) -> Result<Option<Rc<Indexed>>> {
        if cold {
            return Ok(build(host, scope, true).await?.map(Rc::new));
        }
        let key = scope.memory_head_key();
        let Some(head) = store::read::<H, MemoryHead>(host, &key).await? else {
            return Ok(None);
        };
        if let Some(known) = self
            .take(&key)
            .filter(|known| known.version == head.version)
        {
            self.keep(key, known.clone());
            return Ok(Some(known));
        }
        let Some(indexed) = build(host, scope, false).await? else {
            return Ok(None);
        };
        let indexed = Rc::new(indexed);
        self.keep(key, indexed.clone());
        Ok(Some(indexed))
    }

    /// Drops what is kept of a user.
    pub fn drop(&self, scope: &Scope) {
        self.take(&scope.memory_head_key());
    }

    fn take(&self, key: &str) -> Option<Rc<Indexed>> {
        let mut kept = self.0.borrow_mut();
        let at = kept.iter().position(|(other, _)| other == key)?;
        Some(kept.remove(at).1)
    }

    fn keep(&self, key: String, indexed: Rc<Indexed>) {
        let mut kept = self.0.borrow_mut();
        kept.retain(|(other, _)| *other != key);
        kept.insert(0, (key, indexed));
        kept.truncate(INDEXES);
    }
}

async fn build<H: Host>(host: &H, scope: &Scope, cold: bool) -> Result<Option<Indexed>> {
    let snapshot = Snapshot::read(host, scope).await?;
    let Some(version) = snapshot.version().map(str::to_owned) else {
        return Ok(None);
    };
    let mut indexed = index(version, snapshot.memories, cold);
    if external::is_there(host) {
        return Ok(Some(indexed));
    }
    let mut vectors = vector::read(host, scope).await?;
    if !vectors.is_empty() {
        let of = |memory: &Memory| vectors.remove(&memory.id);
        indexed.vectors = indexed.memories.iter().map(of).collect();
    }
    Ok(Some(indexed))
}

fn index(version: String, mut memories: Vec<Memory>, cold: bool) -> Indexed {
    let is_in = |memory: &Memory| cold || memory.temperature == Temperature::Hot;
    memories.retain(|memory| memory.is_valid && is_in(memory));
    // A contradiction is worth showing only while the other side stands.
    let live = order::set(memories.iter().map(|memory| memory.id.clone()));
    for memory in &mut memories {
        memory.conflict_ids.retain(|id| live.contains(id));
    }
    let mut sessions: BTreeMap<&str, u32> = BTreeMap::new();
    let mut lexical = Lexical::new(Bm25::default());
    let mut places = Places::new();
    for (doc, memory) in (0u32..).zip(&memories) {
        let beside = format!(
            "{} {}",
            prompt::date(memory.observed_at),
            memory.tags.join(" ")
        );
        lexical.insert_with(doc, &memory.content, &beside);
        if let (Some(session), Some(position)) = (&memory.session_id, memory.position) {
            let count = u32::try_from(sessions.len()).unwrap_or(u32::MAX);
            let ordinal = *sessions.entry(session).or_insert(count);
            places.insert(doc, ordinal, position);
        }
    }
    Indexed {
        version,
        memories,
        lexical,
        places,
        vectors: Vec::new(),
        numbers: OnceCell::new(),
        noted: RefCell::default(),
        fresh: RefCell::default(),
    }
}

impl Indexed {
    /// The live memories that this scope may read in a turn, in the order of their creation.
    pub fn readable<'a>(
        &'a self,
        scope: &'a Scope,
        now_ms: i64,
        filter_sensitive: bool,
    ) -> impl Iterator<Item = &'a Memory> {
        let cubes = scope.readable_cubes();
        self.memories
            .iter()
            .filter(move |memory| may_read(memory, &cubes, now_ms, filter_sensitive))
    }

    /// The memories that answer best, without near-repeats.
    pub fn search(
        &self,
        scope: &Scope,
        query: &Query<'_>,
        config: &Config,
        now_ms: i64,
    ) -> Vec<Recalled> {
        let (config, life) = (&config.recall, &config.life);
        let cubes = scope.readable_cubes();
        let question = question(query, config.context_chars);
        let mut found = self.lexical.search(&question);
        if !query.keyword_only {
            if let Some(near) = self.near(query, config.min_cosine) {
                found = fuse(&found, &near);
            }
            found.truncate(LENDERS);
            found = self.places.lend(&found, config.neighbour_share);
            self.lexical
                .raise_openings(&question, &mut found, Lexical::OPENING);
        }
        let fresh = self.fresh.borrow();
        let mut hits: Vec<Hit> = found
            .into_iter()
            .filter(|hit| hit.score >= config.local_min_score)
            .filter_map(|hit| {
                let memory = self.memory(&hit)?;
                let memory = fresh.get(&memory.id).unwrap_or(memory);
                let kept = score::recency(memory, now_ms, life).min(1.0);
                let score = hit.score * (1.0 - config.recency_share * (1.0 - kept));
                may_read(memory, &cubes, now_ms, query.filter_sensitive)
                    .then_some(Hit { score, ..hit })
            })
            .collect();
        hits.sort_unstable_by(Hit::rank);
        let alike = |a, b| self.lexical.similarity(a, b);
        let picked = mmr(&hits, alike, config.mmr_lambda, query.limit);
        let recalled = picked.iter().filter_map(|hit| {
            let memory = self.memory(hit)?;
            Some(Recalled {
                memory: fresh.get(&memory.id).unwrap_or(memory).clone(),
                score: Some(hit.score),
            })
        });
        // Gated above, before recency could push an exact old match under the gate.
        refine(recalled.collect(), 0.0, config.item_chars)
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

    fn memory(&self, hit: &Hit) -> Option<&Memory> {
        self.memories.get(usize::try_from(hit.doc).ok()?)
    }
}

/// Words and meaning, half and half, each by its best; the scale is that of the better one, so
/// that scores stay comparable between questions.
fn fuse(lexical: &[Hit], near: &[Hit]) -> Vec<Hit> {
    let best = |hits: &[Hit]| hits.iter().fold(0.0, |best: f64, hit| best.max(hit.score));
    let (best_word, best_near) = (best(lexical), best(near));
    let scale = 0.5 * best_word.max(best_near);
    let mut scores: BTreeMap<u32, f64> = BTreeMap::new();
    for (hits, best) in [(lexical, best_word), (near, best_near)] {
        for hit in hits {
            *scores.entry(hit.doc).or_insert(0.0) += scale * hit.score / best;
        }
    }
    let mut fused: Vec<Hit> = scores
        .into_iter()
        .map(|(doc, score)| Hit { doc, score })
        .collect();
    fused.sort_unstable_by(Hit::rank);
    fused
}

/// The memories that a text is about, for a judge to compare with.
pub fn related(
    memories: Vec<Memory>,
    scope: &Scope,
    text: &str,
    limit: usize,
    now_ms: i64,
) -> Vec<Memory> {
    // A correction may be of something that has gone cold.
    let indexed = index(String::new(), memories, true);
    let cubes = scope.readable_cubes();
    let found = indexed.lexical.search(text);
    found
        .iter()
        .filter_map(|hit| indexed.memory(hit))
        .filter(|memory| may_read(memory, &cubes, now_ms, false))
        .take(limit)
        .cloned()
        .collect()
}

fn may_read(memory: &Memory, cubes: &[String], now_ms: i64, filter_sensitive: bool) -> bool {
    memory.is_live(now_ms)
        && !(filter_sensitive && memory.is_sensitive)
        && cubes.contains(&memory.cube())
}

/// The message and at most the first `context_chars` characters of context (L3).
pub(crate) fn question(query: &Query<'_>, context_chars: usize) -> String {
    match query.context {
        None => query.text.to_owned(),
        Some(context) => {
            let context: String = context.chars().take(context_chars).collect();
            format!("{}\n{context}", query.text)
        }
    }
}

/// What a provider's answers go through (P3): scores under `min_score` are dropped, contents cut
/// to `item_chars` characters, best first; absent scores and NaN come last, ties stay in order.
pub fn refine(mut hits: Vec<Recalled>, min_score: f64, item_chars: usize) -> Vec<Recalled> {
    hits.retain(|hit| !hit.score.is_some_and(|score| score < min_score));
    for hit in &mut hits {
        hit.score = hit.score.filter(|score| !score.is_nan());
        if let Some((cut, _)) = hit.memory.content.char_indices().nth(item_chars) {
            hit.memory.content.truncate(cut);
        }
    }
    order::sort_by(&mut hits, |a, b| match (a.score, b.score) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    hits
}

/// What was recalled as fenced text for a prompt: the user's, then the agent's.
pub fn render(hits: &[Recalled]) -> String {
    let lines = |scope| {
        let of_scope = hits.iter().filter(|hit| hit.memory.scope == scope);
        of_scope
            .map(|hit| prompt::line(&hit.memory))
            .collect::<Vec<_>>()
    };
    let user = prompt::profile(&lines(MemoryScope::User));
    let agent = prompt::agent_memory(&lines(MemoryScope::Agent));
    let blocks = user.iter().chain(&agent);
    let texts: Vec<_> = blocks.map(|block| block.text().into_owned()).collect();
    texts.join("\n")
}
