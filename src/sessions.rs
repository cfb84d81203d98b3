//! What people see of their sessions: the list, and the messages of one.

use crate::error::{Code, Error, Result};
use crate::gather::Gather;
use crate::history::SessionHead;
use crate::host::Host;
use crate::message::Message;
use crate::order;
use crate::scope::{Scope, Session, check_id};
use crate::store::{self, Record};
use serde::Serialize;

/// One session of a user.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    /// Its id.
    pub session: String,
    /// The agent that last spoke in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// How many messages it has.
    pub messages: u64,
    /// When its first message was stored, ms.
    pub created_at: i64,
    /// When its last message was stored, ms.
    pub updated_at: i64,
}

/// The user's sessions, the most recent first.
pub async fn list<H: Host>(host: &H, scope: &Scope) -> Result<Vec<SessionInfo>> {
    scope.check()?;
    let entries = store::range(host, scope.session_heads(), usize::MAX, false).await?;
    let heads: Vec<Record<SessionHead>> = store::decode_all(host, entries);
    let mut sessions: Vec<SessionInfo> = heads
        .into_iter()
        .map(|head| SessionInfo {
            messages: head.value.messages(),
            session: head.value.session,
            agent: head.value.agent,
            created_at: head.value.created_at,
            updated_at: head.value.updated_at,
        })
        .gather();
    order::sort_by(&mut sessions, |a, b| {
        let newest = b.updated_at.cmp(&a.updated_at);
        newest.then_with(|| a.session.cmp(&b.session))
    });
    Ok(sessions)
}

/// The last `limit` messages of a session, or those before one of them; oldest first.
pub async fn messages<H: Host>(
    host: &H,
    session: &Session<'_>,
    limit: usize,
    before: Option<&str>,
) -> Result<Vec<Message>> {
    let (first, mut end) = session.messages();
    if let Some(id) = before {
        check_id("before", id)?;
        let number = store::typed::<u64>(store::read(host, session.message_id_key(id)).await)?;
        let number = number.ok_or_else(|| {
            Error::new(Code::NotFound, format!("no message `{id}` in this session"))
                .with_path("before")
        })?;
        end = session.message_key(number.value);
    }
    let entries = store::range(host, (first, end), limit, true).await?;
    let records: Vec<Record<Message>> = store::decode_all(host, entries);
    Ok(records
        .into_iter()
        .rev()
        .map(|record| record.value)
        .gather())
}
