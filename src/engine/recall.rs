//! `recall`: what long-term memory says about a text, from a service or from the store.

use super::{Engine, Request};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::life;
use crate::load::Warning;
use crate::provider;
use crate::recall::{self, Found, FoundSession, Query, Recalled};
use crate::scope::Scope;
use crate::store;
use crate::vector::external;
use futures_util::future::join;
use serde::Serialize;

/// Characters of a query.
const MAX_QUERY_CHARS: usize = 1_000_000;

#[derive(Serialize)]
pub(super) struct Answer {
    /// Best first.
    hits: Vec<Recalled>,
    /// The conversations that fit, best first.
    sessions: Vec<FoundSession>,
    /// The memories as fenced text for a prompt.
    text: String,
    /// What was worked around.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

impl<H: Host> Engine<H> {
    pub(super) async fn recall(&self, scope: &Scope, request: &Request) -> Result<Answer> {
        scope.check()?;
        let size = request.query.chars().count();
        if size > MAX_QUERY_CHARS {
            return Err(Error::too_large(
                "query", size, MAX_QUERY_CHARS, "characters",
            ));
        }
        let config = &self.config.recall;
        let api = provider::of_scope(&self.host, &self.config, scope).await;
        if let Some(api) = api.filter(|_| request.cold) {
            return Err(provider::by_hand::unsupported(
                api, "recall of cold memories",
            ));
        }
        let top_k = api.map_or(config.top_k, |api| api.top_k(&self.config));
        let limit = request.limit(top_k, 1_000)?;
        let mut query = Query {
            text: &request.query,
            context: request.context.as_deref(),
            limit,
            keyword_only: request.keyword_only.unwrap_or(config.keyword_only),
            vector: None,
            near: None,
            filter_sensitive: request.filter_sensitive.unwrap_or(config.filter_sensitive),
        };
        let host = &self.host;
        let mut warnings = Vec::new();
        if let Some(api) = api {
            match provider::recall::recall(host, &self.config, api, scope, &query).await {
                Ok(mut hits) => {
                    hits.truncate(limit);
                    let text = recall::render(&hits);
                    return Ok(Answer {
                        hits,
                        sessions: Vec::new(),
                        text,
                        warnings,
                    });
                }
                Err(fault) => warnings.push(provider::warning(host, api, &fault)),
            }
            if !config.failover {
                return Ok(Answer {
                    hits: Vec::new(),
                    sessions: Vec::new(),
                    text: String::new(),
                    warnings,
                });
            }
        }
        let now = store::now(host)?;
        let (index, asked) = join(
            self.indexes.open(host, scope, request.cold),
            external::ask(host, &self.config, scope, &query),
        )
        .await;
        query.vector = asked.vector;
        let mut found = Found::default();
        if let Some(index) = index? {
            let near = asked.near.as_deref();
            query.near = near.map(|near| index.own(host, scope, near));
            let config = &self.config;
            (found, _) = index.find(host, scope, &query, config, now, None).await?;
            let used = index.note(&found.hits, now, &self.config.life);
            life::by_hand::warm(host, &self.config, scope, &used.cold, now).await;
            let life = &self.config.life;
            let noted = life::touch::touch(host, life, scope, &used.hot, now).await;
            self.indexes.known.note(scope, &noted, life);
            index.take_in(noted);
            if let Err(error) = index.save(host, scope).await {
                store::warn(host, "index_not_saved", &error.message);
            }
        }
        let text = recall::render(&found.hits);
        Ok(Answer {
            hits: found.hits,
            sessions: found.sessions,
            text,
            warnings,
        })
    }
}
