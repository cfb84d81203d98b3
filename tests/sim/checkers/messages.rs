//! No message is lost, made up or out of order (C4).

use crate::world::{PEOPLE, Sent, World};
use serde_json::Value;
use std::collections::BTreeMap;

pub fn at_end(world: &World) {
    for ((person, id), sent) in world.sent.borrow().iter() {
        let scope = siltstone::scope::Scope {
            session: Some(id.clone()),
            ..PEOPLE[*person].scope()
        };
        let session = scope.session().unwrap();
        let (start, end) = session.messages();
        let store = world.store.borrow();
        let documents = store.range(start..end);
        let stored: Vec<String> = documents
            .map(|(_, (text, _))| serde_json::from_str::<Value>(text).unwrap())
            .map(|document| document["d"]["id"].as_str().unwrap().to_owned())
            .collect();
        check(world, sent, &stored);
        let head = store.get(&session.head_key());
        let head = head.map(|(text, _)| serde_json::from_str::<Value>(text).unwrap());
        let count = head.map_or(0, |head| {
            head["d"]["next"].as_u64().unwrap() - head["d"]["removed"].as_u64().unwrap_or(0)
        });
        if count != stored.len() as u64 {
            let what = format!("the head counts {count} of {}", stored.len());
            world.violated("a session's head knows its messages", what);
        }
    }
}

fn check(world: &World, sent: &BTreeMap<String, Sent>, stored: &[String]) {
    let mut places = BTreeMap::new();
    for (place, id) in stored.iter().enumerate() {
        if !sent.contains_key(id) || places.insert(id.as_str(), place).is_some() {
            world.violated("no message is made up or doubled", id);
        }
    }
    let kept = sent.iter().filter(|(_, sent)| !sent.may_be_removed);
    let kept: Vec<(&String, &Sent)> = kept.collect();
    for (id, of) in &kept {
        if of.by.is_some() && !places.contains_key(id.as_str()) {
            world.violated("no message is lost", *id);
        }
    }
    for (id, of) in &kept {
        for (later, after) in &kept {
            let comes_after = of.by.is_some_and(|by| by < after.from);
            let (here, there) = (places.get(id.as_str()), places.get(later.as_str()));
            if comes_after && there.is_some() && here > there {
                world.violated("messages stay in order", format!("{id} and {later}"));
            }
        }
    }
}
