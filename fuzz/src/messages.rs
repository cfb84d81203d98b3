//! Requests of any shape to every call.

use super::dice::Dice;
use super::world::{self, World};
use serde_json::{Value, json};

pub fn run(data: &[u8]) {
    let mut dice = Dice::new(data);
    let host = World::new(Dice::default());
    host.embeds.set(dice.chance(30));
    let Some(engine) = world::engine(host, world::usual()) else {
        unreachable!("the usual configuration is right")
    };
    world::settle(&engine);
    let known = world::ids(&engine);
    let calls = world::requests();
    for _ in 0..8 {
        let (method, request) = &calls[dice.below(calls.len())];
        let mut request = request.clone();
        if let (Some(id), Some(known)) = (request.get_mut("id"), pick(&mut dice, &known)) {
            *id = json!(known);
        }
        let request = dice.twisted(&request, 12);
        let _ = world::call(&engine, method, request);
        if dice.chance(10) {
            let _ = world::call(&engine, &dice.text(), dice.json(3));
        }
    }
    engine.host.now.set(dice.time());
    for method in ["maintain", "recall", "memories.stats", "endSession", "load"] {
        let request = calls.iter().find(|(name, _)| *name == method);
        let request = request.map_or(Value::Null, |(_, request)| request.clone());
        let _ = world::call(&engine, method, request);
    }
    world::works_on(&engine);
}

fn pick<'a>(dice: &mut Dice, from: &'a [String]) -> Option<&'a String> {
    from.get(dice.below(from.len()))
}
