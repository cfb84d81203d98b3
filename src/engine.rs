//! The calls that people make, by name: each reads its request, runs one flow and answers.

mod recall;
mod request;
mod response;

pub(crate) use request::{Call, Far, Form, Request, present};
pub use response::Response;
pub(crate) use response::{Running, named, whole};

use crate::config::Config;
use crate::depth;
use crate::error::{Error, Result};
use crate::forget_user::{self, Receipt};
use crate::history;
use crate::host::Host;
use crate::life::{self, by_hand};
use crate::load;
use crate::memories::{self, ListOptions, questions};
use crate::message::Message;
use crate::outbox::replay::{ReplayOptions, replay};
use crate::outbox::{Shelf, letters};
use crate::provider::{self, service::Api};
use crate::recall::Indexes;
use crate::removal;
use crate::rest;
use crate::scope::Scope;
use crate::session_end;
use crate::sessions;
use crate::summary;
use crate::tokens::{self, Counter, Encoding, Tokens};
use crate::transfer;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::future::ready;
use std::mem::take;
use std::rc::Rc;

/// The memory of an agent over one host.
pub struct Engine<H> {
    /// The outside world.
    pub host: H,
    config: Config,
    tokens: Tokens,
    vocabulary: Option<Encoding>,
    indexes: Indexes,
}

#[derive(Serialize)]
struct Summarised {
    text: Option<String>,
    /// How many messages it covers.
    through: Option<u64>,
}

#[derive(Serialize)]
struct Fits {
    fits: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<usize>,
}

impl<H> fmt::Debug for Engine<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl<H: Host> Engine<H> {
    /// An engine over this host. `counter` takes the place of the configured encoding.
    pub fn new(host: H, config: Value, counter: Option<Rc<dyn Counter>>) -> Result<Self> {
        let config = Config::from_value(config)?;
        let vocabulary = match counter {
            Some(_) => None,
            None => Encoding::named(&config.tokens.encoding),
        };
        let tokens = match counter {
            Some(counter) => Tokens::with_counter(counter, &config.tokens),
            None => Tokens::new(&config.tokens)?,
        };
        Ok(Self {
            host,
            config,
            tokens,
            vocabulary,
            indexes: Indexes::default(),
        })
    }

    /// The encoding whose vocabulary the call of this name needs and that is not installed.
    pub fn missing_vocabulary(&self, method: &str) -> Option<Encoding> {
        let counts = matches!(method, "load" | "endSession" | "countTokens" | "fits");
        self.vocabulary
            .filter(|encoding| counts && !tokens::is_installed(*encoding))
    }

    /// Whether a call needs the rest of the module, as far as that is known before it runs.
    pub fn needs_rest(&self, method: &str, is_cold: bool) -> bool {
        let may_ask_service = || !provider::services(&self.host, &self.config).is_empty();
        match method {
            "load" => may_ask_service(),
            "recall" => is_cold || may_ask_service(),
            _ => request::of(method).is_ok_and(|form| matches!(form.call, Call::Far(_))),
        }
    }

    /// How this engine counts.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// The encoding whose vocabulary this engine counts with.
    pub fn vocabulary(&self) -> Option<Encoding> {
        self.vocabulary
    }

    /// Runs the call of this name.
    pub async fn call(&self, method: &str, value: Value) -> Result<Response> {
        depth::check(&value)?;
        if method == "load" {
            let (request, host) = (request::parse(&value)?, &self.host);
            let turn = load::load(host, &self.config, &self.tokens, &self.indexes, request);
            return whole(turn).await;
        }
        let form = request::of(method)?;
        let service = self.service(form, &value).await;
        if let Some(api) = service {
            provider::by_hand::check(api, form)?;
        }
        let mut request = Request::read(&value, form)?;
        drop(value);
        let given = request.scope.take();
        // Of the calls that name nobody none looks at this.
        let nobody = Scope {
            tenant: String::new(),
            user: String::new(),
            agent: None,
            session: None,
        };
        let scope = given.as_ref().unwrap_or(&nobody);
        let running = match service {
            Some(api) => rest::enter(|| {
                provider::by_hand::call(&self.host, &self.config, api, scope, &request)
            })?,
            None => self.run(form.call, scope, given.as_ref(), &mut request),
        };
        running?.await
    }

    /// The service that holds the memories that a call is about; none where the host's own store does,
    /// or nobody can tell.
    async fn service(&self, form: &Form, value: &Value) -> Option<Api> {
        if !form.name.starts_with("memories.") {
            return None;
        }
        let scope: Scope = request::parse(value.get("scope")?).ok()?;
        scope.check().ok()?;
        provider::of_scope(&self.host, &self.config, &scope).await
    }

    fn run<'a>(
        &'a self,
        call: Call,
        scope: &'a Scope,
        given: Option<&'a Scope>,
        request: &'a mut Request,
    ) -> Result<Running<'a>> {
        Ok(match call {
            Call::Append => {
                let messages = take(&mut request.messages);
                whole(history::append(
                    &self.host, &self.config, &self.tokens, scope, messages,
                ))
            }
            Call::CountTokens => named("tokens", ready(self.count(request))),
            Call::Fits => whole(ready(self.fits(request))),
            Call::Get => {
                let id = request.id.as_deref().unwrap_or_default();
                whole(memories::get(&self.host, scope, id))
            }
            Call::List => whole(self.list(scope, request)),
            Call::Messages => named("messages", self.messages(scope, request)),
            Call::Recall => whole(self.recall(scope, request)),
            Call::Sessions => named("sessions", sessions::list(&self.host, scope)),
            Call::Summary => whole(self.summary(scope)),
            Call::Far(call) => rest::enter(|| self.far(call, scope, given, request))??,
        })
    }

    #[rustfmt::skip]
    fn far<'a>(
        &'a self,
        call: Far,
        scope: &'a Scope,
        given: Option<&'a Scope>,
        request: &'a mut Request,
    ) -> Result<Running<'a>> {
        let Self { host, config, tokens, .. } = self;
        let given_id = request.id.as_deref();
        let id = given_id.unwrap_or_default();
        let cursor = request.cursor.as_deref();
        Ok(match call {
            Far::Add => {
                let memory = present(request.memory.as_ref(), "memory")?;
                whole(memories::add(host, config, &self.indexes.known, scope, memory))
            }
            Far::Allow => whole(by_hand::allow(host, config, scope, id)),
            Far::Answer => {
                let keep = present(request.keep, "keep")?;
                named("memories", questions::answer(host, config, scope, id, keep))
            }
            Far::ClearSession => whole(removal::clear(host, config, scope)),
            Far::DeadLetters => {
                let limit = request.limit(100, 1_000)?;
                whole(letters::list(host, Shelf::Dead, given, limit, cursor))
            }
            Far::Discard => named("discarded", letters::discard(host, scope, id)),
            Far::Effects => {
                let limit = request.limit(100, 1_000)?;
                whole(letters::list(host, Shelf::Waiting, given, limit, cursor))
            }
            Far::EndSession => whole(session_end::end(host, config, tokens, &self.indexes.known, scope)),
            Far::Export => whole(transfer::export(host, scope, request.limit, cursor)),
            Far::Forget => {
                named("forgotten", by_hand::forget(host, config, scope, id, request.hard))
            }
            Far::ForgetUser => whole(self.forget_user(scope)),
            Far::History => named("versions", memories::history(host, scope, id)),
            Far::Import => {
                whole(transfer::import(host, config, scope, take(&mut request.lines)))
            }
            Far::Maintain => {
                let limit = request.limit(config.life.maintain_users, 100_000)?;
                whole(life::maintain(host, config, limit))
            }
            Far::Pin => whole(by_hand::pin(host, config, scope, id, true)),
            Far::PinCandidates => {
                let limit = request.limit(20, 1_000)?;
                named("candidates", by_hand::pin_candidates(host, config, scope, limit))
            }
            Far::Questions => named("questions", questions::list(host, scope)),
            Far::Redrive => whole(letters::redrive(host, given, given_id)),
            Far::RemoveMessages => whole(removal::remove(host, config, scope, &request.ids)),
            Far::Replay => whole(replay(host, config, options(request)?)),
            Far::Restore => whole(by_hand::restore(host, config, scope, id)),
            Far::Revert => whole(memories::revert(host, config, scope, id, &request.to)),
            Far::Stats => whole(life::stats::stats(host, scope)),
            Far::Unpin => whole(by_hand::pin(host, config, scope, id, false)),
            Far::Update => {
                let (patch, expected) = (&request.patch, request.expected_version);
                whole(memories::update(host, config, scope, id, patch, expected))
            }
        })
    }

    async fn list(&self, scope: &Scope, request: &Request) -> Result<memories::Page> {
        let options = ListOptions {
            limit: request.limit,
            cursor: request.cursor.clone(),
            include_invalid: request.include_invalid,
        };
        memories::list(&self.host, scope, &options).await
    }

    async fn messages(&self, scope: &Scope, request: &Request) -> Result<Vec<Message>> {
        let session = scope.session()?;
        let limit = request.limit(100, 1_000)?;
        sessions::messages(&self.host, &session, limit, request.before.as_deref()).await
    }

    async fn summary(&self, scope: &Scope) -> Result<Summarised> {
        let session = scope.session()?;
        let summary = summary::read(&self.host, &self.config, &session).await?;
        Ok(Summarised {
            through: summary.as_ref().map(|summary| summary.through),
            text: summary.map(|summary| summary.text),
        })
    }

    async fn forget_user(&self, scope: &Scope) -> Result<Receipt> {
        let receipt = forget_user::forget_user(&self.host, &self.config, scope).await?;
        self.indexes.drop(scope);
        Ok(receipt)
    }

    fn count(&self, request: &Request) -> Result<usize> {
        count(&self.tokens, request)
    }

    fn fits(&self, request: &Request) -> Result<Fits> {
        let count = |tokens: &Tokens| count(tokens, request);
        let tokens = self.tokens.within(request.budget, count)?;
        Ok(Fits {
            fits: tokens.is_some(),
            tokens,
        })
    }
}

fn count(tokens: &Tokens, request: &Request) -> Result<usize> {
    let text = match &request.text {
        Some(text) => tokens.text(text)?,
        None => 0,
    };
    let messages = tokens.sum(&request.messages, Tokens::message)?;
    Ok(text + messages + tokens.tools(&request.tools)?)
}

fn options(request: &Request) -> Result<ReplayOptions> {
    let usual = ReplayOptions::default();
    let limit = request.limit(usual.limit, 100_000)?;
    let deadline_ms = request.deadline_ms.unwrap_or(usual.deadline_ms);
    if !(1..=86_400_000).contains(&deadline_ms) {
        return Err(Error::input("deadlineMs", "milliseconds from 1 to a day"));
    }
    Ok(ReplayOptions { limit, deadline_ms })
}
