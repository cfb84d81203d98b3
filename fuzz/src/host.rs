//! Hosts, services and stored records that are not what they should be.

use super::dice::Dice;
use super::world::{self, World};
use serde_json::{Value, json};

/// What a memory service may answer to anything: fields of both services.
fn service() -> Value {
    json!({
        "code": 200, "message": "ok", "task_id": "t1", "status": "completed",
        "data": {
            "text_mem": [{ "cube_id": "user_profile", "memories": [
                { "id": "x", "memory": "Likes tea", "metadata": { "relativity": 0.9, "created_at": "2026-01-02T03:04:05Z" } }] }],
            "pref_mem": [], "act_mem": [],
            "memory_detail_list": [{ "id": "x", "memory_value": "Likes tea", "relativity": 0.9, "create_time": 1_767_607_200_000_i64 }],
            "status": "completed",
        },
        "results": [{ "id": "x", "memory": "Likes tea", "score": 0.9, "created_at": "2026-01-02T03:04:05Z", "event_id": "e" }],
    })
}

pub fn run(data: &[u8]) {
    let mut dice = Dice::new(data);
    let mut config = world::usual();
    let provider = ["local", "memos", "mem0"][dice.below(3)];
    config["agent"]["provider"] = json!(provider);
    config["memos"]["api"] = json!(["self_hosted", "cloud"][dice.below(2)]);
    let settings = [dice.byte(), dice.byte()];
    let rate = 1 + dice.below(40);
    let calls: Vec<usize> = (0..12).map(|_| dice.below(256)).collect();
    let host = World::new(dice);
    host.embeds.set(settings[0] & 1 > 0);
    host.has_vectors.set(settings[0] & 2 > 0);
    if settings[0] & 4 > 0 {
        *host.llm.borrow_mut() =
            Some("{\"memories\":[{\"content\":\"User likes tea\",\"importance\":6}]}".to_owned());
    }
    if provider != "local" {
        *host.service.borrow_mut() = Some(service());
    }
    let Some(engine) = world::engine(host, config) else {
        unreachable!("the configuration is right")
    };
    if settings[1] & 1 > 0 {
        // A store that was damaged, rather than one that answers wrongly now and then.
        world::settle(&engine);
        damage(&engine.host);
    } else {
        engine.host.rate.set(rate);
        world::settle(&engine);
    }
    if settings[1] & 2 > 0 {
        let twisted = engine.host.dice.borrow_mut().json(3);
        *engine.host.agent.borrow_mut() = Some(twisted);
    }
    let requests = world::requests();
    for at in calls {
        let (method, request) = &requests[at % requests.len()];
        let _ = world::call(&engine, method, request.clone());
    }
    let now = engine.host.dice.borrow_mut().time();
    engine.host.now.set(now);
    for method in [
        "maintain", "replay", "endSession", "recall", "load", "memories.stats",
    ] {
        let request = requests.iter().find(|(name, _)| *name == method);
        let request = request.map_or(Value::Null, |(_, request)| request.clone());
        let _ = world::call(&engine, method, request);
    }
    *engine.host.agent.borrow_mut() = None;
    world::works_on(&engine);
}

fn damage(host: &World) {
    let dice = &mut host.dice.borrow_mut();
    for (value, version) in host.store.borrow_mut().values_mut() {
        if dice.chance(40) {
            let document = serde_json::from_str(value).unwrap_or_default();
            *value = dice.twisted(&document, 6).to_string();
        }
        if dice.chance(5) {
            *version = dice.text();
        }
    }
    for value in host.cache.borrow_mut().values_mut() {
        let document = serde_json::from_str(value).unwrap_or_default();
        *value = dice.twisted(&document, 6).to_string();
    }
}
