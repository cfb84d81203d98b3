//! What people and apps do, drawn call by call.

use crate::checkers;
use crate::host::Instance;
use crate::judge;
use crate::plan::Fault;
use crate::world::{HEIR, PEOPLE, Running, Sent, World};
use serde_json::{Value, json};
use siltstone::engine::Engine;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub const SESSIONS: [&str; 2] = ["s", "s!1"];

/// What outlives a crash of the instance that a person talks to.
pub struct Script {
    pub person: usize,
    pub session: &'static str,
    pub agent: Option<&'static str>,
    pub left: Cell<usize>,
    /// A request whose answer was never seen, to be sent again.
    pub open: RefCell<Option<(String, Value)>>,
}

/// A request that somebody else sends at the same time.
pub struct Copy {
    pub person: Option<usize>,
    pub method: String,
    pub request: Value,
}

pub struct Caller {
    pub world: Rc<World>,
    pub engine: Rc<Engine<Instance>>,
    pub copies: Rc<RefCell<Vec<Copy>>>,
}

impl Caller {
    /// Runs a call and holds what it answers against the invariants.
    pub async fn call(&self, person: Option<usize>, method: &str, request: Value) -> Option<Value> {
        let world = &self.world;
        world.with_running(|running| {
            *running = Running {
                name: running.name.clone(),
                person,
                proposed: Vec::new(),
            };
        });
        world.note(|| format!("{method} {request}"));
        before(world, person, method, &request);
        let answer = self.engine.call(method, request.clone()).await;
        let answer = match answer {
            Ok(answer) => json!(answer),
            Err(error) => {
                world.note(|| format!("{method} -> {error}"));
                checkers::isolation::text(world, person, &json!(error));
                return None;
            }
        };
        world.note(|| format!("{method} -> {answer}"));
        after(world, person, method, &request, &answer);
        checkers::answer(world, person, method, &request, &answer);
        Some(answer)
    }

    pub async fn run(&self, script: &Script) {
        let world = &self.world;
        let open = script.open.borrow().clone();
        if let Some((method, request)) = open {
            self.call(Some(script.person), &method, request).await;
        }
        while script.left.get() > 0 {
            script.left.set(script.left.get() - 1);
            self.step(script).await;
            script.open.take();
            if world.rng.chance(200) {
                world.pause().await;
            }
        }
    }

    /// A call that is sent again if nobody lives to see its answer.
    async fn send(&self, script: &Script, method: &str, request: Value) -> Option<Value> {
        *script.open.borrow_mut() = Some((method.to_owned(), request.clone()));
        let person = Some(script.person);
        if self.world.fails(Fault::Twice) {
            let copy = Copy {
                person,
                method: method.to_owned(),
                request: request.clone(),
            };
            if self.world.rng.chance(500) {
                self.copies.borrow_mut().push(copy);
            } else {
                self.call(person, method, request.clone()).await;
            }
        }
        self.call(person, method, request).await
    }

    async fn step(&self, script: &Script) {
        let world = &self.world;
        let rng = &world.rng;
        let scope = scope(script, true);
        match rng.below(30) {
            0..=8 => {
                let messages = self.messages(script);
                self.send(
                    script,
                    "append",
                    json!({ "scope": scope, "messages": messages }),
                )
                .await;
            }
            9..=11 => {
                let message = format!("What about {}?", PEOPLE[script.person].word);
                self.send(
                    script,
                    "load",
                    json!({ "scope": scope, "message": message }),
                )
                .await;
            }
            12..=15 => {
                self.send(script, "endSession", json!({ "scope": scope }))
                    .await;
            }
            16 => {
                let query = format!("{} lives keeps likes", PEOPLE[script.person].word);
                let cold = rng.chance(500) && !world.plan.memos;
                self.send(
                    script,
                    "recall",
                    json!({ "scope": scope, "query": query, "cold": cold }),
                )
                .await;
            }
            17 | 18 => {
                let content = judge::fact(world, script.person);
                let memory = json!({ "content": content, "facts": judge::keyed(&content),
                    "importance": 1 + rng.below(10) });
                self.send(
                    script,
                    "memories.add",
                    json!({ "scope": scope, "memory": memory }),
                )
                .await;
            }
            19..=24 => self.by_hand(script).await,
            25 => self.remove(script).await,
            26 => self.hand_over(script).await,
            27 | 28 => {
                let limit = 1 + rng.below(3);
                self.call(None, "maintain", json!({ "limit": limit })).await;
            }
            _ => {
                self.call(None, "replay", json!({ "limit": 1 + rng.below(20) }))
                    .await;
            }
        }
    }

    fn messages(&self, script: &Script) -> Vec<Value> {
        let world = &self.world;
        let word = PEOPLE[script.person].word;
        let mut messages = Vec::new();
        for _ in 0..1 + world.rng.below(3) {
            let id = format!("m{}", world.number());
            match world.rng.below(6) {
                0 => {
                    let call = json!({ "id": format!("c{id}"), "type": "function",
                        "function": { "name": "look", "arguments": "{}" } });
                    messages.push(json!({ "id": id, "role": "assistant", "content": "",
                        "tool_calls": [call] }));
                    // Sometimes its result never comes.
                    if world.rng.chance(800) {
                        messages.push(json!({ "id": format!("r{id}"), "role": "tool",
                            "tool_call_id": format!("c{id}"), "content": format!("{word} was there") }));
                    }
                }
                1 | 2 => messages.push(json!({ "id": id, "role": "assistant",
                    "content": format!("Well, {word}, that is good to hear. ").repeat(1 + world.rng.below(6)) })),
                _ => messages.push(json!({ "id": id, "role": "user",
                    "content": format!("Remember: {}", judge::fact(world, script.person)) })),
            }
        }
        messages
    }

    async fn by_hand(&self, script: &Script) {
        let world = &self.world;
        let rng = &world.rng;
        let whole = scope(script, false);
        if world.plan.memos {
            let mut ids: Vec<String> = Vec::new();
            let query = format!("{} lives likes keeps", PEOPLE[script.person].word);
            let found = self
                .call(
                    Some(script.person),
                    "recall",
                    json!({ "scope": whole, "query": query }),
                )
                .await;
            for hit in found
                .iter()
                .flat_map(|found| found["hits"].as_array())
                .flatten()
            {
                ids.extend(
                    hit["memory"]["id"]
                        .as_str()
                        .or(hit["id"].as_str())
                        .map(str::to_owned),
                );
            }
            if !ids.is_empty() {
                let id = rng.pick(&ids);
                self.send(
                    script,
                    "memories.forget",
                    json!({ "scope": whole, "id": id }),
                )
                .await;
            }
            return;
        }
        if rng.chance(150) {
            let asked = self
                .call(
                    Some(script.person),
                    "memories.questions",
                    json!({ "scope": whole }),
                )
                .await;
            let ids = texts(
                asked
                    .as_ref()
                    .map_or(&Value::Null, |asked| &asked["questions"]),
            );
            if !ids.is_empty() {
                let keep = rng.pick(&["old", "new", "both"]);
                self.send(
                    script,
                    "memories.answer",
                    json!({ "scope": whole, "id": rng.pick(&ids), "keep": keep }),
                )
                .await;
            }
            return;
        }
        let all = json!({ "scope": whole, "includeInvalid": rng.chance(400) });
        let listed = self.call(Some(script.person), "memories.list", all).await;
        let ids = texts(
            listed
                .as_ref()
                .map_or(&Value::Null, |listed| &listed["memories"]),
        );
        if ids.is_empty() {
            return;
        }
        let id = rng.pick(&ids).clone();
        let of_id = json!({ "scope": whole, "id": id });
        match rng.below(9) {
            0 | 1 => {
                let word = PEOPLE[script.person].word;
                let content = format!("{word} rewrote note {}", world.number());
                self.send(
                    script,
                    "memories.update",
                    json!({ "scope": whole, "id": id, "patch": { "content": content } }),
                )
                .await;
            }
            2 => {
                self.send(script, "memories.pin", of_id).await;
            }
            3 => {
                self.send(script, "memories.unpin", of_id).await;
            }
            4 | 5 => {
                let hard = rng.chance(400);
                self.send(
                    script,
                    "memories.forget",
                    json!({ "scope": whole, "id": id, "hard": hard }),
                )
                .await;
            }
            6 => {
                self.send(script, "memories.restore", of_id).await;
            }
            7 => {
                self.send(script, "memories.allow", of_id).await;
            }
            _ => {
                self.send(script, "memories.history", of_id).await;
            }
        }
    }

    async fn remove(&self, script: &Script) {
        let key = (script.person, script.session.to_owned());
        let ids: Vec<String> = self
            .world
            .sent
            .borrow()
            .get(&key)
            .map_or_else(Vec::new, |sent| sent.keys().cloned().collect());
        if ids.is_empty() {
            return;
        }
        let id = self.world.rng.pick(&ids);
        self.send(
            script,
            "removeMessages",
            json!({ "scope": scope(script, true), "ids": [id] }),
        )
        .await;
    }

    /// Exports a person and imports what there is for the heir.
    async fn hand_over(&self, script: &Script) {
        if self.world.plan.memos {
            return;
        }
        let from = scope(script, false);
        let to = json!({ "tenant": PEOPLE[HEIR].tenant, "user": PEOPLE[HEIR].user });
        self.world.heard.borrow_mut()[HEIR].insert(script.person);
        let mut cursor = Value::Null;
        loop {
            let mut request = json!({ "scope": from, "limit": 50 });
            if cursor.is_string() {
                request["cursor"] = cursor;
            }
            let Some(page) = self.call(Some(script.person), "export", request).await else {
                return;
            };
            let lines = page["lines"].clone();
            if self
                .call(Some(HEIR), "import", json!({ "scope": to, "lines": lines }))
                .await
                .is_none()
            {
                return;
            }
            cursor = page["cursor"].clone();
            if cursor.is_null() {
                return;
            }
        }
    }
}

fn texts(of: &Value) -> Vec<String> {
    let all = of.as_array().into_iter().flatten();
    all.filter_map(|one| one["id"].as_str().map(str::to_owned))
        .collect()
}

pub fn scope(script: &Script, with_session: bool) -> Value {
    let person = &PEOPLE[script.person];
    let mut scope = json!({ "tenant": person.tenant, "user": person.user });
    if with_session {
        scope["session"] = json!(script.session);
        if let Some(agent) = script.agent {
            scope["agent"] = json!(agent);
        }
    }
    scope
}

fn session_of(person: Option<usize>, request: &Value) -> Option<(usize, String)> {
    Some((person?, request["scope"]["session"].as_str()?.to_owned()))
}

fn before(world: &World, person: Option<usize>, method: &str, request: &Value) {
    let moment = world.tick();
    let Some(key) = session_of(person, request) else {
        return;
    };
    let mut all = world.sent.borrow_mut();
    let sent = all.entry(key).or_default();
    if method == "append" {
        for id in texts(&request["messages"]) {
            sent.entry(id).or_insert(Sent {
                from: moment,
                ..Sent::default()
            });
        }
    }
    if method == "removeMessages" {
        for id in request["ids"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            sent.entry(id.to_owned()).or_default().may_be_removed = true;
        }
    }
}

fn after(world: &World, person: Option<usize>, method: &str, request: &Value, answer: &Value) {
    let moment = world.tick();
    if let (Some(person), Some(_)) = (
        person,
        answer.get("dropped").filter(|_| method == "endSession"),
    ) {
        let lists = [&answer["merged"], &answer["dropped"]];
        let all = lists.into_iter().filter_map(Value::as_array).flatten();
        let contents = all.filter_map(|one| one["content"].as_str());
        world
            .reported
            .borrow_mut()
            .extend(contents.map(|content| (person, content.to_owned())));
    }
    let Some(key) = session_of(person, request).filter(|_| method == "append") else {
        return;
    };
    let mut all = world.sent.borrow_mut();
    let sent = all.entry(key).or_default();
    for id in texts(&request["messages"]) {
        sent.entry(id).or_default().by.get_or_insert(moment);
    }
}
