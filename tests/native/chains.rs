//! Chains of versions end in one live head, whatever the order in which statements arrive (M5).

use crate::support::host::MemoryHost;
use proptest::prelude::*;
use serde_json::{Value, json};
use siltstone::engine::Engine;

const CITIES: [&str; 6] = ["Paris", "Berlin", "Oslo", "Lisbon", "Vienna", "Dublin"];

fn call(engine: &Engine<MemoryHost>, method: &str, request: Value) -> Value {
    let response = pollster::block_on(engine.call(method, request));
    json!(response.unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_newest_statement_lives_and_all_others_are_its_history(
        order in Just((0..CITIES.len()).collect::<Vec<_>>()).prop_shuffle(),
        count in 2..=CITIES.len(),
    ) {
        let host = MemoryHost::default();
        host.now.set(1_000_000);
        let engine = Engine::new(host, Value::Null, None).unwrap();
        let told: Vec<usize> = order.into_iter().take(count).collect();
        for said in &told {
            engine.host.now.set(engine.host.now.get() + 1);
            call(&engine, "memories.add", json!({
                "scope": { "user": "ana" },
                "memory": {
                    "content": format!("User lives in {}", CITIES[*said]),
                    "observedAt": said * 1_000,
                },
            }));
        }
        let newest = told.iter().max().unwrap();
        let listed = call(&engine, "memories.list", json!({ "scope": { "user": "ana" } }));
        prop_assert_eq!(&listed["total"], &json!(1), "{}", listed);
        let head = &listed["memories"][0];
        prop_assert_eq!(&head["content"], &json!(format!("User lives in {}", CITIES[*newest])));
        let request = json!({ "scope": { "user": "ana" }, "id": head["id"] });
        let history = call(&engine, "memories.history", request);
        let versions = history["versions"].as_array().unwrap();
        prop_assert_eq!(versions.len(), count);
        let live = versions.iter().filter(|version| version["isValid"] == json!(true));
        prop_assert_eq!(live.count(), 1);
    }
}
