//! After `maintain` the hot set and the pins are within their bounds (R4, R5).

use super::memories;
use crate::plan::{MAX_HOT, MAX_PINNED};
use crate::world::{PEOPLE, World};
use siltstone::memory::Temperature;

pub fn at_end(world: &World) {
    for person in &PEOPLE {
        let all = memories(world, &person.scope());
        let live = all.iter().filter(|memory| memory.is_valid);
        let hot = live
            .clone()
            .filter(|memory| memory.temperature == Temperature::Hot)
            .count();
        if hot > MAX_HOT {
            world.violated(
                "the hot set is within its bounds",
                format!("`{}` has {hot}", person.word),
            );
        }
        let pinned = live.filter(|memory| memory.is_pinned).count();
        if pinned > MAX_PINNED {
            world.violated(
                "pins are within their bounds",
                format!("`{}` has {pinned}", person.word),
            );
        }
    }
}
