//! The dialogues of our own: `tests/data/recall_*.json`.

use crate::Fallible;
use crate::data::{Conversation, Question};
use serde_json::{Value, json};
use siltstone::memory::Memory;
use siltstone::recall::Indexed;
use std::collections::BTreeSet;
use std::fs;

const DAY_MS: i64 = 86_400_000;

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(crate) fn read(name: &str) -> Fallible<Conversation> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let data: Value = serde_json::from_str(&fs::read_to_string(format!("{folder}/{name}.json"))?)?;
    let mut memories: Vec<Memory> = Vec::new();
    let mut last = 0;
    for (number, session) in (1..).zip(list(&data["sessions"])) {
        let date = text(&session["date"]);
        let day = (15_000..25_000).find(|day| siltstone::prompt::date(day * DAY_MS) == date);
        last = day.ok_or("a session without a date")? * DAY_MS;
        for (at, line) in list(&session["lines"]).enumerate() {
            let id = format!("{number}:{}", at + 1);
            memories.push(serde_json::from_value(json!({
                "id": id, "content": line, "createdAt": last, "lastAccessAt": last,
                "observedAt": last, "weight": 1, "importance": 5, "category": "other",
                "scope": "user", "version": 1, "isValid": true, "sessionId": number.to_string(),
                "position": at, "messageIds": [id],
            }))?);
        }
    }
    let questions = list(&data["questions"]).map(|question| {
        let evidence = list(&question["evidence"]).map(|id| text(id).to_owned());
        let evidence: BTreeSet<String> = evidence.collect();
        let sessions = evidence.iter().filter_map(|id| id.split(':').next());
        Question {
            text: text(&question["question"]).to_owned(),
            is_adversarial: false,
            sessions: sessions.map(str::to_owned).collect(),
            evidence,
            vector: None,
        }
    });
    Ok(Conversation {
        first: (3, 1),
        name: name.to_owned(),
        scope: serde_json::from_value(json!({ "user": "u" }))?,
        now_ms: last + DAY_MS,
        questions: questions.collect(),
        indexed: Indexed::new("1".to_owned(), memories, false),
    })
}

/// The same with a slip of the pen in each question: two letters in the middle of its longest word
/// change places.
pub(crate) fn mistyped(name: &str) -> Fallible<Conversation> {
    let mut own = read(name)?;
    for question in &mut own.questions {
        let words = question.text.split(|c: char| !c.is_ascii_lowercase());
        let Some(word) = words.max_by_key(|word| word.len()) else {
            continue;
        };
        let mut letters: Vec<char> = word.chars().collect();
        let middle = letters.len() / 2;
        if middle > 1 {
            letters.swap(middle - 1, middle);
        }
        let slip: String = letters.into_iter().collect();
        question.text = question.text.replace(word, &slip);
    }
    Ok(own)
}
