//! Months of a user's life in seconds: thousands of sessions through the real engine, with a clock
//! that the test turns.

use crate::support::host::{Answer, MemoryHost};
use serde_json::{Value, json};
use siltstone::engine::Engine;
use std::collections::{BTreeMap, BTreeSet};

/// Everything below follows from this number.
const SEED: u64 = 20_260_105;
const DAYS: i64 = 180;
const SESSIONS_A_DAY: i64 = 12;
const MAX_HOT: usize = 150;
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
const START: i64 = 1_767_607_200_000;

const CITIES: &[&str] = &[
    "Porto", "Lisbon", "Hangzhou", "Oslo", "Berlin", "Kyoto", "Lima", "Cairo",
];
const FIRMS: &[&str] = &[
    "Acme", "Globex", "Initech", "Umbrella", "Hooli", "Vandelay", "Stark",
];
const DRINKS: &[&str] = &[
    "cortado", "espresso", "matcha", "cider", "lemonade", "rooibos", "cocoa",
];
const DISHES: &[&str] = &["sushi", "lasagna", "tacos", "ramen", "falafel"];
const ANIMALS: &[&str] = &[
    "heron", "otter", "badger", "kestrel", "newt", "stoat", "magpie", "hedgehog", "swan", "toad",
];
const PLACES: &[&str] = &[
    "canal", "orchard", "quarry", "harbour", "bakery", "viaduct", "meadow", "library", "depot",
    "chapel",
];
const VERBS: &[&str] = &[
    "saw", "photographed", "followed", "sketched", "heard", "missed", "fed",
];
const THINGS: &[&str] = &[
    "kiln", "sextant", "loom", "theremin", "bellows", "lathe", "astrolabe", "zither", "anvil",
    "gramophone", "periscope", "metronome",
];
const MAKERS: &[&str] = &[
    "Okafor", "Lindqvist", "Moreau", "Tanaka", "Haddad", "Novak", "Silva",
];

/// Pinned in the first days and never changed.
const PINNED: &[&str] = &[
    "User is allergic to peanuts",
    "User has a sister called Ines",
    "Answers should be in British English",
    "The deploy key is kept in the team vault",
    "User speaks Portuguese natively",
];

/// Told once, of little importance, and asked about again and again.
const USED: &[(&str, &str)] = &[
    (
        "The bicycle lock opens with the green key",
        "which key opens the bicycle lock",
    ),
    (
        "The printer wants A4 paper in tray two", "which tray of the printer takes paper",
    ),
    (
        "Yoga class begins at a quarter past seven",
        "when does yoga class begin",
    ),
];

struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(below).unwrap()).unwrap()
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }
}

struct Life {
    engine: Engine<MemoryHost>,
    dice: Dice,
    sessions: usize,
    /// What the rule judge is told, by attribute: how it is said, and the value that holds.
    holds: BTreeMap<&'static str, &'static str>,
    /// Whether each dish is liked now.
    likes: BTreeMap<&'static str, bool>,
    /// Ids and texts of what matters a bit and was told once.
    told_once: Vec<(String, String, String)>,
    forgotten: BTreeSet<String>,
    evicted: usize,
    curve: Vec<(i64, Value)>,
}

impl Life {
    fn call(&self, method: &str, request: Value) -> Value {
        let said = format!("{method} {request}");
        let response = pollster::block_on(self.engine.call(method, request));
        json!(response.map_err(|error| (said, error)).unwrap())
    }

    /// One session; with an answer the language model judges, else the rules do.
    fn session(&mut self, said: &str, answer: Option<Value>) -> Value {
        self.sessions += 1;
        let scope = json!({ "user": "ana", "session": format!("s{}", self.sessions) });
        let messages = json!([
            { "role": "user", "content": said },
            { "role": "assistant", "content": "I see." },
        ]);
        self.call("append", json!({ "scope": scope, "messages": messages }));
        *self.engine.host.llm.borrow_mut() = answer
            .map(|memories| [Answer::Text(json!({ "memories": memories }).to_string())].into());
        let report = self.call("endSession", json!({ "scope": scope }));
        *self.engine.host.llm.borrow_mut() = None;
        self.note(&report);
        report
    }

    fn note(&mut self, report: &Value) {
        for fate in report["forgotten"].as_array().into_iter().flatten() {
            self.forgotten
                .insert(fate["id"].as_str().unwrap().to_owned());
        }
        let evicted = report["evicted"].as_array().map_or(0, Vec::len);
        self.evicted += evicted;
    }

    fn chatter(&mut self, day: i64) {
        let dice = &mut self.dice;
        let (verb, animal, place) = (dice.pick(VERBS), dice.pick(ANIMALS), dice.pick(PLACES));
        let importance = dice.roll(4) + 1;
        let content = format!("On day {day} User {verb} a {animal} near the {place}");
        let memory = json!([{ "content": content, "importance": importance, "category": "event" }]);
        self.session(&content, Some(memory));
    }

    fn tell_once(&mut self, number: usize) {
        let thing = THINGS[number % THINGS.len()];
        let maker = MAKERS[number / THINGS.len() % MAKERS.len()];
        let content = format!("The {thing} made by {maker} stands in hall {number}");
        let importance = self.dice.roll(2) + 5;
        let memory =
            json!([{ "content": content, "importance": importance, "category": "document" }]);
        let report = self.session(&content, Some(memory));
        let id = report["stored"][0]["id"].as_str().ok_or(&report).unwrap();
        let question = format!("where does the {thing} made by {maker} stand");
        self.told_once.push((id.to_owned(), content, question));
    }

    /// Says that an attribute has this value, in the user's own words; the rules judge.
    fn state(&mut self, attribute: &'static str, value: &'static str) {
        let said = match attribute {
            "city" => format!("I live in {value}."),
            "firm" => format!("I work at {value}."),
            _ => format!("My favourite drink is {value}."),
        };
        let report = self.session(&said, None);
        assert_eq!(report["judgedBy"], "rules", "{report}");
        self.holds.insert(attribute, value);
    }

    fn feel(&mut self, dish: &'static str, likes: bool) {
        let said = if likes {
            format!("I love {dish}.")
        } else {
            format!("I hate {dish}.")
        };
        self.session(&said, None);
        self.likes.insert(dish, likes);
    }

    /// What goes to the model for a question.
    fn ask(&self, question: &str) -> String {
        let scope = json!({ "user": "ana", "session": "asking" });
        let turn = self.call("load", json!({ "scope": scope, "message": question }));
        assert_eq!(turn["report"]["recall"]["status"], "ok");
        let messages = turn["messages"].as_array().unwrap();
        let memory = messages
            .iter()
            .filter(|message| message["name"] == "siltstone_memory");
        let texts: Vec<&str> = memory
            .map(|message| message["content"].as_str().unwrap())
            .collect();
        texts.join("\n")
    }

    fn stats(&self) -> Value {
        self.call("memories.stats", json!({ "scope": { "user": "ana" } }))
    }

    /// Counted in the stored documents, which is quicker than reading them.
    fn hot(&self) -> usize {
        let store = self.engine.host.store.borrow();
        let start = "s1!default!ana!memory!".to_owned();
        let memories = store
            .range(start..)
            .take_while(|(key, _)| key.contains("!memory!"));
        let is_hot = |text: &str| {
            text.contains("\"temperature\":\"hot\"") && text.contains("\"isValid\":true")
        };
        memories.filter(|(_, (text, _))| is_hot(text)).count()
    }

    /// Asks about everything that must be known.
    fn examine(&self, day: i64) {
        let values: [(&str, &str, &[&str]); 3] = [
            ("city", "Which city does the user live in?", CITIES),
            ("firm", "Which company does the user work at?", FIRMS),
            ("drink", "What is the user's favourite drink?", DRINKS),
        ];
        for (attribute, question, all) in values {
            let Some(value) = self.holds.get(attribute) else {
                continue;
            };
            let known = self.ask(question);
            assert!(
                known.contains(value),
                "day {day}: {attribute} is {value}, known: {known}"
            );
            for old in all.iter().filter(|old| *old != value) {
                assert!(
                    !known.contains(old),
                    "day {day}: {attribute} {old} is over: {known}"
                );
            }
            for pinned in PINNED {
                assert!(
                    known.contains(pinned),
                    "day {day}: {pinned} is pinned: {known}"
                );
            }
        }
        for (dish, likes) in &self.likes {
            let known = self.ask(&format!("Does the user like {dish}?"));
            let line = known
                .lines()
                .filter(|line| line.contains(dish))
                .collect::<Vec<_>>();
            assert_eq!(line.len(), 1, "day {day}: {dish}: {known}");
            let hates = line[0].contains("hate") || line[0].contains("dislike");
            assert_eq!(!hates, *likes, "day {day}: {dish}: {line:?}");
        }
    }

    fn use_facts(&self, day: i64) {
        for (fact, question) in USED {
            let known = self.ask(question);
            assert!(
                known.contains(fact),
                "day {day}: {fact} is in use, known: {known}"
            );
        }
    }

    fn day(&mut self, day: i64) {
        let host_now = |hour: i64| START + day * DAY + hour * HOUR;
        for hour in 0..SESSIONS_A_DAY {
            self.engine.host.now.set(host_now(hour));
            match self.dice.roll(24) {
                0 => {
                    let value = self.dice.pick(CITIES);
                    self.state("city", value);
                }
                1 => {
                    let value = self.dice.pick(FIRMS);
                    self.state("firm", value);
                }
                2 => {
                    let value = self.dice.pick(DRINKS);
                    self.state("drink", value);
                }
                3 => {
                    let (dish, likes) = (self.dice.pick(DISHES), self.dice.roll(2) == 0);
                    self.feel(dish, likes);
                }
                4 => {
                    // Said again in the same words.
                    let said: Vec<_> = self.holds.iter().map(|(a, v)| (*a, *v)).collect();
                    if !said.is_empty() {
                        let (attribute, value) = said[self.dice.roll(said.len())];
                        self.state(attribute, value);
                    }
                }
                5 if self.told_once.len() < THINGS.len() * MAKERS.len() => {
                    self.tell_once(self.told_once.len());
                }
                6..12 => self.chatter(day),
                _ => {
                    let report = self.session("What is the weather like?", None);
                    assert_eq!(report["stored"], json!([]), "{report}");
                }
            }
            let hot = self.hot();
            assert!(hot <= MAX_HOT, "day {day}: {hot}");
            if hour % 6 == 0 {
                self.call("maintain", json!({}));
            }
        }
        if day % 3 == 0 {
            self.use_facts(day);
        }
        if day % 7 == 0 {
            self.examine(day);
            self.curve.push((day, self.stats()));
        }
    }

    /// Every memory ever, forgotten ones included.
    fn all(&self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let request = json!({
                "scope": { "user": "ana" }, "limit": 1000, "includeInvalid": true, "cursor": cursor,
            });
            let page = self.call("memories.list", request);
            all.extend(page["memories"].as_array().unwrap().iter().cloned());
            cursor = page["cursor"].clone();
            if cursor.is_null() {
                return all;
            }
        }
    }

    fn plot(&self) {
        println!("day    hot   cold  forgotten (one mark for 10)");
        for (day, stats) in &self.curve {
            let count = |name: &str| usize::try_from(stats[name].as_u64().unwrap()).unwrap();
            let (hot, cold, forgotten) = (count("hot"), count("cold"), count("forgotten"));
            let bar = |mark: &str, count: usize| mark.repeat(count.div_ceil(10));
            println!(
                "{day:>3} {hot:>6} {cold:>6} {forgotten:>6}     {}{}{}",
                bar("#", hot),
                bar("+", cold),
                bar(".", forgotten)
            );
        }
    }
}

#[test]
fn months_of_a_life() {
    println!("seed {SEED}, {DAYS} days, {SESSIONS_A_DAY} sessions a day");
    let host = MemoryHost::default();
    host.now.set(START);
    let config = json!({
        "agent": { "longMemory": true, "model": "any" },
        "dedup": { "askSevere": false },
        "life": { "maxHot": MAX_HOT, "evictCount": 10, "maxCold": 600 },
    });
    let mut life = Life {
        engine: Engine::new(host, config, None).unwrap(),
        dice: Dice(SEED),
        sessions: 0,
        holds: BTreeMap::new(),
        likes: BTreeMap::new(),
        told_once: Vec::new(),
        forgotten: BTreeSet::new(),
        evicted: 0,
        curve: Vec::new(),
    };
    let scope = json!({ "user": "ana" });
    for content in PINNED {
        let memory = json!({ "content": content, "importance": 8 });
        let added = life.call("memories.add", json!({ "scope": scope, "memory": memory }));
        life.call(
            "memories.pin",
            json!({ "scope": scope, "id": added["memory"]["id"] }),
        );
    }
    for (content, _) in USED {
        let memory = json!({ "content": content, "importance": 3 });
        life.call("memories.add", json!({ "scope": scope, "memory": memory }));
    }
    for day in 0..DAYS {
        life.day(day);
    }
    life.plot();
    life.examine(DAYS);

    // Nothing but the forgettable was forgotten, and it was.
    let all = life.all();
    let forgotten: Vec<&Value> = all
        .iter()
        .filter(|memory| !memory["forgottenAt"].is_null())
        .collect();
    assert!(forgotten.len() > 300, "{}", forgotten.len());
    for memory in &forgotten {
        assert!(memory["importance"].as_u64().unwrap() <= 4, "{memory}");
        assert_eq!(memory["category"], "event", "{memory}");
    }
    // What mattered a bit is there on request, however long nobody asked.
    let mut cold = 0;
    assert!(life.told_once.len() > 40, "{}", life.told_once.len());
    for (id, content, question) in &life.told_once {
        let memory = all.iter().find(|memory| memory["id"] == **id).unwrap();
        assert_eq!(memory["isValid"], true, "{memory}");
        cold += usize::from(memory["temperature"] == "cold");
        let request = json!({ "scope": scope, "query": question, "cold": true });
        let text = life.call("recall", request)["text"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(text.contains(content), "{question}: {text}");
    }
    assert!(
        cold > 0 && life.evicted > 100,
        "{cold} cold, {} evicted",
        life.evicted
    );
    println!(
        "{} sessions, {} memories, {} of {} told once are cold, {} evictions",
        life.sessions,
        all.len(),
        cold,
        life.told_once.len(),
        life.evicted
    );
}
