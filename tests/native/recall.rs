//! Recall on dialogues of our own, English and Chinese: it stays better than plain BM25, and above a
//! floor. What has changed is answered with what holds now.

use crate::support::host::MemoryHost;
use serde::Deserialize;
use serde_json::{Value, json};
use siltstone::config::Config;
use siltstone::engine::Engine;
use siltstone::index::{Bm25, Lexical, Tuning};
use siltstone::memory::Memory;
use siltstone::recall::{Indexed, Query};
use siltstone::scope::Scope;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const DAY: i64 = 86_400_000;
const FIRST: usize = 3;

const FLOOR_ZH: f64 = 0.75;
const FLOOR_ZH_SESSION: f64 = 0.85;
const FLOOR_EN: f64 = 0.72;
const FLOOR_EN_SESSION: f64 = 0.76;

#[derive(Deserialize)]
struct Set {
    sessions: Vec<Session>,
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Session {
    date: String,
    lines: Vec<String>,
}

#[derive(Deserialize)]
struct Question {
    question: String,
    evidence: BTreeSet<String>,
}

/// Days since 1970 of a date.
fn day(date: &str) -> i64 {
    let known = (15_000..25_000).find(|day| siltstone::prompt::date(day * DAY) == date);
    known.unwrap()
}

fn memories(set: &Set) -> Vec<Memory> {
    let mut all = Vec::new();
    for (number, session) in (1..).zip(&set.sessions) {
        for (at, line) in session.lines.iter().enumerate() {
            let id = format!("{number}:{}", at + 1);
            let time = day(&session.date) * DAY;
            let memory = json!({
                "id": id, "content": line, "createdAt": time, "lastAccessAt": time,
                "observedAt": time, "weight": 1, "importance": 5, "category": "other",
                "scope": "user", "version": 1, "isValid": true, "sessionId": number.to_string(),
                "position": at, "messageIds": [id],
            });
            all.push(serde_json::from_value(memory).unwrap());
        }
    }
    all
}

fn share(found: &[String], wanted: &BTreeSet<String>) -> f64 {
    let hits = wanted.iter().filter(|id| found.contains(id)).count();
    hits as f64 / wanted.len() as f64
}

/// The share of the evidence among the first memories: by plain BM25, by recall, and the share of
/// questions whose session comes first.
fn measure(json: &str) -> [f64; 3] {
    let set: Set = serde_json::from_str(json).unwrap();
    let all = memories(&set);
    let mut plain = Lexical::new(Bm25 {
        k1: 1.2,
        b: 0.75,
        ..Bm25::default()
    });
    for (doc, memory) in (0u32..).zip(&all) {
        plain.insert(doc, &memory.content);
    }
    let indexed = Indexed::new("1".to_owned(), all.clone(), false);
    let scope: Scope = serde_json::from_value(json!({ "user": "u" })).unwrap();
    let mut sums = [0.0; 3];
    for Question { question, evidence } in &set.questions {
        let hits = plain.search(question);
        let ids = hits
            .iter()
            .take(FIRST)
            .map(|hit| all[hit.doc as usize].id.clone());
        sums[0] += share(&ids.collect::<Vec<_>>(), evidence);
        let query = Query {
            near: None,
            text: question,
            context: None,
            limit: FIRST,
            keyword_only: false,
            vector: None,
            filter_sensitive: false,
        };
        let found = indexed.search(&scope, &query, &Config::default(), day("2026-01-01") * DAY);
        let ids = found.hits.iter().map(|hit| hit.memory.id.clone());
        sums[1] += share(&ids.collect::<Vec<_>>(), evidence);
        let first = found
            .sessions
            .first()
            .map(|found| format!("{}:", found.session));
        let is_right = first.is_some_and(|first| evidence.iter().any(|id| id.starts_with(&first)));
        sums[2] += f64::from(u8::from(is_right));
    }
    sums.map(|sum| sum / set.questions.len() as f64)
}

#[test]
fn chinese_dialogues_are_found_better_than_by_plain_bm25() {
    let [plain, found, session] = measure(include_str!("../data/recall_zh.json"));
    println!("zh: plain {plain:.4}, recall {found:.4}, first session {session:.4}");
    assert!(found > plain + 0.05, "{found} {plain}");
    assert!(
        found >= FLOOR_ZH && session >= FLOOR_ZH_SESSION,
        "{found} {session}"
    );
}

#[test]
fn english_dialogues_are_found_better_than_by_plain_bm25() {
    let [plain, found, session] = measure(include_str!("../data/recall_en.json"));
    println!("en: plain {plain:.4}, recall {found:.4}, first session {session:.4}");
    assert!(found > plain + 0.05, "{found} {plain}");
    assert!(
        found >= FLOOR_EN && session >= FLOOR_EN_SESSION,
        "{found} {session}"
    );
}

/// A fact, what it changed to, and a question about it.
#[derive(Deserialize)]
struct Change {
    first: String,
    then: String,
    ask: String,
    now: String,
    before: String,
}

#[test]
fn what_has_changed_is_answered_with_what_holds_now() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/updates.json");
    let changes: Vec<Change> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut faults = Vec::new();
    for has_meaning in [false, true] {
        for change in &changes {
            let found = after(change, has_meaning);
            let is_first = found.first().is_some_and(|text| text.contains(&change.now));
            if !is_first || found.iter().any(|text| text.contains(&change.before)) {
                faults.push(format!("{} {has_meaning}: {found:?}", change.ask));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is recalled for the question when both facts were said, with other talk between them.
fn after(change: &Change, has_meaning: bool) -> Vec<String> {
    let host = MemoryHost::default();
    if has_meaning {
        *host.meanings.borrow_mut() = Some(BTreeMap::new());
    }
    let engine = Engine::new(host, json!({ "judge": { "mode": "rules" } }), None).unwrap();
    let call = |method: &str, request: Value| {
        json!(pollster::block_on(engine.call(method, request)).unwrap())
    };
    let other = "I have a cat. I drink tea in the morning. My sister is called Ines.";
    let talks = [
        ("a", change.first.as_str()),
        ("b", other),
        ("c", &change.then),
    ];
    for (day, (session, text)) in (20_000..).zip(talks) {
        engine.host.now.set(day * DAY);
        let scope = json!({ "user": "u", "session": session });
        let messages = json!([{ "role": "user", "content": text }]);
        call("append", json!({ "scope": scope, "messages": messages }));
        call("endSession", json!({ "scope": scope }));
    }
    let found = call(
        "recall",
        json!({ "scope": { "user": "u" }, "query": change.ask }),
    );
    let hits = found["hits"].as_array().unwrap().iter();
    hits.map(|hit| hit["memory"]["content"].as_str().unwrap().to_owned())
        .collect()
}

/// The table that `make ablation LOO=1` printed: each default, and what was chosen without each of the
/// conversations.
#[test]
fn defaults_are_the_medians_of_what_was_chosen() {
    let record = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/recall.md");
    let record = fs::read_to_string(record).unwrap();
    let rows = record
        .lines()
        .skip_while(|line| !line.starts_with("| | default |"));
    let rows: Vec<&str> = rows
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let defaults = serde_json::to_value(Tuning::default()).unwrap();
    assert!(rows.len() > 10);
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let numbers = cells.iter().skip(1).map(|cell| cell.parse().unwrap());
        let numbers: Vec<f64> = numbers.collect();
        let mut chosen = numbers[1..numbers.len() - 1].to_vec();
        chosen.sort_by(f64::total_cmp);
        assert_eq!(chosen.len(), 5, "{row}");
        assert_eq!(numbers[0], chosen[2], "{row}");
        assert_eq!(defaults[cells[0]], numbers[0], "{row}");
    }
}
