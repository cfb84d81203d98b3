//! A host over a shared store that dies after a while, or on which something happens in between.

use crate::support::host::MemoryHost;
use serde_json::{Value, json};
use siltstone::host::{
    Batch, Commit, Entry, Host, HostError, HostResult, IndexLimits, LlmRequest, LogEvent,
    ProviderAnswer, ProviderRequest, Range, VectorItem, VectorMatch, VectorQuery,
};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;

/// Something that happens once, to the store below.
pub type Once = RefCell<Option<Box<dyn FnOnce(&Rc<MemoryHost>)>>>;

pub struct Interrupted {
    pub inner: Rc<MemoryHost>,
    /// Calls that are still answered: then the process has died.
    pub left: Cell<usize>,
    /// Whether the call at which it dies is still carried out, its answer lost.
    after: Cell<bool>,
    /// Calls so far.
    pub calls: Rc<Cell<usize>>,
    /// What happens just before the next commit.
    pub before_commit: Once,
    /// What happens while the language model thinks; without it there is none.
    pub while_thinking: Once,
    /// What happens while vectors are on their way.
    pub before_upsert: Once,
    /// What happens once vectors were written, before the answer is there.
    pub after_upsert: Once,
    thinks: Cell<bool>,
}

impl Interrupted {
    pub fn alive(inner: &Rc<MemoryHost>) -> Self {
        Self::dying(inner, usize::MAX)
    }

    pub fn dying(inner: &Rc<MemoryHost>, left: usize) -> Self {
        Self {
            inner: inner.clone(),
            left: Cell::new(left),
            after: Cell::new(false),
            calls: Rc::default(),
            before_commit: Once::default(),
            while_thinking: Once::default(),
            before_upsert: Once::default(),
            after_upsert: Once::default(),
            thinks: Cell::new(false),
        }
    }

    /// With a language model that answers after this has happened.
    pub fn meanwhile(self, happens: impl FnOnce(&Rc<MemoryHost>) + 'static) -> Self {
        *self.while_thinking.borrow_mut() = Some(Box::new(happens));
        self.thinks.set(true);
        self
    }

    /// Dies once its last call was carried out, instead of before.
    pub fn after(self) -> Self {
        self.after.set(true);
        self
    }

    async fn answer<T>(&self, work: impl Future<Output = HostResult<T>>) -> HostResult<T> {
        self.calls.set(self.calls.get() + 1);
        let Some(left) = self.left.get().checked_sub(1) else {
            if self.after.take() {
                let _ = work.await;
            }
            return Err(HostError("dead".to_owned()));
        };
        self.left.set(left);
        work.await
    }
}

impl Host for Interrupted {
    async fn get(&self, keys: &[String]) -> HostResult<Vec<Option<Entry>>> {
        self.answer(self.inner.get(keys)).await
    }
    async fn range(&self, range: &Range) -> HostResult<Vec<Entry>> {
        self.answer(self.inner.range(range)).await
    }
    async fn commit(&self, batch: &Batch) -> HostResult<Commit> {
        let commit = async {
            if let Some(happens) = self.before_commit.take() {
                happens(&self.inner);
            }
            self.inner.commit(batch).await
        };
        self.answer(commit).await
    }
    async fn cache_get(&self, key: &str) -> HostResult<Option<String>> {
        self.answer(self.inner.cache_get(key)).await
    }
    async fn cache_put(&self, key: &str, value: &str, ttl_ms: u64) -> HostResult<()> {
        self.answer(self.inner.cache_put(key, value, ttl_ms)).await
    }
    fn has_llm(&self) -> bool {
        self.thinks.get()
    }
    async fn complete(&self, _: &LlmRequest) -> HostResult<String> {
        if let Some(happens) = self.while_thinking.take() {
            happens(&self.inner);
        }
        Ok(json!([{ "content": "Ana keeps bees" }]).to_string())
    }
    fn has_embeddings(&self) -> bool {
        self.inner.has_embeddings()
    }
    async fn embed(&self, texts: &[String], timeout_ms: u64) -> HostResult<Vec<Vec<f32>>> {
        self.inner.embed(texts, timeout_ms).await
    }
    fn has_provider(&self, name: &str) -> bool {
        self.inner.has_provider(name)
    }
    async fn provider(&self, request: &ProviderRequest) -> HostResult<ProviderAnswer> {
        self.answer(self.inner.provider(request)).await
    }
    fn has_vectors(&self) -> bool {
        self.inner.has_vectors()
    }
    async fn vector_upsert(&self, items: &[VectorItem], timeout_ms: u64) -> HostResult<()> {
        let upsert = async {
            if let Some(happens) = self.before_upsert.take() {
                happens(&self.inner);
            }
            self.inner.vector_upsert(items, timeout_ms).await?;
            if let Some(happens) = self.after_upsert.take() {
                happens(&self.inner);
            }
            Ok(())
        };
        self.answer(upsert).await
    }
    async fn vector_query(
        &self,
        query: &VectorQuery,
        timeout_ms: u64,
    ) -> HostResult<Vec<VectorMatch>> {
        self.answer(self.inner.vector_query(query, timeout_ms))
            .await
    }
    async fn vector_delete(&self, space: &str, ids: &[String], timeout_ms: u64) -> HostResult<()> {
        self.answer(self.inner.vector_delete(space, ids, timeout_ms))
            .await
    }
    fn index_limits(&self) -> IndexLimits {
        self.inner.index_limits()
    }
    async fn agent(&self, tenant: &str, agent: &str) -> HostResult<Option<Value>> {
        self.inner.agent(tenant, agent).await
    }
    async fn sleep(&self, ms: u64) {
        self.inner.sleep(ms).await;
    }
    fn now_ms(&self) -> HostResult<i64> {
        self.inner.now_ms()
    }
    fn random(&self, out: &mut [u8]) -> HostResult<()> {
        self.inner.random(out)
    }
    fn log(&self, event: LogEvent) {
        self.inner.log(event);
    }
}
