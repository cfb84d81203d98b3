//! No call reads, writes or shows what is another user's (D4).

use crate::world::{PEOPLE, World};
use serde_json::Value;
use siltstone::host::{ProviderRequest, Range};
use siltstone::outbox::Shelf;
use siltstone::provider::identity;
use siltstone::scope::Scope;
use siltstone::vector::external;

fn bounds(scope: &Scope) -> [(String, String); 3] {
    [
        scope.everything(),
        Shelf::Waiting.of_user(scope),
        Shelf::Dead.of_user(scope),
    ]
}

/// The key under which `maintain` finds a user.
fn registered(scope: &Scope) -> String {
    siltstone::key::Key::new("u1")
        .part(&scope.tenant)
        .part(&scope.user)
        .build()
}

pub fn keys(world: &World, what: &str, keys: &[String]) {
    let Some(person) = world.person() else {
        return;
    };
    let scope = PEOPLE[person].scope();
    let own = bounds(&scope);
    let is_own = |key: &&String| own.iter().any(|(start, end)| start <= *key && *key < end);
    for key in keys
        .iter()
        .filter(|key| !is_own(key) && **key != registered(&scope))
    {
        world.violated(
            "no call leaves its user",
            format!("{what} of `{}` touches {key}", scope.user),
        );
    }
}

pub fn range(world: &World, range: &Range) {
    let Some(person) = world.person() else {
        return;
    };
    let own = bounds(&PEOPLE[person].scope());
    if !own
        .iter()
        .any(|(start, end)| *start <= range.start && range.end <= *end)
    {
        let what = format!("a range from {} to {}", range.start, range.end);
        world.violated("no call leaves its user", what);
    }
}

pub fn namespace(world: &World, namespace: &str) {
    let Some(person) = world.person() else {
        return;
    };
    if external::namespace(&PEOPLE[person].scope()) != namespace {
        world.violated("no call leaves its user", "a namespace of the vector store");
    }
}

/// A request names one user and that user's cubes, and of a call only its own.
pub fn provider(world: &World, request: &ProviderRequest) {
    let body = request.body.clone().unwrap_or_default();
    let lists = ["readable_cube_ids", "writable_cube_ids"];
    let listed = lists
        .iter()
        .filter_map(|name| body[name].as_array())
        .flatten();
    let named = ["mem_cube_id", "cube_id"].iter().map(|name| &body[name]);
    let cubes: Vec<&str> = listed.chain(named).filter_map(Value::as_str).collect();
    let users = ["user_id", "owner_id"]
        .iter()
        .filter_map(|name| body[name].as_str());
    let users: Vec<&str> = users.collect();
    let fits = |person: usize| {
        let scope = Scope {
            agent: Some("coach".to_owned()),
            ..PEOPLE[person].scope()
        };
        let own: Vec<String> = identity::readable(&scope)
            .into_iter()
            .map(|cube| cube.id)
            .collect();
        cubes.iter().all(|cube| own.iter().any(|own| own == cube))
            && users.iter().all(|user| **user == identity::user_id(&scope))
    };
    let is_theirs = match world.person() {
        Some(person) => fits(person),
        None => (0..PEOPLE.len()).any(fits),
    };
    if !is_theirs {
        world.violated(
            "no call leaves its user",
            format!("{} {body}", request.path),
        );
    }
}

/// Everybody's texts hold their word: none of another's is in an answer.
pub fn text(world: &World, person: Option<usize>, answer: &Value) {
    let Some(person) = person else {
        return;
    };
    let text = answer.to_string();
    let heard = world.heard.borrow();
    for (other, of) in PEOPLE.iter().enumerate() {
        if !heard[person].contains(&other) && text.contains(of.word) {
            let what = format!(
                "`{}` is shown what `{}` said: {text}",
                PEOPLE[person].word, of.word
            );
            world.violated("every text comes from its user", what);
        }
    }
}
