//! Session ends that overlap, are cut off, or come late: nothing lost, nothing doubled.

use crate::support::host::MemoryHost;
use serde_json::{Value, json};
use siltstone::engine::Engine;
use siltstone::host::{
    Batch, Commit, Entry, Host, HostError, HostResult, LlmRequest, LogEvent, Range,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A host over a shared store whose calls stop being answered after a while: the process died.
struct Dying {
    inner: Rc<MemoryHost>,
    /// Calls that are still answered.
    left: Cell<usize>,
    calls: Rc<Cell<usize>>,
    /// What happens elsewhere while the language model thinks.
    meanwhile: RefCell<Option<Box<dyn Fn()>>>,
}

impl Dying {
    fn new(inner: &Rc<MemoryHost>, left: usize) -> Self {
        Self {
            inner: inner.clone(),
            left: Cell::new(left),
            calls: Rc::default(),
            meanwhile: RefCell::default(),
        }
    }

    fn call(&self) -> HostResult<()> {
        self.calls.set(self.calls.get() + 1);
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(HostError("dead".to_owned())),
        }
    }
}

impl Host for Dying {
    async fn get(&self, keys: &[String]) -> HostResult<Vec<Option<Entry>>> {
        self.call()?;
        self.inner.get(keys).await
    }
    async fn range(&self, range: &Range) -> HostResult<Vec<Entry>> {
        self.call()?;
        self.inner.range(range).await
    }
    async fn commit(&self, batch: &Batch) -> HostResult<Commit> {
        self.call()?;
        self.inner.commit(batch).await
    }
    async fn cache_get(&self, key: &str) -> HostResult<Option<String>> {
        self.call()?;
        self.inner.cache_get(key).await
    }
    async fn cache_put(&self, key: &str, value: &str, ttl_ms: u64) -> HostResult<()> {
        self.call()?;
        self.inner.cache_put(key, value, ttl_ms).await
    }
    fn has_llm(&self) -> bool {
        self.meanwhile.borrow().is_some()
    }
    async fn complete(&self, _: &LlmRequest) -> HostResult<String> {
        if let Some(meanwhile) = self.meanwhile.borrow().as_ref() {
            meanwhile();
        }
        Ok(json!([{ "content": "Ana keeps bees" }]).to_string())
    }
    fn has_embeddings(&self) -> bool {
        false
    }
    async fn embed(&self, texts: &[String], timeout_ms: u64) -> HostResult<Vec<Vec<f32>>> {
        self.inner.embed(texts, timeout_ms).await
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

fn call<H: Host>(host: H, method: &str, request: Value) -> Result<Value, String> {
    let engine = Engine::new(host, Value::Null, None).map_err(|error| error.to_string())?;
    let response = pollster::block_on(engine.call(method, request));
    response
        .map(|response| json!(response))
        .map_err(|error| error.code.as_str().to_owned())
}

fn alive(inner: &Rc<MemoryHost>) -> Dying {
    Dying::new(inner, usize::MAX)
}

fn end(host: Dying) -> Result<Value, String> {
    call(
        host,
        "endSession",
        json!({ "scope": { "user": "ana", "session": "s" } }),
    )
}

fn talked() -> Rc<MemoryHost> {
    let inner = Rc::new(MemoryHost::default());
    inner.now.set(1_000);
    let said = json!({
        "scope": { "user": "ana", "session": "s" },
        "messages": [
            { "id": "1", "role": "user", "content": "My name is Ana." },
            { "id": "2", "role": "assistant", "content": "Hello Ana!" },
            { "id": "3", "role": "user", "content": "I live in Hangzhou." },
        ],
    });
    call(alive(&inner), "append", said).unwrap();
    inner
}

fn contents(inner: &Rc<MemoryHost>) -> Vec<String> {
    let listed = call(
        alive(inner),
        "memories.list",
        json!({ "scope": { "user": "ana" } }),
    );
    let listed = listed.unwrap();
    let memories = listed["memories"].as_array().unwrap();
    let mut contents: Vec<String> = memories
        .iter()
        .map(|memory| memory["content"].as_str().unwrap().to_owned())
        .collect();
    contents.sort();
    contents
}

#[test]
fn a_session_end_that_dies_at_any_host_call_is_done_by_the_next_one() {
    let whole = talked();
    let host = alive(&whole);
    let calls = host.calls.clone();
    end(host).unwrap();
    let expected = contents(&whole);
    assert_eq!(expected.len(), 2, "{expected:?}");
    assert!(calls.get() > 8, "{}", calls.get());
    for died_at in 0..calls.get() {
        let inner = talked();
        let _ = end(Dying::new(&inner, died_at));
        // The lock of the dead one runs out.
        inner.now.set(inner.now.get() + 600_001);
        let again = end(alive(&inner)).unwrap();
        assert_ne!(again["status"], "busy", "died at call {died_at}");
        assert_eq!(contents(&inner), expected, "died at call {died_at}");
    }
}

#[test]
fn while_one_consolidation_runs_another_one_is_busy() {
    let inner = talked();
    let host = alive(&inner);
    let other = inner.clone();
    let seen = Rc::new(RefCell::new(Vec::new()));
    let note = seen.clone();
    *host.meanwhile.borrow_mut() = Some(Box::new(move || {
        note.borrow_mut()
            .push(end(alive(&other)).unwrap()["status"].clone());
    }));
    assert_eq!(end(host).unwrap()["status"], "done");
    assert_eq!(*seen.borrow(), ["busy"]);
    assert_eq!(contents(&inner), ["Ana keeps bees"]);
}

#[test]
fn an_owner_that_comes_late_writes_nothing_over_the_one_who_took_over() {
    let inner = talked();
    let host = alive(&inner);
    let other = inner.clone();
    *host.meanwhile.borrow_mut() = Some(Box::new(move || {
        other.now.set(other.now.get() + 600_001);
        assert_eq!(end(alive(&other)).unwrap()["status"], "done");
    }));
    assert_eq!(end(host), Err("conflict".to_owned()));
    let kept = contents(&inner);
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(!kept.contains(&"Ana keeps bees".to_owned()));
}

#[test]
fn two_sessions_that_end_at_once_keep_one_memory_of_the_same_fact() {
    let inner = talked();
    let said = json!({
        "scope": { "user": "ana", "session": "t" },
        "messages": [{ "role": "user", "content": "I live in Hangzhou." }],
    });
    call(alive(&inner), "append", said).unwrap();
    let host = alive(&inner);
    let other = inner.clone();
    *host.meanwhile.borrow_mut() = Some(Box::new(move || {
        let scope = json!({ "scope": { "user": "ana", "session": "t" } });
        call(alive(&other), "endSession", scope).unwrap();
        let bees = json!({ "scope": { "user": "ana" }, "memory": { "content": "Ana keeps bees" } });
        call(alive(&other), "memories.add", bees).unwrap();
    }));
    let report = end(host).unwrap();
    assert_eq!(report["merged"].as_array().unwrap().len(), 1, "{report}");
    let kept = contents(&inner);
    assert_eq!(kept.len(), 2, "{kept:?}");
}
