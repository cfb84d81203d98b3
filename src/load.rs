//! What goes to the model for a turn: session history and long-term recall in parallel, within
//! the token budget (A §5, L1–L5).

mod report;
mod request;

pub use report::{DroppedMemory, RecallHit, RecallReport, RecallStatus, Report, Turn, Warning};

use crate::agent;
use crate::budget::{self, Section};
use crate::config::{AgentConfig, Config};
use crate::error::{Error, Result};
use crate::gather::Gather;
use crate::gather::Push;
use crate::history::{self, Recent, check_message};
use crate::host::{self, Host};
use crate::life::touch;
use crate::memory::{Memory, MemoryScope};
use crate::message::{Message, Role};
use crate::order;
use crate::prompt;
use crate::provider;
use crate::read::Read;
use crate::recall::{Indexed, Indexes, Query, Recalled};
use crate::scope::{Scope, Session};
use crate::sorted::{self, Names};
use crate::store;
use crate::summary;
use crate::tokens::Tokens;
use crate::vector::external;
use crate::window;
use futures_util::future::join;
use serde_json::Value;
use std::rc::Rc;

/// What a turn asks for.
#[derive(Debug, Clone, Read)]
#[serde(rename_all = "camelCase")]
pub struct LoadRequest {
    /// Whose turn it is.
    pub scope: Scope,
    /// This turn's user message: a text or a message.
    pub message: Spoken,
    /// Instructions that open the window: a text or messages.
    #[serde(default)]
    pub system: Option<Instructions>,
    /// Tool schemas bound to the turn; their tokens count (F5).
    #[serde(default)]
    pub tools: Vec<Value>,
    /// What was said before, to find memories by (L3).
    #[serde(default)]
    pub context: Option<String>,
    /// Keyword match only (L4).
    #[serde(default)]
    pub keyword_only: Option<bool>,
    /// Leave sensitive memories out (L5).
    #[serde(default)]
    pub filter_sensitive: Option<bool>,
    /// Memories that relevance may bring.
    #[serde(default)]
    pub top_k: Option<usize>,
}

/// A text or a whole message.
#[derive(Debug, Clone)]
pub enum Spoken {
    /// The user's text.
    Text(String),
    /// The user's message.
    Message(Box<Message>),
}

/// A text or several messages.
#[derive(Debug, Clone)]
pub enum Instructions {
    /// One system text.
    Text(String),
    /// System messages.
    Messages(Vec<Message>),
}

const STANDING: &str = "standing";
const RECALLED: &str = "recalled";

struct Found {
    /// Memories that every turn shows, in the order of their creation.
    standing: Vec<Memory>,
    recalled: Vec<Recalled>,
    index: Option<Rc<Indexed>>,
    /// Whose use is to be noted.
    used: Vec<String>,
    now_ms: i64,
    /// What the host's own store answered in the place of.
    failed_over: Option<Warning>,
}

impl Found {
    fn new(recalled: Vec<Recalled>, now_ms: i64) -> Self {
        Self {
            standing: Vec::new(),
            recalled,
            index: None,
            used: Vec::new(),
            now_ms,
            failed_over: None,
        }
    }
}

enum Outcome {
    Found(Found),
    Skipped(&'static str),
    Failed(String),
}

/// Loads what goes to the model for this turn.
pub async fn load<H: Host>(
    host: &H,
    config: &Config,
    tokens: &Tokens,
    indexes: &Indexes,
    request: LoadRequest,
) -> Result<Turn> {
    let session = request.scope.session()?;
    let current = spoken(config, request.message.clone())?;
    let system = instructions(config, request.system.clone())?;
    let (agent, agent_fault) = agent::resolve(host, config, &request.scope).await;
    let text = current.text();
    let api = provider::of_agent(config, &agent);
    let top_k = api.map_or(config.recall.top_k, |api| api.top_k(config));
    let query = Query {
        text: &text,
        context: request.context.as_deref(),
        limit: request.top_k.unwrap_or(top_k).min(1_000),
        keyword_only: request.keyword_only.unwrap_or(config.recall.keyword_only),
        filter_sensitive: request
            .filter_sensitive
            .unwrap_or(config.recall.filter_sensitive),
        vector: None,
        near: None,
    };
    let (session_part, outcome) = join(
        read_session(host, config, tokens, &session, &agent),
        recall(host, config, indexes, &request.scope, &agent, &query),
    )
    .await;
    let (recent, summary, mut warnings) = session_part?;
    if let Some(message) = agent_fault {
        let code = "agent_config_unreadable";
        warnings.push(Warning { code, message });
    }
    let (memory, stable_memory, mut recall) = remembered(config, tokens, outcome, &mut warnings)?;
    let is_unreadable = summary.is_err();
    let input = window::Input {
        system,
        memory,
        stable_memory,
        summary: summary.unwrap_or_default(),
        more: recent.older > 0,
        history: recent.messages,
        current: Some(current.clone()),
        tools: request.tools,
    };
    let window = window::fit(input, &config.window, &config.summary, tokens)?;
    recall.give_way(window.memory_lines_dropped);
    Ok(Turn {
        messages: window.messages.into_iter().map(for_model).gather(),
        report: Report {
            tokens: window.tokens,
            dropped: window.dropped,
            older: recent.older,
            recall,
            stable_prefix: window.stable_prefix,
            summary: match is_unreadable {
                true => window::SummaryUse::Unreadable,
                false => window.summary,
            },
            cut: window.current_cut,
            history_source: recent.source,
            warnings,
        },
    })
}

fn dropped(id: String, reason: &'static str) -> DroppedMemory {
    DroppedMemory { id, reason }
}

/// A message without what only the store needs: model APIs refuse fields that they do not know.
fn for_model(message: Message) -> Message {
    Message {
        id: None,
        created_at: None,
        meta: None,
        counted: None,
        ..message
    }
}

fn spoken(config: &Config, message: Spoken) -> Result<Message> {
    let message = match message {
        Spoken::Text(text) => Message::new(Role::User, text),
        Spoken::Message(message) => *message,
    };
    if message.role != Role::User {
        return Err(Error::input("message.role", "`user`: this turn's message"));
    }
    check_message(config, "message", &message)?;
    Ok(message)
}

fn instructions(config: &Config, system: Option<Instructions>) -> Result<Vec<Message>> {
    let messages = match system {
        None => Vec::new(),
        Some(Instructions::Text(text)) => vec![Message::new(Role::System, text)],
        Some(Instructions::Messages(messages)) => messages,
    };
    for (index, message) in messages.iter().enumerate() {
        let path = format!("system[{index}]");
        if !message.role.is_system() {
            return Err(Error::input(
                format!("{path}.role"),
                "`system` or `developer`",
            ));
        }
        check_message(config, &path, message)?;
    }
    Ok(messages)
}

/// A session's newest messages (W1), the summary of what was before them, and what was worked
/// around; the summary is an error where it could not be read.
type SessionPart = (Recent, Result<Option<String>>, Vec<Warning>);

async fn read_session<H: Host>(
    host: &H,
    config: &Config,
    tokens: &Tokens,
    session: &Session<'_>,
    agent: &AgentConfig,
) -> Result<SessionPart> {
    let mut warnings = Vec::new();
    let limit = agent.context_rounds.saturating_mul(3);
    if limit == 0 {
        return Ok((Recent::empty(), Ok(None), warnings));
    }
    let recent = history::recent(host, config, tokens, session, limit, &mut warnings).await?;
    let summary = summary::read_through(host, config, session, recent.summarized_below)
        .await
        .inspect_err(|error| {
            warnings.push(store::warning(host, "summary_unreadable", &error.message));
        });
    let text = summary.map(|summary| summary.map(|summary| summary.text));
    Ok((recent, text, warnings))
}

/// Long-term recall. Never an error: a fault or a timeout gives nothing (L1).
async fn recall<H: Host>(
    host: &H,
    config: &Config,
    indexes: &Indexes,
    scope: &Scope,
    agent: &AgentConfig,
    query: &Query<'_>,
) -> Outcome {
    if !agent.long_memory {
        return Outcome::Skipped("long_memory_off");
    }
    if agent.model.as_deref().is_none_or(str::is_empty) && !host.has_llm() {
        return Outcome::Skipped("no_model");
    }
    let mut failed_over = None;
    if let Some(api) = provider::of_agent(config, agent) {
        let fault = match provider::recall::recall(host, config, api, scope, query).await {
            Ok(hits) => return Outcome::Found(Found::new(hits, 0)),
            Err(fault) => provider::warning(host, api, &fault),
        };
        if !config.recall.failover {
            return Outcome::Failed(fault.message);
        }
        failed_over = Some(fault);
    }
    let find = find(host, config, indexes, scope, query);
    let fault = match host::within(host, config.recall.timeout_ms, find).await {
        Some(Ok(found)) => {
            if let Some(index) = &found.index {
                let (used, now) = (&found.used, found.now_ms);
                let noted = touch::touch(host, &config.life, scope, used, now).await;
                indexes.known.note(scope, &noted, &config.life);
                index.take_in(noted);
                keep(host, config, scope, index).await;
            }
            return Outcome::Found(Found {
                failed_over,
                ..found
            });
        }
        Some(Err(error)) => error.into_message(),
        None => "timeout".to_owned(),
    };
    store::warn(host, "recall_failed", &fault);
    Outcome::Failed(fault)
}

/// Brings the stored index up to date, as far as that does not hold up the turn.
async fn keep<H: Host>(host: &H, config: &Config, scope: &Scope, index: &Indexed) {
    let save = index.save_soon(host, scope);
    if let Some(Err(error)) = host::within(host, config.life.touch_timeout_ms, save).await {
        store::warn(host, "index_not_saved", &error.message);
    }
}

async fn find<H: Host>(
    host: &H,
    config: &Config,
    indexes: &Indexes,
    scope: &Scope,
    query: &Query<'_>,
) -> Result<Found> {
    let now = store::now(host)?;
    let (index, asked) = join(
        indexes.open(host, scope, false),
        external::ask(host, config, scope, query),
    )
    .await;
    let Some(index) = index? else {
        return Ok(Found::new(Vec::new(), now));
    };
    let near = asked.near.as_deref();
    let query = &Query {
        vector: asked.vector,
        near: near.map(|near| index.own(host, scope, near)),
        ..query.clone()
    };
    let room = config.recall.scope_limit.saturating_sub(query.limit);
    let (found, standing) = index
        .find(host, scope, query, config, now, Some(room))
        .await?;
    let recalled = found.hits;
    Ok(Found {
        standing,
        used: index.note(&recalled, now, &config.life).hot,
        index: Some(index),
        ..Found::new(recalled, now)
    })
}

/// The rendered memory messages within their budget, how many of the first do not depend on this
/// turn, and what the report says of them.
fn remembered(
    config: &Config,
    tokens: &Tokens,
    outcome: Outcome,
    warnings: &mut Vec<Warning>,
) -> Result<(Vec<Message>, usize, RecallReport)> {
    let mut report = RecallReport {
        status: RecallStatus::Ok,
        reason: None,
        hits: Vec::new(),
        dropped: Vec::new(),
    };
    let found = match outcome {
        Outcome::Found(mut found) => {
            warnings.push_all(found.failed_over.take());
            found
        }
        Outcome::Skipped(reason) => {
            report.status = RecallStatus::Skipped;
            report.reason = Some(reason.to_owned());
            return Ok((Vec::new(), 0, report));
        }
        Outcome::Failed(fault) => {
            report.status = RecallStatus::Failed;
            report.reason = Some(fault.clone());
            warnings.push(Warning {
                code: "recall_failed",
                message: format!("the turn goes on without long-term memory: {fault}"),
            });
            return Ok((Vec::new(), 0, report));
        }
    };
    let (mut user, mut agent) = (Vec::new(), Vec::new());
    let shown = in_order(found, config.recall.scope_limit, &mut report.dropped);
    for shown in shown {
        match shown.memory.scope {
            MemoryScope::User => user.push(shown),
            MemoryScope::Agent => agent.push(shown),
        }
    }
    let lines = |shown: &[Shown]| {
        shown
            .iter()
            .map(|shown| budget::Line {
                text: prompt::line(&shown.memory),
                rank: shown.rank,
            })
            .gather()
    };
    let split = budget::split(
        lines(&user),
        lines(&agent),
        &config.budget,
        &tokens.lasting(),
    )?;
    let left_out = |section, index| {
        let mut dropped = split.dropped.iter();
        dropped.any(|left| left.section == section && left.index == index)
    };
    for (section, shown, limit) in [
        (Section::User, user, "user_share"),
        (Section::Agent, agent, "tokens"),
    ] {
        for (index, shown) in shown.into_iter().enumerate() {
            if left_out(section, index) {
                report.dropped.push(dropped(shown.memory.id, limit));
                continue;
            }
            report.hits.push(RecallHit {
                id: shown.memory.id,
                score: shown.score,
                scope: shown.memory.scope,
                section: shown.section,
            });
        }
    }
    let blocks = [
        (MemoryScope::User, prompt::profile(&split.user)),
        (MemoryScope::Agent, prompt::agent_memory(&split.agent)),
    ];
    let is_stable = |scope: MemoryScope| {
        let mut of_scope = report.hits.iter().filter(|hit| hit.scope == scope);
        of_scope.all(|hit| hit.section == STANDING)
    };
    let shown = blocks.iter().filter(|(_, block)| block.is_some());
    let stable = shown.take_while(|(scope, _)| is_stable(*scope)).count();
    Ok((
        blocks.into_iter().filter_map(|(_, block)| block).gather(),
        stable,
        report,
    ))
}

struct Shown {
    memory: Memory,
    /// Standing memories before what was recalled, and that best first.
    rank: usize,
    score: Option<f64>,
    section: &'static str,
}

/// How many memories of each scope.
#[derive(Default)]
struct PerScope {
    user: usize,
    agent: usize,
}

impl PerScope {
    fn of(&mut self, scope: MemoryScope) -> &mut usize {
        match scope {
            MemoryScope::User => &mut self.user,
            MemoryScope::Agent => &mut self.agent,
        }
    }
}

/// Standing memories first, then those that only the query brought, each in the order of their
/// creation: a small change of recall reorders nothing that was there (W7).
fn in_order(found: Found, scope_limit: usize, out: &mut Vec<DroppedMemory>) -> Vec<Shown> {
    let recalled = found.recalled.iter();
    let places = sorted::map(
        recalled
            .zip(0..)
            .map(|(hit, at)| (hit.memory.id.clone(), at)),
    );
    let score = |id: &str| found.recalled.get(*places.get(id)?)?.score;
    let mut shown: Vec<Shown> = found
        .standing
        .into_iter()
        .enumerate()
        .map(|(rank, memory)| Shown {
            rank,
            score: score(&memory.id),
            memory,
            section: STANDING,
        })
        .gather();
    let standing = Names::from_iter(shown.iter().map(|shown| shown.memory.id.clone()));
    let mut counts = PerScope::default();
    for shown in &shown {
        *counts.of(shown.memory.scope) += 1;
    }
    // Best first here, so that the limit drops the least relevant.
    let mut recalled: Vec<Shown> = found
        .recalled
        .into_iter()
        .filter(|hit| !standing.contains(&hit.memory.id))
        .filter(|hit| {
            let count = counts.of(hit.memory.scope);
            *count += 1;
            if *count > scope_limit {
                out.push(dropped(hit.memory.id.clone(), "scope_limit"));
            }
            *count <= scope_limit
        })
        .enumerate()
        .map(|(rank, hit)| Shown {
            rank: shown.len() + rank,
            memory: hit.memory,
            score: hit.score,
            section: RECALLED,
        })
        .gather();
    order::sort_by(&mut recalled, |a, b| a.memory.id.cmp(&b.memory.id));
    shown.append(&mut recalled);
    shown
}
