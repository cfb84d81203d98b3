//! Calls that die before or after any call of their host: done again, they leave what one that lives leaves.
//! Ends of sessions, `forget` and `maintain` are swept in `outbox` and `providers`.

use crate::interrupted::Interrupted;
use crate::outbox::{add, alive, ask, call, faults, sweep, user, world};
use crate::providers;
use crate::support::host::MemoryHost;
use serde_json::{Value, json};
use std::rc::Rc;

#[test]
fn a_replay_that_dies_anywhere_leaves_both_stores_as_one_that_does_not() {
    fn waiting() -> Rc<MemoryHost> {
        let inner = world();
        let boat = add(&inner, "a red boat", 5);
        faults(&inner, &["vectorUpsert", "vectorDelete"], false);
        add(&inner, "seven hungry llamas", 5);
        let gone = json!({ "scope": user(), "id": boat });
        ask(&inner, "memories.forget", gone);
        faults(&inner, &[], false);
        inner.now.set(inner.now.get() + 600_001);
        inner
    }
    sweep(waiting, |host| call(host, "replay", json!({})));
}

#[test]
fn an_import_that_dies_anywhere_leaves_both_stores_as_one_that_does_not() {
    fn lines() -> Value {
        let inner = world();
        add(&inner, "I live in Hangzhou", 5);
        add(&inner, "I live in Oslo", 5);
        let session = json!({ "user": "ana", "session": "s" });
        let said = json!([{ "id": "1", "role": "user", "content": "I have two cats." }]);
        ask(
            &inner,
            "append",
            json!({ "scope": session, "messages": said }),
        );
        ask(&inner, "endSession", json!({ "scope": session }));
        ask(&inner, "export", json!({ "scope": user() }))["lines"].clone()
    }
    sweep(world, |host| {
        call(host, "import", json!({ "scope": user(), "lines": lines() }))
    });
}

/// Dies before and after every call; the person asks again, and what was planned is replayed.
fn sweep_service(method: &str, request: &Value, expected: &[&str]) {
    let whole = providers::talked();
    let host = alive(&whole);
    let calls = host.calls.clone();
    providers::call(host, method, request.clone()).unwrap();
    assert_eq!(providers::contents(&whole), expected);
    assert!(calls.get() > 5, "{}", calls.get());
    for died_at in 0..calls.get() {
        for after in [false, true] {
            let inner = providers::talked();
            let host = Interrupted::dying(&inner, died_at);
            let host = if after { host.after() } else { host };
            let _ = providers::call(host, method, request.clone());
            let _ = providers::call(alive(&inner), method, request.clone());
            for _ in 0..3 {
                providers::later(&inner);
                providers::call(alive(&inner), "replay", json!({})).unwrap();
            }
            let at = format!("{method} died at call {died_at}, after it: {after}");
            assert_eq!(providers::contents(&inner), expected, "{at}");
            for list in ["outbox.list", "outbox.deadLetters"] {
                let left = providers::call(alive(&inner), list, json!({})).unwrap();
                assert_eq!(left["effects"], json!([]), "{at}");
            }
        }
    }
}

#[test]
fn a_memory_of_a_service_is_gone_and_stays_gone_wherever_forgetting_it_dies() {
    let request = json!({ "scope": user(), "id": "mem-1" });
    sweep_service("memories.forget", &request, &[]);
}

#[test]
fn a_memory_that_is_told_a_service_again_after_any_death_is_there_once() {
    let memory = json!({ "content": "Ana keeps bees" });
    let request = json!({ "scope": user(), "memory": memory });
    let both = ["Ana keeps bees", "User lives in Hangzhou"];
    sweep_service("memories.add", &request, &both);
}
