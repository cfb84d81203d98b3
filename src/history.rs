//! The message store of a session: durable first, then the hot cache (C1–C4).

use crate::config::Config;
use crate::error::{Code, Error, Result};
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{Commit, Entry, Host};
use crate::key::last_part;
use crate::load::Warning;
use crate::message::Message;
use crate::order;
use crate::prompt::is_synthetic;
use crate::read::{self, Read};
use crate::scope::{Scope, Session, check_id};
use crate::sorted::Set;
use crate::store::{self, Attempts, Change, Record};
use crate::tokens::{self, Kept, Tokens};
use crate::write;
use futures_util::future::join;
use serde::Serialize;
use serde_json::Value;

/// A session's head: it changes with every message, so that a commit can check it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "camelCase")]
pub struct SessionHead {
    /// The session's id.
    pub session: String,
    /// The agent that last spoke in it.
    #[serde(default)]
    pub agent: Option<String>,
    /// The number that the next message gets.
    pub next: u64,
    /// Numbers below it that no message has any more.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub removed: u64,
    /// Messages below this number were consolidated and their marks have expired.
    pub judged_below: u64,
    /// Messages below this number are covered by the summary.
    pub summarized_below: u64,
    /// When its first message was stored, ms.
    pub created_at: i64,
    /// When its last message was stored, ms.
    pub updated_at: i64,
}

impl SessionHead {
    /// How many messages there are.
    pub fn messages(&self) -> u64 {
        self.next.saturating_sub(self.removed)
    }
}

// Most sessions never lose a message: their heads stay as they always were.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Where a history was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HistorySource {
    /// The hot cache.
    Cache,
    /// The durable store.
    Store,
    /// Nothing was read.
    None,
}

/// The newest messages of a session.
#[derive(Debug, Clone)]
pub struct Recent {
    /// Oldest first.
    pub messages: Vec<Message>,
    /// Where they came from.
    pub source: HistorySource,
    /// Messages of the session before these.
    pub older: u64,
    /// Messages below this number are covered by the summary; 0 where the head could not be read.
    pub summarized_below: u64,
}

impl Recent {
    /// No history.
    pub fn empty() -> Self {
        Self {
            messages: Vec::new(),
            source: HistorySource::None,
            older: 0,
            summarized_below: 0,
        }
    }
}

/// A message that `append` stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stored {
    /// Its place in the request.
    pub index: usize,
    /// Its id, made here if it had none.
    pub id: String,
}

/// Why `append` did not store a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// A message of that id is stored already.
    Duplicate,
    /// It is the summary or the memories that `load` put into the window (F4).
    Synthetic,
    /// It is a sub-agent's instruction or tool message (C3).
    SubAgent,
}

/// A message that `append` did not store.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Skipped {
    /// Its place in the request.
    pub index: usize,
    /// Why.
    pub reason: SkipReason,
}

/// What `append` did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Appended {
    /// What was stored, in order.
    pub stored: Vec<Stored>,
    /// What was not.
    pub skipped: Vec<Skipped>,
}

#[derive(Serialize, Read)]
struct Cached {
    next: u64,
    /// Newest first, without gaps; the first has the number `next - 1`.
    rows: Vec<Value>,
    /// What is kept beside each row of its count; older versions know nothing of it.
    #[serde(default)]
    counts: Vec<Option<Kept>>,
}

/// A row of the cache: a message and what is kept beside it.
type Row = (Value, Option<Kept>);

fn row(message: &Message) -> Row {
    (write::value(message), message.counted.clone())
}

impl Cached {
    fn into_rows(self) -> impl Iterator<Item = Row> {
        let counts = self.counts.into_iter().chain(std::iter::repeat(None));
        self.rows.into_iter().zip(counts)
    }
}

/// Stores messages: durable store first, then the hot cache. Ids make it safe to call again.
pub async fn append<H: Host>(
    host: &H,
    config: &Config,
    tokens: &Tokens,
    scope: &Scope,
    messages: Vec<Message>,
) -> Result<Appended> {
    let session = scope.session()?;
    check_messages(config, &messages)?;
    let now = store::now(host)?;
    let mut result = Appended::default();
    let mut fresh = Vec::new();
    for (index, mut message) in messages.into_iter().enumerate() {
        let reason = if session.is_sub_agent && !message.is_chat() {
            Some(SkipReason::SubAgent)
        } else if is_synthetic(&message) {
            Some(SkipReason::Synthetic)
        } else {
            None
        };
        if let Some(reason) = reason {
            result.skipped.push(Skipped { index, reason });
            continue;
        }
        let id = match &message.id {
            Some(id) => id.clone(),
            None => store::new_id(host)?,
        };
        message.id = Some(id.clone());
        message.created_at.get_or_insert(now);
        message.counted = tokens::keep(tokens, &message);
        fresh.push((index, id, message));
    }
    if fresh.is_empty() {
        return Ok(result);
    }
    let written = write(host, &session, &fresh, now).await?;
    for (index, id, _) in &fresh {
        if written.indexes.contains(index) {
            let (index, id) = (*index, id.clone());
            result.stored.push(Stored { index, id });
        } else {
            let reason = SkipReason::Duplicate;
            result.skipped.push(Skipped {
                index: *index,
                reason,
            });
        }
    }
    order::sort_by_key(&mut result.skipped, |skipped| skipped.index);
    let rows = fresh
        .into_iter()
        .filter(|(index, ..)| written.indexes.contains(index))
        .map(|(.., message)| message);
    refresh_cache(host, config, &session, written.first, rows.gather()).await;
    Ok(result)
}

fn check_messages(config: &Config, messages: &[Message]) -> Result<()> {
    let limit = config.history.max_append;
    if messages.len() > limit {
        return Err(Error::too_large(
            "messages",
            messages.len(),
            limit,
            "messages",
        ));
    }
    for (index, message) in messages.iter().enumerate() {
        check_message(config, &format!("messages[{index}]"), message)?;
    }
    Ok(())
}

/// Checks one message's id and size.
pub fn check_message(config: &Config, path: &str, message: &Message) -> Result<()> {
    if let Some(id) = &message.id {
        check_id(&format!("{path}.id"), id)?;
    }
    let limit = config.history.max_message_chars;
    let size = store::encode(message).chars().count();
    if size > limit {
        return Err(Error::too_large(path, size, limit, "characters"));
    }
    Ok(())
}

struct Written {
    /// The number of the first message written.
    first: u64,
    indexes: Set<usize>,
}

async fn write<H: Host>(
    host: &H,
    session: &Session<'_>,
    fresh: &[(usize, String, Message)],
    now: i64,
) -> Result<Written> {
    let head_key = session.head_key();
    let mut keys = vec![head_key.clone()];
    keys.push_all(fresh.iter().map(|(_, id, _)| session.message_id_key(id)));
    let mut attempts = Attempts::default();
    loop {
        let mut entries = store::get(host, &keys).await?.into_iter();
        let head = entries.next().flatten().map(store::record).transpose()?;
        let mut next = head
            .as_ref()
            .map_or(0, |head: &Record<SessionHead>| head.value.next);
        let first = next;
        let mut change = Change::new();
        change.check(head_key.clone(), head.as_ref());
        let mut seen = Set::new();
        let mut indexes = Set::new();
        for ((index, id, message), known) in fresh.iter().zip(entries) {
            if known.is_some() || !seen.insert(id.as_str()) {
                continue;
            }
            change.put_beside(session.message_key(next), message, message.counted.as_ref());
            change.put(session.message_id_key(id), &next);
            indexes.insert(*index);
            next += 1;
        }
        let written = Written { first, indexes };
        if written.indexes.is_empty() {
            return Ok(written);
        }
        let head = match head {
            Some(head) => SessionHead {
                agent: session.scope.agent.clone().or(head.value.agent),
                next,
                updated_at: now,
                ..head.value
            },
            None => SessionHead {
                session: session.id.to_owned(),
                agent: session.scope.agent.clone(),
                next,
                removed: 0,
                judged_below: 0,
                summarized_below: 0,
                created_at: now,
                updated_at: now,
            },
        };
        change.put(head_key.clone(), &head);
        match change.commit(host).await? {
            Commit::Done => return Ok(written),
            Commit::Conflict => attempts.lost("the session")?,
        }
    }
}

async fn refresh_cache<H: Host>(
    host: &H,
    config: &Config,
    session: &Session<'_>,
    first: u64,
    messages: Vec<Message>,
) {
    if !host.has_cache() {
        return;
    }
    let added = u64::try_from(messages.len()).unwrap_or(u64::MAX);
    let mut rows: Vec<Row> = messages.iter().rev().map(row).gather();
    let key = session.cache_key("messages");
    match host.cache_get(&key).await {
        Ok(Some(text)) => {
            let old = store::decode::<Cached>(&key, &text).ok();
            rows.push_all(
                old.filter(|old| old.next == first)
                    .into_iter()
                    .flat_map(Cached::into_rows),
            );
        }
        Ok(None) => {}
        Err(error) => store::warn(host, "cache_failed", &error.0),
    }
    put_cache(host, config, &key, first + added, rows, &mut Vec::new()).await;
}

async fn put_cache<H: Host>(
    host: &H,
    config: &Config,
    key: &str,
    next: u64,
    mut rows: Vec<Row>,
    warnings: &mut Vec<Warning>,
) {
    rows.truncate(config.history.cache_messages);
    if rows.is_empty() {
        return;
    }
    let (rows, counts) = rows.into_iter().unzip();
    let text = store::encode(&Cached { next, rows, counts });
    if let Err(error) = host
        .cache_put(key, &text, config.history.cache_ttl_ms)
        .await
    {
        warnings.push(store::warning(host, "cache_failed", &error.0));
    }
}

/// Reads the newest `limit` messages: from the cache when it is whole and current, else from the
/// durable store, refilling the cache. What is worked around goes to `warnings`.
pub async fn recent<H: Host>(
    host: &H,
    config: &Config,
    tokens: &Tokens,
    session: &Session<'_>,
    limit: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Recent> {
    if limit == 0 {
        return Ok(Recent::empty());
    }
    let cache_key = session.cache_key("messages");
    let (head, cached) = join(
        store::read(host, session.head_key()),
        host.cache_get(&cache_key),
    )
    .await;
    let cached = cached
        .inspect_err(|error| warnings.push(store::warning(host, "cache_failed", &error.0)))
        .ok()
        .flatten()
        .and_then(|text| store::decode::<Cached>(&cache_key, &text).ok());
    let head = match store::typed::<SessionHead>(head) {
        Ok(None) => return Ok(Recent::empty()),
        Ok(Some(head)) => head.value,
        Err(error) if error.code == Code::StoreFailed && cached.is_some() => {
            let warning = store::warning(host, "history_from_cache", &error.message);
            warnings.push(warning);
            return from_cache(host, session, cached, None, limit, warnings)
                .await
                .ok_or(error);
        }
        Err(error) => return Err(error),
    };
    if let Some(recent) = from_cache(host, session, cached, Some(&head), limit, warnings).await {
        return Ok(recent);
    }
    let want = match host.has_cache() {
        true => limit.max(config.history.cache_messages),
        false => limit,
    };
    let entries = store::range(host, session.messages(), want, true).await?;
    let mut messages: Vec<Message> = counted(host, entries, warnings)
        .into_iter()
        .map(|record| record.value)
        .gather();
    // The window is about to count these anyway: so the cache knows their counts as well.
    for message in messages.iter_mut().take(limit) {
        if !tokens.knows(message) {
            message.counted = tokens::keep(&tokens.lasting(), message);
        }
    }
    if host.has_cache() {
        let rows = messages.iter().map(row).gather();
        put_cache(host, config, &cache_key, head.next, rows, warnings).await;
    }
    messages.truncate(limit);
    messages.reverse();
    Ok(Recent {
        summarized_below: head.summarized_below,
        ..recent_of(messages, HistorySource::Store, head.messages())
    })
}

fn recent_of(messages: Vec<Message>, source: HistorySource, all: u64) -> Recent {
    let got = u64::try_from(messages.len()).unwrap_or(u64::MAX);
    Recent {
        messages,
        source,
        older: all.saturating_sub(got),
        summarized_below: 0,
    }
}

/// The newest messages from the cache, if it is as new as the store's head and reaches far
/// enough back. A row that cannot be read is read from the store instead.
async fn from_cache<H: Host>(
    host: &H,
    session: &Session<'_>,
    cached: Option<Cached>,
    head: Option<&SessionHead>,
    limit: usize,
    warnings: &mut Vec<Warning>,
) -> Option<Recent> {
    let cached = cached?;
    let (next, len) = (cached.next, cached.rows.len());
    let held = u64::try_from(len).unwrap_or(u64::MAX);
    let whole = |all: u64| len >= limit || held >= all;
    if head.is_some_and(|head| head.next != next || !whole(head.messages())) {
        return None;
    }
    let mut messages = Vec::new();
    let numbers = (0..next).rev();
    for ((row, counted), number) in cached.into_rows().take(limit).zip(numbers) {
        match read::lenient::<Message>(&row) {
            Ok(message) => messages.push(Message { counted, ..message }),
            Err(error) => {
                let warning = store::warning(host, "cache_row_damaged", &error.to_string());
                warnings.push(warning);
                let read = store::read(host, session.message_key(number)).await;
                let read = store::typed::<Message>(read).ok().flatten();
                messages.push_all(read.map(|record| record.value));
            }
        }
    }
    messages.reverse();
    let all = head.map_or(next, SessionHead::messages);
    Some(Recent {
        summarized_below: head.map_or(0, |head| head.summarized_below),
        ..recent_of(messages, HistorySource::Cache, all)
    })
}

/// Reads the messages of entries, with what is kept beside them; one that cannot be read is logged and
/// left out.
fn counted<H: Host>(
    host: &H,
    entries: Vec<Entry>,
    warnings: &mut Vec<Warning>,
) -> Vec<Record<Message>> {
    entries
        .into_iter()
        .filter_map(|entry| {
            let (mut record, counted) = store::record_beside::<Message, _>(entry)
                .inspect_err(|error| {
                    warnings.push(store::warning(host, "corrupt_record", &error.message));
                })
                .ok()?;
            record.value.counted = counted;
            Some(record)
        })
        .gather()
}

/// Reads messages with their numbers, oldest first; one that cannot be read is logged and left out.
pub async fn numbered<H: Host>(
    host: &H,
    session: &Session<'_>,
    from: u64,
    limit: usize,
) -> Result<Vec<(u64, Message)>> {
    let (_, end) = session.messages();
    let entries = store::range(host, (session.message_key(from), end), limit, false).await?;
    let records = counted(host, entries, &mut Vec::new());
    let number = |key: &str| last_part(key).and_then(|part| part.parse().ok());
    Ok(records
        .into_iter()
        .filter_map(|record| Some((number(&record.key)?, record.value)))
        .gather())
}
