//! The search index: however it came to be, it finds the same. In memory it follows every change; from
//! the store it is read without the memories; what is damaged, old or gone is made anew.

use crate::interrupted::Interrupted;
use crate::support::host::{Fault, MemoryHost};
use proptest::prelude::*;
use serde_json::{Value, json};
use siltstone::engine::Engine;
use siltstone::host::IndexLimits;
use std::collections::BTreeMap;
use std::rc::Rc;

const DAY: i64 = 86_400_000;
const WORDS: [&str; 10] = [
    "heron", "canal", "lift", "violin", "Ana", "bakes", "bread", "茶", "训练", "Tuesday",
];

type Instance = Engine<Interrupted>;

fn config() -> Value {
    // What using a memory makes of it is seen by other instances later; here all must see the same.
    json!({
        "life": { "maxHot": 24, "maxCold": 4, "protectMs": 0, "touchTimeoutMs": 0 },
        "recall": { "localMinScore": 0.01 },
    })
}

fn instance(inner: &Rc<MemoryHost>) -> Instance {
    Engine::new(Interrupted::alive(inner), config(), None).unwrap()
}

fn try_call(engine: &Instance, method: &str, request: Value) -> Result<Value, Value> {
    let answer = pollster::block_on(engine.call(method, request));
    answer
        .map(|answer| json!(answer))
        .map_err(|error| json!(error))
}

fn call(engine: &Instance, method: &str, request: Value) -> Value {
    try_call(engine, method, request).unwrap()
}

fn scope(session: Option<u8>) -> Value {
    match session {
        None => json!({ "user": "ana" }),
        Some(session) => json!({ "user": "ana", "session": session.to_string() }),
    }
}

fn recall(engine: &Instance, query: &str) -> Value {
    call(
        engine,
        "recall",
        json!({ "scope": scope(None), "query": query, "limit": 12 }),
    )
}

fn world(meanings: bool, vectors: bool) -> Rc<MemoryHost> {
    let inner = Rc::new(MemoryHost::default());
    inner.now.set(100 * DAY);
    inner.index.set(Some(IndexLimits {
        memories: 2,
        changed: 3,
        bytes: 300,
    }));
    *inner.meanings.borrow_mut() = meanings.then(BTreeMap::new);
    *inner.vectors.borrow_mut() = (meanings && vectors).then(BTreeMap::new);
    inner
}

/// A store that holds the same, but no index.
fn without_index(inner: &Rc<MemoryHost>) -> Rc<MemoryHost> {
    let copy = world(false, false);
    copy.now.set(inner.now.get());
    copy.meanings
        .borrow_mut()
        .clone_from(&inner.meanings.borrow());
    copy.vectors
        .borrow_mut()
        .clone_from(&inner.vectors.borrow());
    copy.store.borrow_mut().clone_from(&inner.store.borrow());
    copy.store
        .borrow_mut()
        .retain(|key, _| !key.contains("!index!"));
    copy
}

fn indexed(inner: &MemoryHost) -> Vec<String> {
    let store = inner.store.borrow();
    let keys = store.keys().filter(|key| key.contains("!index!"));
    keys.cloned().collect()
}

/// Hits that hold a word.
fn with(found: &Value, word: &str) -> usize {
    let hits = found["hits"].as_array().unwrap().iter();
    hits.filter(|hit| hit["memory"]["content"].as_str().unwrap().contains(word))
        .count()
}

#[derive(Debug, Clone)]
enum Step {
    /// With a clock that may go back, so that a new memory is not always the last.
    Add(Vec<usize>, Option<u8>, i64),
    Update(usize, Vec<usize>),
    Pin(usize, bool),
    Forget(usize, bool),
    Revert(usize),
    Maintain(i64),
    /// Of the hot memories, or of the cold ones, too.
    Recall(usize, Vec<usize>, bool),
}

fn words() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..WORDS.len(), 1..6)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (words(), prop::option::of(0u8..4), -20i64..40).prop_map(|(words, session, days)| Step::Add(words, session, days)),
        2 => (any::<usize>(), words()).prop_map(|(at, words)| Step::Update(at, words)),
        1 => (any::<usize>(), any::<bool>()).prop_map(|(at, is)| Step::Pin(at, is)),
        2 => (any::<usize>(), any::<bool>()).prop_map(|(at, hard)| Step::Forget(at, hard)),
        1 => any::<usize>().prop_map(Step::Revert),
        1 => (0i64..40).prop_map(Step::Maintain),
        4 => (0usize..3, words(), any::<bool>()).prop_map(|(who, words, cold)| Step::Recall(who, words, cold)),
    ]
}

fn text(words: &[usize]) -> String {
    let words: Vec<&str> = words.iter().map(|at| WORDS[*at]).collect();
    words.join(" ")
}

/// A memory that is there, forgotten and replaced ones included.
fn pick(engine: &Instance, at: usize) -> Option<String> {
    let all = json!({ "scope": scope(None), "includeInvalid": true, "limit": 100 });
    let listed = call(engine, "memories.list", all);
    let memories = listed["memories"].as_array().unwrap();
    let memory = memories.get(at % memories.len().max(1))?;
    Some(memory["id"].as_str().unwrap().to_owned())
}

fn play(inner: &Rc<MemoryHost>, by: &Instance, step: &Step) {
    let on = |at: usize, method: &str, more: Value| {
        let Some(id) = pick(by, at) else { return };
        let mut request = json!({ "scope": scope(None), "id": id });
        for (name, value) in more.as_object().unwrap() {
            request[name] = value.clone();
        }
        // What is not there any more, or not the last version, cannot be changed.
        let _ = try_call(by, method, request);
    };
    match step {
        Step::Add(words, session, days) => {
            inner.now.set((inner.now.get() + days * DAY).max(DAY));
            let memory = json!({ "content": text(words), "tags": ["tag"] });
            call(
                by,
                "memories.add",
                json!({ "scope": scope(*session), "memory": memory }),
            );
        }
        Step::Update(at, words) => on(
            *at,
            "memories.update",
            json!({ "patch": { "content": text(words) } }),
        ),
        Step::Pin(at, is) => on(
            *at,
            if *is {
                "memories.pin"
            } else {
                "memories.unpin"
            },
            json!({}),
        ),
        Step::Forget(at, hard) => on(*at, "memories.forget", json!({ "hard": hard })),
        Step::Revert(at) => on(*at, "memories.restore", json!({})),
        Step::Maintain(days) => {
            inner.now.set(inner.now.get() + days * DAY);
            call(by, "maintain", json!({}));
        }
        Step::Recall(_, words, cold) => {
            let request = json!({ "scope": scope(None), "query": text(words), "cold": cold });
            call(by, "recall", request);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn all_indexes_find_the_same(
        steps in prop::collection::vec((0usize..3, step()), 1..40),
        meanings in any::<bool>(),
        vectors in any::<bool>(),
        question in words(),
    ) {
        let inner = world(meanings, vectors);
        let warm = [instance(&inner), instance(&inner), instance(&inner)];
        for (at, (by, step)) in steps.iter().enumerate() {
            let by = match step {
                Step::Recall(who, ..) => &warm[*who],
                _ => &warm[*by],
            };
            play(&inner, by, step);
            if at % 5 < 4 && at + 1 < steps.len() {
                continue;
            }
            for question in [text(&question), text(&[at % WORDS.len(), 4])] {
                let anew = recall(&instance(&without_index(&inner)), &question);
                let stored = recall(&instance(&inner), &question);
                prop_assert_eq!(&stored, &anew, "from the store, after {:?}", step);
                let followed = recall(&warm[0], &question);
                prop_assert_eq!(&followed, &anew, "in memory, after {:?}", step);
            }
        }
        prop_assert!(inner.logged.borrow().iter().all(|event| event.event != "index_not_saved"));
    }
}

/// A store with some memories and an index.
fn stored(count: usize) -> Rc<MemoryHost> {
    let inner = world(true, false);
    let engine = instance(&inner);
    for number in 0..count {
        inner.now.set(inner.now.get() + 1_000);
        let content = format!("{} item {number}", WORDS[number % WORDS.len()]);
        let memory = json!({ "content": content });
        call(
            &engine,
            "memories.add",
            json!({ "scope": scope(Some(1)), "memory": memory }),
        );
    }
    recall(&engine, "item");
    assert!(indexed(&inner).len() > count / 6, "{:?}", indexed(&inner));
    inner
}

#[test]
fn what_is_damaged_old_or_missing_is_made_anew() {
    let whole = stored(20);
    let expected = recall(&instance(&without_index(&whole)), "heron item");
    let keys = indexed(&whole);
    for key in &keys {
        for damage in ["nothing", "other", "short", "swapped", "flipped"] {
            let inner = stored(20);
            {
                let mut store = inner.store.borrow_mut();
                let (text, _) = store[key].clone();
                let other = store[keys.iter().find(|other| *other != key).unwrap()]
                    .0
                    .clone();
                let new = match damage {
                    "nothing" => None,
                    "other" => Some(r#"{"v":1,"d":["0","x"]}"#.to_owned()),
                    "short" => Some(text[..text.len() / 2].to_owned()),
                    "swapped" => Some(other),
                    _ => Some(text.replace(['B', '3', 'h'], "A")),
                };
                match new {
                    None => store.remove(key),
                    Some(new) => store.insert(key.clone(), (new, "damaged".to_owned())),
                };
            }
            let engine = instance(&inner);
            assert_eq!(recall(&engine, "heron item"), expected, "{key} {damage}");
            // And it is whole again.
            assert_eq!(
                recall(&instance(&inner), "heron item"),
                expected,
                "{key} {damage}"
            );
            assert_eq!(indexed(&inner), keys, "{key} {damage}");
        }
    }
}

#[test]
fn a_call_that_dies_anywhere_leaves_an_index_that_finds_the_same() {
    // The first one stores it anew, the others bring it up to date, in several parts.
    for added in [0, 1, 4, 9] {
        let prepared = || {
            let inner = stored(12);
            if added == 0 {
                inner
                    .store
                    .borrow_mut()
                    .retain(|key, _| !key.ends_with("!index!head"));
            }
            let engine = instance(&inner);
            for number in 0..added {
                inner.now.set(inner.now.get() + 1_000);
                let memory =
                    json!({ "content": format!("violin and {number} herons, item {number}") });
                call(
                    &engine,
                    "memories.add",
                    json!({ "scope": scope(None), "memory": memory }),
                );
            }
            inner
        };
        let whole = prepared();
        let expected = recall(&instance(&without_index(&whole)), "heron item violin");
        let alive = Interrupted::alive(&whole);
        let calls = alive.calls.clone();
        let ask = |host: Interrupted| {
            let engine = Engine::new(host, config(), None).unwrap();
            let request =
                json!({ "scope": scope(None), "query": "heron item violin", "limit": 12 });
            try_call(&engine, "recall", request)
        };
        assert_eq!(ask(alive).unwrap(), expected);
        assert!(calls.get() > 3, "{}", calls.get());
        for died_at in 0..calls.get() {
            for after in [false, true] {
                let inner = prepared();
                let host = Interrupted::dying(&inner, died_at);
                let _ = ask(if after { host.after() } else { host });
                let at = format!("{added} added, died at {died_at}, after it: {after}");
                assert_eq!(ask(Interrupted::alive(&inner)).unwrap(), expected, "{at}");
                assert_eq!(ask(Interrupted::alive(&inner)).unwrap(), expected, "{at}");
                assert_eq!(indexed(&inner), indexed(&whole), "{at}");
            }
        }
    }
}

#[test]
fn a_cold_recall_reads_the_index_and_what_it_found() {
    let inner = stored(24);
    // Whoever reads all memories, or all embeddings, fails.
    *inner.faults.borrow_mut() = ["!memory!", "!vector!"]
        .map(|key| Fault {
            op: "range".to_owned(),
            key: key.to_owned(),
            times: u32::MAX,
            hangs: false,
        })
        .into();
    let found = recall(&instance(&inner), "violin");
    assert!(found["hits"].as_array().unwrap().len() >= 2, "{found}");
}

#[test]
fn a_recall_of_cold_memories_stores_no_index() {
    let inner = stored(30);
    let expected = recall(&instance(&inner), "heron item");
    inner
        .store
        .borrow_mut()
        .retain(|key, _| !key.contains("!index!"));
    let request = json!({ "scope": scope(None), "query": "nothing like it", "cold": true });
    call(&instance(&inner), "recall", request);
    assert_eq!(indexed(&inner), Vec::<String>::new());
    assert_eq!(recall(&instance(&inner), "heron item"), expected);
    assert_eq!(recall(&instance(&inner), "heron item"), expected);
}

#[test]
fn embeddings_that_an_index_lacks_are_read_and_come_into_it() {
    let inner = stored(24);
    let anew = || recall(&instance(&without_index(&inner)), "violin item");
    let meanings = inner.meanings.take();
    let without = instance(&inner);
    for number in 0..4 {
        inner.now.set(inner.now.get() + 1_000);
        let memory = json!({ "content": format!("violin by the window {number}") });
        let request = json!({ "scope": scope(None), "memory": memory });
        call(&without, "memories.add", request);
    }
    assert_eq!(recall(&without, "violin item"), anew());
    *inner.meanings.borrow_mut() = meanings;
    assert_eq!(recall(&instance(&inner), "violin item"), anew());
    // From now on they are there.
    let expected = anew();
    *inner.faults.borrow_mut() = vec![Fault {
        op: "range".to_owned(),
        key: "!vector!".to_owned(),
        times: u32::MAX,
        hangs: false,
    }];
    assert_eq!(recall(&instance(&inner), "violin item"), expected);
}

#[test]
fn an_index_in_memory_reads_what_changed_alone() {
    for (meanings, count) in [(false, 3), (true, 12)] {
        let inner = stored(count);
        if !meanings {
            *inner.meanings.borrow_mut() = None;
        }
        let warm = instance(&inner);
        recall(&warm, "item");
        for content in ["cello by the window", "a second cello"] {
            inner.now.set(inner.now.get() + 1_000);
            let request = json!({ "scope": scope(None), "memory": { "content": content } });
            call(&instance(&inner), "memories.add", request);
        }
        *inner.faults.borrow_mut() = vec![Fault {
            op: "range".to_owned(),
            key: String::new(),
            times: u32::MAX,
            hangs: false,
        }];
        let found = recall(&warm, "cello");
        assert_eq!(with(&found, "cello"), 2, "{found}");
    }
}

#[test]
fn another_change_first_leaves_the_index_to_the_next() {
    let inner = stored(12);
    let engine = instance(&inner);
    recall(&engine, "item");
    for number in 0..4 {
        inner.now.set(inner.now.get() + 1_000);
        let memory = json!({ "content": format!("cello number {number}") });
        call(
            &engine,
            "memories.add",
            json!({ "scope": scope(None), "memory": memory }),
        );
    }
    *engine.host.before_commit.borrow_mut() = Some(Box::new(|inner| {
        inner.now.set(inner.now.get() + 1_000);
        let memory = json!({ "content": "cello from the other instance" });
        call(
            &instance(inner),
            "memories.add",
            json!({ "scope": scope(None), "memory": memory }),
        );
    }));
    recall(&engine, "cello");
    let expected = recall(&instance(&without_index(&inner)), "cello");
    assert_eq!(with(&expected, "cello"), 5);
    assert_eq!(recall(&engine, "cello"), expected);
    assert_eq!(recall(&instance(&inner), "cello"), expected);
}

#[test]
fn a_forgotten_user_has_no_index_and_no_export_has_one() {
    let inner = stored(20);
    let engine = instance(&inner);
    let exported = call(&engine, "export", json!({ "scope": scope(None) }));
    assert!(!exported.to_string().contains("index"), "{exported}");
    let receipt = call(&engine, "forgetUser", json!({ "scope": scope(None) }));
    assert_eq!(receipt["isComplete"], true);
    assert!(
        inner.store.borrow().is_empty(),
        "{:?}",
        inner.store.borrow().keys()
    );
    assert_eq!(recall(&engine, "item")["hits"], json!([]));
    let memory = json!({ "content": "a new item" });
    call(
        &engine,
        "memories.add",
        json!({ "scope": scope(None), "memory": memory }),
    );
    assert_eq!(recall(&engine, "item")["hits"].as_array().unwrap().len(), 1);
}

/// The form of a stored index is of the tokenizer, too: what other code made must not be read.
#[test]
fn whoever_finds_other_words_gives_the_index_another_number() {
    let inner = world(false, false);
    let engine = instance(&inner);
    for content in [
        "Ann: We decided last Friday that the children's violin lessons start at 5:30pm, on 2023-05-08.",
        "Café Brûlée costs 1,000.50 now, not 12; C++ and C# are no music",
        "上周五我在杭州喝了咖啡，下个月去 Tokyo",
        "コーヒーを飲みます 커피를 마신다 กาแฟ мёд и чай",
    ] {
        inner.now.set(inner.now.get() + 1_000);
        let memory = json!({ "content": content, "tags": ["lift", "茶"] });
        call(
            &engine,
            "memories.add",
            json!({ "scope": scope(Some(2)), "memory": memory }),
        );
    }
    recall(&engine, "violin");
    let store = inner.store.borrow();
    let head: Value = serde_json::from_str(&store["s1!default!ana!index!head"].0).unwrap();
    let parts = store.iter().filter(|(key, _)| key.contains("!index!part!"));
    let sum = parts
        .flat_map(|(_, (text, _))| text.bytes())
        .fold(0u32, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(u32::from(byte))
        });
    assert_eq!((head["d"][0].as_str(), sum), (Some("2"), 2_759_744_886));
}
