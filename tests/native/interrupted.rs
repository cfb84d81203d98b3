//! A host over a shared store that dies after a while, or on which something happens in between.

use crate::support::host::MemoryHost;
use serde_json::{Value, json};
use siltstone::host::{
    Batch, Commit, Entry, Host, HostError, HostResult, LlmRequest, LogEvent, ProviderAnswer,
    ProviderRequest, Range,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Something that happens once, to the store below.
pub type Once = RefCell<Option<Box<dyn FnOnce(&Rc<MemoryHost>)>>>;

pub struct Interrupted {
    pub inner: Rc<MemoryHost>,
    /// Calls that are still answered: then the process has died.
    pub left: Cell<usize>,
    /// Calls so far.
    pub calls: Rc<Cell<usize>>,
    /// Whether the last write or request is still done, only its answer is lost.
    pub loses_answer: Cell<bool>,
    /// What happens just before the next commit.
    pub before_commit: Once,
    /// What happens while the language model thinks; without it there is none.
    pub while_thinking: Once,
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
            calls: Rc::default(),
            loses_answer: Cell::new(false),
            before_commit: Once::default(),
            while_thinking: Once::default(),
            thinks: Cell::new(false),
        }
    }

    /// With a language model that answers after this has happened.
    pub fn meanwhile(self, happens: impl FnOnce(&Rc<MemoryHost>) + 'static) -> Self {
        *self.while_thinking.borrow_mut() = Some(Box::new(happens));
        self.thinks.set(true);
        self
    }

    /// Whether this is the call in which the process dies, after it was done.
    fn is_lost(&self) -> bool {
        self.loses_answer.get() && self.left.get() == 0
    }

    fn answer(&self) -> HostResult<()> {
        self.calls.set(self.calls.get() + 1);
        let left = self.left.get().checked_sub(1);
        self.left
            .set(left.ok_or_else(|| HostError("dead".to_owned()))?);
        Ok(())
    }
}

impl Host for Interrupted {
    async fn get(&self, keys: &[String]) -> HostResult<Vec<Option<Entry>>> {
        self.answer()?;
        self.inner.get(keys).await
    }
    async fn range(&self, range: &Range) -> HostResult<Vec<Entry>> {
        self.answer()?;
        self.inner.range(range).await
    }
    async fn commit(&self, batch: &Batch) -> HostResult<Commit> {
        if self.is_lost() {
            self.loses_answer.set(false);
            self.inner.commit(batch).await?;
        }
        self.answer()?;
        if let Some(happens) = self.before_commit.take() {
            happens(&self.inner);
        }
        self.inner.commit(batch).await
    }
    async fn cache_get(&self, key: &str) -> HostResult<Option<String>> {
        self.answer()?;
        self.inner.cache_get(key).await
    }
    async fn cache_put(&self, key: &str, value: &str, ttl_ms: u64) -> HostResult<()> {
        self.answer()?;
        self.inner.cache_put(key, value, ttl_ms).await
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
        false
    }
    async fn embed(&self, texts: &[String], timeout_ms: u64) -> HostResult<Vec<Vec<f32>>> {
        self.inner.embed(texts, timeout_ms).await
    }
    fn has_provider(&self, name: &str) -> bool {
        self.inner.has_provider(name)
    }
    async fn provider(&self, request: &ProviderRequest) -> HostResult<ProviderAnswer> {
        if self.is_lost() {
            self.loses_answer.set(false);
            self.inner.provider(request).await?;
        }
        self.answer()?;
        self.inner.provider(request).await
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
