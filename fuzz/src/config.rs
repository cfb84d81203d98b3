//! Configurations: refused with a path, or one that can be worked with.

use super::dice::Dice;
use super::world::{self, World};
use serde_json::{Value, json};
use siltstone::config::Config;
use siltstone::engine::Engine;
use siltstone::error::Code;

pub fn run(data: &[u8]) {
    let mut dice = Dice::new(data);
    let mut right = serde_json::to_value(Config::default()).unwrap_or_default();
    right["agent"]["longMemory"] = json!(true);
    right["agent"]["model"] = json!("m");
    // Exact counts are dear to start; the tokenizer has a target of its own.
    right["tokens"]["encoding"] = json!("estimate");
    let twisted = match dice.below(8) {
        0 => dice.json(4),
        percent => dice.twisted(&right, percent),
    };
    let host = World::new(Dice::default());
    host.embeds.set(dice.chance(30));
    let engine = match Engine::new(host, twisted, None) {
        Ok(engine) => engine,
        Err(error) => {
            let told = matches!(error.code, Code::InvalidConfig | Code::UnknownEncoding);
            assert!(told && error.path.is_some(), "{error:?}");
            return;
        }
    };
    world::settle(&engine);
    engine.host.now.set(dice.time());
    for (method, request) in world::requests() {
        let _: Result<Value, _> = world::call(&engine, method, request);
    }
}
