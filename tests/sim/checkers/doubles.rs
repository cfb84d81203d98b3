//! Nothing is stored twice: no two live memories of one cube tell the same, and a memory service holds
//! what one effect told it once (X3), unless the clock jumped over its lease while it was told.

use super::memories;
use crate::world::{PEOPLE, World};
use std::collections::BTreeSet;

pub fn check(world: &World) {
    for person in &PEOPLE {
        let mut seen = BTreeSet::new();
        for memory in memories(world, &person.scope()) {
            let says = (memory.cube(), memory.content.clone());
            if memory.is_valid && !memory.is_held && !seen.insert(says) {
                world.violated("nothing is stored twice", format!("`{}`", memory.content));
            }
        }
    }
    let memos = world.memos.borrow();
    let mut keys = BTreeSet::new();
    for kept in &memos.kept {
        let tags = kept.tags.to_string();
        if world.is_overrun(&tags) {
            continue;
        }
        if !keys.insert((&kept.cube, tags, &kept.text)) {
            world.violated(
                "nothing is told to a service twice",
                format!("`{}`", kept.text),
            );
        }
    }
}

/// At the end: no text twice in a service's cube, unless two calls told it at the same moment, neither
/// knowing of the other.
pub fn at_end(world: &World, one_by_one: bool) {
    if !one_by_one {
        return;
    }
    let memos = world.memos.borrow();
    let mut texts = BTreeSet::new();
    for kept in &memos.kept {
        if world.is_overrun(&kept.tags.to_string()) {
            continue;
        }
        if !texts.insert((&kept.cube, &kept.text)) {
            world.violated("no text is twice in a service", format!("`{}`", kept.text));
        }
    }
}
