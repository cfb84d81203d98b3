//! Stored records that are damaged or of a newer format: named, never a panic, and the rest lives on.

use crate::support::host::MemoryHost;
use serde_json::{Value, json};
use siltstone::engine::Engine;

fn engine() -> Engine<MemoryHost> {
    let host = MemoryHost::default();
    host.now.set(1_000);
    Engine::new(host, Value::Null, None).unwrap()
}

fn call(engine: &Engine<MemoryHost>, method: &str, request: Value) -> Result<Value, Value> {
    let response = pollster::block_on(engine.call(method, request));
    response
        .map(|response| json!(response))
        .map_err(|error| json!(error))
}

fn damage(engine: &Engine<MemoryHost>, kind: &str, value: &str) {
    let mut store = engine.host.store.borrow_mut();
    let mut hit = false;
    for (_, (stored, version)) in store
        .iter_mut()
        .filter(|(key, _)| key.contains(kind))
        .take(1)
    {
        value.clone_into(stored);
        version.push('x');
        hit = true;
    }
    assert!(hit, "no record of {kind}");
}

fn append(engine: &Engine<MemoryHost>) -> Result<Value, Value> {
    let said = json!({
        "scope": { "user": "ana", "session": "s" },
        "messages": [{ "role": "user", "content": "I live in Oslo." }],
    });
    call(engine, "append", said)
}

#[test]
fn a_damaged_or_newer_head_is_named() {
    for value in [
        "", "{", "[]", "null", r#"{"v":1}"#, r#"{"v":1,"d":7}"#, r#"{"v":2,"d":{}}"#,
    ] {
        let engine = engine();
        append(&engine).unwrap();
        damage(&engine, "!session!", value);
        let error = append(&engine).unwrap_err();
        assert_eq!(error["code"], "corrupt_record", "{value}: {error}");
        assert!(
            error["details"]["key"]
                .as_str()
                .unwrap()
                .contains("session")
        );
    }
}

#[test]
fn one_damaged_memory_or_message_does_not_lose_the_rest() {
    let engine = engine();
    append(&engine).unwrap();
    append(&engine).unwrap();
    damage(&engine, "!message!", "{\"v\":1,\"d\":{\"role\":5}}");
    let scope = json!({ "scope": { "user": "ana", "session": "s" } });
    let read = call(&engine, "messages", scope.clone()).unwrap();
    assert_eq!(read["messages"].as_array().unwrap().len(), 1);
    call(&engine, "endSession", scope).unwrap();
    let other = json!({ "scope": { "user": "ana" }, "memory": { "content": "Ana keeps bees" } });
    call(&engine, "memories.add", other).unwrap();
    damage(&engine, "!memory!", "damaged");
    let list = json!({ "scope": { "user": "ana" } });
    assert_eq!(call(&engine, "memories.list", list).unwrap()["total"], 1);
    assert!(
        engine
            .host
            .logged
            .borrow()
            .iter()
            .any(|event| event.event == "corrupt_record")
    );
}
