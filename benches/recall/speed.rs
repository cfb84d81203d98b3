//! How long a question takes among 10,000 memories: `make ablation DATA=speed`.

use crate::Fallible;
use serde_json::json;
use siltstone::config::Config;
use siltstone::memory::Memory;
use siltstone::recall::{Indexed, Query};
use siltstone::scope::Scope;
use siltstone::vector::Vector;
use std::collections::BTreeMap;
use std::time::Instant;

const MEMORIES: u32 = 10_000;
const QUESTIONS: u32 = 300;
const WORDS: u32 = 6_000;
const DIMENSIONS: usize = 384;

struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    /// A made-up word; small numbers come often, as words do.
    fn word(&mut self) -> String {
        let rank = f64::from(WORDS).powf(f64::from(self.roll() % 10_000) / 10_000.0) as u32;
        let syllables = ["ba", "ko", "ri", "tu", "me", "lan", "so", "vi", "dor", "ne"];
        let digits = rank.to_string().into_bytes();
        digits
            .iter()
            .filter_map(|digit| syllables.get(usize::from(digit - b'0')))
            .copied()
            .collect()
    }

    fn text(&mut self, words: u32) -> String {
        (0..words)
            .map(|_| self.word())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn vector(&mut self) -> Option<Vector> {
        let component = |_| (self.roll() % 2_001) as f32 / 1_000.0 - 1.0;
        Vector::new(&(0..DIMENSIONS).map(component).collect::<Vec<_>>())
    }
}

pub(crate) fn print() -> Fallible<()> {
    let mut dice = Dice(20_260_105);
    let mut memories: Vec<Memory> = Vec::new();
    let mut vectors = BTreeMap::new();
    for number in 0..MEMORIES {
        let id = format!("{number:06}");
        let speaker = if number % 2 == 0 { "Ann" } else { "Bo" };
        memories.push(serde_json::from_value(json!({
            "id": id, "content": format!("{speaker}: {}", dice.text(16)), "createdAt": 0,
            "lastAccessAt": 0, "observedAt": 0, "weight": 1, "importance": 5, "category": "other",
            "scope": "user", "version": 1, "isValid": true,
            "sessionId": (number / 25).to_string(), "position": number % 25, "messageIds": [id],
        }))?);
        vectors.extend(dice.vector().map(|vector| (id, vector)));
    }
    let started = Instant::now();
    let indexed =
        Indexed::new("1".to_owned(), memories, false).with_vectors(vectors.into_iter().collect());
    println!("built in {} ms", started.elapsed().as_millis());
    let scope: Scope = serde_json::from_value(json!({ "user": "u" }))?;
    let config = Config::default();
    for hybrid in [false, true] {
        let mut times: Vec<u128> = Vec::new();
        for _ in 0..QUESTIONS {
            let text = format!("What did Ann {}?", dice.text(6));
            let query = Query {
                near: None,
                text: &text,
                context: None,
                limit: 10,
                keyword_only: false,
                vector: dice.vector().filter(|_| hybrid),
                filter_sensitive: false,
            };
            let started = Instant::now();
            let found = indexed.search(&scope, &query, &config, 0);
            times.push(started.elapsed().as_micros());
            assert!(found.hits.len() <= 10);
        }
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or(0);
        let (first, last) = (times.first(), times.last());
        println!("hybrid={hybrid} median_us={median} min_us={first:?} max_us={last:?}");
    }
    Ok(())
}
