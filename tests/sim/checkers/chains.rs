//! No old memory is gone without its successor, and every chain has one live head (X3, M5).

use super::memories;
use crate::world::{PEOPLE, World};
use siltstone::memory::Memory;
use std::collections::BTreeMap;

pub fn check(world: &World) {
    for person in &PEOPLE {
        let scope = person.scope();
        let all = memories(world, &scope);
        let by_id: BTreeMap<&str, &Memory> = all
            .iter()
            .map(|memory| (memory.id.as_str(), memory))
            .collect();
        for memory in &all {
            if memory.is_valid {
                if memory.next_id.is_some() {
                    world.violated("what was replaced is not live", of(memory));
                }
                let before = memory.previous_id.as_deref().and_then(|id| by_id.get(id));
                if let Some(before) = before.filter(|before| before.is_valid) {
                    let what = format!("{} and its earlier version {}", of(memory), of(before));
                    world.violated("one live head per chain", what);
                }
                continue;
            }
            if memory.forgotten_at.is_some() {
                continue;
            }
            let Some(next) = memory.next_id.as_deref() else {
                world.violated("no old memory goes without its successor", of(memory));
                continue;
            };
            let buried = world
                .store
                .borrow()
                .contains_key(&scope.tombstone_key(next));
            if !by_id.contains_key(next) && !buried {
                world.violated("no old memory goes without its successor", of(memory));
            }
            let mut end = memory;
            let mut links = 0;
            while let Some(next) = end.next_id.as_deref().and_then(|id| by_id.get(id)) {
                end = next;
                links += 1;
                if links > all.len() {
                    world.violated("a chain has an end", of(memory));
                    break;
                }
            }
        }
    }
}

fn of(memory: &Memory) -> String {
    format!("`{}` ({})", memory.content, memory.id)
}
