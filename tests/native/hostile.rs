//! Sizes, nesting and numbers that nobody means: an error that says so, and the engine works on.

use crate::support::host::{Answer, MemoryHost};
use serde_json::{Value, json};
use siltstone::depth::MAX_DEPTH;
use siltstone::engine::Engine;

const NOW: i64 = 1_767_607_200_000;

fn engine() -> Engine<MemoryHost> {
    let host = MemoryHost::default();
    host.now.set(NOW);
    let config = json!({
        "tokens": { "encoding": "estimate" },
        "agent": { "longMemory": true, "model": "m" },
    });
    Engine::new(host, config, None).unwrap()
}

fn call(engine: &Engine<MemoryHost>, method: &str, request: Value) -> Result<Value, Value> {
    let response = pollster::block_on(engine.call(method, request));
    response
        .map(|response| json!(response))
        .map_err(|error| json!(error))
}

fn scope() -> Value {
    json!({ "user": "ana", "session": "s" })
}

fn append(engine: &Engine<MemoryHost>, message: Value) -> Result<Value, Value> {
    let request = json!({ "scope": scope(), "messages": [message] });
    call(engine, "append", request)
}

fn works_on(engine: &Engine<MemoryHost>) {
    engine.host.now.set(NOW);
    append(engine, json!({ "role": "user", "content": "Hello." })).unwrap();
    append(engine, json!({ "role": "assistant", "content": "Hi." })).unwrap();
    let load = json!({ "scope": scope(), "message": "And?" });
    let turn = call(engine, "load", load).unwrap();
    assert!(turn["messages"].to_string().contains("Hi."));
}

#[test]
fn what_is_too_large_is_named() {
    let engine = engine();
    let message = json!({ "role": "user", "content": "x".repeat(10_000_000) });
    let error = append(&engine, message).unwrap_err();
    assert_eq!(error["code"], "too_large", "{error}");
    assert_eq!(error["path"], "messages[0]");
    let many = vec![json!({ "role": "user", "content": "x" }); 1_000_000];
    let error = call(
        &engine,
        "append",
        json!({ "scope": scope(), "messages": many }),
    );
    assert_eq!(error.unwrap_err()["code"], "too_large");
    let recall = json!({ "scope": scope(), "query": "x".repeat(10_000_000) });
    let error = call(&engine, "recall", recall).unwrap_err();
    assert_eq!(error["code"], "too_large");
    let memory = json!({ "scope": scope(), "memory": { "content": "x".repeat(10_000_000) } });
    let error = call(&engine, "memories.add", memory).unwrap_err();
    assert_eq!(error["code"], "too_large");
    works_on(&engine);
}

#[test]
fn what_is_stored_can_be_read_again_however_deep() {
    let nested = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!([inner]));
    let engine = engine();
    // The request, its messages and the message are three levels.
    let message = |depth| json!({ "role": "user", "content": "Deep.", "meta": nested(depth) });
    append(&engine, message(MAX_DEPTH - 3)).unwrap();
    for depth in [MAX_DEPTH - 2, 100, 125, 128, 1_000] {
        let error = append(&engine, message(depth)).unwrap_err();
        assert_eq!(error["code"], "invalid_input", "{depth}: {error}");
    }
    let read = call(&engine, "messages", json!({ "scope": scope() })).unwrap();
    assert_eq!(read["messages"].as_array().unwrap().len(), 1);
    works_on(&engine);
}

#[test]
fn answers_of_a_model_that_have_no_end_are_read_in_bounded_work() {
    for answer in [
        "[".repeat(2_000_000),
        "{\"a\":".repeat(400_000),
        "<think>".repeat(300_000),
        "/*".repeat(1_000_000),
        "\"".repeat(2_000_000),
        format!("[{}]", "{\"content\":\"User likes tea\"},".repeat(60_000)),
        format!("{{\"content\":\"{}\"}}", "x".repeat(2_000_000)),
    ] {
        let engine = engine();
        *engine.host.llm.borrow_mut() = Some([Answer::Text(answer)].into());
        works_on(&engine);
        call(&engine, "endSession", json!({ "scope": scope() })).unwrap();
        works_on(&engine);
    }
}

#[test]
fn texts_made_to_be_slow_are_masked_and_counted_in_bounded_work() {
    for piece in [
        "password \"", "password: “", "密码：「", "-----BEGIN PRIVATE KEY-----", "sshpass -p '",
        "mysql -p", "4111 ", "://a:", "eyJ", "sk-", "[", "<", "< ", "[[ ", "ignore all ", "a", " ",
        "\u{301}", "忽略",
    ] {
        let text = piece.repeat(400_000 / piece.len());
        let engine = engine();
        append(&engine, json!({ "role": "user", "content": text })).unwrap();
        call(&engine, "endSession", json!({ "scope": scope() })).unwrap();
        call(
            &engine,
            "recall",
            json!({ "scope": scope(), "query": text }),
        )
        .unwrap();
        works_on(&engine);
    }
}

#[test]
fn times_at_the_ends_of_their_range_are_answered() {
    for at in [i64::MIN, i64::MIN + 1, -1, 0, i64::MAX - 1, i64::MAX] {
        for now in [i64::MIN, 0, NOW, i64::MAX] {
            let engine = engine();
            let said =
                json!({ "role": "user", "content": "I am Ana and live in Oslo.", "createdAt": at });
            let _ = append(&engine, said);
            let _ = call(&engine, "endSession", json!({ "scope": scope() }));
            for (what, memory) in [
                (
                    "observedAt",
                    json!({ "content": "Ana keeps bees", "observedAt": at }),
                ),
                (
                    "expiresAt",
                    json!({ "content": "Ana has a cold", "expiresAt": at }),
                ),
            ] {
                let added = call(
                    &engine,
                    "memories.add",
                    json!({ "scope": scope(), "memory": memory }),
                );
                if let Err(error) = added {
                    assert!(
                        error["path"].to_string().contains(what),
                        "{at} {now}: {error}"
                    );
                }
            }
            engine.host.now.set(now);
            for method in ["memories.stats", "memories.list", "memories.pinCandidates"] {
                let _ = call(&engine, method, json!({ "scope": scope() }));
            }
            let _ = call(
                &engine,
                "recall",
                json!({ "scope": scope(), "query": "bees" }),
            );
            let _ = call(&engine, "maintain", json!({}));
            works_on(&engine);
        }
    }
}
