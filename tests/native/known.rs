//! What an instance knows of memories: what it decides by reading a few of them is what one decides
//! that reads them all.

use crate::support::host::{Fault, MemoryHost};
use proptest::prelude::*;
use serde_json::{Value, json};
use siltstone::engine::Engine;
use siltstone::host::IndexLimits;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::interrupted::Interrupted;

const HOUR: i64 = 3_600_000;

#[rustfmt::skip]
const TEXTS: [&str; 30] = [
    "User lives in Paris", "User moved to Berlin", "User lives in Paris with a cat", "User likes tea",
    "User does not like tea", "User likes green tea in the morning", "The meeting is in room 12",
    "The meeting is in room 21", "User drinks cortado", "User drinks flat white", "User prefers tea over coffee",
    "User prefers coffee over tea", "User stays at home this weekend", "User takes a trip this weekend",
    "Ana works at the harbour office", "Ana works at the harbour office on Mondays", "用户住在杭州", "用户住在苏州",
    "用户喜欢喝茶", "用户不喜欢喝茶", "User's name is Ana", "User's name is Anna", "Every week the choir sings in the old church",
    "The choir sings in the old church on Tuesday", "User prefers dark-mode themes", "User prefers darkmode themes",
    "Hm.", "The violin lesson costs 40 euros and lasts an hour", "The violin lesson lasts two hours", "Remember that User lives in Rome",
];

#[derive(Debug, Clone)]
enum Step {
    Add(usize, Option<usize>, u8),
    End(u8, Vec<usize>),
    Recall(usize),
    Forget(usize, bool),
    Update(usize, usize),
    Pin(usize, bool),
    Maintain,
}

fn step() -> impl Strategy<Value = (i64, Step)> {
    let text = 0..TEXTS.len();
    let step = prop_oneof![
        8 => (text.clone(), prop::option::of(0usize..3), 1u8..11).prop_map(|(a, b, c)| Step::Add(a, b, c)),
        3 => (0u8..3, prop::collection::vec(text.clone(), 1..4)).prop_map(|(a, b)| Step::End(a, b)),
        4 => text.clone().prop_map(Step::Recall),
        1 => (any::<usize>(), any::<bool>()).prop_map(|(a, b)| Step::Forget(a, b)),
        1 => (any::<usize>(), text).prop_map(|(a, b)| Step::Update(a, b)),
        1 => (any::<usize>(), any::<bool>()).prop_map(|(a, b)| Step::Pin(a, b)),
        1 => Just(Step::Maintain),
    ];
    (prop_oneof![4 => 0i64..30, 1 => 30i64..900], step)
}

fn world(meanings: bool, vectors: bool) -> Rc<MemoryHost> {
    let inner = Rc::new(MemoryHost::default());
    inner.now.set(10_000 * HOUR);
    inner.index.set(Some(IndexLimits {
        memories: 2,
        changed: 3,
        bytes: 300,
    }));
    *inner.meanings.borrow_mut() = meanings.then(BTreeMap::new);
    *inner.vectors.borrow_mut() = (meanings && vectors).then(BTreeMap::new);
    inner
}

fn config(max_hot: usize) -> Value {
    json!({
        "life": {
            "maxHot": max_hot, "maxCold": 3, "evictCount": 1, "maxPinned": 2, "protectMs": 1_000, "purgeDays": 20,
            "shortHalfLifeDays": 3, "longHalfLifeDays": 9, "tombstoneDays": 30,
        },
        "recall": { "localMinScore": 0.01 },
    })
}

fn instance(inner: &Rc<MemoryHost>, max_hot: usize) -> Engine<Interrupted> {
    Engine::new(Interrupted::alive(inner), config(max_hot), None).unwrap()
}

fn try_call(engine: &Engine<Interrupted>, method: &str, request: Value) -> Value {
    match pollster::block_on(engine.call(method, request)) {
        Ok(answer) => json!(answer),
        Err(error) => json!({ "error": json!(error) }),
    }
}

fn play(engine: &Engine<Interrupted>, step: &Step) -> Value {
    let scope = json!({ "user": "ana" });
    let pick = |at: usize| {
        let all = json!({ "scope": scope, "includeInvalid": true, "limit": 100 });
        let listed = try_call(engine, "memories.list", all);
        let memories = listed["memories"].as_array().unwrap();
        let memory = memories.get(at % memories.len().max(1));
        memory.map_or(json!("none"), |memory| memory["id"].clone())
    };
    match step {
        Step::Add(text, fact, importance) => {
            let mut memory = json!({ "content": TEXTS[*text], "importance": importance });
            if let Some(fact) = fact {
                let city = ["Paris", "Rome", "Oslo"][*fact];
                memory["facts"] = json!({ "profile.location.city": city });
            }
            try_call(
                engine,
                "memories.add",
                json!({ "scope": scope, "memory": memory }),
            )
        }
        Step::End(session, texts) => {
            let scope = json!({ "user": "ana", "session": session.to_string() });
            let said = texts.iter().map(
                |text| json!({ "role": "user", "content": TEXTS[*text].replace("User", "I") }),
            );
            let messages: Vec<Value> = said.collect();
            try_call(
                engine,
                "append",
                json!({ "scope": scope, "messages": messages }),
            );
            try_call(engine, "endSession", json!({ "scope": scope }))
        }
        Step::Recall(text) => try_call(
            engine,
            "recall",
            json!({ "scope": scope, "query": TEXTS[*text] }),
        ),
        Step::Forget(at, hard) => try_call(
            engine,
            "memories.forget",
            json!({ "scope": scope, "id": pick(*at), "hard": hard }),
        ),
        Step::Update(at, text) => try_call(
            engine,
            "memories.update",
            json!({ "scope": scope, "id": pick(*at), "patch": { "content": TEXTS[*text] } }),
        ),
        Step::Pin(at, is) => {
            let method = if *is {
                "memories.pin"
            } else {
                "memories.unpin"
            };
            try_call(engine, method, json!({ "scope": scope, "id": pick(*at) }))
        }
        Step::Maintain => try_call(engine, "maintain", json!({})),
    }
}

/// What is stored but for the index, and the log that it follows by versions.
fn stored(inner: &MemoryHost) -> BTreeMap<String, Value> {
    let store = inner.store.borrow();
    let kept = store.iter().filter(|(key, _)| !key.contains("!index!"));
    let documents = kept.map(|(key, (text, _))| {
        let mut document: Value = serde_json::from_str(text).unwrap();
        if key.ends_with("!memory-head") {
            document["d"]["log"].take();
        }
        (key.clone(), document)
    });
    documents.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn few_memories_decide_as_all_do(
        steps in prop::collection::vec(step(), 1..40),
        meanings: bool,
        vectors: bool,
        max_hot in prop_oneof![Just(6usize), Just(12), Just(100)],
    ) {
        let (known, anew) = (world(meanings, vectors), world(meanings, vectors));
        let warm = instance(&known, max_hot);
        for (at, (hours, step)) in steps.iter().enumerate() {
            for inner in [&known, &anew] {
                inner.now.set(inner.now.get() + hours * HOUR);
            }
            let (few, all) = (play(&warm, step), play(&instance(&anew, max_hot), step));
            prop_assert_eq!(few, all, "step {} {:?}", at, step);
            prop_assert_eq!(stored(&known), stored(&anew), "after step {} {:?}", at, step);
        }
    }
}

#[test]
fn an_instance_that_knows_the_memories_reads_those_that_count_alone() {
    for meanings in [false, true] {
        let inner = world(meanings, false);
        let warm = instance(&inner, 1_000);
        let add = |content: String| {
            inner.now.set(inner.now.get() + 1_000);
            let request = json!({ "scope": { "user": "ana" }, "memory": { "content": content } });
            try_call(&warm, "memories.add", request)
        };
        for number in 0..40 {
            let stored = add(format!("Shelf {number} holds box {}", number * 7));
            assert_eq!(stored["action"], "stored", "{stored}");
        }
        add("User lives in Paris".to_owned());
        // Whoever reads all memories, or all embeddings, fails.
        *inner.faults.borrow_mut() = ["!memory!", "!vector!"]
            .map(|key| Fault {
                op: "range".to_owned(),
                key: key.to_owned(),
                times: u32::MAX,
                hangs: false,
            })
            .into();
        let moved = add("User moved to Berlin".to_owned());
        assert_eq!(moved["superseded"].as_array().unwrap().len(), 1, "{moved}");
        let same = add("Shelf 7 holds box 49.".to_owned());
        assert_eq!(same["action"], "merged", "{same}");
        let scope = json!({ "user": "ana", "session": "s" });
        let said = json!([{ "role": "user", "content": "I moved to Madrid." }]);
        try_call(&warm, "append", json!({ "scope": scope, "messages": said }));
        let end = try_call(&warm, "endSession", json!({ "scope": scope }));
        assert_eq!(end["superseded"].as_array().unwrap().len(), 1, "{end}");
    }
}

#[test]
fn what_an_instance_has_stored_is_not_read_to_be_known() {
    let inner = world(true, false);
    let warm = instance(&inner, 1_000);
    let add = |engine: &Engine<Interrupted>, content: &str| {
        inner.now.set(inner.now.get() + 1_000);
        let request = json!({ "scope": { "user": "ana" }, "memory": { "content": content } });
        try_call(engine, "memories.add", request)
    };
    for content in [
        "Ana keeps bees", "The choir sings on Tuesday", "User likes tea",
    ] {
        add(&warm, content);
    }
    let no_reading = || {
        let fault = |op: &str, key: &str| Fault {
            op: op.to_owned(),
            key: key.to_owned(),
            times: u32::MAX,
            hangs: false,
        };
        let all = ["get", "range"].map(|op| ["!memory!", "!vector!"].map(|key| fault(op, key)));
        *inner.faults.borrow_mut() = all.concat();
    };
    no_reading();
    let stored = add(&warm, "The violin lesson costs 40 euros");
    assert_eq!(stored["action"], "stored", "{stored}");
    inner.faults.borrow_mut().clear();
    // It is compared as any other; and what others have changed since is read.
    let same = add(&warm, "The violin lesson costs 40 euros.");
    assert_eq!(same["action"], "merged", "{same}");
    let other = instance(&inner, 1_000);
    add(&warm, "User lives in Paris");
    assert_eq!(add(&other, "User lives in Paris")["action"], "merged");
    no_reading();
    assert_eq!(
        add(&warm, "Winter tyres are due")["error"]["code"],
        "store_failed"
    );
}

#[test]
fn memories_that_a_judge_is_shown_are_read_once() {
    let inner = world(false, false);
    let host = Interrupted::alive(&inner).meanwhile(|_| ());
    let warm = Engine::new(host, config(1_000), None).unwrap();
    for content in [
        "Ana keeps bees.", "The choir sings on Tuesday", "User likes tea",
    ] {
        inner.now.set(inner.now.get() + 1_000);
        let request = json!({ "scope": { "user": "ana" }, "memory": { "content": content } });
        try_call(&warm, "memories.add", request);
    }
    let scope = json!({ "user": "ana", "session": "s" });
    let said = json!([{ "role": "user", "content": "I keep bees." }]);
    try_call(&warm, "append", json!({ "scope": scope, "messages": said }));
    // It is shown what a range gives: whoever reads one of them again fails.
    *inner.faults.borrow_mut() = vec![Fault {
        op: "get".to_owned(),
        key: "!memory!".to_owned(),
        times: u32::MAX,
        hangs: false,
    }];
    let end = try_call(&warm, "endSession", json!({ "scope": scope }));
    assert_eq!(end["judgedBy"], "llm", "{end}");
    assert_eq!(end["merged"].as_array().unwrap().len(), 1, "{end}");
}
