//! A session's end over a memory service that dies at any call: nothing lost, nothing doubled, nothing
//! old deleted without its successor (X3).

use crate::interrupted::Interrupted;
use crate::support::host::{MemoryHost, Services};
use crate::support::memos::Memos;
use serde_json::{Value, json};
use siltstone::engine::Engine;
use siltstone::host::ProviderRequest;
use std::rc::Rc;

pub fn call(host: Interrupted, method: &str, request: Value) -> Result<Value, String> {
    let config = json!({ "agent": { "provider": "memos", "longMemory": true, "model": "any" } });
    let engine = Engine::new(host, config, None).map_err(|error| error.to_string())?;
    let response = pollster::block_on(engine.call(method, request));
    response
        .map(|response| json!(response))
        .map_err(|error| error.to_string())
}

fn post(path: &str, body: Value) -> ProviderRequest {
    ProviderRequest {
        provider: "memos",
        operation: "add",
        method: "POST",
        path: path.to_owned(),
        body: Some(body),
        is_idempotent: true,
        idempotency_key: None,
        timeout_ms: 1,
    }
}

/// MemOS knows where Ana lived; she has told two new things.
pub fn talked() -> Rc<MemoryHost> {
    let mut memos = Memos::default();
    let cube = "ana!user_profile";
    memos.answer(&post(
        "/create_cube",
        json!({ "cube_id": cube, "owner_id": "ana" }),
    ));
    memos.answer(&post(
        "/add",
        json!({ "user_id": "ana", "writable_cube_ids": [cube],
            "messages": [{ "role": "user", "content": "User lives in Hangzhou" }] }),
    ));
    let inner = Rc::new(MemoryHost::default());
    inner.now.set(1_000);
    *inner.services.borrow_mut() = Services::Memos(memos);
    let said = json!({
        "scope": { "user": "ana", "session": "s" },
        "messages": [
            { "id": "1", "role": "user", "content": "My name is Ana." },
            { "id": "2", "role": "user", "content": "I live in Berlin now." },
        ],
    });
    call(Interrupted::alive(&inner), "append", said).unwrap();
    inner
}

fn end(host: Interrupted) -> Result<Value, String> {
    call(
        host,
        "endSession",
        json!({ "scope": { "user": "ana", "session": "s" } }),
    )
}

pub fn contents(inner: &Rc<MemoryHost>) -> Vec<String> {
    match &*inner.services.borrow() {
        Services::Memos(memos) => memos.contents(),
        _ => Vec::new(),
    }
}

pub fn later(inner: &Rc<MemoryHost>) {
    inner.now.set(inner.now.get() + 600_001);
}

#[test]
fn a_session_end_that_dies_at_any_call_leaves_what_a_whole_one_leaves() {
    let whole = talked();
    let host = Interrupted::alive(&whole);
    let calls = host.calls.clone();
    let done = end(host).unwrap();
    assert_eq!(done["pending"], Value::Null, "{done}");
    let expected = contents(&whole);
    assert_eq!(expected, ["User lives in Berlin now", "User's name is Ana"]);
    assert!(calls.get() > 20, "{}", calls.get());
    for died_at in 0..calls.get() {
        for loses_answer in [false, true] {
            let at = format!("died at call {died_at}, its answer lost: {loses_answer}");
            let inner = talked();
            let host = Interrupted::dying(&inner, died_at);
            let _ = end(if loses_answer { host.after() } else { host });
            let left = contents(&inner);
            let home = left.iter().any(|text| text.contains("lives in"));
            assert!(
                home,
                "{at}: the old one went before its successor came: {left:?}"
            );
            later(&inner);
            let again = end(Interrupted::alive(&inner)).unwrap();
            assert_ne!(again["status"], "busy", "{at}");
            for _ in 0..3 {
                later(&inner);
                call(Interrupted::alive(&inner), "replay", json!({})).unwrap();
            }
            assert_eq!(contents(&inner), expected, "{at}");
            let left = call(Interrupted::alive(&inner), "outbox.list", json!({})).unwrap();
            assert_eq!(left["effects"], json!([]), "{at}");
        }
    }
}

#[test]
fn a_service_that_fails_at_any_request_loses_and_doubles_nothing() {
    let whole = talked();
    end(Interrupted::alive(&whole)).unwrap();
    let (expected, requests) = (contents(&whole), whole.sent.borrow().len());
    for failing in 0..requests {
        let inner = talked();
        let path = whole.sent.borrow()[failing].path.clone();
        let fault = json!({ "op": "provider", "key": path, "times": 1 });
        *inner.faults.borrow_mut() = vec![serde_json::from_value(fault).unwrap()];
        end(Interrupted::alive(&inner)).unwrap();
        for _ in 0..3 {
            later(&inner);
            call(Interrupted::alive(&inner), "replay", json!({})).unwrap();
        }
        assert_eq!(contents(&inner), expected, "{path} failed");
    }
}

#[test]
fn a_new_cube_is_made_before_anything_is_added_to_it() {
    let inner = talked();
    let scope = json!({ "user": "eve", "agent": "coach", "session": "s" });
    let memory = json!({ "content": "Short plans work", "scope": "agent" });
    let request = json!({ "scope": scope, "memory": memory });
    let added = call(Interrupted::alive(&inner), "memories.add", request).unwrap();
    assert_eq!(added["action"], "stored", "{added}");
    assert!(contents(&inner).contains(&"Short plans work".to_owned()));
    let ask = |scope: Value| {
        let request = json!({ "scope": scope, "query": "Which plans work?" });
        let found = call(Interrupted::alive(&inner), "recall", request).unwrap();
        found["hits"].as_array().unwrap().len()
    };
    assert_eq!(ask(scope.clone()), 1);
    assert_eq!(ask(json!({ "user": "eve", "agent": "chef" })), 0);
    assert_eq!(ask(json!({ "user": "ana", "agent": "coach" })), 0);
    let id = match &*inner.services.borrow() {
        Services::Memos(memos) => memos.kept.last().unwrap().id.clone(),
        _ => String::new(),
    };
    let forget = |scope: Value| {
        let request = json!({ "scope": scope, "id": id });
        call(Interrupted::alive(&inner), "memories.forget", request)
    };
    assert!(forget(json!({ "user": "ana", "agent": "coach" })).is_err());
    assert_eq!(forget(scope.clone()).unwrap()["forgotten"], 1);
    assert_eq!(ask(scope), 0);
}
