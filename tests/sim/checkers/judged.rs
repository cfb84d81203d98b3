//! Nothing judged is lost: what a committed consolidation proposed is there, alive or not, or was reported
//! as merged or dropped (X3).

use super::memories;
use crate::world::{PEOPLE, World};
use md5::{Digest, Md5};
use std::collections::BTreeSet;

pub fn at_end(world: &World) {
    let reported = world.reported.borrow();
    let people: Vec<(BTreeSet<String>, String)> = (0..PEOPLE.len())
        .map(|person| known(world, person))
        .collect();
    for judged in world.judged.borrow().iter() {
        let (contents, buried) = &people[judged.person];
        let is_known = contents.contains(&letters(&judged.content))
            || buried.contains(&hash(&judged.content))
            || reported.contains(&(judged.person, judged.content.clone()));
        let is_settled = world.plan.memos && is_settled(contents, &judged.content);
        if !is_known && !is_settled {
            let what = format!(
                "`{}` proposed: {}",
                PEOPLE[judged.person].word, judged.content
            );
            world.violated("nothing judged is lost", what);
        }
    }
}

/// Whether a service need not have been told it: it is suspicious, or another text settles the matter, as the
/// answer said that was lost.
fn is_settled(contents: &BTreeSet<String>, content: &str) -> bool {
    let topics = ["livesin", "like", "isallergicto", "keeps"];
    let content = letters(content);
    let of = |text: &str| topics.iter().position(|topic| text.contains(topic));
    let settles = |other: &String| of(other).is_some() && of(other) == of(&content);
    content.contains("ignoreall") || contents.iter().any(settles)
}

/// What a person's stores have held, and the tombstones.
fn known(world: &World, person: usize) -> (BTreeSet<String>, String) {
    let scope = PEOPLE[person].scope();
    let mut contents: BTreeSet<String> = memories(world, &scope)
        .into_iter()
        .map(|memory| memory.content)
        .collect();
    contents.extend(world.memos.borrow().contents());
    contents.extend(
        world
            .memos_held
            .borrow()
            .iter()
            .map(|(_, text)| text.clone()),
    );
    let (start, end) = scope.tombstones();
    let store = world.store.borrow();
    let buried = store
        .range(start..end)
        .map(|(_, (text, _))| text.as_str())
        .collect();
    (contents.iter().map(|text| letters(text)).collect(), buried)
}

/// As tombstones keep a text.
fn hash(text: &str) -> String {
    let digest = Md5::digest(letters(text));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What does not differ in what is merged as the same: letters and digits.
fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
