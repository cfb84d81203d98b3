//! Answers of a judge: any text, and JSON that is nearly right in the wrappings that models use.

use super::dice::Dice;
use super::world::{self, World};
use serde_json::{Value, json};

fn answer(dice: &mut Dice, known: &[String]) -> String {
    let known = known.first().map_or("K1", String::as_str);
    let right = json!({ "memories": [
        { "content": "User is allergic to peanuts", "category": "profile", "scope": "user", "importance": 9,
          "kind": "text", "facts": { "health.allergy": "peanuts" }, "sensitive": true, "from": ["1"], "replaces": [known] },
        { "content": "User lives in Lyon", "category": "profile", "scope": "user", "importance": 7,
          "facts": { "profile.location.city": "Lyon" }, "from": ["m1"], "contradicts": [known, "M1"] },
    ]});
    let twisted = dice.twisted(&right, 10);
    let mut text = match dice.below(3) {
        0 => twisted.to_string(),
        1 => twisted.get("memories").unwrap_or(&Value::Null).to_string(),
        _ => format!("{twisted:#}"),
    };
    text = match dice.below(8) {
        0 => format!("Here you are:\n```json\n{text}\n```"),
        1 => format!("<think>{}</think>{text}", dice.text()),
        2 => format!("<think>{text}"),
        3 => format!("{}{text}{}", dice.text(), dice.text()),
        4 => text[..text.floor_char_boundary(dice.below(text.len() + 1))].to_owned(),
        5 => text.replace('"', "'"),
        6 => dice.text(),
        _ => text,
    };
    while dice.chance(20) {
        let at = text.floor_char_boundary(dice.below(text.len() + 1));
        text.insert_str(at, &dice.text());
    }
    text
}

pub fn run(data: &[u8]) {
    let mut dice = Dice::new(data);
    let host = World::new(Dice::default());
    *host.llm.borrow_mut() = Some(answer(&mut dice, &[]));
    let Some(engine) = world::engine(host, world::usual()) else {
        unreachable!("the usual configuration is right")
    };
    world::settle(&engine);
    for turn in 0..2 {
        let known = world::ids(&engine);
        *engine.host.llm.borrow_mut() = Some(answer(&mut dice, &known));
        let said = json!([{ "id": format!("n{turn}"), "role": "user", "content": dice.text() + "I moved to Lyon." }]);
        let _ = world::call(
            &engine,
            "append",
            json!({ "scope": world::scope(), "messages": said }),
        );
        if let Err(error) = world::call(&engine, "endSession", json!({ "scope": world::scope() })) {
            unreachable!("no answer of a judge fails a session end: {error:?}");
        }
    }
    let listed = world::call(
        &engine,
        "memories.list",
        json!({ "scope": world::scope(), "includeInvalid": true }),
    );
    let listed = listed.unwrap_or_else(|error| unreachable!("{error:?}"));
    for memory in listed["memories"].as_array().into_iter().flatten() {
        let content = memory["content"].as_str().unwrap_or_default();
        assert!(!content.trim().is_empty(), "{memory}");
        assert!(
            (1..=10).contains(&memory["importance"].as_u64().unwrap_or_default()),
            "{memory}"
        );
    }
    world::works_on(&engine);
}
