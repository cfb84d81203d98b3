//! What a turn recalls from a memory service (P2–P4, L3–L5).

use super::identity::{self, Cube};
use super::service::{Api, Question};
use super::wire::{Answer, Fault};
use super::{hit, send};
use crate::config::Config;
use crate::host::Host;
use crate::index::{Bm25, Lexical};
use crate::memory::MemoryScope;
use crate::recall::{Query, Recalled, question, refine};
use crate::rest;
use crate::scope::Scope;
use crate::sorted;
use crate::store;
use std::future::Future;
use std::pin::Pin;

/// Characters of a question: services embed its beginning anyway, and refuse what is long.
const QUERY_CHARS: usize = 8_000;

/// The memories that answer a question, best first; those without a score last (P3).
pub async fn recall<H: Host>(
    host: &H,
    config: &Config,
    api: Api,
    scope: &Scope,
    query: &Query<'_>,
) -> Answer<Vec<Recalled>> {
    if !host.has_provider(api.provider()) {
        return Err(Fault::Unreachable(super::missing(api).into_message()));
    }
    let asking = rest::enter(|| {
        let asking = ask(host, config, api, scope, query);
        Box::pin(asking) as Pin<Box<dyn Future<Output = Answer<Vec<Recalled>>>>>
    });
    match asking {
        Ok(asking) => asking.await,
        Err(missing) => Err(Fault::Unreachable(missing.into_message())),
    }
}

async fn ask<H: Host>(
    host: &H,
    config: &Config,
    api: Api,
    scope: &Scope,
    query: &Query<'_>,
) -> Answer<Vec<Recalled>> {
    let text: String = question(query, config.recall.context_chars)
        .chars()
        .take(QUERY_CHARS)
        .collect();
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let cubes = identity::readable(scope);
    let asked = Question {
        text: &text,
        cubes: &cubes,
        limit: query.limit,
        wide: false,
    };
    let mut hits = search(host, config, api, scope, &asked).await?;
    hits.retain(|hit| !(query.filter_sensitive && hit.memory.is_sensitive));
    if query.keyword_only {
        keep_words(&text, &mut hits);
    }
    let (min_score, item_chars) = (config.recall.min_score, config.recall.item_chars);
    Ok(refine(hits, min_score, item_chars))
}

/// No service searches by keywords alone: of what it found, that which holds a word of the question
/// stays (L4).
fn keep_words(question: &str, hits: &mut Vec<Recalled>) {
    let mut index = Lexical::new(Bm25::default());
    for (doc, hit) in (0u32..).zip(&*hits) {
        index.insert(doc, &hit.memory.content);
    }
    let holds = sorted::set(index.search(question).iter().map(|hit| hit.doc));
    let mut doc = 0u32..;
    hits.retain(|_| doc.next().is_some_and(|doc| holds.contains(&doc)));
}

/// What a service finds, in an order of its own, of the user's memories alone (D4).
pub async fn search<H: Host>(
    host: &H,
    config: &Config,
    api: Api,
    scope: &Scope,
    asked: &Question<'_>,
) -> Answer<Vec<Recalled>> {
    let user = identity::user_id(scope);
    // What is compared with something new and has no date was there before it.
    let undated = match asked.wide {
        true => 0,
        false => store::now(host).map_err(|error| Fault::Unreachable(error.into_message()))?,
    };
    let mut request = api.search(config, &user, asked);
    if !asked.wide {
        request.timeout_ms = request.timeout_ms.min(config.recall.timeout_ms);
    }
    let answer = send(host, request).await?;
    let mut foreign = 0;
    let mut hits = Vec::new();
    for found in api.found(&answer)? {
        let is_theirs = found.user.as_ref().is_none_or(|owner| *owner == user);
        match place(asked.cubes, found.cube.as_deref(), found.cube_name()) {
            Some(cube) if is_theirs => hits.push(found.recalled(cube, undated)),
            // Another agent's of this user is no business of this one, and no fault either.
            None if is_theirs && found.cube.is_none() => {}
            _ => foreign += 1,
        }
    }
    if foreign > 0 {
        let message = format!("{foreign} memories of others were left out of an answer");
        store::warn(host, "provider_foreign", &message);
    }
    Ok(hit::in_order(hits))
}

/// The cube that a memory is in, by the cube it was found in or by what was sent along with it;
/// without either it is the user's.
fn place<'a>(cubes: &'a [Cube], id: Option<&str>, name: Option<String>) -> Option<&'a Cube> {
    let mut cubes = cubes.iter();
    match (id, name) {
        (Some(id), _) => cubes.find(|cube| cube.id == id),
        (None, Some(name)) => cubes.find(|cube| cube.name == name),
        (None, None) => cubes.find(|cube| cube.scope == MemoryScope::User),
    }
}
