//! What each step of the ranking gives, on dialogues in LoCoMo's format, without the package around
//! it: `make ablation DATA=folder`. `benches/recall.md` holds what it printed last.
//!
//! Turns and observations are consolidated by the real session end; then every question is asked
//! with each step turned off, and the constants are chosen anew on all conversations but one and
//! measured on that one.

#![allow(
    clippy::indexing_slicing,
    reason = "a measurement stops at data that it does not know"
)]

mod data;
#[path = "../../tests/support/host.rs"]
#[allow(
    dead_code,
    clippy::indexing_slicing,
    reason = "the tests use more of it, and look at what it holds"
)]
mod host;
#[path = "../../tests/support/memos.rs"]
#[allow(
    dead_code,
    clippy::indexing_slicing,
    reason = "the host can be one with MemOS"
)]
mod memos;
mod speed;

use data::{Conversation, Kind};
use serde_json::{Value, json};
use siltstone::config::Config;
use siltstone::index::Tuning;
use siltstone::recall::Query;
use std::collections::BTreeSet;
use std::env;
use std::error::Error;

/// What fails with a message for people.
pub(crate) type Fallible<T> = Result<T, Box<dyn Error>>;

/// Evidence in the first ten memories and sessions in the first five, summed, with their counts.
#[derive(Default, Clone, Copy)]
struct Sums {
    found: f64,
    questions: f64,
    sessions: f64,
    asked: f64,
}

impl Sums {
    fn plus(self, other: Sums) -> Sums {
        Sums {
            found: self.found + other.found,
            questions: self.questions + other.questions,
            sessions: self.sessions + other.sessions,
            asked: self.asked + other.asked,
        }
    }

    fn recall(self) -> f64 {
        self.found / self.questions
    }
}

fn measure(conversation: &Conversation, tuning: &Tuning, config: &Config, hybrid: bool) -> Sums {
    let mut sums = Sums::default();
    for question in &conversation.questions {
        let query = Query {
            near: None,
            text: &question.text,
            context: None,
            limit: 10,
            keyword_only: false,
            vector: question.vector.clone().filter(|_| hybrid),
            filter_sensitive: false,
        };
        let (scope, now) = (&conversation.scope, conversation.now_ms);
        let found = conversation
            .indexed
            .search_with(scope, &query, config, now, tuning.clone());
        let sources = found.hits.iter().flat_map(|hit| &hit.memory.message_ids);
        let sources: BTreeSet<&String> = sources.collect();
        if !question.is_adversarial {
            let hits = question
                .evidence
                .iter()
                .filter(|id| sources.contains(id))
                .count();
            sums.found += hits as f64 / question.evidence.len() as f64;
            sums.questions += 1.0;
        }
        let mut first = found.sessions.iter().take(5);
        let is_found = first.any(|found| question.sessions.contains(&found.session));
        sums.sessions += f64::from(u8::from(is_found));
        sums.asked += 1.0;
    }
    sums
}

fn all(conversations: &[Conversation], tuning: &Tuning, config: &Config, hybrid: bool) -> Sums {
    let each = conversations
        .iter()
        .map(|one| measure(one, tuning, config, hybrid));
    each.fold(Sums::default(), Sums::plus)
}

fn with(tuning: &Tuning, changes: &Value) -> Fallible<Tuning> {
    let mut value = serde_json::to_value(tuning)?;
    for (name, change) in changes.as_object().into_iter().flatten() {
        match change.as_object() {
            Some(inner) => {
                for (field, change) in inner {
                    value[name][field] = change.clone();
                }
            }
            None => value[name] = change.clone(),
        }
    }
    Ok(serde_json::from_value(value)?)
}

/// The steps, each turned off alone.
fn steps() -> Vec<(&'static str, Value)> {
    vec![
        ("everything", json!({})),
        ("without words around a text", json!({ "share": 0 })),
        ("without the session", json!({ "session": 0 })),
        (
            "sessions by their words alone",
            json!({ "session_best": 0, "session_several": 0 }),
        ),
        ("without speakers and subjects", json!({ "opening": 0 })),
        ("without other forms of words", json!({ "variants": 0 })),
        ("without slips of the pen", json!({ "slips": 0 })),
        (
            "none of these",
            json!({
                "share": 0, "session": 0, "opening": 0, "variants": 0, "slips": 0,
            }),
        ),
    ]
}

/// What may be chosen, with the values to choose from; the first is the default.
fn choices() -> Vec<(&'static str, Vec<Value>)> {
    vec![
        ("share", vec![json!(0.5), json!(0.3), json!(0.7)]),
        ("session", vec![json!(0.4), json!(0.2), json!(0.6)]),
        ("opening", vec![json!(0.8), json!(0.5), json!(1.0)]),
        ("variants", vec![json!(0.5), json!(0.0), json!(0.3)]),
        ("meaning", vec![json!(0.5), json!(0.4), json!(0.6)]),
    ]
}

/// Chooses one constant after another on all conversations but `left`.
fn choose(
    conversations: &[Conversation],
    left: usize,
    config: &Config,
    hybrid: bool,
) -> Fallible<(Tuning, String)> {
    let on = |tuning: &Tuning| {
        let others = conversations
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != left);
        let each = others.map(|(_, one)| measure(one, tuning, config, hybrid));
        each.fold(Sums::default(), Sums::plus).recall()
    };
    let mut best = Tuning::default();
    let mut score = on(&best);
    let mut chosen = Vec::new();
    for (name, values) in choices() {
        for value in values.iter().skip(1) {
            let tuning = with(&best, &json!({ name: value }))?;
            let other = on(&tuning);
            if other > score {
                (best, score) = (tuning, other);
                chosen.push(format!("{name} {value}"));
            }
        }
    }
    Ok((best, chosen.join(", ")))
}

fn main() -> Fallible<()> {
    let mut arguments = env::args().skip(1).filter(|argument| argument != "--bench");
    let folder = arguments
        .next()
        .ok_or("say where the dialogues are: make ablation DATA=folder")?;
    if folder == "speed" {
        return speed::print();
    }
    let mut config = Config::default();
    config.recall.standing_importance = 11;
    let turns = data::read(&folder, Kind::Turns)?;
    let observations = data::read(&folder, Kind::Observations)?;
    let sets = [
        ("turns, lexical", &turns, false),
        ("turns, hybrid", &turns, true),
        ("observations, lexical", &observations, false),
        ("observations, hybrid", &observations, true),
    ];
    println!("Evidence at 10 / sessions at 5:\n");
    let names: Vec<&str> = sets.iter().map(|(name, ..)| *name).collect();
    println!(
        "| | {} |\n|---|{}",
        names.join(" | "),
        "---|".repeat(sets.len())
    );
    for (name, changes) in steps() {
        let tuning = with(&Tuning::default(), &changes)?;
        let cells = sets.iter().map(|(_, set, hybrid)| {
            let sums = all(set, &tuning, &config, *hybrid);
            format!("{:.4} / {:.4}", sums.recall(), sums.sessions / sums.asked)
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    println!("\nChosen without a conversation, measured on it:\n");
    println!(
        "| | left out | by default | as chosen | other than the default |\n|---|---|---|---|---|"
    );
    for (name, set, hybrid) in sets {
        let (mut defaults, mut chosen) = (Sums::default(), Sums::default());
        for (left, one) in set.iter().enumerate() {
            let (tuning, what) = choose(set, left, &config, hybrid)?;
            let by_default = measure(one, &Tuning::default(), &config, hybrid);
            let as_chosen = measure(one, &tuning, &config, hybrid);
            println!(
                "| {name} | {} | {:.4} | {:.4} | {what} |",
                one.name,
                by_default.recall(),
                as_chosen.recall()
            );
            defaults = defaults.plus(by_default);
            chosen = chosen.plus(as_chosen);
        }
        println!(
            "| {name} | **all** | {:.4} | {:.4} | |",
            defaults.recall(),
            chosen.recall()
        );
    }
    Ok(())
}
