//! When faults stop, the outbox drains; what was given up is done once it is taken up again (X1, X2).

use crate::workload::Caller;
use crate::world::World;
use serde_json::{Value, json};

/// Replays until nothing waits.
pub async fn drain(caller: &Caller) {
    let world = &caller.world;
    for redriven in [false, true] {
        for round in 0.. {
            let Some(report) = caller.call(None, "replay", json!({ "limit": 1_000 })).await else {
                return world.violated("replay works once faults have stopped", "");
            };
            let Some(at) = report["nextRunAt"].as_i64() else {
                break;
            };
            if round > 60 {
                return world.violated("the outbox drains", waiting(world));
            }
            let wait = at - world.now(0);
            world
                .elapsed
                .set(world.elapsed.get() + wait.clamp(1_000, 8 * 86_400_000));
        }
        if !redriven {
            caller.call(None, "outbox.redrive", json!({})).await;
        }
    }
    let left = waiting(world);
    if left != "[]" {
        world.violated("the outbox drains", left);
    }
}

fn waiting(world: &World) -> String {
    let store = world.store.borrow();
    let effects = store.iter().filter(|(key, _)| key.starts_with("o1"));
    let effects: Vec<Value> = effects.map(|(key, (text, _))| json!([key, text])).collect();
    json!(effects).to_string()
}
