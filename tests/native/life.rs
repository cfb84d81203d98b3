//! The rules of life as properties: what holds for any memories, moments and schedules.

use crate::support::host::MemoryHost;
use proptest::prelude::*;
use serde_json::{Value, json};
use siltstone::engine::Engine;
use siltstone::life::config::{ColdOverflow, LifeConfig};
use siltstone::life::{Rules, evict, passage, score, settle, touch};
use siltstone::memory::{Memory, Temperature, Tier};
use std::collections::BTreeSet;

const DAY: i64 = 86_400_000;

fn memory(number: usize, of: (i64, i64, u8, f64), flags: u8, expires: Option<i64>) -> Memory {
    let (created, used, importance, weight) = of;
    let mut memory: Memory = serde_json::from_value(json!({
        "id": format!("m{number:03}"),
        "content": format!("Thing number {number}"),
        "createdAt": created,
        "lastAccessAt": created + used,
        "accessCount": u32::from(flags) % 5,
        "observedAt": created,
        "weight": weight,
        "importance": importance,
        "category": "note",
        "scope": "user",
        "version": 1,
        "isValid": flags & 3 != 3,
        "isPinned": flags & 12 == 12,
        "sessionId": "s",
        "messageIds": [format!("{number}")],
    }))
    .unwrap();
    memory.expires_at = expires;
    if flags & 16 != 0 {
        memory.tier = Tier::Long;
    }
    if flags & 96 == 96 {
        memory.temperature = Temperature::Cold;
    }
    if !memory.is_valid && flags & 128 != 0 {
        memory.forgotten_at = Some(created + used);
    } else if !memory.is_valid {
        memory.next_id = Some(format!("m{:03}", number + 1));
    }
    memory
}

fn memories() -> impl Strategy<Value = Vec<Memory>> {
    let times = (
        0..40 * DAY,
        prop_oneof![Just(0), 0..60 * DAY],
        1u8..=10,
        0.0f64..2.5,
    );
    let flags = any::<u8>();
    let expires = proptest::option::weighted(0.1, 0..200 * DAY);
    prop::collection::vec((times, flags, expires), 0..24).prop_map(|list| {
        let made = list.into_iter().enumerate();
        made.map(|(number, (of, flags, expires))| memory(number, of, flags, expires))
            .collect()
    })
}

fn config() -> impl Strategy<Value = LifeConfig> {
    let counts = (1usize..12, 0usize..4, 0usize..8, 0usize..3);
    (counts, any::<bool>(), 0u64..3, 0u32..60, 0u8..=10).prop_map(
        |((max_hot, evict_count, max_cold, max_pinned), hard, protect, purge, forget)| LifeConfig {
            max_hot,
            evict_count,
            max_cold,
            max_pinned,
            protect_ms: protect * 43_200_000,
            purge_days: purge,
            forget_importance: forget,
            tombstone_days: 30,
            cold_overflow: if hard {
                ColdOverflow::Hard
            } else {
                ColdOverflow::Soft
            },
            ..LifeConfig::default()
        },
    )
}

fn rules(config: &LifeConfig) -> Rules<'_> {
    Rules {
        config,
        condense: None,
    }
}

/// An engine over a store that holds these memories, as an older version would have left them.
fn stored(memories: &[Memory], life: &LifeConfig) -> Engine<MemoryHost> {
    let host = MemoryHost::default();
    {
        let mut store = host.store.borrow_mut();
        let mut put = |key: String, value: Value| {
            let document = json!({ "v": 1, "d": value }).to_string();
            store.insert(key, (document, "old".to_owned()));
        };
        for memory in memories {
            put(
                format!("s1!default!ana!memory!{}", memory.id),
                json!(memory),
            );
        }
        put(
            "s1!default!ana!memory-head".to_owned(),
            json!({ "changes": 1, "registered": true }),
        );
        put(
            "u1!default!ana".to_owned(),
            json!({ "tenant": "default", "user": "ana" }),
        );
    }
    Engine::new(host, json!({ "life": life }), None).unwrap()
}

fn maintain(engine: &Engine<MemoryHost>, now: i64) {
    engine.host.now.set(now);
    pollster::block_on(engine.call("maintain", json!({}))).unwrap();
}

fn documents(engine: &Engine<MemoryHost>) -> Vec<(String, Value)> {
    crate::upkeep::documents(&engine.host)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn one_run_or_many_between_two_moments_leave_the_same_bytes(
        memories in memories(),
        life in config(),
        mut moments in prop::collection::vec(0i64..400 * DAY, 0..40),
    ) {
        let end = 400 * DAY;
        let once = stored(&memories, &life);
        maintain(&once, end);
        let often = stored(&memories, &life);
        moments.sort_unstable();
        for moment in moments {
            // Looking before the newest change would be looking into the past.
            maintain(&often, moment.max(100 * DAY));
        }
        maintain(&often, end);
        prop_assert_eq!(documents(&once), documents(&often));
    }
}

#[test]
fn one_run_or_a_thousand_leave_the_same_bytes() {
    let life = LifeConfig {
        max_hot: 60,
        evict_count: 5,
        max_cold: 20,
        max_pinned: 3,
        purge_days: 30,
        tombstone_days: 40,
        ..LifeConfig::default()
    };
    let memories: Vec<Memory> = (0..100)
        .map(|number: usize| {
            let spread = i64::try_from(number).unwrap();
            let importance = u8::try_from(number % 10 + 1).unwrap();
            let of = (spread * DAY / 4, spread * 7 % 11 * DAY, importance, 1.0);
            memory(number, of, u8::try_from(number * 37 % 256).unwrap(), None)
        })
        .collect();
    let once = stored(&memories, &life);
    maintain(&once, 400 * DAY);
    let often = stored(&memories, &life);
    for run in 1..=1_000 {
        maintain(&often, 40 * DAY + run * 360 * DAY / 1_000);
    }
    assert_eq!(documents(&once), documents(&often));
    assert!(documents(&once).len() < memories.len(), "nothing was due");
}

proptest! {
    #[test]
    fn settling_keeps_within_every_limit(
        memories in memories(), life in config(), now in 100 * DAY..300 * DAY,
    ) {
        let before = memories.clone();
        let mut after = memories;
        let settled = settle(&mut after, now, rules(&life));
        let count = |is: fn(&Memory) -> bool| after.iter().filter(|memory| is(memory)).count();
        let pinned = count(|memory| memory.is_valid && memory.is_pinned);
        prop_assert!(pinned <= life.max_pinned);
        prop_assert!(count(evict::is_cold) <= life.max_cold);
        // By then nobody is protected any more.
        prop_assert!(count(evict::is_hot) <= life.max_hot.max(pinned));
        // Settled is settled.
        let again = settle(&mut after.clone(), now, rules(&life));
        prop_assert!(again.is_empty(), "{:?}", again);
        // Only what is reported has changed.
        let removed: BTreeSet<&String> = settled.removed.iter().map(|(id, _)| id).collect();
        for old in &before {
            match after.iter().find(|new| new.id == old.id) {
                None => prop_assert!(removed.contains(&old.id)),
                Some(new) => prop_assert_eq!(new != old, settled.changed.contains(&old.id)),
            }
        }
        // Time forgets neither what is pinned nor what is important.
        for fate in settled.effects.forgotten.iter().filter(|fate| fate.reason == "faded") {
            let old = before.iter().find(|old| old.id == fate.id).unwrap();
            prop_assert!(old.importance <= life.forget_importance);
            prop_assert!(!old.is_pinned || settled.effects.demoted.contains(&old.id));
        }
    }

    #[test]
    fn the_lowest_scores_leave_as_a_full_sort_would_say(
        memories in memories(), life in config(), now in 0i64..200 * DAY,
    ) {
        let mut sorted: Vec<usize> = (0..memories.len())
            .filter(|&place| {
                let memory = &memories[place];
                evict::is_hot(memory)
                    && !memory.is_pinned
                    && passage::protected_until(memory, &life) <= now
            })
            .collect();
        let rank = |place: usize| {
            let memory = &memories[place];
            score::score(memory, now, &life) + score::jitter(&memory.id)
        };
        sorted.sort_by(|&a, &b| rank(a).total_cmp(&rank(b)).then(memories[a].id.cmp(&memories[b].id)));
        let hot = memories.iter().filter(|memory| evict::is_hot(memory)).count();
        sorted.truncate(if hot > life.max_hot { hot - life.max_hot + life.evict_count } else { 0 });
        prop_assert_eq!(evict::from_hot(&memories, now, &life), sorted);
    }

    #[test]
    fn decay_depends_on_the_time_since_the_last_use_alone(
        of in (0i64..DAY, 0i64..DAY, 1u8..=10, 0.0f64..2.0),
        elapsed in -DAY..4_000 * DAY,
    ) {
        let life = LifeConfig::default();
        let short = memory(1, of, 0, None);
        let long = Memory { tier: Tier::Long, ..short.clone() };
        let now = short.last_access_at + elapsed;
        let (weight, later) = (score::weight(&short, now, &life), score::weight(&long, now, &life));
        prop_assert!(weight <= later && weight >= 0.0);
        if elapsed <= 0 {
            // A clock that goes backwards counts as no time.
            prop_assert_eq!(weight, short.weight);
        }
        prop_assert!(score::recency(&short, now, &life) >= life.floor);
        let mut used = short.clone();
        touch::used(&mut used, now, &life);
        prop_assert!(used.weight >= 1.0 && used.weight <= life.max_weight);
        prop_assert!(used.last_access_at >= short.last_access_at);
        // When it falls under a threshold, it has, and a moment before it had not.
        let fallen = score::falls_under(&short, 0.05, &life).unwrap();
        if short.weight > 0.05 {
            prop_assert!(score::weight(&short, fallen + 1_000, &life) < 0.05);
            prop_assert!(score::weight(&short, fallen - 1_000, &life) >= 0.05);
        }
    }

    #[test]
    fn any_moment_is_taken(
        mut memories in memories(),
        life in config(),
        times in prop::collection::vec(any::<(i64, i64, f64)>(), 24),
        now in any::<i64>(),
    ) {
        for (memory, (created, used, weight)) in memories.iter_mut().zip(times) {
            (memory.created_at, memory.last_access_at) = (created, used);
            memory.weight = weight;
            memory.expires_at = memory.expires_at.map(|at| at.saturating_add(created));
        }
        settle(&mut memories, now, rules(&life));
        prop_assert!(settle(&mut memories.clone(), now, rules(&life)).changed.len() <= memories.len());
    }

    #[test]
    fn the_nudge_is_small_and_the_ids_own(id in ".{0,40}") {
        let nudge = score::jitter(&id);
        prop_assert!((0.0..=score::MAX_JITTER).contains(&nudge));
        prop_assert_eq!(nudge, score::jitter(&id));
    }
}
