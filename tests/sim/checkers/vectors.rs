//! Once the outbox has drained, the vector store holds the hot memories that have an embedding, and no
//! others (M8).

use super::memories;
use crate::world::{PEOPLE, World};
use siltstone::vector::external;
use std::collections::BTreeSet;

pub fn at_end(world: &World) {
    if !world.plan.vectors {
        return;
    }
    let mut expected = BTreeSet::new();
    for person in &PEOPLE {
        let scope = person.scope();
        let store = world.store.borrow();
        for memory in memories(world, &scope) {
            if external::belongs(&memory) && store.contains_key(&scope.vector_key(&memory.id)) {
                expected.insert(external::id(&scope, &memory.id));
            }
        }
    }
    let there: BTreeSet<String> = world.vectors.borrow().keys().cloned().collect();
    if there != expected {
        let left: Vec<&String> = there.difference(&expected).collect();
        let missing: Vec<&String> = expected.difference(&there).collect();
        let what = format!("left over {left:?}, missing {missing:?}");
        world.violated("the vector store holds what is hot", what);
    }
}
