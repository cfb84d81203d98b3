//! The calls about the life of memories.

use super::by_hand::{self, Altered};
use super::maintain::{self, Maintained};
use super::pin::PinCandidate;
use super::stats::{self, Stats};
use crate::config::Config;
use crate::engine::{IdRequest, ScopeOnly, parse};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MaintainRequest {
    #[serde(default)]
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CandidatesRequest {
    scope: Scope,
    #[serde(default)]
    limit: Option<usize>,
}

/// What a call about the life of memories answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// `maintain`
    Maintained(Box<Maintained>),
    /// `memories.stats`
    Stats(Stats),
    /// `memories.pin`, `.unpin`, `.restore`
    Altered(Box<Altered>),
    /// `memories.pinCandidates`
    Candidates {
        /// Best first.
        candidates: Vec<PinCandidate>,
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
        "maintain" => maintain(host, config, request).await,
        "memories.stats" => stats(host, request).await,
        "memories.pin" | "memories.unpin" | "memories.restore" | "memories.allow" => {
            alter(host, config, method, request).await
        }
        "memories.pinCandidates" => candidates(host, config, request).await,
        _ => return None,
    };
    Some(answer)
}

async fn maintain<H: Host>(host: &H, config: &Config, request: &Value) -> Result<Answer> {
    let request: MaintainRequest = parse(request)?;
    let limit = request.limit.unwrap_or(config.life.maintain_users);
    if !(1..=100_000).contains(&limit) {
        return Err(Error::input("limit", "a whole number from 1 to 100000"));
    }
    let done = maintain::maintain(host, config, limit).await?;
    Ok(Answer::Maintained(Box::new(done)))
}

async fn stats<H: Host>(host: &H, request: &Value) -> Result<Answer> {
    let request: ScopeOnly = parse(request)?;
    stats::stats(host, &request.scope).await.map(Answer::Stats)
}

async fn alter<H: Host>(
    host: &H,
    config: &Config,
    method: &str,
    request: &Value,
) -> Result<Answer> {
    let IdRequest { scope, id } = parse(request)?;
    let altered = match method {
        "memories.allow" => by_hand::allow(host, config, &scope, &id).await?,
        "memories.restore" => by_hand::restore(host, config, &scope, &id).await?,
        _ => by_hand::pin(host, config, &scope, &id, method == "memories.pin").await?,
    };
    Ok(Answer::Altered(Box::new(altered)))
}

async fn candidates<H: Host>(host: &H, config: &Config, request: &Value) -> Result<Answer> {
    let request: CandidatesRequest = parse(request)?;
    let limit = request.limit.unwrap_or(20);
    if !(1..=1_000).contains(&limit) {
        return Err(Error::input("limit", "a whole number from 1 to 1000"));
    }
    let candidates = by_hand::pin_candidates(host, config, &request.scope, limit).await?;
    Ok(Answer::Candidates { candidates })
}
