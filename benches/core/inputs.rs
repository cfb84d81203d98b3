//! Texts, memories and vectors that are the same in every run.

use serde_json::{Value, json};
use siltstone::memory::{Candidate, Category, Kind, Memory, MemoryScope};
use siltstone::vector::Vector;
use std::collections::BTreeMap;

const WORDS: u32 = 6_000;

/// A generator of numbers, words and directions.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

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

    pub(crate) fn text(&mut self, words: u32) -> String {
        (0..words)
            .map(|_| self.word())
            .collect::<Vec<_>>()
            .join(" ")
    }

    pub(crate) fn vector(&mut self, dimensions: usize) -> Option<Vector> {
        let component = |_| (self.roll() % 2_001) as f32 / 1_000.0 - 1.0;
        Vector::new(&(0..dimensions).map(component).collect::<Vec<_>>())
    }
}

pub(crate) fn memories(dice: &mut Dice, count: u32, now: i64) -> Vec<Memory> {
    let memory = |number: u32| -> Value {
        let id = format!("memory-{number:06}");
        let at = now - 86_400_000 - i64::from(number);
        json!({
            "id": id, "content": format!("User {}", dice.text(16)), "createdAt": at,
            "lastAccessAt": at, "observedAt": at, "weight": 1, "importance": 5,
            "category": "other", "scope": "user", "version": 1, "isValid": true,
            "sessionId": (number / 25).to_string(), "position": number % 25, "messageIds": [id],
        })
    };
    (0..count)
        .map(memory)
        .map(|value| serde_json::from_value(value).unwrap())
        .collect()
}

pub(crate) fn vectors(
    dice: &mut Dice,
    memories: &[Memory],
    dimensions: usize,
) -> BTreeMap<String, Vector> {
    memories
        .iter()
        .filter_map(|memory| Some((memory.id.clone(), dice.vector(dimensions)?)))
        .collect()
}

/// A tenth of them repeat the one before.
pub(crate) fn candidates(dice: &mut Dice, count: u32) -> Vec<Candidate> {
    let mut before = String::new();
    (0..count)
        .map(|number| {
            if number % 10 < 9 {
                before = format!("User keeps {} for the {}", dice.text(5), dice.text(3));
            }
            Candidate {
                content: match number % 10 {
                    9 => format!("{}!", before.to_uppercase()),
                    _ => before.clone(),
                },
                category: Category::Other,
                kind: Kind::Text,
                scope: MemoryScope::User,
                importance: 5,
                facts: Default::default(),
                cues: String::new(),
                is_sensitive: false,
                replaces: Vec::new(),
                contradicts: Vec::new(),
                message_ids: vec![number.to_string()],
                observed_at: 0,
            }
        })
        .collect()
}
