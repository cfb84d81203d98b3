//! Session ends that overlap, are cut off, or come late: nothing lost, nothing doubled.

use crate::interrupted::Interrupted;
use crate::support::host::MemoryHost;
use serde_json::{Value, json};
use siltstone::engine::Engine;
use std::cell::RefCell;
use std::rc::Rc;

fn call(host: Interrupted, method: &str, request: Value) -> Result<Value, String> {
    let engine = Engine::new(host, Value::Null, None).map_err(|error| error.to_string())?;
    let response = pollster::block_on(engine.call(method, request));
    response
        .map(|response| json!(response))
        .map_err(|error| error.code.as_str().to_owned())
}

fn alive(inner: &Rc<MemoryHost>) -> Interrupted {
    Interrupted::alive(inner)
}

fn end(host: Interrupted) -> Result<Value, String> {
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
        let _ = end(Interrupted::dying(&inner, died_at));
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
    let seen = Rc::new(RefCell::new(Vec::new()));
    let note = seen.clone();
    let host = alive(&inner).meanwhile(move |inner| {
        let other = end(alive(inner)).unwrap();
        note.borrow_mut().push(other["status"].clone());
    });
    assert_eq!(end(host).unwrap()["status"], "done");
    assert_eq!(*seen.borrow(), ["busy"]);
    assert_eq!(contents(&inner), ["Ana keeps bees"]);
}

#[test]
fn an_owner_that_comes_late_writes_nothing_over_the_one_who_took_over() {
    let inner = talked();
    let host = alive(&inner).meanwhile(|inner| {
        inner.now.set(inner.now.get() + 600_001);
        assert_eq!(end(alive(inner)).unwrap()["status"], "done");
    });
    assert_eq!(end(host), Err("conflict".to_owned()));
    let kept = contents(&inner);
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(!kept.contains(&"Ana keeps bees".to_owned()));
}

#[test]
fn a_lock_from_before_the_clock_was_set_back_holds_nobody_up_for_long() {
    let inner = talked();
    let now = inner.now.get();
    inner.now.set(now + 86_400_000);
    // It dies right after it took the lock.
    let _ = end(Interrupted::dying(&inner, 3));
    inner.now.set(now + 600_000);
    assert!(
        inner
            .store
            .borrow()
            .keys()
            .any(|key| key.contains("!lock!"))
    );
    assert_eq!(end(alive(&inner)).unwrap()["status"], "done");
}

#[test]
fn two_sessions_that_end_at_once_keep_one_memory_of_the_same_fact() {
    let inner = talked();
    let said = json!({
        "scope": { "user": "ana", "session": "t" },
        "messages": [{ "role": "user", "content": "I live in Hangzhou." }],
    });
    call(alive(&inner), "append", said).unwrap();
    let host = alive(&inner).meanwhile(|inner| {
        let scope = json!({ "scope": { "user": "ana", "session": "t" } });
        call(alive(inner), "endSession", scope).unwrap();
        let bees = json!({ "scope": { "user": "ana" }, "memory": { "content": "Ana keeps bees" } });
        call(alive(inner), "memories.add", bees).unwrap();
    });
    let report = end(host).unwrap();
    assert_eq!(report["merged"].as_array().unwrap().len(), 1, "{report}");
    let kept = contents(&inner);
    assert_eq!(kept.len(), 2, "{kept:?}");
}
