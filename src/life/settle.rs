//! What time and numbers make of all memories of a user up to a moment: one pure function, run
//! with every change of memories and by `maintain`.

use super::config::{ColdOverflow, LifeConfig};
use super::passage::{self, Step};
use super::tombstone::Tombstone;
use super::{Condensed, Effects, Fate, Rules, evict, pin};
use crate::gather::Gather;
use crate::gather::Push;
use crate::memory::{Memory, Temperature, Tier};
use crate::order;
use crate::scope::Scope;
use crate::sorted::{self, Names, Set};
use crate::store::Change;
use std::cmp::Reverse;

/// What [`settle`] did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settled {
    /// Ids of memories that it changed and that are still there.
    pub changed: Names,
    /// Memories that are gone for good: id and tombstone.
    pub removed: Vec<(String, Tombstone)>,
    /// What to report.
    pub effects: Effects,
}

impl Settled {
    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }

    /// Takes in what a later run did.
    pub fn extend(&mut self, later: Self) {
        self.changed.extend(later.changed);
        for (id, _) in &later.removed {
            self.changed.remove(id);
        }
        self.removed.push_all(later.removed);
        self.effects.evicted.push_all(later.effects.evicted);
        self.effects.demoted.push_all(later.effects.demoted);
        self.effects.promoted.push_all(later.effects.promoted);
        self.effects.forgotten.push_all(later.effects.forgotten);
        self.effects.condensed.push_all(later.effects.condensed);
    }

    /// Puts what is gone for good into a change of the store.
    pub fn write_removed(&self, scope: &Scope, now_ms: i64, change: &mut Change) {
        for (id, tombstone) in &self.removed {
            change.delete(scope.memory_key(id));
            change.delete(scope.vector_key(id));
            tombstone.write(scope, id, now_ms, change);
        }
    }

    /// Puts all of it into a change of the store.
    pub fn write(&self, scope: &Scope, memories: &[Memory], now_ms: i64, change: &mut Change) {
        for memory in memories {
            if self.changed.contains(&memory.id) {
                change.put(scope.memory_key(&memory.id), memory);
            }
        }
        self.write_removed(scope, now_ms, change);
    }
}

/// Brings memories to what they are at `now_ms`. Memories that are gone for good are taken out.
pub fn settle(memories: &mut Vec<Memory>, now_ms: i64, rules: Rules<'_>) -> Settled {
    let due = memories.iter().enumerate().filter_map(|(place, memory)| {
        let (due, step) = passage::next(memory, rules.config)?;
        (due <= now_ms).then_some((due, step, place))
    });
    let mut due: Vec<_> = due.gather();
    order::sort_by(&mut due, |a, b| b.cmp(a));
    let mut course = Course {
        due: sorted::set(due.into_iter().map(Reverse)),
        gone: Set::new(),
        settled: Settled::default(),
        memories,
        now_ms,
        rules,
    };
    course.run();
    let Course { gone, settled, .. } = course;
    if !gone.is_empty() {
        let mut place = 0..;
        memories.retain(|_| !place.next().is_some_and(|place| gone.contains(&place)));
    }
    settled
}

struct Course<'a> {
    memories: &'a mut Vec<Memory>,
    now_ms: i64,
    rules: Rules<'a>,
    /// What is due by now, the last step first.
    due: Set<Reverse<(i64, Step, usize)>>,
    /// Places of memories that are gone for good.
    gone: Set<usize>,
    settled: Settled,
}

impl Course<'_> {
    fn run(&mut self) {
        let config = self.rules.config;
        // Numbers only grow by changes, and every change is a use of a memory.
        let used = self.memories.iter().filter(|memory| memory.is_valid);
        let used = used.map(|memory| memory.created_at.max(memory.last_access_at));
        let Some(changed_at) = used.max().map(|at| at.min(self.now_ms)) else {
            return self.pass_until(self.now_ms);
        };
        if self.is_crowded(config) {
            self.pass_until(changed_at);
            self.demote(changed_at);
            self.evict(changed_at);
            // Who was protected then leaves as soon as the protection ends.
            for at in self.ends_of_protection(changed_at) {
                if self.hot() <= config.max_hot {
                    break;
                }
                self.pass_until(at);
                self.evict(at);
            }
        }
        self.pass_until(self.now_ms);
    }

    fn is_crowded(&self, config: &LifeConfig) -> bool {
        let count = |is: fn(&Memory) -> bool| self.memories.iter().filter(|m| is(m)).count();
        count(evict::is_hot) > config.max_hot
            || count(evict::is_cold) > config.max_cold
            || count(|memory| memory.is_valid && memory.is_pinned) > config.max_pinned
    }

    fn hot(&self) -> usize {
        self.memories
            .iter()
            .filter(|memory| evict::is_hot(memory))
            .count()
    }

    fn ends_of_protection(&self, after: i64) -> Vec<i64> {
        let hot = self.memories.iter().filter(|memory| evict::is_hot(memory));
        let ends = hot.map(|memory| passage::protected_until(memory, self.rules.config));
        let ends = ends.filter(|end| after < *end && *end <= self.now_ms);
        let mut ends: Vec<i64> = ends.gather();
        order::sort_by(&mut ends, Ord::cmp);
        ends.dedup();
        ends
    }

    /// Takes every step that is due until then.
    fn pass_until(&mut self, until: i64) {
        while let Some(&Reverse((due, step, place))) = self.due.last() {
            if due > until {
                return;
            }
            self.due.pop();
            self.step(due, step, place);
        }
    }

    fn step(&mut self, due: i64, step: Step, place: usize) {
        match step {
            Step::Expire => self.forget(place, due, "expired"),
            Step::Fade => self.forget(place, due, "faded"),
            Step::Purge => self.remove(place, due, "purged"),
            Step::Promote => {
                let condense = self.rules.condense;
                let mut condensed = None;
                self.change(place, |memory| {
                    memory.tier = Tier::Long;
                    if let Some(after) = condense.and_then(|condense| condense(&memory.content)) {
                        let before = std::mem::replace(&mut memory.content, after.clone());
                        let id = Some(memory.id.clone());
                        condensed = Some(Condensed { id, before, after });
                    }
                });
                self.settled.effects.condensed.push_all(condensed);
                if let Some(memory) = self.memories.get(place) {
                    self.settled.effects.promoted.push(memory.id.clone());
                }
            }
        }
    }

    /// Changes a memory, after which other steps may be due.
    fn change(&mut self, place: usize, change: impl FnOnce(&mut Memory)) {
        let Some(memory) = self.memories.get_mut(place) else {
            return;
        };
        if let Some((due, step)) = passage::next(memory, self.rules.config) {
            self.due.remove(&Reverse((due, step, place)));
        }
        change(memory);
        self.settled.changed.insert(memory.id.clone());
        let next = passage::next(memory, self.rules.config);
        if let Some((due, step)) = next.filter(|(due, _)| *due <= self.now_ms) {
            self.due.insert(Reverse((due, step, place)));
        }
    }

    fn forget(&mut self, place: usize, at: i64, reason: &'static str) {
        self.change(place, |memory| {
            memory.is_valid = false;
            memory.is_pinned = false;
            memory.forgotten_at = Some(at);
        });
        self.note_forgotten(place, reason);
    }

    fn note_forgotten(&mut self, place: usize, reason: &'static str) {
        if let Some(memory) = self.memories.get(place) {
            let id = memory.id.clone();
            self.settled.effects.forgotten.push(Fate { id, reason });
        }
    }

    /// A memory goes for good, and with it the versions that it replaced.
    fn remove(&mut self, place: usize, at: i64, reason: &'static str) {
        self.note_forgotten(place, reason);
        let mut going = vec![place];
        while let Some(place) = going.pop() {
            let Some(memory) = self.memories.get_mut(place) else {
                continue;
            };
            if !self.gone.insert(place) {
                continue;
            }
            if let Some((due, step)) = passage::next(memory, self.rules.config) {
                self.due.remove(&Reverse((due, step, place)));
            }
            memory.is_valid = false;
            let id = memory.id.clone();
            let before = memory.last_access_at.max(memory.observed_at);
            let tombstone = Tombstone::of(memory, before, at, self.rules.config);
            self.settled.changed.remove(&id);
            let before = self.memories.iter().enumerate();
            let before = before.filter(|(_, older)| older.next_id.as_deref() == Some(&id));
            going.push_all(before.map(|(place, _)| place));
            self.settled.removed.push((id, tombstone));
        }
    }

    fn demote(&mut self, at: i64) {
        for place in pin::beyond_limit(self.memories, at, self.rules.config) {
            // From now on it ages like any other; what it missed does not count.
            self.change(place, |memory| {
                memory.is_pinned = false;
                memory.last_access_at = memory.last_access_at.max(at);
            });
            if let Some(memory) = self.memories.get(place) {
                self.settled.effects.demoted.push(memory.id.clone());
            }
        }
    }

    fn evict(&mut self, at: i64) {
        for place in evict::from_hot(self.memories, at, self.rules.config) {
            self.change(place, |memory| memory.temperature = Temperature::Cold);
            if let Some(memory) = self.memories.get(place) {
                let id = memory.id.clone();
                let reason = "over_limit";
                self.settled.effects.evicted.push(Fate { id, reason });
            }
        }
        for place in evict::from_cold(self.memories, self.rules.config) {
            match self.rules.config.cold_overflow {
                ColdOverflow::Soft => self.forget(place, at, "cold_overflow"),
                ColdOverflow::Hard => self.remove(place, at, "cold_overflow"),
            }
        }
    }
}
