//! What must hold, one invariant to a file.

pub mod chains;
pub mod doubles;
pub mod indexes;
pub mod isolation;
pub mod judged;
pub mod limits;
pub mod messages;
pub mod outbox;
pub mod vectors;
pub mod window;

use crate::world::World;
use serde_json::Value;
use siltstone::memory::Memory;
use siltstone::scope::Scope;

/// Holds after every call.
pub fn answer(world: &World, person: Option<usize>, method: &str, request: &Value, answer: &Value) {
    isolation::text(world, person, answer);
    window::check(world, method, request, answer);
    if world.has_changed() {
        chains::check(world);
        doubles::check(world);
    }
}

/// Everything that is stored of a user's memories.
pub fn memories(world: &World, scope: &Scope) -> Vec<Memory> {
    let (start, end) = scope.memories();
    let store = world.store.borrow();
    let texts = store.range(start..end).map(|(_, (text, _))| text);
    let documents = texts.map(|text| serde_json::from_str::<Value>(text).unwrap());
    documents
        .map(|document| serde_json::from_value(document["d"].clone()).unwrap())
        .collect()
}
