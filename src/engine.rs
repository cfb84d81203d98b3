//! The calls that people make, by name: each reads its request, runs one flow and answers.

use crate::config::Config;
use crate::depth;
use crate::error::{Code, Error, Result};
use crate::forget_user::{self, Receipt};
use crate::history::{self, Appended};
use crate::host::Host;
use crate::life;
use crate::load::{self, LoadRequest, Turn, Warning};
use crate::memories::questions::{self, Asked, Keep};
use crate::memories::{self, Added, ListOptions, NewMemory, Page, Patch};
use crate::memory::Memory;
use crate::message::Message;
use crate::outbox;
use crate::provider::{self, by_hand};
use crate::read::{self, Fault};
use crate::recall::{self, Found, FoundSession, Indexes, Query, Recalled};
use crate::removal::{self, Cleared, Removed};
use crate::scope::Scope;
use crate::session_end::{self, Consolidation};
use crate::sessions::{self, SessionInfo};
use crate::tokens::{self, Counter, Encoding, Tokens};
use crate::transfer;
use crate::transfer::export::Exported;
use crate::transfer::import::Imported;
use crate::transfer::item::Item;
use crate::vector::external;
use crate::write;
use crate::{store, summary};
use futures_util::future::join;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::rc::Rc;

/// Characters of a recall query.
const MAX_QUERY_CHARS: usize = 1_000_000;

/// The memory of an agent over one host.
pub struct Engine<H> {
    /// The outside world.
    pub host: H,
    config: Config,
    tokens: Tokens,
    vocabulary: Option<Encoding>,
    indexes: Indexes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScopeOnly {
    pub(crate) scope: Scope,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AppendRequest {
    scope: Scope,
    messages: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MessagesRequest {
    scope: Scope,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    before: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemoveRequest {
    scope: Scope,
    ids: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecallRequest {
    scope: Scope,
    query: String,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    context: Option<String>,
    #[serde(default)]
    keyword_only: Option<bool>,
    #[serde(default)]
    filter_sensitive: Option<bool>,
    #[serde(default)]
    cold: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListRequest {
    scope: Scope,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    cursor: Option<String>,
    #[serde(default)]
    include_invalid: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IdRequest {
    pub(crate) scope: Scope,
    pub(crate) id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddRequest {
    pub(crate) scope: Scope,
    pub(crate) memory: NewMemory,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateRequest {
    scope: Scope,
    id: String,
    patch: Patch,
    #[serde(default)]
    expected_version: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RevertRequest {
    scope: Scope,
    id: String,
    to: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnswerRequest {
    scope: Scope,
    id: String,
    keep: Keep,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ForgetRequest {
    pub(crate) scope: Scope,
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) hard: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct CountRequest {
    text: Option<String>,
    messages: Vec<Message>,
    tools: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportRequest {
    scope: Scope,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    cursor: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ImportRequest {
    scope: Scope,
    lines: Vec<Item>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FitsRequest {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    messages: Vec<Message>,
    #[serde(default)]
    tools: Vec<Value>,
    budget: usize,
}

/// What a call answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Response {
    /// `load`
    Turn(Box<Turn>),
    /// `append`
    Appended(Appended),
    /// `messages`
    Messages {
        /// Oldest first.
        messages: Vec<Message>,
    },
    /// `removeMessages`
    Removed(Removed),
    /// `clearSession`
    Cleared(Cleared),
    /// `endSession`
    Consolidation(Box<Consolidation>),
    /// `recall`
    Recall {
        /// Best first.
        hits: Vec<Recalled>,
        /// The conversations that fit, best first.
        sessions: Vec<FoundSession>,
        /// The memories as fenced text for a prompt.
        text: String,
        /// What was worked around.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<Warning>,
    },
    /// `memories.list`
    Page(Page),
    /// `memories.get`, `.update`, `.pin`, `.unpin`
    Memory(Box<Memory>),
    /// `memories.add`
    Added(Box<Added>),
    /// `maintain`, `memories.stats`, `.pin`, `.unpin`, `.restore`, `.pinCandidates`
    Life(life::calls::Answer),
    /// `replay`, `outbox.list`, `.deadLetters`, `.redrive`, `.discard`
    Outbox(outbox::calls::Answer),
    /// `memories.forget`
    Forgotten {
        /// Records touched.
        forgotten: usize,
    },
    /// `memories.history`
    Versions {
        /// Oldest first.
        versions: Vec<Memory>,
    },
    /// `memories.questions`
    Questions {
        /// The questions that still stand.
        questions: Vec<Asked>,
    },
    /// `memories.answer`
    Answered {
        /// Both memories of the question, as they are now.
        memories: Vec<Memory>,
    },
    /// `sessions`
    Sessions {
        /// The most recent first.
        sessions: Vec<SessionInfo>,
    },
    /// `summary`
    Summary {
        /// The text, if there is a summary.
        text: Option<String>,
        /// How many messages it covers.
        through: Option<u64>,
    },
    /// `forgetUser`
    UserForgotten(Receipt),
    /// `export`
    Exported(Exported),
    /// `import`
    Imported(Imported),
    /// `countTokens`
    Tokens {
        /// The count.
        tokens: usize,
    },
    /// `fits`
    Fits {
        /// Whether the count is at most the budget.
        fits: bool,
        /// The count, if it is.
        #[serde(skip_serializing_if = "Option::is_none")]
        tokens: Option<usize>,
    },
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

    /// How this engine counts.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// The encoding whose vocabulary this engine counts with.
    pub fn vocabulary(&self) -> Option<Encoding> {
        self.vocabulary
    }

    /// Runs the call of this name.
    pub async fn call(&self, method: &str, request: Value) -> Result<Response> {
        depth::check(&request)?;
        let answer = by_hand::call(&self.host, &self.config, method, &request).await;
        if let Some(answer) = answer {
            return answer;
        }
        let answer = life::calls::call(&self.host, &self.config, method, &request).await;
        if let Some(answer) = answer {
            return answer.map(Response::Life);
        }
        let answer = outbox::calls::call(&self.host, &self.config, method, &request).await;
        if let Some(answer) = answer {
            return answer.map(Response::Outbox);
        }
        match method {
            "load" => {
                let request: LoadRequest = parse(&request)?;
                load::load(
                    &self.host, &self.config, &self.tokens, &self.indexes, request,
                )
                .await
                .map(|turn| Response::Turn(Box::new(turn)))
            }
            "append" => {
                let request: AppendRequest = parse(&request)?;
                history::append(
                    &self.host, &self.config, &self.tokens, &request.scope, request.messages,
                )
                .await
                .map(Response::Appended)
            }
            "messages" => self.messages(parse(&request)?).await,
            "removeMessages" => {
                let RemoveRequest { scope, ids } = parse(&request)?;
                removal::remove(&self.host, &self.config, &scope, &ids)
                    .await
                    .map(Response::Removed)
            }
            "clearSession" => {
                let request: ScopeOnly = parse(&request)?;
                removal::clear(&self.host, &self.config, &request.scope)
                    .await
                    .map(Response::Cleared)
            }
            "endSession" => {
                let request: ScopeOnly = parse(&request)?;
                session_end::end(
                    &self.host, &self.config, &self.tokens, &self.indexes.known, &request.scope,
                )
                .await
                .map(|done| Response::Consolidation(Box::new(done)))
            }
            "recall" => self.recall(parse(&request)?).await,
            "sessions" => {
                let request: ScopeOnly = parse(&request)?;
                let sessions = sessions::list(&self.host, &request.scope).await?;
                Ok(Response::Sessions { sessions })
            }
            "summary" => {
                let request: ScopeOnly = parse(&request)?;
                let session = request.scope.session()?;
                let summary = summary::read(&self.host, &self.config, &session).await?;
                Ok(Response::Summary {
                    through: summary.as_ref().map(|summary| summary.through),
                    text: summary.map(|summary| summary.text),
                })
            }
            "forgetUser" => {
                let ScopeOnly { scope } = parse(&request)?;
                let receipt = forget_user::forget_user(&self.host, &self.config, &scope).await?;
                self.indexes.drop(&scope);
                Ok(Response::UserForgotten(receipt))
            }
            "export" => {
                let ExportRequest {
                    scope,
                    limit,
                    cursor,
                } = parse(&request)?;
                transfer::export(&self.host, &scope, limit, cursor.as_deref())
                    .await
                    .map(Response::Exported)
            }
            "import" => {
                let ImportRequest { scope, lines } = parse(&request)?;
                transfer::import(&self.host, &self.config, &scope, lines)
                    .await
                    .map(Response::Imported)
            }
            "countTokens" => self.count(parse(&request)?),
            "fits" => self.fits(parse(&request)?),
            _ => match method.strip_prefix("memories.") {
                Some(what) => self.memories(what, &request).await,
                None => Err(unknown(method)),
            },
        }
    }

    async fn memories(&self, what: &str, request: &Value) -> Result<Response> {
        let host = &self.host;
        match what {
            "list" => {
                let request: ListRequest = parse(request)?;
                let options = ListOptions {
                    limit: request.limit,
                    cursor: request.cursor,
                    include_invalid: request.include_invalid,
                };
                memories::list(host, &request.scope, &options)
                    .await
                    .map(Response::Page)
            }
            "get" => {
                let request: IdRequest = parse(request)?;
                memories::get(host, &request.scope, &request.id)
                    .await
                    .map(|memory| Response::Memory(Box::new(memory)))
            }
            "add" => {
                let request: AddRequest = parse(request)?;
                memories::add(
                    host, &self.config, &self.indexes.known, &request.scope, &request.memory,
                )
                .await
                .map(|added| Response::Added(Box::new(added)))
            }
            "update" => {
                let request: UpdateRequest = parse(request)?;
                let expected = request.expected_version;
                let (scope, id) = (&request.scope, &request.id);
                memories::update(host, &self.config, scope, id, &request.patch, expected)
                    .await
                    .map(|memory| Response::Memory(Box::new(memory)))
            }
            "revert" => {
                let request: RevertRequest = parse(request)?;
                memories::revert(host, &self.config, &request.scope, &request.id, &request.to)
                    .await
                    .map(|memory| Response::Memory(Box::new(memory)))
            }
            "questions" => {
                let request: ScopeOnly = parse(request)?;
                let questions = questions::list(host, &request.scope).await?;
                Ok(Response::Questions { questions })
            }
            "answer" => {
                let request: AnswerRequest = parse(request)?;
                let memories = questions::answer(
                    host, &self.config, &request.scope, &request.id, request.keep,
                )
                .await?;
                Ok(Response::Answered { memories })
            }
            "forget" => {
                let request: ForgetRequest = parse(request)?;
                let forgotten = life::by_hand::forget(
                    host, &self.config, &request.scope, &request.id, request.hard,
                )
                .await?;
                Ok(Response::Forgotten { forgotten })
            }
            "history" => {
                let request: IdRequest = parse(request)?;
                let versions = memories::history(host, &request.scope, &request.id).await?;
                Ok(Response::Versions { versions })
            }
            _ => Err(unknown(&format!("memories.{what}"))),
        }
    }

    async fn messages(&self, request: MessagesRequest) -> Result<Response> {
        let session = request.scope.session()?;
        let limit = request.limit.unwrap_or(100);
        if !(1..=1_000).contains(&limit) {
            return Err(Error::input("limit", "a whole number from 1 to 1000"));
        }
        let before = request.before.as_deref();
        let messages = sessions::messages(&self.host, &session, limit, before).await?;
        Ok(Response::Messages { messages })
    }

    async fn recall(&self, request: RecallRequest) -> Result<Response> {
        request.scope.check()?;
        let size = request.query.chars().count();
        if size > MAX_QUERY_CHARS {
            return Err(Error::too_large(
                "query", size, MAX_QUERY_CHARS, "characters",
            ));
        }
        let config = &self.config.recall;
        let api = provider::of_scope(&self.host, &self.config, &request.scope).await;
        if let Some(api) = api.filter(|_| request.cold) {
            return Err(by_hand::unsupported(api, "recall of cold memories"));
        }
        let top_k = api.map_or(config.top_k, |api| api.top_k(&self.config));
        let limit = request.limit.unwrap_or(top_k);
        if !(1..=1_000).contains(&limit) {
            return Err(Error::input("limit", "a whole number from 1 to 1000"));
        }
        let mut query = Query {
            text: &request.query,
            context: request.context.as_deref(),
            limit,
            keyword_only: request.keyword_only.unwrap_or(config.keyword_only),
            vector: None,
            near: None,
            filter_sensitive: request.filter_sensitive.unwrap_or(config.filter_sensitive),
        };
        let (host, scope) = (&self.host, &request.scope);
        let mut warnings = Vec::new();
        if let Some(api) = api {
            match provider::recall::recall(host, &self.config, api, scope, &query).await {
                Ok(mut hits) => {
                    hits.truncate(limit);
                    let text = recall::render(&hits);
                    return Ok(Response::Recall {
                        hits,
                        sessions: Vec::new(),
                        text,
                        warnings,
                    });
                }
                Err(fault) => warnings.push(provider::warning(host, api, &fault)),
            }
            if !config.failover {
                return Ok(Response::Recall {
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
            if let (false, Err(error)) = (request.cold, index.save(host, scope).await) {
                store::warn(host, "index_not_saved", &error.message);
            }
        }
        let text = recall::render(&found.hits);
        Ok(Response::Recall {
            hits: found.hits,
            sessions: found.sessions,
            text,
            warnings,
        })
    }

    fn count(&self, request: CountRequest) -> Result<Response> {
        let tokens = count(&self.tokens, &request)?;
        Ok(Response::Tokens { tokens })
    }

    fn fits(&self, request: FitsRequest) -> Result<Response> {
        let budget = request.budget;
        let what = CountRequest {
            text: request.text,
            messages: request.messages,
            tools: request.tools,
        };
        let tokens = self.tokens.within(budget, |tokens| count(tokens, &what))?;
        Ok(Response::Fits {
            fits: tokens.is_some(),
            tokens,
        })
    }
}

fn count(tokens: &Tokens, request: &CountRequest) -> Result<usize> {
    let text = match &request.text {
        Some(text) => tokens.text(text)?,
        None => 0,
    };
    let messages = tokens.sum(&request.messages, Tokens::message)?;
    Ok(text + messages + tokens.tools(&request.tools)?)
}

fn unknown(method: &str) -> Error {
    let method: String = method.chars().take(60).collect();
    Error::input("method", "the name of a call").with_details(write::record(&[
        ("expected", &"the name of a call"),
        ("got", &method),
    ]))
}

/// Reads a request; the error names the field.
pub(crate) fn parse<T: DeserializeOwned>(request: &Value) -> Result<T> {
    read::strict(request).map_err(|fault| refused(&fault))
}

#[cold]
fn refused(fault: &Fault) -> Error {
    let path = fault.path();
    let inner = fault.to_string();
    let message = if path == "." {
        inner.clone()
    } else {
        format!("{path}: {inner}")
    };
    Error::new(Code::InvalidInput, message)
        .with_path(path)
        .with_details(write::record(&[("expected", &inner)]))
}
