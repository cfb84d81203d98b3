//! The calls about the outbox.

use super::letters::{self, Page, Redriven};
use super::replay::{ReplayOptions, Replayed, replay};
use super::{Planned, Shelf};
use crate::config::Config;
use crate::engine::{IdRequest, parse};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReplayRequest {
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    deadline_ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListRequest {
    #[serde(default)]
    scope: Option<Scope>,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    cursor: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RedriveRequest {
    #[serde(default)]
    scope: Option<Scope>,
    #[serde(default)]
    id: Option<String>,
}

/// What a call about the outbox answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// `replay`
    Replayed(Replayed),
    /// `outbox.list`, `.deadLetters`
    Page(Page),
    /// `outbox.redrive`
    Redriven(Redriven),
    /// `outbox.discard`
    Discarded {
        /// The effect that nobody will do.
        discarded: Box<Planned>,
    },
}

/// Runs the call of this name; none when it is about something else.
pub async fn call<H: Host>(
    host: &H,
    config: &Config,
    method: &str,
    request: &Value,
) -> Option<Result<Answer>> {
    let answer = match method {
        "replay" => run_replay(host, config, request).await,
        "outbox.list" => list(host, Shelf::Waiting, request).await,
        "outbox.deadLetters" => list(host, Shelf::Dead, request).await,
        "outbox.redrive" => redrive(host, request).await,
        "outbox.discard" => discard(host, request).await,
        _ => return None,
    };
    Some(answer)
}

async fn run_replay<H: Host>(host: &H, config: &Config, request: &Value) -> Result<Answer> {
    let request: ReplayRequest = parse(request)?;
    let default = ReplayOptions::default();
    let options = ReplayOptions {
        limit: request.limit.unwrap_or(default.limit),
        deadline_ms: request.deadline_ms.unwrap_or(default.deadline_ms),
    };
    if !(1..=100_000).contains(&options.limit) {
        return Err(Error::input("limit", "a whole number from 1 to 100000"));
    }
    if !(1..=86_400_000).contains(&options.deadline_ms) {
        return Err(Error::input("deadlineMs", "milliseconds from 1 to a day"));
    }
    replay(host, config, options).await.map(Answer::Replayed)
}

async fn list<H: Host>(host: &H, shelf: Shelf, request: &Value) -> Result<Answer> {
    let request: ListRequest = parse(request)?;
    let limit = request.limit.unwrap_or(100);
    if !(1..=1_000).contains(&limit) {
        return Err(Error::input("limit", "a whole number from 1 to 1000"));
    }
    let (scope, cursor) = (request.scope.as_ref(), request.cursor.as_deref());
    let page = letters::list(host, shelf, scope, limit, cursor).await?;
    Ok(Answer::Page(page))
}

async fn redrive<H: Host>(host: &H, request: &Value) -> Result<Answer> {
    let request: RedriveRequest = parse(request)?;
    let (scope, id) = (request.scope.as_ref(), request.id.as_deref());
    letters::redrive(host, scope, id)
        .await
        .map(Answer::Redriven)
}

async fn discard<H: Host>(host: &H, request: &Value) -> Result<Answer> {
    let IdRequest { scope, id } = parse(request)?;
    let discarded = letters::discard(host, &scope, &id).await?;
    Ok(Answer::Discarded {
        discarded: Box::new(discarded),
    })
}
