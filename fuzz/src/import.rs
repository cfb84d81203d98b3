//! Lines to import that nobody exported.

use super::dice::Dice;
use super::world::{self, World};
use serde_json::{Value, json};

pub fn run(data: &[u8]) {
    let mut dice = Dice::new(data);
    let source = World::new(Dice::default());
    source.embeds.set(true);
    let (Some(from), Some(into)) = (
        world::engine(source, world::usual()),
        world::engine(World::new(Dice::default()), world::usual()),
    ) else {
        unreachable!("the usual configuration is right")
    };
    world::settle(&from);
    let exported =
        world::call(&from, "export", json!({ "scope": world::scope() })).unwrap_or_default();
    let lines: Vec<Value> = exported["lines"].as_array().cloned().unwrap_or_default();
    for _ in 0..3 {
        let mut lines: Vec<Value> = lines.iter().map(|line| dice.twisted(line, 3)).collect();
        if dice.chance(20) {
            lines.push(dice.json(3));
        }
        if dice.chance(20) {
            let at = dice.below(lines.len());
            lines.rotate_left(at);
        }
        let _ = world::call(
            &into,
            "import",
            json!({ "scope": world::scope(), "lines": lines }),
        );
    }
    // What was let in can be worked with, whatever time it is.
    into.host.now.set(dice.time());
    for (method, request) in world::requests() {
        let _ = world::call(&into, method, request);
    }
    for id in world::ids(&into) {
        for method in ["history", "pin", "forget", "restore"] {
            let request = json!({ "scope": world::scope(), "id": id });
            let _ = world::call(&into, &format!("memories.{method}"), request);
        }
    }
    world::works_on(&into);
}
