//! However an index came to be, it finds the same: one that was in memory all the time, one that is
//! read from the store, one that is made anew from the memories.

use super::memories;
use crate::workload::Caller;
use crate::world::{PEOPLE, World};
use serde_json::{Value, json};

async fn found(caller: &Caller, person: usize, text: &str) -> Value {
    let of = &PEOPLE[person];
    let scope = json!({ "tenant": of.tenant, "user": of.user });
    let request = json!({ "scope": scope, "query": text, "limit": 50 });
    let answer = caller.call(Some(person), "recall", request).await;
    let answer = answer.unwrap_or_default();
    let hits = answer["hits"].as_array().into_iter().flatten();
    // Their scores depend on when each instance noted their use.
    let mut ids: Vec<String> = hits.map(|hit| hit["memory"]["id"].to_string()).collect();
    ids.sort();
    json!({ "ids": ids, "sessions": answer["sessions"] })
}

/// `warm` are those that were there while faults happened, the others are new.
pub async fn at_end(world: &World, warm: &[Caller], stored: &Caller, anew: &Caller) {
    if world.plan.memos {
        return;
    }
    for (at, person) in PEOPLE.iter().enumerate() {
        let all = memories(world, &person.scope());
        let questions: Vec<&str> = all.iter().map(|memory| memory.content.as_str()).collect();
        let by_store: Vec<Value> = {
            let mut answers = Vec::new();
            for question in &questions {
                answers.push(found(stored, at, question).await);
            }
            answers
        };
        world
            .store
            .borrow_mut()
            .retain(|key, _| !key.contains("!index!"));
        for (question, by_store) in questions.iter().zip(by_store) {
            let expected = found(anew, at, question).await;
            let mut others = vec![by_store];
            for caller in warm {
                others.push(found(caller, at, question).await);
            }
            for other in others.iter().filter(|other| **other != expected) {
                let what = format!(
                    "`{question}` of `{}`: {other}, anew {expected}",
                    person.word
                );
                world.violated("all indexes find the same", what);
            }
        }
    }
}
