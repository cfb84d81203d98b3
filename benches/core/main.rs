//! How long the hot paths of the core take natively, each alone: `cargo bench --bench core`.
#![allow(missing_docs, reason = "Criterion's macros make functions")]
#![allow(
    clippy::unwrap_used,
    reason = "a measurement stops at what it cannot measure"
)]

#[path = "../../tests/support/host.rs"]
#[allow(
    dead_code,
    clippy::indexing_slicing,
    reason = "the tests use more of it, and look at what it holds"
)]
mod host;
mod inputs;
#[path = "../../tests/support/memos.rs"]
#[allow(
    dead_code,
    clippy::indexing_slicing,
    reason = "the host can be one with MemOS"
)]
mod memos;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use host::{Answer, MemoryHost};
use inputs::Dice;
use serde_json::{Value, json};
use siltstone::config::Config;
use siltstone::engine::Engine;
use siltstone::message::{Message, Role};
use siltstone::recall::{Indexed, Query};
use siltstone::scope::Scope;
use siltstone::tokens::{self, Tokens};
use siltstone::{dedup, life, window};
use siltstone_tokens::Encoding;
use std::hint::black_box;
use std::time::Duration;

const NOW: i64 = 1_767_600_000_000;

fn exact() -> Tokens {
    let encoding = Encoding::O200k;
    if !tokens::is_installed(encoding) {
        tokens::install(encoding, encoding.file()).unwrap();
    }
    Tokens::new(&Config::default().tokens).unwrap()
}

fn counting(criterion: &mut Criterion) {
    let tokens = exact();
    let mut dice = Dice::new(1);
    criterion.bench_function("tokens: a new text of 1,000 words", |bench| {
        bench.iter_batched(
            || dice.text(1_000),
            |text| tokens.text(black_box(&text)),
            BatchSize::SmallInput,
        );
    });
}

fn windows(criterion: &mut Criterion) {
    let tokens = exact();
    let mut dice = Dice::new(2);
    let config = Config::default();
    let message = |number: u32| {
        let role = match number % 2 {
            0 => Role::User,
            _ => Role::Assistant,
        };
        Message::new(role, dice.text(40))
    };
    let history: Vec<Message> = (0..200).map(message).collect();
    let memory = vec![Message::new(Role::System, dice.text(600))];
    let current = Some(Message::new(Role::User, "What now?".to_owned()));
    let input = window::Input {
        memory,
        history,
        current,
        ..window::Input::default()
    };
    criterion.bench_function("window: 200 messages and memories", |bench| {
        bench.iter_batched(
            || input.clone(),
            |input| window::fit(input, &config.window, &config.summary, &tokens),
            BatchSize::SmallInput,
        );
    });
}

fn recalls(criterion: &mut Criterion) {
    let mut dice = Dice::new(3);
    let memories = inputs::memories(&mut dice, 10_000, NOW);
    let config = Config::default();
    let scope = Scope {
        tenant: "default".to_owned(),
        user: "ana".to_owned(),
        agent: None,
        session: None,
    };
    criterion.bench_function("recall: index of 10,000 memories", |bench| {
        bench.iter_batched(
            || memories.clone(),
            |memories| Indexed::new("1".to_owned(), memories, false),
            BatchSize::PerIteration,
        );
    });
    for dimensions in [0, 384, 1_536] {
        let vectors = inputs::vectors(&mut dice, &memories, dimensions);
        let indexed = Indexed::new("1".to_owned(), memories.clone(), false)
            .with_vectors(vectors.into_iter().collect());
        let name = match dimensions {
            0 => "recall: lexical, among 10,000".to_owned(),
            _ => format!("recall: hybrid, {dimensions} dimensions, among 10,000"),
        };
        criterion.bench_function(&name, |bench| {
            bench.iter_batched(
                || (dice.text(8), dice.vector(dimensions)),
                |(text, vector)| {
                    let query = Query {
                        text: &text,
                        vector,
                        context: None,
                        near: None,
                        limit: 10,
                        keyword_only: false,
                        filter_sensitive: false,
                    };
                    indexed.search(&scope, &query, &config, NOW)
                },
                BatchSize::SmallInput,
            );
        });
    }
}

fn batches(criterion: &mut Criterion) {
    let mut dice = Dice::new(4);
    let candidates = inputs::candidates(&mut dice, 1_000);
    let config = Config::default();
    criterion.bench_function("session end: dedup of 1,000 candidates", |bench| {
        bench.iter_batched(
            || candidates.clone(),
            |candidates| dedup::batch(candidates, &config.dedup),
            BatchSize::PerIteration,
        );
    });
}

/// The end of a session whose judge proposes as many memories as are known already.
fn session_end(criterion: &mut Criterion) {
    const MANY: u32 = 1_000;
    let mut dice = Dice::new(6);
    let known = inputs::memories(&mut dice, MANY, NOW);
    let contents = inputs::candidates(&mut dice, MANY);
    let proposals: Vec<Value> = contents
        .iter()
        .map(|candidate| json!({ "content": candidate.content, "importance": 5 }))
        .collect();
    let answer = json!({ "memories": proposals }).to_string();
    let scope = json!({ "user": "ana", "session": "today" });
    let ready = || {
        let host = MemoryHost::default();
        host.now.set(NOW);
        host.llm
            .replace(Some([Answer::Text(answer.clone())].into()));
        let engine = Engine::new(host, json!({ "tokens": { "encoding": "estimate" } }), None);
        let engine = engine.unwrap();
        let lines: Vec<Value> = known
            .iter()
            .map(|memory| json!({ "kind": "memory", "memory": memory }))
            .collect();
        let messages = json!([{ "id": "m1", "role": "user", "content": "That is all I know." }]);
        for (call, request) in [
            (
                "import",
                json!({ "scope": { "user": "ana" }, "lines": lines }),
            ),
            ("append", json!({ "scope": scope, "messages": messages })),
        ] {
            let done = pollster::block_on(engine.call(call, request));
            assert!(done.is_ok(), "{done:?}");
        }
        engine
    };
    criterion.bench_function("session end: 1,000 proposals, 1,000 known", |bench| {
        bench.iter_batched(
            ready,
            |engine| {
                let request = json!({ "scope": scope });
                pollster::block_on(engine.call("endSession", request)).unwrap()
            },
            BatchSize::PerIteration,
        );
    });
}

fn upkeep(criterion: &mut Criterion) {
    let mut dice = Dice::new(5);
    let memories = inputs::memories(&mut dice, 2_000, NOW);
    let config = Config::default();
    criterion.bench_function("maintain: settle 2,000 memories, nothing due", |bench| {
        bench.iter_batched(
            || memories.clone(),
            |mut memories| life::settle(&mut memories, NOW, life::rules(&config)),
            BatchSize::LargeInput,
        );
    });
    let host = MemoryHost::default();
    host.now.set(NOW);
    let engine = Engine::new(host, json!({}), None).unwrap();
    let lines: Vec<_> = memories
        .iter()
        .map(|memory| json!({ "kind": "memory", "memory": memory }))
        .collect();
    for lines in lines.chunks(1_000) {
        let request = json!({ "scope": { "user": "ana" }, "lines": lines });
        let answer = pollster::block_on(engine.call("import", request));
        assert!(answer.is_ok(), "{answer:?}");
    }
    criterion.bench_function("maintain: a slice, 2,000 memories, nothing due", |bench| {
        bench.iter(|| pollster::block_on(engine.call("maintain", json!({}))));
    });
}

criterion_group! {
    name = core;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20);
    targets = counting, windows, recalls, batches, session_end, upkeep
}
criterion_main!(core);
