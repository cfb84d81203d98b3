//! Tokens are counted once: a turn hands the counter what is new, not the history.

use crate::support::host::{Answer, MemoryHost};
use serde_json::{Value, json};
use siltstone::engine::Engine;
use siltstone::error::Result;
use siltstone::tokens::Counter;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Counts words, and writes down what it is given.
#[derive(Default)]
struct Words {
    id: Option<&'static str>,
    given: RefCell<Vec<String>>,
}

impl Counter for Words {
    fn count(&self, text: &str) -> Result<usize> {
        self.given.borrow_mut().push(text.to_owned());
        Ok(text.split_whitespace().count())
    }

    fn identity(&self) -> Option<String> {
        self.id.map(str::to_owned)
    }
}

fn words(id: Option<&'static str>) -> Rc<Words> {
    Rc::new(Words {
        id,
        ..Words::default()
    })
}

/// A new instance over the same stores, as after a cold start.
fn engine(host: MemoryHost, counter: &Rc<Words>) -> Engine<MemoryHost> {
    let config = json!({
        "agents": { "main": { "contextRounds": 100, "longMemory": true, "model": "m" } },
        "recall": { "standingImportance": 1 },
    });
    Engine::new(host, config, Some(counter.clone() as _)).unwrap()
}

fn call(engine: &Engine<MemoryHost>, method: &str, request: Value) -> Value {
    json!(pollster::block_on(engine.call(method, request)).unwrap())
}

fn scope() -> Value {
    json!({ "user": "ana", "session": "s", "agent": "main" })
}

fn message(number: usize) -> Value {
    let role = if number.is_multiple_of(2) {
        "user"
    } else {
        "assistant"
    };
    json!({ "id": format!("m{number}"), "role": role, "content": format!("message number {number} of many") })
}

fn append(engine: &Engine<MemoryHost>, numbers: std::ops::Range<usize>) {
    let messages: Vec<Value> = numbers.map(message).collect();
    for some in messages.chunks(50) {
        call(
            engine,
            "append",
            json!({ "scope": scope(), "messages": some }),
        );
    }
}

fn load(engine: &Engine<MemoryHost>) -> Value {
    let request = json!({
        "scope": scope(),
        "message": "and what is new this time?",
        "system": "You are of help to whoever asks.",
        "tools": [{ "name": "weather", "description": "tells the weather of a place" }],
    });
    call(engine, "load", request)
}

fn given(counter: &Words) -> Vec<String> {
    let mut given = counter.given.take();
    given.sort();
    given
}

fn host() -> MemoryHost {
    let host = MemoryHost::default();
    host.now.set(1_000_000);
    host
}

#[test]
fn a_second_load_counts_only_what_is_new() {
    let counter = words(Some("words"));
    let first = engine(host(), &counter);
    let memory = json!({ "content": "Ana lives in Oslo, near the harbour", "importance": 9 });
    call(
        &first,
        "memories.add",
        json!({ "scope": scope(), "memory": memory }),
    );
    append(&first, 0..200);
    assert_eq!(load(&first)["messages"].as_array().unwrap().len(), 203);
    given(&counter);

    append(&first, 200..202);
    let appended = given(&counter);
    assert_eq!(
        appended,
        ["message number 200 of many", "message number 201 of many"]
    );
    let turn = load(&first);
    // Instructions, tools and memories were counted by the first load.
    assert_eq!(given(&counter), ["and what is new this time?"]);
    assert_eq!(turn["report"]["tokens"]["history"], 202 * (3 + 1 + 5));

    // Without the hot cache, and after a cold start.
    first.host.cache.borrow_mut().clear();
    let second = engine(first.host, &counter);
    assert_eq!(load(&second)["messages"], turn["messages"]);
    let cold = given(&counter);
    assert!(
        cold.iter().all(|text| !text.contains("of many")),
        "{cold:?}"
    );
    assert_eq!(load(&second)["report"], turn["report"]);
    assert_eq!(given(&counter), ["and what is new this time?"]);
}

#[test]
fn the_end_of_a_long_session_counts_only_what_is_new() {
    let counter = words(Some("words"));
    let host = host();
    let nothing = || Answer::Text(json!({ "memories": [] }).to_string());
    *host.llm.borrow_mut() = Some(VecDeque::from_iter((0..40).map(|_| nothing())));
    let engine = engine(host, &counter);
    append(&engine, 0..190);
    call(&engine, "endSession", json!({ "scope": scope() }));
    append(&engine, 190..192);
    given(&counter);
    let end = call(&engine, "endSession", json!({ "scope": scope() }));
    assert_eq!(end["newMessages"], 2);
    let texts = given(&counter);
    assert_eq!(texts, Vec::<String>::new());
}

#[test]
fn counts_of_another_counter_are_not_taken_over() {
    let counter = words(Some("words"));
    let first = engine(host(), &counter);
    append(&first, 0..10);
    given(&counter);

    let other = words(Some("others"));
    let second = engine(first.host, &other);
    second.host.cache.borrow_mut().clear();
    load(&second);
    let of_history =
        |given: Vec<String>| given.iter().filter(|text| text.contains("of many")).count();
    assert_eq!(of_history(given(&other)), 10);
    // The refilled cache has its counts.
    load(&second);
    assert_eq!(of_history(given(&other)), 0);

    let nameless = words(None);
    let third = engine(second.host, &nameless);
    load(&third);
    assert_eq!(of_history(given(&nameless)), 10);
    // What cannot be kept with a message the instance still remembers.
    load(&third);
    assert_eq!(of_history(given(&nameless)), 0);
}

#[test]
fn a_long_history_without_counts_of_its_own_is_counted_once() {
    let nameless = words(None);
    let engine = engine(host(), &nameless);
    let long = "x".repeat(4_000);
    let messages = (0..200).map(|number| {
        let mut message = message(number);
        message["content"] = json!(format!("{number} {long} of many"));
        message
    });
    let messages: Vec<Value> = messages.collect();
    for some in messages.chunks(50) {
        let request = json!({ "scope": scope(), "messages": some });
        call(&engine, "append", request);
    }
    let first = load(&engine);
    assert_eq!(first["report"]["tokens"]["history"], 200 * (3 + 1 + 4));
    given(&nameless);
    load(&engine);
    let again = given(&nameless);
    let again = again.iter().filter(|text| text.contains("of many"));
    assert_eq!(again.count(), 0);
}

#[test]
fn records_without_a_count_and_with_an_unknown_one_are_read() {
    let counter = words(Some("words"));
    let engine = engine(host(), &counter);
    append(&engine, 0..3);
    let beside = [
        r#""t":["words/1",9]"#, r#""t":{"newer":true}"#, r#""other":7"#,
    ];
    let mut store = engine.host.store.borrow_mut();
    let records = store
        .iter_mut()
        .filter(|(key, _)| key.contains("!message!"));
    for ((_, (value, _)), instead) in records.zip(beside) {
        assert!(value.contains(r#","t":["words/1",9]}"#), "{value}");
        *value = value.replace(r#""t":["words/1",9]"#, instead);
    }
    drop(store);
    engine.host.cache.borrow_mut().clear();
    given(&counter);
    let turn = load(&engine);
    assert_eq!(turn["report"]["tokens"]["history"], 2 * 9);
    assert_eq!(turn["report"]["warnings"], json!([]));
    let counted = given(&counter);
    let of_history = counted.iter().filter(|text| text.contains("of many"));
    assert_eq!(of_history.count(), 2);
}

#[test]
fn a_cleaned_message_is_kept_as_the_window_shows_it() {
    let counter = words(Some("words"));
    let engine = engine(host(), &counter);
    let messages = json!([
        { "role": "user", "content": "why" },
        { "role": "assistant", "content": "<think>what could it be</think>because it is" },
    ]);
    call(
        &engine,
        "append",
        json!({ "scope": scope(), "messages": messages }),
    );
    given(&counter);
    let turn = load(&engine);
    assert_eq!(
        turn["report"]["tokens"]["history"],
        (3 + 1 + 1) + (3 + 1 + 3)
    );
    assert!(given(&counter).iter().all(|text| !text.contains("because")));
}
