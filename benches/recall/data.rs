//! Reads dialogues in LoCoMo's format and settles them through the engine.

use crate::Fallible;
use crate::host::{Answer, MemoryHost};
use serde_json::{Map, Value, json};
use siltstone::engine::Engine;
use siltstone::memory::Memory;
use siltstone::recall::Indexed;
use siltstone::scope::Scope;
use siltstone::vector::Vector;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

const DIMENSIONS: usize = 384;
const DAY_MS: i64 = 86_400_000;
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Turns,
    Observations,
}

pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) is_adversarial: bool,
    pub(crate) evidence: BTreeSet<String>,
    pub(crate) sessions: BTreeSet<String>,
    pub(crate) vector: Option<Vector>,
}

/// Dialogues of one user, with questions.
pub(crate) struct Conversation {
    /// Memories among which the evidence is to be, and sessions.
    pub(crate) first: (usize, usize),
    pub(crate) name: String,
    pub(crate) scope: Scope,
    pub(crate) now_ms: i64,
    pub(crate) indexed: Indexed,
    pub(crate) questions: Vec<Question>,
}

pub(crate) fn read(folder: &str, kind: Kind) -> Fallible<Vec<Conversation>> {
    let mut files: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(|file| file.path());
    let paths = files.iter().map(|file| file.path());
    let data = paths.filter(|path| path.extension().is_some_and(|end| end == "json"));
    data.map(|path| conversation(&path, kind)).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// "D1:3" and the like in a text.
fn turn_ids(value: &Value) -> BTreeSet<String> {
    let text = value.to_string();
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != ':');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_id = |part: &&str| {
        let halves = part.strip_prefix('D').and_then(|rest| rest.split_once(':'));
        halves.is_some_and(|(session, turn)| is_number(session) && is_number(turn))
    };
    parts.filter(is_id).map(str::to_owned).collect()
}

/// "1:56 pm on 8 May, 2023" as ms since 1970, to the day.
fn date(text: &str) -> Option<i64> {
    let (_, day) = text.split_once(" on ")?;
    let day = day.replace(',', "").to_lowercase();
    let mut parts = day.split_whitespace();
    let number: u32 = parts.next()?.parse().ok()?;
    let month = parts.next()?;
    let month = MONTHS.iter().position(|name| month.starts_with(name))? + 1;
    let year: u32 = parts.next()?.parse().ok()?;
    let wanted = format!("{year:04}-{month:02}-{number:02}");
    let known = (0..40_000).map(|day| day * DAY_MS);
    known
        .into_iter()
        .find(|ms| siltstone::prompt::date(*ms) == wanted)
}

fn half_float(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    sign * match exponent {
        0 => fraction * 2f32.powi(-24),
        _ => (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    }
}

fn rows(path: &Path) -> Fallible<Vec<Option<Vector>>> {
    let bytes = fs::read(path)?;
    let numbers: Vec<f32> = bytes
        .chunks_exact(2)
        .filter_map(|pair| Some(half_float(u16::from_le_bytes(pair.try_into().ok()?))))
        .collect();
    Ok(numbers.chunks_exact(DIMENSIONS).map(Vector::new).collect())
}

fn conversation(path: &Path, kind: Kind) -> Fallible<Conversation> {
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let data: Map<String, Value> = serde_json::from_str(&fs::read_to_string(path)?)?;
    let config = match kind {
        Kind::Turns => {
            json!({ "judge": { "mode": "verbatim" }, "summary": { "minMessages": 100_000 } })
        }
        Kind::Observations => json!({ "summary": { "minMessages": 100_000 } }),
    };
    let host = MemoryHost::default();
    if kind == Kind::Observations {
        *host.llm.borrow_mut() = Some(VecDeque::new());
    }
    let engine = Engine::new(host, config, None)?;
    let call = |method: &str, request: Value| {
        Ok::<_, siltstone::error::Error>(json!(pollster::block_on(engine.call(method, request))?))
    };
    for session in (1..100).map(|number| format!("session_{number}")) {
        let Some(turns) = data.get(&session).and_then(Value::as_array) else {
            continue;
        };
        let said = data.get(&format!("{session}_date_time")).map(text);
        let start = said
            .and_then(|said| date(&said))
            .ok_or("a session without a date")?;
        let messages: Vec<Value> = (0i64..)
            .zip(turns)
            .map(|(at, turn)| message(turn, &data, start + at * 1_000))
            .collect();
        engine.host.now.set(start + 3_600_000);
        let scope = json!({ "user": name, "session": session });
        call("append", json!({ "scope": scope, "messages": messages }))?;
        if let Some(answers) = engine.host.llm.borrow_mut().as_mut() {
            let lines = data.get(&format!("{session}_observation"));
            answers.clear();
            answers.push_back(Answer::Text(judged(lines, turns)));
        }
        let report = call("endSession", json!({ "scope": scope }))?;
        if report["status"] != "done" {
            return Err(format!("{name} {session} ended {}", report["status"]).into());
        }
    }
    let mut memories: Vec<Memory> = Vec::new();
    let mut request = json!({ "scope": { "user": name }, "limit": 1_000 });
    loop {
        let page = call("memories.list", request.clone())?;
        let list: Vec<Memory> = serde_json::from_value(page["memories"].clone())?;
        memories.extend(list);
        match page.get("cursor").filter(|cursor| !cursor.is_null()) {
            Some(cursor) => request["cursor"] = cursor.clone(),
            None => break,
        }
    }
    memories.sort_by(|a, b| a.id.cmp(&b.id));
    let base = path.with_file_name("minilm").join(&name);
    let file = |end: &str| base.with_file_name(format!("{name}.{end}"));
    let index: Value = serde_json::from_str(&fs::read_to_string(file("index.json"))?)?;
    let kept = rows(&file(if kind == Kind::Turns {
        "turns.f16"
    } else {
        "observations.f16"
    }))?;
    let mut by_text: BTreeMap<String, Vector> = BTreeMap::new();
    let names = &index[if kind == Kind::Turns {
        "turns"
    } else {
        "observations"
    }];
    for (row, name) in kept.into_iter().zip(names.as_array().into_iter().flatten()) {
        let key = if kind == Kind::Turns {
            text(name)
        } else {
            text(&name[1])
        };
        by_text.extend(row.map(|row| (key, row)));
    }
    let mut vectors = BTreeMap::new();
    for memory in &memories {
        let key = match kind {
            Kind::Turns => memory.message_ids.first().unwrap_or(&memory.content),
            Kind::Observations => &memory.content,
        };
        // A judge's text may have been shortened since.
        let start: String = key.chars().take(40).collect();
        let longer = || {
            by_text
                .range(start.clone()..)
                .next()
                .filter(|(text, _)| text.starts_with(&start))
        };
        let row = by_text.get(key).or_else(|| longer().map(|(_, row)| row));
        vectors.extend(row.map(|row| (memory.id.clone(), row.clone())));
    }
    let asked = rows(&file("questions.f16"))?;
    let questions = data
        .get("qa")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let questions = questions.zip(asked).map(|(question, vector)| {
        let evidence = turn_ids(&question["evidence"]);
        let sessions = evidence
            .iter()
            .filter_map(|id| id.trim_start_matches('D').split(':').next());
        Question {
            text: text(&question["question"]),
            is_adversarial: question["category"] == 5,
            sessions: sessions.map(|number| format!("session_{number}")).collect(),
            evidence,
            vector,
        }
    });
    Ok(Conversation {
        first: (10, 5),
        scope: serde_json::from_value(json!({ "user": name }))?,
        now_ms: engine.host.now.get(),
        indexed: Indexed::new("1".to_owned(), memories, false)
            .with_vectors(vectors.into_iter().collect()),
        questions: questions
            .filter(|question| !question.evidence.is_empty())
            .collect(),
        name,
    })
}

fn message(turn: &Value, data: &Map<String, Value>, at: i64) -> Value {
    let speaker = text(&turn["speaker"]);
    let is_first = data.get("speaker_a").map(text).as_ref() == Some(&speaker);
    let caption = turn["blip_caption"]
        .as_str()
        .map(|caption| format!(" [{caption}]"));
    json!({
        "id": turn["dia_id"],
        "role": if is_first { "user" } else { "assistant" },
        "name": speaker,
        "content": format!("{}{}", text(&turn["text"]), caption.unwrap_or_default()),
        "createdAt": at,
    })
}

/// What a judge would answer: the data's observations, each with the labels of its messages.
fn judged(lines: Option<&Value>, turns: &[Value]) -> String {
    let labels: BTreeMap<String, String> = (0..)
        .zip(turns)
        .map(|(at, turn)| (text(&turn["dia_id"]), format!("m{at}")))
        .collect();
    let lists = lines
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(_, list)| list);
    let mut memories = Vec::new();
    for line in lists.filter_map(Value::as_array).flatten() {
        let from: Vec<&String> = turn_ids(&line[1])
            .iter()
            .filter_map(|id| labels.get(id))
            .collect();
        if !from.is_empty() {
            memories.push(json!({
                "content": line[0], "category": "event", "scope": "user", "importance": 5, "from": from,
            }));
        }
    }
    json!({ "memories": memories }).to_string()
}
