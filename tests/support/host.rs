//! A host in memory with an injected clock, seeded randomness, a scripted LLM and faults on demand.

use super::memos::Memos;
use serde::Deserialize;
use serde_json::Value;
use siltstone::host::{
    Batch, Commit, Entry, Host, HostError, HostResult, IndexLimits, LlmRequest, LogEvent,
    ProviderAnswer, ProviderRequest, Range, VectorItem, VectorMatch, VectorQuery,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};

/// What the scripted LLM does when it is asked next.
#[derive(Debug, Clone)]
pub enum Answer {
    Text(String),
    Fails(String),
    Hangs,
}

/// The next `times` calls of `op` on a key that holds `key` fail.
#[derive(Debug, Clone, Deserialize)]
pub struct Fault {
    pub op: String,
    #[serde(default)]
    pub key: String,
    #[serde(default = "always")]
    pub times: u32,
    /// It does not fail but never answers.
    #[serde(default)]
    pub hangs: bool,
}

/// The cosine of two embeddings, summed in order, so that JavaScript gives the same bits.
fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let (mut dot, mut of_a, mut of_b) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (f64::from(*x), f64::from(*y));
        dot += x * y;
        of_a += x * x;
        of_b += y * y;
    }
    let norms = (of_a * of_b).sqrt();
    if norms > 0.0 { dot / norms } else { 0.0 }
}

/// A bag of words in 64 dimensions, words of one meaning in one of them.
fn embedding(text: &str, meanings: Option<&BTreeMap<String, String>>) -> Vec<f32> {
    let mut vector = vec![0.0; 64];
    let lower = text.to_ascii_lowercase();
    for word in lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let meaning = meanings
            .and_then(|meanings| meanings.get(word))
            .map_or(word, String::as_str);
        let hash = meaning
            .bytes()
            .fold(7usize, |hash, byte| (hash * 31 + usize::from(byte)) % 64);
        vector[hash] += 1.0;
    }
    vector
}

fn always() -> u32 {
    u32::MAX
}

/// What a memory service answers to the next request, or the next to this path.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    path: Option<String>,
    #[serde(default = "success")]
    status: u16,
    #[serde(default)]
    body: Value,
    fails: Option<String>,
    #[serde(default)]
    hangs: bool,
    #[serde(default = "once")]
    times: u32,
}

fn success() -> u16 {
    200
}

fn once() -> u32 {
    1
}

/// Which memory services there are.
#[derive(Debug, Default)]
pub enum Services {
    #[default]
    None,
    Scripted {
        names: Vec<String>,
        replies: Vec<Reply>,
    },
    Memos(Memos),
}

#[derive(Debug, Default)]
pub struct MemoryHost {
    pub now: Cell<i64>,
    random: Cell<u32>,
    versions: Cell<u64>,
    pub store: RefCell<BTreeMap<String, (String, String)>>,
    pub cache: RefCell<BTreeMap<String, (String, i64)>>,
    pub llm: RefCell<Option<VecDeque<Answer>>>,
    /// Words that mean the same, for embeddings; none: no embeddings.
    pub meanings: RefCell<Option<BTreeMap<String, String>>>,
    /// The vectors of a vector store, by id; none: there is no such store.
    pub vectors: RefCell<Option<BTreeMap<String, VectorItem>>>,
    /// What the vector store answers besides.
    pub strays: RefCell<Vec<VectorMatch>>,
    pub agents: RefCell<BTreeMap<String, Value>>,
    pub faults: RefCell<Vec<Fault>>,
    pub asked: RefCell<Vec<LlmRequest>>,
    pub services: RefCell<Services>,
    pub sent: RefCell<Vec<ProviderRequest>>,
    pub logged: RefCell<Vec<LogEvent>>,
    /// How small a stored search index may be; none: as on every host.
    pub index: Cell<Option<IndexLimits>>,
}

impl MemoryHost {
    fn fault(&self, op: &str, key: &str) -> HostResult<()> {
        for fault in self.faults.borrow_mut().iter_mut() {
            if fault.op == op && fault.times > 0 && key.contains(&fault.key) {
                fault.times -= 1;
                return Err(HostError(format!("{op} was told to fail")));
            }
        }
        Ok(())
    }

    /// As `fault`, but one that hangs never answers.
    async fn strike(&self, op: &str, key: &str) -> HostResult<()> {
        let hangs = |fault: &Fault| fault.hangs && fault.op == op;
        if self.faults.borrow().iter().any(hangs) {
            std::future::pending::<()>().await;
        }
        self.fault(op, key)
    }
}

impl Host for MemoryHost {
    async fn get(&self, keys: &[String]) -> HostResult<Vec<Option<Entry>>> {
        for key in keys {
            self.fault("get", key)?;
        }
        let store = self.store.borrow();
        let entry = |key: &String| {
            store.get(key).map(|(value, version)| Entry {
                key: key.clone(),
                value: value.clone(),
                version: version.clone(),
            })
        };
        Ok(keys.iter().map(entry).collect())
    }

    async fn range(&self, range: &Range) -> HostResult<Vec<Entry>> {
        self.fault("range", &range.start)?;
        let store = self.store.borrow();
        let entries =
            store
                .range(range.start.clone()..range.end.clone())
                .map(|(key, (value, version))| Entry {
                    key: key.clone(),
                    value: value.clone(),
                    version: version.clone(),
                });
        Ok(if range.reverse {
            entries.rev().take(range.limit).collect()
        } else {
            entries.take(range.limit).collect()
        })
    }

    async fn commit(&self, batch: &Batch) -> HostResult<Commit> {
        for put in &batch.puts {
            self.fault("commit", &put.key)?;
        }
        for key in &batch.deletes {
            self.fault("commit", key)?;
        }
        let mut store = self.store.borrow_mut();
        let holds = |key: &String, version: &Option<String>| {
            store.get(key).map(|(_, version)| version) == version.as_ref()
        };
        if !batch
            .checks
            .iter()
            .all(|check| holds(&check.key, &check.version))
        {
            return Ok(Commit::Conflict);
        }
        for put in &batch.puts {
            self.versions.set(self.versions.get() + 1);
            let version = self.versions.get().to_string();
            store.insert(put.key.clone(), (put.value.clone(), version));
        }
        for key in &batch.deletes {
            store.remove(key);
        }
        Ok(Commit::Done)
    }

    async fn cache_get(&self, key: &str) -> HostResult<Option<String>> {
        self.fault("cacheGet", key)?;
        let cache = self.cache.borrow();
        let live = cache
            .get(key)
            .filter(|(_, expires)| *expires > self.now.get());
        Ok(live.map(|(value, _)| value.clone()))
    }

    async fn cache_put(&self, key: &str, value: &str, ttl_ms: u64) -> HostResult<()> {
        self.fault("cachePut", key)?;
        let expires = self.now.get().saturating_add_unsigned(ttl_ms);
        let mut cache = self.cache.borrow_mut();
        cache.insert(key.to_owned(), (value.to_owned(), expires));
        Ok(())
    }

    fn has_llm(&self) -> bool {
        self.llm.borrow().is_some()
    }

    async fn complete(&self, request: &LlmRequest) -> HostResult<String> {
        self.asked.borrow_mut().push(request.clone());
        let next = self.llm.borrow_mut().as_mut().and_then(VecDeque::pop_front);
        match next {
            Some(Answer::Text(text)) => Ok(text),
            Some(Answer::Fails(message)) => Err(HostError(message)),
            Some(Answer::Hangs) => std::future::pending().await,
            None => Err(HostError("the script has no answer left".to_owned())),
        }
    }

    fn has_embeddings(&self) -> bool {
        self.meanings.borrow().is_some()
    }

    async fn embed(&self, texts: &[String], _timeout_ms: u64) -> HostResult<Vec<Vec<f32>>> {
        self.fault("embed", "")?;
        let meanings = self.meanings.borrow();
        let embed = |text: &String| embedding(text, meanings.as_ref());
        Ok(texts.iter().map(embed).collect())
    }

    fn has_provider(&self, name: &str) -> bool {
        match &*self.services.borrow() {
            Services::None => false,
            Services::Scripted { names, .. } => names.iter().any(|there| there == name),
            Services::Memos(_) => name == "memos",
        }
    }

    async fn provider(&self, request: &ProviderRequest) -> HostResult<ProviderAnswer> {
        self.sent.borrow_mut().push(request.clone());
        self.fault("provider", &request.path)?;
        let reply = match &mut *self.services.borrow_mut() {
            Services::Memos(memos) => return Ok(memos.answer(request)),
            Services::None => None,
            Services::Scripted { replies, .. } => {
                let fits = |reply: &mut Reply| {
                    let of_path = reply.path.as_ref().is_none_or(|path| *path == request.path);
                    reply.times > 0 && of_path
                };
                let reply = replies
                    .iter_mut()
                    .find_map(|reply| fits(reply).then_some(reply));
                reply.map(|reply| {
                    reply.times -= 1;
                    reply.clone()
                })
            }
        };
        match reply {
            None => Err(HostError(format!(
                "the script has no answer for {}",
                request.path
            ))),
            Some(Reply { hangs: true, .. }) => std::future::pending().await,
            Some(Reply {
                fails: Some(why), ..
            }) => Err(HostError(why)),
            Some(Reply { status, body, .. }) => Ok(ProviderAnswer { status, body }),
        }
    }

    fn has_vectors(&self) -> bool {
        self.vectors.borrow().is_some()
    }

    async fn vector_upsert(&self, items: &[VectorItem], _timeout_ms: u64) -> HostResult<()> {
        self.strike("vectorUpsert", "").await?;
        if let Some(vectors) = self.vectors.borrow_mut().as_mut() {
            vectors.extend(items.iter().map(|item| (item.id.clone(), item.clone())));
        }
        Ok(())
    }

    async fn vector_query(
        &self,
        query: &VectorQuery,
        _timeout_ms: u64,
    ) -> HostResult<Vec<VectorMatch>> {
        self.strike("vectorQuery", "").await?;
        let vectors = self.vectors.borrow();
        let held = vectors.iter().flat_map(BTreeMap::values);
        let mut found: Vec<VectorMatch> = held
            .filter(|item| item.namespace == query.namespace && query.cubes.contains(&item.cube))
            .map(|item| VectorMatch {
                id: item.id.clone(),
                score: cosine(&item.vector, &query.vector),
            })
            .collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
        found.truncate(query.top_k);
        found.extend(self.strays.borrow().iter().cloned());
        Ok(found)
    }

    async fn vector_delete(
        &self,
        namespace: &str,
        ids: &[String],
        _timeout_ms: u64,
    ) -> HostResult<()> {
        self.strike("vectorDelete", "").await?;
        if let Some(vectors) = self.vectors.borrow_mut().as_mut() {
            vectors.retain(|id, item| item.namespace != namespace || !ids.contains(id));
        }
        Ok(())
    }

    fn index_limits(&self) -> IndexLimits {
        self.index.get().unwrap_or(IndexLimits::USUAL)
    }

    async fn agent(&self, _tenant: &str, agent: &str) -> HostResult<Option<Value>> {
        self.fault("agent", agent)?;
        Ok(self.agents.borrow().get(agent).cloned())
    }

    async fn sleep(&self, _ms: u64) {
        // Nothing here takes time: whatever is still waiting when this is asked has hung.
        let mut asked = false;
        std::future::poll_fn(|context| {
            if asked {
                return std::task::Poll::Ready(());
            }
            asked = true;
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        })
        .await;
    }

    fn now_ms(&self) -> HostResult<i64> {
        self.fault("now", "")?;
        Ok(self.now.get())
    }

    fn random(&self, out: &mut [u8]) -> HostResult<()> {
        self.fault("random", "")?;
        for byte in out {
            let state = self.random.get().wrapping_mul(1_664_525);
            self.random.set(state.wrapping_add(1_013_904_223));
            *byte = self.random.get().to_be_bytes()[0];
        }
        Ok(())
    }

    fn log(&self, event: LogEvent) {
        self.logged.borrow_mut().push(event);
    }
}
