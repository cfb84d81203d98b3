//! Behaviour cases as data, and how one is run. The same files are run natively, in wasm, and
//! through the npm package; what comes out must be the same bytes.

use super::host::{Answer, Fault, MemoryHost, Reply, Services};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use siltstone::engine::Engine;
use siltstone::host::VectorMatch;
use std::collections::BTreeMap;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Every file of `tests/cases`, compiled in, so that they run where there is no file system.
        pub const FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../cases/", $name)))),*];
    };
}

include!("../cases/files.rs");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    /// Ids of the rules and faults that it shows.
    pub rules: Vec<String>,
    #[serde(default)]
    config: Value,
    /// Whether there is an LLM; steps queue its answers.
    #[serde(default)]
    llm: bool,
    /// Words that mean the same, for embeddings; without it there are none.
    meanings: Option<BTreeMap<String, String>>,
    /// Whether there is a vector store.
    #[serde(default)]
    vectors: bool,
    #[serde(default)]
    agents: BTreeMap<String, Value>,
    /// Names of memory services that there are; steps queue their answers.
    #[serde(default)]
    providers: Vec<String>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Step {
    call: String,
    request: Value,
    /// Milliseconds that pass before the call.
    #[serde(default)]
    advance: i64,
    /// Answers of the LLM: a text, any JSON (as text), `{"fails": …}` or `{"hangs": true}`.
    #[serde(default)]
    llm: Vec<Value>,
    #[serde(default)]
    faults: Vec<Fault>,
    /// Drops the hot cache before the call.
    #[serde(default)]
    drop_cache: bool,
    /// What the vector store answers besides what it finds: id and score.
    #[serde(default)]
    strays: Vec<(String, f64)>,
    /// How many vectors the vector store holds after the call.
    vectors: Option<usize>,
    /// Makes row `n` of every cached list unreadable before the call.
    damage_cache_row: Option<usize>,
    /// How often the step is run, `#` in its strings standing for the count from 0.
    #[serde(default = "once")]
    repeat: usize,
    /// What the answer holds at least.
    expect: Option<Value>,
    /// What the error holds at least.
    error: Option<Value>,
    /// Answers of memory services: the first that is left and fits the path of a request.
    #[serde(default)]
    provider: Vec<Value>,
    /// What the requests to memory services hold at least, in order.
    provider_saw: Option<Vec<Value>>,
    /// Texts that the requests to the LLM hold, in order.
    #[serde(default)]
    llm_saw: Vec<Value>,
    /// Texts that they must not hold.
    #[serde(default)]
    llm_missed: Vec<String>,
    /// Names for values of the answer, by JSON pointer, written `$name` later.
    #[serde(default)]
    save: BTreeMap<String, String>,
}

fn once() -> usize {
    1
}

/// 2026-01-05 10:00 UTC, a Monday.
const START_MS: i64 = 1_767_607_200_000;

/// Runs every case of a file. Gives what came out, and what was wrong.
pub async fn run_file(file: &str, text: &str) -> (Value, Vec<String>) {
    let cases: Vec<Case> = match serde_json::from_str(text) {
        Ok(cases) => cases,
        Err(error) => return (Value::Null, vec![format!("{file}: {error}")]),
    };
    let mut outputs = Map::new();
    let mut faults = Vec::new();
    for case in cases {
        let name = format!("{file}: {}", case.name);
        if case.rules.is_empty() {
            faults.push(format!("{name}: names no rule"));
        }
        let (output, wrong) = run(case).await;
        faults.extend(wrong.into_iter().map(|wrong| format!("{name}: {wrong}")));
        if outputs.insert(name.clone(), output).is_some() {
            faults.push(format!("{name}: two cases of this name"));
        }
    }
    (Value::Object(outputs), faults)
}

async fn run(case: Case) -> (Value, Vec<String>) {
    let host = MemoryHost::default();
    host.now.set(START_MS);
    *host.agents.borrow_mut() = case.agents;
    *host.meanings.borrow_mut() = case.meanings;
    if !case.providers.is_empty() {
        *host.services.borrow_mut() = Services::Scripted {
            names: case.providers,
            replies: Vec::new(),
        };
    }
    if case.vectors {
        *host.vectors.borrow_mut() = Some(BTreeMap::new());
    }
    if case.llm {
        *host.llm.borrow_mut() = Some(Default::default());
    }
    let engine = match Engine::new(host, case.config, None) {
        Ok(engine) => engine,
        Err(error) => {
            let expected = case.steps.first().and_then(|step| step.error.clone());
            let error = json!(error);
            let mut wrong = Vec::new();
            differs(&expected.unwrap_or_default(), &error, "error", &mut wrong);
            return (json!({ "error": error }), wrong);
        }
    };
    let mut outputs = Vec::new();
    let mut wrong = Vec::new();
    let mut saved = BTreeMap::new();
    for (index, step) in case.steps.into_iter().enumerate() {
        for count in 0..step.repeat {
            let at = format!("step {index}");
            let output = run_step(&engine, &step, count, &mut saved, &at, &mut wrong).await;
            outputs.push(output);
        }
    }
    let store: Map<String, Value> = engine
        .host
        .store
        .borrow()
        .iter()
        .map(|(key, (value, _))| (key.clone(), json!(value)))
        .collect();
    let mut output = json!({ "steps": outputs, "store": store });
    if let Some(vectors) = engine.host.vectors.borrow().as_ref() {
        let held = vectors.iter().map(|(id, item)| {
            let whose = json!({ "namespace": item.namespace, "cube": item.cube });
            (id.clone(), whose)
        });
        output["vectors"] = Value::Object(held.collect());
    }
    (output, wrong)
}

async fn run_step(
    engine: &Engine<MemoryHost>,
    step: &Step,
    count: usize,
    saved: &mut BTreeMap<String, Value>,
    at: &str,
    wrong: &mut Vec<String>,
) -> Value {
    prepare(&engine.host, step);
    if let Services::Scripted { replies, .. } = &mut *engine.host.services.borrow_mut() {
        let filled = step.provider.iter().map(|reply| fill(reply, saved, count));
        *replies = filled
            .map(|reply| serde_json::from_value(reply).unwrap())
            .collect::<Vec<Reply>>();
    }
    let request = fill(&step.request, saved, count);
    let result = engine.call(&step.call, request).await;
    let output = match &result {
        Ok(response) => json!({ "result": response }),
        Err(error) => json!({ "error": error }),
    };
    match (&step.expect, &step.error) {
        (_, Some(expected)) => differs(
            &fill(expected, saved, count),
            output.get("error").unwrap_or(&Value::Null),
            &format!("{at} error"),
            wrong,
        ),
        (Some(expected), None) => differs(
            &fill(expected, saved, count),
            output.get("result").unwrap_or(&output),
            &format!("{at} result"),
            wrong,
        ),
        (None, None) if result.is_err() => wrong.push(format!("{at} failed: {output}")),
        (None, None) => {}
    }
    for (name, pointer) in &step.save {
        match output
            .get("result")
            .and_then(|result| result.pointer(pointer))
        {
            Some(value) => drop(saved.insert(name.clone(), value.clone())),
            None => wrong.push(format!("{at}: nothing at {pointer} to save: {output}")),
        }
    }
    check_llm(&engine.host, step, at, wrong);
    let held = engine.host.vectors.borrow().as_ref().map(BTreeMap::len);
    if step.vectors.is_some() && step.vectors != held {
        wrong.push(format!("{at}: the vector store holds {held:?} vectors"));
    }
    let asked = engine.host.asked.take();
    let logged = engine.host.logged.take();
    let sent = engine.host.sent.take();
    if let Some(saw) = &step.provider_saw {
        let at = format!("{at} provider saw");
        differs(&fill(&json!(saw), saved, count), &json!(sent), &at, wrong);
    }
    let mut seen = json!({ "output": output, "asked": asked, "logged": logged, "sent": sent });
    if let Some(held) = held {
        seen["vectors"] = json!(held);
    }
    seen
}

fn prepare(host: &MemoryHost, step: &Step) {
    host.now.set(host.now.get() + step.advance);
    *host.faults.borrow_mut() = step.faults.clone();
    let strays = step.strays.iter().cloned();
    *host.strays.borrow_mut() = strays
        .map(|(id, score)| VectorMatch { id, score })
        .collect();
    if let Some(queue) = host.llm.borrow_mut().as_mut() {
        queue.clear();
        queue.extend(step.llm.iter().map(|answer| match answer {
            Value::String(text) => Answer::Text(text.clone()),
            Value::Object(object) if object.contains_key("hangs") => Answer::Hangs,
            Value::Object(object) if object.contains_key("fails") => {
                Answer::Fails(object["fails"].to_string())
            }
            json => Answer::Text(json.to_string()),
        }));
    }
    if step.drop_cache {
        host.cache.borrow_mut().clear();
    }
    if let Some(row) = step.damage_cache_row {
        for (value, _) in host.cache.borrow_mut().values_mut() {
            let mut cached: Value = serde_json::from_str(value).unwrap_or_default();
            if let Some(damaged) = cached.pointer_mut(&format!("/d/rows/{row}")) {
                *damaged = json!("damaged");
                *value = cached.to_string();
            }
        }
    }
}

fn check_llm(host: &MemoryHost, step: &Step, at: &str, wrong: &mut Vec<String>) {
    let asked = host.asked.borrow();
    let prompts: Vec<String> = asked
        .iter()
        .map(|request| {
            let contents: Vec<&str> = request
                .messages
                .iter()
                .map(|m| m.content.as_str())
                .collect();
            contents.join("\n")
        })
        .collect();
    if !step.llm_saw.is_empty() && step.llm_saw.len() != prompts.len() {
        wrong.push(format!("{at}: the LLM was asked {} times", prompts.len()));
    }
    for (expected, prompt) in step.llm_saw.iter().zip(&prompts) {
        let texts = expected
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![expected.clone()]);
        for text in texts.iter().filter_map(Value::as_str) {
            if !prompt.contains(text) {
                wrong.push(format!("{at}: the LLM did not see {text:?} in {prompt}"));
            }
        }
    }
    for text in &step.llm_missed {
        if prompts.iter().any(|prompt| prompt.contains(text)) {
            wrong.push(format!("{at}: the LLM saw {text:?}"));
        }
    }
}

/// Puts saved values in the place of `$name`, the count in the place of `#`; `{"$repeat": [text,
/// n]}` is a long text.
fn fill(value: &Value, saved: &BTreeMap<String, Value>, count: usize) -> Value {
    match value {
        Value::String(text) => match text.strip_prefix('$').and_then(|name| saved.get(name)) {
            Some(value) => value.clone(),
            None => json!(text.replace('#', &count.to_string())),
        },
        Value::Array(items) => items.iter().map(|item| fill(item, saved, count)).collect(),
        Value::Object(fields) => {
            if let Some([text, times]) = fields
                .get("$repeat")
                .and_then(Value::as_array)
                .map(Vec::as_slice)
            {
                let times = usize::try_from(times.as_u64().unwrap_or(0)).unwrap_or(0);
                return json!(text.as_str().unwrap_or_default().repeat(times));
            }
            let filled = |(key, value): (&String, &Value)| (key.clone(), fill(value, saved, count));
            Value::Object(fields.iter().map(filled).collect())
        }
        other => other.clone(),
    }
}

/// Notes where `actual` does not hold what is expected: objects may hold more, lists may not;
/// `{"$contains": …}` and `{"$lacks": …}` look into texts or lists, `{"$absent": true}` wants
/// nothing there, `{"$max": n}` a number not above.
fn differs(expected: &Value, actual: &Value, at: &str, wrong: &mut Vec<String>) {
    if let Value::Object(fields) = expected {
        if let Some(operators) = operators(fields) {
            if !operators
                .iter()
                .all(|(name, value)| holds(name, value, actual))
            {
                wrong.push(format!("{at}: expected {expected}, got {actual}"));
            }
            return;
        }
        for (key, value) in fields {
            let there = actual.get(key).unwrap_or(&Value::Null);
            differs(value, there, &format!("{at}.{key}"), wrong);
        }
        if !actual.is_object() {
            wrong.push(format!("{at}: expected {expected}, got {actual}"));
        }
        return;
    }
    match (expected, actual) {
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            for (index, (want, got)) in want.iter().zip(got).enumerate() {
                differs(want, got, &format!("{at}[{index}]"), wrong);
            }
        }
        _ if expected == actual => {}
        _ => wrong.push(format!("{at}: expected {expected}, got {actual}")),
    }
}

fn operators(fields: &Map<String, Value>) -> Option<&Map<String, Value>> {
    let all = !fields.is_empty() && fields.keys().all(|key| key.starts_with('$'));
    all.then_some(fields)
}

fn holds(name: &str, wanted: &Value, actual: &Value) -> bool {
    let texts = match wanted {
        Value::Array(texts) => texts.clone(),
        text => vec![text.clone()],
    };
    let has = |text: &Value| match (text, actual) {
        (Value::String(text), Value::String(actual)) => actual.contains(text.as_str()),
        (_, Value::Array(items)) => items.iter().any(|item| {
            let mut wrong = Vec::new();
            differs(text, item, "", &mut wrong);
            wrong.is_empty()
        }),
        _ => false,
    };
    match name {
        "$contains" => texts.iter().all(has),
        "$lacks" => !texts.iter().any(has),
        "$absent" => actual.is_null(),
        "$present" => !actual.is_null(),
        "$length" => {
            let length = match actual {
                Value::Array(items) => items.len(),
                Value::String(text) => text.chars().count(),
                _ => return false,
            };
            wanted.as_u64() == u64::try_from(length).ok()
        }
        "$max" => actual.as_f64() <= wanted.as_f64() && actual.is_number(),
        "$min" => actual.as_f64() >= wanted.as_f64() && actual.is_number(),
        _ => false,
    }
}
