//! What is done outside the store, whatever dies, hangs or comes late: nothing lost, nothing
//! doubled, and the vector store tells what the memories are.

use crate::interrupted::Interrupted;
use crate::support::host::{Fault, MemoryHost};
use serde_json::{Value, json};
use siltstone::engine::Engine;
use siltstone::host::VectorMatch;
use siltstone::outbox::{OutboxConfig, run::backoff};
use siltstone::scope::Scope;
use siltstone::vector::external;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const DAY: i64 = 86_400_000;

fn config() -> Value {
    json!({ "life": { "maxHot": 2, "evictCount": 0, "protectMs": 0 } })
}

pub fn call(host: Interrupted, method: &str, request: Value) -> Result<Value, Value> {
    let engine = Engine::new(host, config(), None).map_err(|error| json!(error))?;
    let response = pollster::block_on(engine.call(method, request));
    response
        .map(|response| json!(response))
        .map_err(|error| json!(error))
}

pub fn alive(inner: &Rc<MemoryHost>) -> Interrupted {
    Interrupted::alive(inner)
}

pub fn ask(inner: &Rc<MemoryHost>, method: &str, request: Value) -> Value {
    call(alive(inner), method, request).unwrap()
}

pub fn user() -> Value {
    json!({ "user": "ana" })
}

fn scope(user: &str) -> Scope {
    serde_json::from_value(json!({ "user": user })).unwrap()
}

pub fn world() -> Rc<MemoryHost> {
    let inner = Rc::new(MemoryHost::default());
    inner.now.set(1_000);
    *inner.meanings.borrow_mut() = Some(BTreeMap::new());
    *inner.vectors.borrow_mut() = Some(BTreeMap::new());
    inner
}

pub fn add(inner: &Rc<MemoryHost>, content: &str, importance: u8) -> String {
    let memory = json!({ "content": content, "importance": importance });
    let added = ask(
        inner,
        "memories.add",
        json!({ "scope": user(), "memory": memory }),
    );
    inner.now.set(inner.now.get() + 1_000);
    added["memory"]["id"].as_str().unwrap().to_owned()
}

pub fn faults(inner: &Rc<MemoryHost>, ops: &[&str], hangs: bool) {
    let fault = |op: &&str| Fault {
        op: (*op).to_owned(),
        key: String::new(),
        times: u32::MAX,
        hangs,
    };
    *inner.faults.borrow_mut() = ops.iter().map(fault).collect();
}

/// Replays until nothing waits.
fn drain(inner: &Rc<MemoryHost>) {
    let mut slices = 0..50;
    loop {
        assert!(slices.next().is_some(), "the outbox does not drain");
        let report = ask(inner, "replay", json!({}));
        assert_eq!(report["dead"], 0, "{report}");
        match report["nextRunAt"].as_i64() {
            None => return,
            Some(at) => inner.now.set(inner.now.get().max(at)),
        }
    }
}

/// Everything of a store but ids and times.
fn shape(inner: &Rc<MemoryHost>) -> Value {
    let mut records: BTreeMap<String, usize> = BTreeMap::new();
    for key in inner.store.borrow().keys() {
        let mut parts = key.split('!');
        let kind = match parts.next() {
            Some("s1") => parts.nth(2),
            other => other,
        };
        *records.entry(kind.unwrap().to_owned()).or_default() += 1;
    }
    let all = json!({ "scope": user(), "includeInvalid": true });
    let listed = ask(inner, "memories.list", all);
    let mut memories: Vec<String> = Vec::new();
    let mut belong = BTreeSet::new();
    for memory in listed["memories"].as_array().unwrap() {
        let id = memory["id"].as_str().unwrap();
        let state = [
            &memory["content"], &memory["isValid"], &memory["temperature"], &memory["version"],
        ];
        memories.push(json!(state).to_string());
        if memory["isValid"] == true && memory["temperature"] == "hot" {
            belong.insert(external::id(&scope("ana"), id));
        }
    }
    memories.sort();
    let vectors = inner.vectors.borrow();
    let vectors = vectors.as_ref().unwrap();
    assert_eq!(vectors.keys().cloned().collect::<BTreeSet<_>>(), belong);
    let mut embeddings: Vec<String> = vectors
        .values()
        .map(|item| json!([item.cube, item.namespace, item.vector]).to_string())
        .collect();
    embeddings.sort();
    json!({ "records": records, "memories": memories, "vectors": embeddings })
}

/// Dies before and after every single host call; the next process does it again and replays.
pub fn sweep(prepared: fn() -> Rc<MemoryHost>, act: fn(Interrupted) -> Result<Value, Value>) {
    let whole = prepared();
    let host = alive(&whole);
    let calls = host.calls.clone();
    act(host).unwrap();
    whole.now.set(whole.now.get() + 600_001);
    let _ = act(alive(&whole));
    drain(&whole);
    let expected = shape(&whole);
    assert!(calls.get() > 5, "{}", calls.get());
    for died_at in 0..calls.get() {
        for after in [false, true] {
            let inner = prepared();
            let host = Interrupted::dying(&inner, died_at);
            let _ = act(if after { host.after() } else { host });
            inner.now.set(inner.now.get() + 600_001);
            let _ = act(alive(&inner));
            drain(&inner);
            let at = format!("died at call {died_at}, after it: {after}");
            assert_eq!(shape(&inner), expected, "{at}");
        }
    }
}

#[test]
fn a_session_end_that_dies_anywhere_leaves_both_stores_as_one_that_does_not() {
    fn talked() -> Rc<MemoryHost> {
        let inner = world();
        let said = |content: &str| {
            let message = json!({ "role": "user", "content": content });
            let session = json!({ "user": "ana", "session": "s" });
            ask(
                &inner,
                "append",
                json!({ "scope": session, "messages": [message] }),
            );
        };
        said("I live in Hangzhou.");
        end(alive(&inner)).unwrap();
        inner.now.set(inner.now.get() + 1_000);
        said("My name is Ana.");
        said("I live in Oslo now.");
        said("I have two cats.");
        inner
    }
    fn end(host: Interrupted) -> Result<Value, Value> {
        let session = json!({ "user": "ana", "session": "s" });
        call(host, "endSession", json!({ "scope": session }))
    }
    sweep(talked, end);
}

#[test]
fn a_memory_forgotten_by_a_call_that_dies_anywhere_is_gone_from_both_stores() {
    fn known() -> Rc<MemoryHost> {
        let inner = world();
        add(&inner, "a red boat", 5);
        add(&inner, "seven hungry llamas", 5);
        inner
    }
    fn forget(host: Interrupted, hard: bool) -> Result<Value, Value> {
        let inner = host.inner.clone();
        let all = json!({ "scope": user(), "includeInvalid": true });
        let listed = ask(&inner, "memories.list", all);
        let memories = listed["memories"].as_array().unwrap();
        let boat = |memory: &&Value| memory["content"] == "a red boat";
        // For good it is gone after the first time.
        let id = memories
            .iter()
            .find(boat)
            .map(|memory| memory["id"].clone());
        let id = id.unwrap_or_else(|| json!("gone"));
        call(
            host,
            "memories.forget",
            json!({ "scope": user(), "id": id, "hard": hard }),
        )
    }
    sweep(known, |host| forget(host, false));
    sweep(known, |host| forget(host, true));
}

#[test]
fn a_run_of_maintain_that_dies_anywhere_leaves_both_stores_as_one_that_does_not() {
    fn aged() -> Rc<MemoryHost> {
        let inner = world();
        add(&inner, "a lift that was broken", 2);
        faults(&inner, &["vectorUpsert"], false);
        add(&inner, "a red boat", 9);
        faults(&inner, &[], false);
        inner.now.set(inner.now.get() + 200 * DAY);
        inner
    }
    sweep(aged, |host| call(host, "maintain", json!({})));
}

#[test]
fn of_two_replays_at_once_one_does_it_and_one_that_comes_late_writes_nothing() {
    for late in [false, true] {
        let inner = world();
        faults(&inner, &["vectorUpsert"], false);
        add(&inner, "a red boat", 5);
        faults(&inner, &[], false);
        inner.now.set(inner.now.get() + DAY);
        let other = Rc::new(RefCell::new(Value::Null));
        let noted = other.clone();
        let host = alive(&inner);
        *host.after_upsert.borrow_mut() = Some(Box::new(move |inner| {
            let lease = if late { 60_000 } else { 0 };
            inner.now.set(inner.now.get() + lease);
            *noted.borrow_mut() = ask(inner, "replay", json!({}));
            // Somebody has the effect taken up anew by now.
            if late {
                faults(inner, &["vectorUpsert"], false);
                add(inner, "seven hungry llamas", 5);
                faults(inner, &[], false);
            }
        }));
        let report = call(host, "replay", json!({})).unwrap();
        let other = other.take();
        assert_eq!(other["done"], u8::from(late), "{other}");
        assert_eq!(report["done"], u8::from(!late), "{report}");
        let overtaken = |event: &siltstone::host::LogEvent| event.event == "effect_overtaken";
        let events = inner.logged.take();
        assert_eq!(events.iter().any(overtaken), late, "{events:?}");
        let waiting = ask(&inner, "outbox.list", json!({}));
        let waiting = waiting["effects"].as_array().unwrap();
        assert_eq!(waiting.len(), usize::from(late), "{waiting:?}");
        drain(&inner);
        shape(&inner);
    }
}

#[test]
fn a_memory_that_is_forgotten_while_its_vector_is_on_its_way_leaves_nothing_there() {
    let inner = world();
    inner.now.set(100_000);
    let host = alive(&inner);
    *host.before_upsert.borrow_mut() = Some(Box::new(|inner| {
        // By a clock that is behind: its effect comes before the one that is under way.
        inner.now.set(90_000);
        let listed = ask(inner, "memories.list", json!({ "scope": user() }));
        let id = &listed["memories"][0]["id"];
        ask(
            inner,
            "memories.forget",
            json!({ "scope": user(), "id": id }),
        );
        inner.now.set(100_000);
    }));
    let memory = json!({ "content": "a red boat" });
    call(
        host,
        "memories.add",
        json!({ "scope": user(), "memory": memory }),
    )
    .unwrap();
    drain(&inner);
    shape(&inner);
}

#[test]
fn a_store_that_hangs_neither_holds_up_a_change_nor_a_recall() {
    let inner = world();
    faults(
        &inner,
        &["vectorUpsert", "vectorQuery", "vectorDelete"],
        true,
    );
    let id = add(&inner, "a red boat", 5);
    let waiting = ask(&inner, "outbox.list", json!({}));
    let error = &waiting["effects"][0]["lastError"];
    assert_eq!(error, "no answer within 15000 ms", "{waiting}");
    let question = json!({ "scope": user(), "query": "boat" });
    let found = ask(&inner, "recall", question);
    assert_eq!(found["hits"].as_array().unwrap().len(), 1, "{found}");
    let events = inner.logged.take();
    assert!(events.iter().any(|event| event.event == "vectors_failed"));
    ask(
        &inner,
        "memories.forget",
        json!({ "scope": user(), "id": id }),
    );
    faults(&inner, &[], false);
    drain(&inner);
    assert!(inner.vectors.borrow().as_ref().unwrap().is_empty());
}

#[test]
fn a_slice_reads_so_much_and_the_next_one_goes_on_from_there() {
    let inner = world();
    faults(&inner, &["vectorUpsert"], false);
    add(&inner, "a red boat", 5);
    let first = ask(&inner, "outbox.list", json!({}))["effects"][0].clone();
    // Effects of one user who waits long, in lanes of their own, and a user behind who does not.
    let put = |user: &str, id: String, next_at: i64| {
        let mut effect = first.clone();
        effect["user"] = json!(user);
        effect["id"] = json!(id);
        effect["lane"] = json!(id);
        effect["nextAt"] = json!(next_at);
        let key = siltstone::outbox::Shelf::Waiting.key(&scope(user), &id);
        let value = json!({ "v": 1, "d": effect }).to_string();
        let mut store = inner.store.borrow_mut();
        store.insert(key, (value, format!("put {user} {id}")));
    };
    faults(&inner, &[], false);
    for number in 0..7_000 {
        put("ben", format!("{number:05}"), 1_000_000);
    }
    put("cid", "x".to_owned(), 0);
    let slices: Vec<Value> = (0..2).map(|_| ask(&inner, "replay", json!({}))).collect();
    let done = |slice: &Value| slice["isDone"] == true;
    assert!(!done(&slices[0]), "{slices:?}");
    assert!(done(&slices[1]), "{slices:?}");
    let sum =
        |slice: &Value| slice["done"].as_u64().unwrap() + slice["remaining"].as_u64().unwrap();
    assert_eq!(sum(&slices[0]) + sum(&slices[1]), 7_002, "{slices:?}");
    assert_eq!(slices[1]["done"], 1, "{slices:?}");
    // The one of the first slice is the next that is due.
    assert!(
        slices[1]["nextRunAt"].as_i64().unwrap() < 1_000_000,
        "{slices:?}"
    );
}

#[test]
fn a_clock_that_was_ahead_puts_nothing_off_for_long() {
    let inner = world();
    inner.now.set(100 * DAY);
    faults(&inner, &["vectorUpsert"], false);
    add(&inner, "a red boat", 5);
    faults(&inner, &[], false);
    inner.now.set(DAY);
    assert_eq!(ask(&inner, "replay", json!({}))["done"], 1);
    shape(&inner);
}

#[test]
fn a_clock_that_is_set_as_an_effect_is_planned_or_claimed_lets_nobody_do_it_twice() {
    for (is_planned, jump) in [(true, -DAY), (true, DAY), (false, -DAY), (false, DAY)] {
        let inner = world();
        inner.now.set(100 * DAY);
        if !is_planned {
            faults(&inner, &["vectorUpsert"], false);
            add(&inner, "a red boat", 5);
            faults(&inner, &[], false);
            inner.now.set(101 * DAY);
        }
        let other = Rc::new(RefCell::new(Value::Null));
        let noted = other.clone();
        let host = alive(&inner);
        *host.before_commit.borrow_mut() =
            Some(Box::new(move |inner| inner.now.set(inner.now.get() + jump)));
        *host.before_upsert.borrow_mut() = Some(Box::new(move |inner| {
            *noted.borrow_mut() = ask(inner, "replay", json!({}));
        }));
        let (method, request) = match is_planned {
            true => {
                let memory = json!({ "content": "a red boat" });
                ("memories.add", json!({ "scope": user(), "memory": memory }))
            }
            false => ("replay", json!({})),
        };
        call(host, method, request).unwrap();
        let other = other.take();
        let at = format!("planned: {is_planned}, set by {jump}: {other}");
        assert_eq!(
            (&other["done"], &other["remaining"]),
            (&json!(0), &json!(1)),
            "{at}"
        );
        drain(&inner);
        shape(&inner);
    }
}

#[test]
fn a_damaged_memory_does_not_keep_others_from_the_vector_store() {
    let inner = world();
    faults(&inner, &["vectorUpsert"], false);
    let id = add(&inner, "a red boat", 5);
    add(&inner, "seven hungry llamas", 5);
    faults(&inner, &[], false);
    let key = scope("ana").memory_key(&id);
    inner.store.borrow_mut().get_mut(&key).unwrap().0 = "damaged".to_owned();
    drain(&inner);
    assert_eq!(inner.vectors.borrow().as_ref().unwrap().len(), 1);
}

#[test]
fn a_store_that_mixes_users_up_shows_none_of_them_to_another() {
    let inner = world();
    let secret = json!({ "scope": { "user": "ben" }, "memory": { "content": "a secret recipe" } });
    let added = ask(&inner, "memories.add", secret);
    let id = added["memory"]["id"].as_str().unwrap();
    add(&inner, "a red boat", 5);
    *inner.strays.borrow_mut() = vec![VectorMatch {
        id: external::id(&scope("ben"), id),
        score: 1.0,
    }];
    let found = ask(
        &inner,
        "recall",
        json!({ "scope": user(), "query": "secret recipe" }),
    );
    assert_eq!(found["hits"], json!([]));
    let events = inner.logged.take();
    let ignored = events.iter().find(|event| event.event == "vectors_ignored");
    assert!(
        ignored.unwrap().message.starts_with("1 of 2 answers"),
        "{ignored:?}"
    );
    let own = ask(
        &inner,
        "recall",
        json!({ "scope": { "user": "ben" }, "query": "recipe" }),
    );
    assert_eq!(own["hits"].as_array().unwrap().len(), 1);
}

#[test]
fn a_store_that_is_added_later_is_told_of_everything() {
    let inner = world();
    *inner.vectors.borrow_mut() = None;
    add(&inner, "a red boat", 5);
    add(&inner, "seven hungry llamas", 5);
    for _ in 0..2 {
        *inner.vectors.borrow_mut() = Some(BTreeMap::new());
        ask(&inner, "maintain", json!({}));
        drain(&inner);
        assert_eq!(inner.vectors.borrow().as_ref().unwrap().len(), 2);
        shape(&inner);
        // Taken away and changed without it, it is new again.
        *inner.vectors.borrow_mut() = None;
        add(&inner, "seven hungry llamas", 5);
    }
}

#[test]
fn a_failure_waits_longer_each_time_within_the_cap_and_apart_from_others() {
    let config = OutboxConfig {
        backoff_ms: 1_000,
        max_backoff_ms: 60_000,
        ..OutboxConfig::default()
    };
    for attempts in 1..=100 {
        let full = (1_000 * 2u64.pow((attempts - 1).min(10))).min(60_000);
        let waits: BTreeSet<u64> = (0..50)
            .map(|id| backoff(&config, &id.to_string(), attempts))
            .collect();
        assert!(*waits.last().unwrap() <= full, "{attempts}: {waits:?}");
        assert!(
            *waits.first().unwrap() >= full - full / 4,
            "{attempts}: {waits:?}"
        );
        assert!(waits.len() > 20, "{attempts}: {waits:?}");
    }
}
