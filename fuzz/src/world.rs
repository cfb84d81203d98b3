//! A host in memory whose answers can be twisted, and what is asked of an engine over it.

use super::dice::Dice;
use serde_json::{Value, json};
use siltstone::engine::Engine;
use siltstone::error::{Code, Result};
use siltstone::host::{
    Batch, Commit, Entry, Host, HostError, HostResult, LlmRequest, LogEvent, ProviderAnswer,
    ProviderRequest, Range, VectorItem, VectorMatch, VectorQuery,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// 2026-01-05 10:00 UTC.
pub const START_MS: i64 = 1_767_607_200_000;

/// A host in memory. While `rate` is above zero, that many of a hundred answers are wrong.
#[derive(Debug, Default)]
pub struct World {
    pub now: Cell<i64>,
    pub rate: Cell<usize>,
    pub dice: RefCell<Dice>,
    pub store: RefCell<BTreeMap<String, (String, String)>>,
    pub cache: RefCell<BTreeMap<String, String>>,
    /// What the language model answers, over and over; none: there is none.
    pub llm: RefCell<Option<String>>,
    pub embeds: Cell<bool>,
    pub has_vectors: Cell<bool>,
    pub vectors: RefCell<BTreeMap<String, VectorItem>>,
    /// What an external memory service answers; none: there is none.
    pub service: RefCell<Option<Value>>,
    pub agent: RefCell<Option<Value>>,
    writes: Cell<u64>,
    drawn: Cell<u8>,
}

impl World {
    pub fn new(dice: Dice) -> Self {
        let world = Self::default();
        world.now.set(START_MS);
        *world.dice.borrow_mut() = dice;
        world
    }

    fn wrong(&self) -> bool {
        self.rate.get() > 0 && self.dice.borrow_mut().chance(self.rate.get())
    }

    /// An error, when this answer is a wrong one and that is how.
    fn fault(&self) -> HostResult<()> {
        if self.wrong() && self.dice.borrow_mut().chance(50) {
            return Err(HostError(self.dice.borrow_mut().text()));
        }
        Ok(())
    }

    fn entry(&self, key: &str, (value, version): &(String, String)) -> Entry {
        let mut entry = Entry {
            key: key.to_owned(),
            value: value.clone(),
            version: version.clone(),
        };
        if self.wrong() {
            let dice = &mut self.dice.borrow_mut();
            match dice.below(5) {
                0 => entry.value = dice.text(),
                1 => entry.version = dice.text(),
                2 => entry.key = dice.text(),
                3 => {
                    let half = entry.value.floor_char_boundary(entry.value.len() / 2);
                    entry.value.truncate(half);
                }
                _ => {
                    let document = serde_json::from_str(&entry.value).unwrap_or_default();
                    entry.value = dice.twisted(&document, 8).to_string();
                }
            }
        }
        entry
    }
}

impl Host for World {
    async fn get(&self, keys: &[String]) -> HostResult<Vec<Option<Entry>>> {
        self.fault()?;
        let store = self.store.borrow();
        let mut entries: Vec<_> = keys
            .iter()
            .map(|key| store.get(key).map(|held| self.entry(key, held)))
            .collect();
        if self.wrong() {
            entries.pop();
        }
        Ok(entries)
    }

    async fn range(&self, range: &Range) -> HostResult<Vec<Entry>> {
        self.fault()?;
        let store = self.store.borrow();
        let held = store
            .range(range.start.clone()..range.end.clone())
            .map(|(key, held)| self.entry(key, held));
        let limit = range.limit + usize::from(self.wrong());
        let mut entries: Vec<Entry> = if range.reverse {
            held.rev().take(limit).collect()
        } else {
            held.take(limit).collect()
        };
        if self.wrong() {
            entries.reverse();
        }
        Ok(entries)
    }

    async fn commit(&self, batch: &Batch) -> HostResult<Commit> {
        self.fault()?;
        if self.wrong() {
            return Ok(Commit::Conflict);
        }
        let mut store = self.store.borrow_mut();
        let holds = batch.checks.iter().all(|check| {
            store.get(&check.key).map(|(_, version)| version) == check.version.as_ref()
        });
        if !holds {
            return Ok(Commit::Conflict);
        }
        for put in &batch.puts {
            self.writes.set(self.writes.get() + 1);
            let version = self.writes.get().to_string();
            store.insert(put.key.clone(), (put.value.clone(), version));
        }
        for key in &batch.deletes {
            store.remove(key);
        }
        Ok(Commit::Done)
    }

    async fn cache_get(&self, key: &str) -> HostResult<Option<String>> {
        self.fault()?;
        let held = self.cache.borrow().get(key).cloned();
        if self.wrong() {
            let document = held.and_then(|text| serde_json::from_str(&text).ok());
            let dice = &mut self.dice.borrow_mut();
            let document: Value = document.unwrap_or_default();
            return Ok(Some(dice.twisted(&document, 10).to_string()));
        }
        Ok(held)
    }

    async fn cache_put(&self, key: &str, value: &str, _ttl_ms: u64) -> HostResult<()> {
        self.fault()?;
        let mut cache = self.cache.borrow_mut();
        cache.insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    fn has_llm(&self) -> bool {
        self.llm.borrow().is_some()
    }

    async fn complete(&self, _request: &LlmRequest) -> HostResult<String> {
        self.fault()?;
        if self.wrong() {
            return Ok(self.dice.borrow_mut().text());
        }
        Ok(self.llm.borrow().clone().unwrap_or_default())
    }

    fn has_embeddings(&self) -> bool {
        self.embeds.get()
    }

    async fn embed(&self, texts: &[String], _timeout_ms: u64) -> HostResult<Vec<Vec<f32>>> {
        self.fault()?;
        let embed = |text: &String| {
            let mut vector = vec![0.0f32; 8];
            for byte in text.bytes() {
                vector[usize::from(byte % 8)] += 1.0;
            }
            if self.wrong() {
                let dice = &mut self.dice.borrow_mut();
                let odd = [
                    f32::NAN,
                    f32::INFINITY,
                    f32::MAX,
                    f32::MIN_POSITIVE,
                    -0.0,
                    0.0,
                ];
                vector = (0..dice.below(40))
                    .map(|_| odd[dice.below(odd.len())])
                    .collect();
            }
            vector
        };
        let mut vectors: Vec<_> = texts.iter().map(embed).collect();
        if self.wrong() {
            vectors.pop();
        }
        Ok(vectors)
    }

    fn has_vectors(&self) -> bool {
        self.has_vectors.get()
    }

    async fn vector_upsert(&self, items: &[VectorItem], _timeout_ms: u64) -> HostResult<()> {
        self.fault()?;
        let mut vectors = self.vectors.borrow_mut();
        vectors.extend(items.iter().map(|item| (item.id.clone(), item.clone())));
        Ok(())
    }

    async fn vector_query(
        &self,
        query: &VectorQuery,
        _timeout_ms: u64,
    ) -> HostResult<Vec<VectorMatch>> {
        self.fault()?;
        let vectors = self.vectors.borrow();
        let of_user = vectors
            .values()
            .filter(|item| item.namespace == query.namespace);
        let mut matches: Vec<_> = of_user
            .map(|item| VectorMatch {
                id: item.id.clone(),
                score: 0.5,
            })
            .collect();
        while self.wrong() {
            let dice = &mut self.dice.borrow_mut();
            let odd = [
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MAX,
                -1.0,
                0.99,
            ];
            let score = odd[dice.below(odd.len())];
            let known = matches.first().map(|known| known.id.clone());
            let id = known.filter(|_| dice.chance(50));
            let id = id.unwrap_or_else(|| dice.text());
            matches.push(VectorMatch { id, score });
        }
        Ok(matches)
    }

    async fn vector_delete(
        &self,
        _namespace: &str,
        ids: &[String],
        _timeout_ms: u64,
    ) -> HostResult<()> {
        self.fault()?;
        self.vectors.borrow_mut().retain(|id, _| !ids.contains(id));
        Ok(())
    }

    fn has_provider(&self, _name: &str) -> bool {
        self.service.borrow().is_some()
    }

    async fn provider(&self, _request: &ProviderRequest) -> HostResult<ProviderAnswer> {
        self.fault()?;
        let dice = &mut self.dice.borrow_mut();
        let good = self.service.borrow().clone().unwrap_or_default();
        Ok(ProviderAnswer {
            status: if self.rate.get() > 0 && dice.chance(30) {
                [0, 201, 204, 301, 400, 404, 429, 500, u16::MAX][dice.below(9)]
            } else {
                200
            },
            body: dice.twisted(&good, self.rate.get()),
        })
    }

    async fn agent(&self, _tenant: &str, _agent: &str) -> HostResult<Option<Value>> {
        self.fault()?;
        Ok(self.agent.borrow().clone())
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
        self.fault()?;
        Ok(self.now.get())
    }

    fn random(&self, out: &mut [u8]) -> HostResult<()> {
        self.fault()?;
        for byte in out {
            self.drawn
                .set(self.drawn.get().wrapping_mul(5).wrapping_add(1));
            *byte = self.drawn.get();
        }
        Ok(())
    }

    fn log(&self, _event: LogEvent) {}
}

/// An engine over this host, with long memory on.
pub fn engine(world: World, config: Value) -> Option<Engine<World>> {
    match Engine::new(world, config, None) {
        Ok(engine) => Some(engine),
        Err(error) => {
            assert!(!error.message.is_empty());
            None
        }
    }
}

pub fn usual() -> Value {
    json!({
        "tokens": { "encoding": "estimate" },
        "agent": { "longMemory": true, "model": "m" },
    })
}

/// Makes a call. What it answers, or why it fails, can be told as JSON.
pub fn call(engine: &Engine<World>, method: &str, request: Value) -> Result<Value> {
    match pollster::block_on(engine.call(method, request)) {
        Ok(response) => {
            let told = serde_json::to_value(&response);
            Ok(told.unwrap_or_else(|error| unreachable!("{method}: {error}")))
        }
        Err(error) => {
            assert!(
                !error.message.is_empty(),
                "{method}: an error that says nothing"
            );
            assert!(serde_json::to_value(&error).is_ok());
            Err(error)
        }
    }
}

pub fn scope() -> Value {
    json!({ "tenant": "t", "user": "ana", "agent": "a", "session": "monday" })
}

/// Some talk, a session end and memories of the user `ana`.
pub fn settle(engine: &Engine<World>) {
    let said = json!([
        { "id": "m1", "role": "user", "content": "I'm Ana, I live in Hangzhou and I'm allergic to peanuts.", "createdAt": START_MS },
        { "role": "assistant", "content": "Noted.", "tool_calls": [
            { "id": "c1", "type": "function", "function": { "name": "look", "arguments": "{\"city\":\"Hangzhou\"}" } }] },
        { "role": "tool", "tool_call_id": "c1", "content": "sunny" },
        { "role": "user", "content": [{ "type": "text", "text": "记住我喜欢绿茶。" }, { "type": "image", "image": "data:," }] },
    ]);
    let _ = call(
        engine,
        "append",
        json!({ "scope": scope(), "messages": said }),
    );
    let _ = call(engine, "endSession", json!({ "scope": scope() }));
    for memory in memories() {
        let _ = call(
            engine,
            "memories.add",
            json!({ "scope": scope(), "memory": memory }),
        );
    }
}

fn memories() -> [Value; 3] {
    [
        json!({ "content": "Ana has a dog named Rex", "importance": 7, "category": "profile",
            "facts": { "pets.dog": "Rex" }, "tags": ["pets"] }),
        json!({ "content": "Ana plans a trip to Lyon in May", "importance": 5, "category": "event",
            "expiresAt": START_MS + 86_400_000_000_i64, "observedAt": START_MS }),
        json!({ "content": "安娜对花生过敏", "importance": 9, "category": "profile", "isSensitive": true }),
    ]
}

/// Every call, with a request that is right.
pub fn requests() -> Vec<(&'static str, Value)> {
    let scope = scope();
    let id = "00000000-0000-7000-8000-000000000000";
    let [memory, ..] = memories();
    let message = json!({ "role": "user", "content": "I moved to Lyon.", "createdAt": START_MS, "name": "ana", "meta": { "a": [1] } });
    vec![
        (
            "append",
            json!({ "scope": scope, "messages": [message, { "role": "assistant", "content": "Nice." }] }),
        ),
        (
            "load",
            json!({ "scope": scope, "message": message, "system": "Be brief.", "tools": [
            { "type": "function", "function": { "name": "look", "description": "Looks.", "parameters": { "type": "object", "properties": {} } } }] }),
        ),
        (
            "load",
            json!({ "scope": scope, "message": "Which snack can I eat?", "maxTokens": 900 }),
        ),
        (
            "messages",
            json!({ "scope": scope, "limit": 5, "before": "m1" }),
        ),
        ("removeMessages", json!({ "scope": scope, "ids": ["m1"] })),
        ("endSession", json!({ "scope": scope })),
        (
            "recall",
            json!({ "scope": scope, "query": "peanuts", "limit": 5, "context": "snacks", "keywordOnly": false, "filterSensitive": true, "cold": true }),
        ),
        ("sessions", json!({ "scope": scope })),
        ("summary", json!({ "scope": scope })),
        (
            "countTokens",
            json!({ "text": "Hello", "messages": [message], "tools": [] }),
        ),
        ("export", json!({ "scope": scope, "limit": 3 })),
        (
            "memories.list",
            json!({ "scope": scope, "limit": 2, "includeInvalid": true }),
        ),
        ("memories.get", json!({ "scope": scope, "id": id })),
        ("memories.add", json!({ "scope": scope, "memory": memory })),
        (
            "memories.update",
            json!({ "scope": scope, "id": id, "patch": { "content": "Ana lives in Lyon", "importance": 3 }, "expectedVersion": 1 }),
        ),
        (
            "memories.revert",
            json!({ "scope": scope, "id": id, "to": id }),
        ),
        ("memories.pin", json!({ "scope": scope, "id": id })),
        (
            "memories.forget",
            json!({ "scope": scope, "id": id, "hard": true }),
        ),
        ("memories.restore", json!({ "scope": scope, "id": id })),
        ("memories.history", json!({ "scope": scope, "id": id })),
        ("memories.questions", json!({ "scope": scope })),
        (
            "memories.answer",
            json!({ "scope": scope, "id": id, "keep": "both" }),
        ),
        ("memories.stats", json!({ "scope": scope })),
        ("memories.pinCandidates", json!({ "scope": scope })),
        ("maintain", json!({ "limit": 10 })),
        ("replay", json!({ "limit": 10 })),
        ("outbox.list", json!({})),
        ("clearSession", json!({ "scope": scope })),
    ]
}

/// The ids of the memories that are there.
pub fn ids(engine: &Engine<World>) -> Vec<String> {
    let listed = call(
        engine,
        "memories.list",
        json!({ "scope": scope(), "includeInvalid": true }),
    );
    let listed = listed.unwrap_or_default();
    let memories = listed["memories"].as_array().cloned().unwrap_or_default();
    let id = |memory: &Value| memory["id"].as_str().map(str::to_owned);
    memories.iter().filter_map(id).collect()
}

/// Whatever came before, the engine works on for another user once its host does.
pub fn works_on(engine: &Engine<World>) {
    engine.host.rate.set(0);
    engine.host.now.set(START_MS);
    let scope = json!({ "tenant": "other", "user": "ben", "session": "s" });
    let message = json!({ "role": "user", "content": "Hello." });
    let append = json!({ "scope": scope, "messages": [message] });
    for (method, request) in [
        ("append", append),
        ("load", json!({ "scope": scope, "message": message })),
        ("memories.list", json!({ "scope": scope })),
    ] {
        if let Err(error) = call(engine, method, request)
            && error.code != Code::Unsupported
        {
            unreachable!("{method} fails afterwards: {error:?}");
        }
    }
}
