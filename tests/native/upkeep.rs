//! Looking after memories while others change them: nothing undone, nothing brought back, nothing
//! done twice.

use crate::interrupted::Interrupted;
use crate::support::host::MemoryHost;
use serde_json::{Value, json};
use siltstone::engine::Engine;
use std::cell::RefCell;
use std::rc::Rc;

const DAY: i64 = 86_400_000;

fn config() -> Value {
    json!({ "life": { "purgeDays": 10, "tombstoneDays": 20, "maxHot": 2, "evictCount": 0 } })
}

fn engine(inner: &Rc<MemoryHost>) -> Engine<Interrupted> {
    Engine::new(Interrupted::alive(inner), config(), None).unwrap()
}

fn call(engine: &Engine<Interrupted>, method: &str, request: Value) -> Value {
    json!(pollster::block_on(engine.call(method, request)).unwrap())
}

fn lift(inner: &Rc<MemoryHost>) -> String {
    let memory = json!({ "content": "The lift was broken on Monday", "importance": 3 });
    let request = json!({ "scope": { "user": "ana" }, "memory": memory });
    call(&engine(inner), "memories.add", request)["memory"]["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn noting_a_use_neither_undoes_nor_brings_back_what_came_first() {
    for hard in [true, false] {
        let inner = Rc::new(MemoryHost::default());
        let id = lift(&inner);
        inner.now.set(DAY);
        let recalling = engine(&inner);
        let forget = json!({ "scope": { "user": "ana" }, "id": id, "hard": hard });
        *recalling.host.before_commit.borrow_mut() = Some(Box::new(move |inner| {
            call(&engine(inner), "memories.forget", forget);
        }));
        let question = json!({ "scope": { "user": "ana" }, "query": "was the lift broken" });
        call(&recalling, "recall", question.clone());
        assert_eq!(inner.logged.borrow().last().unwrap().event, "touch_failed");
        let stats = call(
            &recalling,
            "memories.stats",
            json!({ "scope": { "user": "ana" } }),
        );
        assert_eq!(stats["hot"], 0, "{stats}");
        assert_eq!(stats["forgotten"], u8::from(!hard), "{stats}");
        // The index in memory is out of date, and known to be.
        assert_eq!(call(&recalling, "recall", question)["hits"], json!([]));
    }
}

#[test]
fn locks_of_the_long_dead_go_and_no_others() {
    let inner = Rc::new(MemoryHost::default());
    lift(&inner);
    for (session, expires) in [("old", 0), ("new", 4 * DAY)] {
        let lock = json!({ "v": 1, "d": { "owner": "x", "expiresAt": expires } }).to_string();
        let key = format!("s1!default!ana!lock!{session}");
        inner
            .store
            .borrow_mut()
            .insert(key, (lock, "old".to_owned()));
    }
    inner.now.set(8 * DAY);
    assert_eq!(call(&engine(&inner), "maintain", json!({}))["locks"], 1);
    assert!(inner.store.borrow().contains_key("s1!default!ana!lock!new"));
}

#[test]
fn two_runs_of_maintain_at_once_do_everything_once() {
    let inner = Rc::new(MemoryHost::default());
    lift(&inner);
    inner.now.set(100 * DAY);
    let slow = engine(&inner);
    let other = Rc::new(RefCell::new(Value::Null));
    let report = other.clone();
    *slow.host.before_commit.borrow_mut() = Some(Box::new(move |inner| {
        *report.borrow_mut() = call(&engine(inner), "maintain", json!({}));
    }));
    let first = call(&slow, "maintain", json!({}));
    assert_eq!(other.borrow()["forgotten"], 1);
    assert_eq!(first["forgotten"], 0, "{first}");
    assert_eq!(
        (&first["failed"], &first["done"]),
        (&json!(0), &json!(true))
    );
}

#[test]
fn a_store_from_before_is_read_and_its_user_known_after_the_next_write() {
    let host = MemoryHost::default();
    let old = json!({ "v": 1, "d": {
        "id": "0190", "content": "The lift was broken", "createdAt": 0, "lastAccessAt": 0,
        "observedAt": 0, "weight": 1.0, "importance": 3, "category": "note", "scope": "user",
        "version": 1, "isValid": true,
    } });
    for (key, value) in [
        ("s1!default!ana!memory!0190", old.to_string()),
        (
            "s1!default!ana!memory-head",
            json!({ "v": 1, "d": { "changes": 7 } }).to_string(),
        ),
    ] {
        host.store
            .borrow_mut()
            .insert(key.to_owned(), (value, "old".to_owned()));
    }
    host.now.set(100 * DAY);
    let inner = Rc::new(host);
    let engine = engine(&inner);
    assert_eq!(call(&engine, "maintain", json!({}))["users"], 0);
    let scope = json!({ "user": "ana" });
    let stats = call(&engine, "memories.stats", json!({ "scope": scope }));
    assert_eq!(stats["hot"], 1);
    let memory = json!({ "content": "Ana's dentist is called Moreau" });
    let added = call(
        &engine,
        "memories.add",
        json!({ "scope": scope, "memory": memory }),
    );
    assert_eq!(
        added["forgotten"][0],
        json!({ "id": "0190", "reason": "faded" })
    );
    assert_eq!(call(&engine, "maintain", json!({}))["users"], 1);
}

fn three_users() -> Rc<MemoryHost> {
    let inner = Rc::new(MemoryHost::default());
    for user in ["ana", "bob", "cem"] {
        let scope = json!({ "user": user, "session": "s" });
        let said = json!([{ "id": "1", "role": "user", "content": "I live in Hangzhou." }]);
        call(
            &engine(&inner),
            "append",
            json!({ "scope": scope, "messages": said }),
        );
        call(&engine(&inner), "endSession", json!({ "scope": scope }));
        for content in [
            "The lift was broken", "A heron stood by the canal", "Yoga is at seven",
        ] {
            let memory = json!({ "content": content, "importance": 3 });
            call(
                &engine(&inner),
                "memories.add",
                json!({ "scope": scope, "memory": memory }),
            );
        }
    }
    inner.now.set(66 * DAY);
    inner
}

fn round(inner: &Rc<MemoryHost>) {
    while call(&engine(inner), "maintain", json!({ "limit": 2 }))["done"] != true {}
}

/// Everything stored but what is only made from it: the search index, and which changes it has to
/// follow.
pub fn documents(inner: &MemoryHost) -> Vec<(String, Value)> {
    let store = inner.store.borrow();
    let made_of = store.iter().filter(|(key, _)| !key.contains("!index!"));
    let documents = made_of.map(|(key, (text, _))| {
        let mut document: Value = serde_json::from_str(text).unwrap();
        if key.ends_with("!memory-head") {
            document["d"].as_object_mut().unwrap().remove("log");
        }
        (key.clone(), document)
    });
    documents.collect()
}

#[test]
fn a_run_of_maintain_that_dies_at_any_host_call_is_made_up_for_by_the_next_round() {
    let whole = three_users();
    round(&whole);
    whole.now.set(80 * DAY);
    round(&whole);
    let expected = documents(&whole);
    let mut died_at = 0;
    loop {
        let inner = three_users();
        let dying = engine(&inner);
        dying.host.left.set(died_at);
        let _ = pollster::block_on(dying.call("maintain", json!({ "limit": 2 })));
        let survived = dying.host.left.get() > 0;
        inner.now.set(80 * DAY);
        // The first may begin in the middle.
        round(&inner);
        round(&inner);
        assert_eq!(documents(&inner), expected, "died at call {died_at}");
        if survived {
            break;
        }
        died_at += 1;
    }
    assert!(died_at > 10, "{died_at}");
}

#[test]
fn marks_of_a_session_with_removed_messages_fold_into_its_head() {
    let inner = Rc::new(MemoryHost::default());
    lift(&inner);
    let engine = engine(&inner);
    let scope = json!({ "user": "ana", "session": "s" });
    let say = |id: &str| {
        let said = json!({ "id": id, "role": "user", "content": "The lift is broken" });
        let request = json!({ "scope": scope, "messages": [said] });
        call(&engine, "append", request);
    };
    let end = || call(&engine, "endSession", json!({ "scope": scope }));
    say("a");
    end();
    say("b");
    let removal = json!({ "scope": scope, "ids": ["b"] });
    call(&engine, "removeMessages", removal);
    say("c");
    end();
    say("d");
    inner.now.set(8 * DAY);
    call(&engine, "maintain", json!({}));
    let marks = |inner: &MemoryHost| {
        let store = inner.store.borrow();
        store.keys().filter(|key| key.contains("!mark!")).count()
    };
    assert_eq!(marks(&inner), 0, "{:?}", inner.store.borrow().keys());
    // What nobody judged is still new.
    let report = end();
    assert_eq!(report["newMessages"], 1, "{report}");
}
