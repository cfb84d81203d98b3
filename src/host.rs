//! Everything the core needs from outside, in one small trait. A host holds no decisions.

use crate::read::Read;
use futures_util::future::{Either, select};
use serde::Serialize;
use serde_json::Value;
use std::future::{Future, ready};
use std::pin::pin;

/// One stored record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
pub struct Entry {
    /// The encoded key.
    pub key: String,
    /// The document, as JSON text.
    pub value: String,
    /// An opaque mark that is new for every write of the key.
    pub version: String,
}

/// Which keys to read, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Range {
    /// The first key, inclusive.
    pub start: String,
    /// The end, exclusive.
    pub end: String,
    /// Entries at most.
    pub limit: usize,
    /// From the end backwards.
    pub reverse: bool,
}

/// What a key must be for a batch to be committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The encoded key.
    pub key: String,
    /// The version it must have; none means that it must not exist.
    pub version: Option<String>,
}

/// A document to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Put {
    /// The encoded key.
    pub key: String,
    /// The document, as JSON text.
    pub value: String,
}

/// A change of the store: all of it, if every check holds, or nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Batch {
    /// What must hold.
    pub checks: Vec<Check>,
    /// What is written.
    pub puts: Vec<Put>,
    /// What is deleted.
    pub deletes: Vec<String>,
}

/// Whether a batch was committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commit {
    /// All of it was written.
    Done,
    /// A check failed; nothing was written.
    Conflict,
}

/// A call of the language model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LlmRequest {
    /// What it is for: `judge` or `summary`.
    pub purpose: &'static str,
    /// The conversation to complete.
    pub messages: Vec<LlmMessage>,
    /// Whether the answer must be JSON.
    pub json: bool,
    /// The JSON schema of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Tokens of the answer at most.
    pub max_tokens: usize,
    /// The deadline, ms.
    pub timeout_ms: u64,
}

/// One message for the language model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LlmMessage {
    /// `system` or `user`.
    pub role: &'static str,
    /// The text.
    pub content: String,
}

/// One vector of a vector store: that of one memory (M8).
#[derive(Debug, Clone, PartialEq)]
pub struct VectorItem {
    /// A UUID that is the same for the same memory, and no other's anywhere.
    pub id: String,
    /// Whose it is: 32 hexadecimal digits, one for each tenant and user.
    pub namespace: String,
    /// The memory's cube.
    pub cube: String,
    /// The embedding.
    pub vector: Vec<f32>,
}

/// A question to a vector store.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorQuery {
    /// Only vectors of this namespace may answer.
    pub namespace: String,
    /// Only vectors of these cubes may answer.
    pub cubes: Vec<String>,
    /// The embedding of the question.
    pub vector: Vec<f32>,
    /// Answers at most.
    pub top_k: usize,
}

/// A vector near the one that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorMatch {
    /// Its id.
    pub id: String,
    /// Its cosine similarity.
    pub score: f64,
}

/// An HTTP request to an external memory service.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderRequest {
    /// `memos` or `mem0`.
    pub provider: &'static str,
    /// What it is for: `search`, `add`, `get`, `delete`, `status`.
    pub operation: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// Below the service's address, with the query string.
    pub path: String,
    /// The body, sent as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// Whether doing it twice does no harm.
    pub is_idempotent: bool,
    /// The same for every attempt at the same effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// The deadline, ms.
    pub timeout_ms: u64,
}

/// What a memory service answered, whatever the status.
#[derive(Debug, Clone, PartialEq, Read)]
pub struct ProviderAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The body as JSON; as a string where it is none.
    #[serde(default)]
    pub body: Value,
}

/// How much an event matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing.
    Info,
    /// Something was worked around.
    Warn,
}

/// Something that happened and did not fail the call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogEvent {
    /// How much it matters.
    pub level: Level,
    /// A stable name, such as `cache_failed`.
    pub event: &'static str,
    /// A sentence for people.
    pub message: String,
}

/// How the search index of a user is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexLimits {
    /// Memories from which on it is: fewer are read as fast themselves.
    pub memories: usize,
    /// Changed memories from which on what is stored is brought up to date.
    pub changed: usize,
    /// Bytes of one part before it is written as text, which makes it a third longer.
    pub bytes: usize,
}

impl IndexLimits {
    /// Those of every host that says nothing else: a part stays under 64 KB of text, which all stores
    /// hold as one value.
    pub const USUAL: Self = Self {
        memories: 64,
        changed: 24,
        bytes: 30_000,
    };
}

/// A fault of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostError(pub String);

/// What a host answers.
pub type HostResult<T> = Result<T, HostError>;

fn absent<T>(what: &str) -> HostResult<T> {
    Err(HostError(format!("the host has no {what}")))
}

/// The outside world of the core: store, cache, language model, time, randomness.
pub trait Host {
    /// Reads records; the answer has one slot for each key, in order.
    fn get(&self, keys: &[String]) -> impl Future<Output = HostResult<Vec<Option<Entry>>>>;

    /// Reads a range in key order.
    fn range(&self, range: &Range) -> impl Future<Output = HostResult<Vec<Entry>>>;

    /// Writes all of a batch or nothing.
    fn commit(&self, batch: &Batch) -> impl Future<Output = HostResult<Commit>>;

    /// Whether there is a hot cache: without one, nothing is prepared for it.
    fn has_cache(&self) -> bool {
        true
    }

    /// Reads the hot cache, which may lose anything at any time.
    fn cache_get(&self, key: &str) -> impl Future<Output = HostResult<Option<String>>>;

    /// Writes the hot cache.
    fn cache_put(
        &self,
        key: &str,
        value: &str,
        ttl_ms: u64,
    ) -> impl Future<Output = HostResult<()>>;

    /// Whether there is a language model.
    fn has_llm(&self) -> bool;

    /// Asks the language model.
    fn complete(&self, request: &LlmRequest) -> impl Future<Output = HostResult<String>>;

    /// Whether there are embeddings.
    fn has_embeddings(&self) -> bool;

    /// Embeds texts: one vector for each, in order.
    fn embed(
        &self,
        texts: &[String],
        timeout_ms: u64,
    ) -> impl Future<Output = HostResult<Vec<Vec<f32>>>>;

    /// Whether there is a vector store (M8).
    fn has_vectors(&self) -> bool {
        false
    }

    /// Writes vectors; one of the same id is replaced.
    fn vector_upsert(
        &self,
        _items: &[VectorItem],
        _timeout_ms: u64,
    ) -> impl Future<Output = HostResult<()>> {
        ready(absent("vector store"))
    }

    /// The nearest vectors, best first.
    fn vector_query(
        &self,
        _query: &VectorQuery,
        _timeout_ms: u64,
    ) -> impl Future<Output = HostResult<Vec<VectorMatch>>> {
        ready(absent("vector store"))
    }

    /// Deletes vectors of a namespace; an id that is not there is no fault.
    fn vector_delete(
        &self,
        _namespace: &str,
        _ids: &[String],
        _timeout_ms: u64,
    ) -> impl Future<Output = HostResult<()>> {
        ready(absent("vector store"))
    }

    /// Whether requests to this external memory service can be made: `memos`, `mem0`.
    fn has_provider(&self, _name: &str) -> bool {
        false
    }

    /// Makes a request to an external memory service; fails when there is no answer.
    fn provider(
        &self,
        _request: &ProviderRequest,
    ) -> impl Future<Output = HostResult<ProviderAnswer>> {
        ready(absent("memory service"))
    }

    /// How the search index of a user is stored.
    fn index_limits(&self) -> IndexLimits {
        IndexLimits::USUAL
    }

    /// An agent's own configuration, if the host keeps any.
    fn agent(&self, tenant: &str, agent: &str) -> impl Future<Output = HostResult<Option<Value>>>;

    /// Ends after this time; dropped, it leaves nothing behind.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;

    /// The time, ms since the epoch.
    fn now_ms(&self) -> HostResult<i64>;

    /// Fills `out` with random bytes.
    fn random(&self, out: &mut [u8]) -> HostResult<()>;

    /// Takes note of an event.
    fn log(&self, event: LogEvent);
}

/// What a call gives, if it is done within so many ms.
pub async fn within<H: Host, T>(host: &H, ms: u64, call: impl Future<Output = T>) -> Option<T> {
    match select(pin!(call), pin!(host.sleep(ms))).await {
        Either::Left((given, _)) => Some(given),
        Either::Right(_) => None,
    }
}

/// What the host answers within so many ms; later it is a fault.
pub async fn answered<H: Host, T>(
    host: &H,
    ms: u64,
    call: impl Future<Output = HostResult<T>>,
) -> HostResult<T> {
    let given = within(host, ms, call).await;
    given.unwrap_or_else(|| Err(HostError(late(ms))))
}

/// What is said of an answer that did not come in time.
pub fn late(ms: u64) -> String {
    format!("no answer within {ms} ms")
}
