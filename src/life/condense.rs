//! How a text is condensed when its memory settles in the long tier (M2): by rules, or by the
//! language model. The guard rejects what lost a fact; then the text stays as it is.

use super::Condensed;
use crate::compress::{self, Level};
use crate::config::{CompressMode, Config};
use crate::error::Result;
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{Commit, Host, LlmMessage, LlmRequest};
use crate::memories::snapshot::Snapshot;
use crate::scope::Scope;
use crate::store;
use crate::summary::complete;
use crate::vector::{self, follow};

/// Texts that one change condenses by the language model at most; it must not hold up the rest.
const TEXTS: usize = 5;

/// Condenses by rules; none when there is nothing to gain.
pub fn by_rules(text: &str) -> Option<String> {
    let shorter = compress::compress(text, Level::Deep).text;
    (shorter != text).then_some(shorter)
}

/// Condenses memories that have just settled by the language model, where that is configured; by
/// rules where its answer is late, no shorter, or lost something. Never an error: what fails is
/// logged and leaves the text as it is.
pub async fn by_llm<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    ids: &[String],
) -> Vec<Condensed> {
    let mut condensed = Vec::new();
    if config.compress.mode != CompressMode::Llm {
        return condensed;
    }
    for id in ids.iter().take(TEXTS) {
        match condense(host, config, scope, id).await {
            Ok(done) => condensed.push_all(done),
            Err(error) => store::warn(host, "condense_failed", &error.message),
        }
    }
    condensed
}

async fn condense<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
) -> Result<Option<Condensed>> {
    let snapshot = Snapshot::read(host, scope).await?;
    let found = snapshot.find(scope, id).filter(|memory| memory.is_valid);
    let Some(memory) = found else {
        return Ok(None);
    };
    let before = memory.content.clone();
    if before.chars().count() < compress::MIN_CHARS {
        return Ok(None);
    }
    let answer = ask(host, config, &before).await;
    let Some(after) = answer.or_else(|| by_rules(&before)) else {
        return Ok(None);
    };
    let embedding = vector::embed_one(host, &after, config.recall.embed_timeout_ms).await;
    let mut new = memory.clone();
    new.content.clone_from(&after);
    let mut change = snapshot.change();
    change.put(scope.memory_key(id), &new);
    vector::put(&mut change, scope, id, embedding.as_ref());
    let id = Some(id.to_owned());
    // Whoever changed the memories meanwhile goes first; the text stays as it is.
    let done = follow::commit(host, config, scope, &snapshot, change).await? == Commit::Done;
    Ok(done.then_some(Condensed { id, before, after }))
}

async fn ask<H: Host>(host: &H, config: &Config, text: &str) -> Option<String> {
    if !host.has_llm() {
        return None;
    }
    let (system, user) = compress::prompt(text, Level::Deep);
    let message = |role, content| LlmMessage { role, content };
    let request = LlmRequest {
        purpose: "compress",
        messages: vec![message("system", system), message("user", user)],
        json: false,
        schema: None,
        max_tokens: text.chars().count(),
        timeout_ms: config.compress.timeout_ms,
    };
    let answer = complete(host, &request).await.ok()?;
    compress::accept(text, &answer)
        .inspect_err(|losses| {
            let lost: Vec<&str> = losses.iter().map(|loss| loss.item.as_str()).gather();
            store::warn(host, "compression_rejected", &lost.join(", "));
        })
        .ok()
}
