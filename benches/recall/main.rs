//! What each step of the ranking gives, on dialogues in LoCoMo's format, without the package around
//! it: `make ablation DATA=folder`. `benches/recall.md` holds what it printed last.
//!
//! Turns and observations are consolidated by the real session end; then every question is asked
//! with each step turned off. With `LOO=1` the constants are chosen anew on all conversations but one
//! and measured on that one (`choose`).

#![allow(
    clippy::indexing_slicing,
    reason = "a measurement stops at data that it does not know"
)]

mod choose;
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
mod own;

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
pub(crate) struct Sums {
    found: f64,
    questions: f64,
    sessions: f64,
    asked: f64,
}

impl Sums {
    pub(crate) fn plus(self, other: Sums) -> Sums {
        Sums {
            found: self.found + other.found,
            questions: self.questions + other.questions,
            sessions: self.sessions + other.sessions,
            asked: self.asked + other.asked,
        }
    }

    pub(crate) fn recall(self) -> f64 {
        self.found / self.questions
    }

    pub(crate) fn session(self) -> f64 {
        self.sessions / self.asked
    }

    pub(crate) fn is_some(self) -> bool {
        self.asked > 0.0
    }
}

/// Conversations to ask about, and how.
pub(crate) struct Set<'a> {
    pub(crate) name: &'static str,
    pub(crate) conversations: &'a [Conversation],
    pub(crate) is_hybrid: bool,
    /// Whether the words around a memory lie beside it.
    pub(crate) is_told: bool,
    /// Whether there is a slip of the pen in each question.
    pub(crate) is_mistyped: bool,
}

pub(crate) fn measure(
    conversation: &Conversation,
    tuning: &Tuning,
    config: &Config,
    hybrid: bool,
) -> Sums {
    let (memories, sessions) = conversation.first;
    let mut sums = Sums::default();
    for question in &conversation.questions {
        let query = Query {
            near: None,
            text: &question.text,
            context: None,
            limit: memories,
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
        let mut first = found.sessions.iter().take(sessions);
        let is_found = first.any(|found| question.sessions.contains(&found.session));
        sums.sessions += f64::from(u8::from(is_found));
        sums.asked += 1.0;
    }
    sums
}

fn all(set: &Set<'_>, tuning: &Tuning, config: &Config) -> Sums {
    let each = set
        .conversations
        .iter()
        .map(|one| measure(one, tuning, config, set.is_hybrid));
    each.fold(Sums::default(), Sums::plus)
}

pub(crate) fn with(tuning: &Tuning, changes: &Value) -> Fallible<Tuning> {
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
        (
            "the message before lends as much as the one after",
            json!({ "before": 1 }),
        ),
        (
            "nothing around what carries it beside it",
            json!({ "told": 0 }),
        ),
        (
            "meaning around what carries words beside it, too",
            json!({ "told_meaning": 0.5 }),
        ),
        (
            "without asking again for what the first hits mean",
            json!({ "again": 0 }),
        ),
        (
            "without times that a question names",
            json!({ "named_time": 0 }),
        ),
        ("without who asks when", json!({ "when": 0 })),
        ("without the session", json!({ "session": 0 })),
        (
            "sessions by their words alone",
            json!({ "session_best": 0 }),
        ),
        ("without speakers and subjects", json!({ "opening": 0 })),
        ("without slips of the pen", json!({ "slips": 0 })),
        (
            "with what all embeddings have in common",
            json!({ "usual": 0 }),
        ),
        ("by words alone", json!({ "meaning": 0 })),
        ("by meaning alone", json!({ "meaning": 1 })),
        (
            "none of these",
            json!({
                "share": 0, "session": 0, "opening": 0, "slips": 0, "usual": 0, "named_time": 0,
                "when": 0, "again": 0,
            }),
        ),
    ]
}

fn main() -> Fallible<()> {
    let mut arguments = env::args().skip(1).filter(|argument| argument != "--bench");
    let folder = arguments
        .next()
        .ok_or("say where the dialogues are: make ablation DATA=folder")?;
    let mut config = Config::default();
    config.recall.standing_importance = 11;
    let mut turns = data::read(&folder, Kind::Turns)?;
    let mut observations = data::read(&folder, Kind::Observations)?;
    let leaves_one_out = env::var("LOO").is_ok_and(|loo| !loo.is_empty());
    if leaves_one_out {
        for one in turns.iter_mut().chain(&mut observations) {
            one.questions.retain(|question| !question.is_adversarial);
        }
    }
    let (zh, en) = ([own::read("recall_zh")?], [own::read("recall_en")?]);
    let mistyped = [own::mistyped("recall_en")?];
    let set = |name, conversations, is_hybrid, is_told| Set {
        name,
        conversations,
        is_hybrid,
        is_told,
        is_mistyped: name.ends_with("mistyped"),
    };
    let sets = [
        set("turns, lexical", &turns, false, false),
        set("turns, hybrid", &turns, true, false),
        set("observations, lexical", &observations, false, true),
        set("observations, hybrid", &observations, true, true),
        set("own, Chinese", &zh, false, false),
        set("own, English", &en, false, false),
        set("the same, mistyped", &mistyped, false, false),
    ];
    if leaves_one_out {
        return choose::print(&sets, &config);
    }
    let names: Vec<&str> = sets.iter().map(|set| set.name).collect();
    println!(
        "| | {} |\n|---|{}",
        names.join(" | "),
        "---|".repeat(sets.len())
    );
    for (name, changes) in steps() {
        let tuning = with(&Tuning::default(), &changes)?;
        let cells = sets.iter().map(|set| {
            let sums = all(set, &tuning, &config);
            format!("{:.4} / {:.4}", sums.recall(), sums.session())
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    Ok(())
}
