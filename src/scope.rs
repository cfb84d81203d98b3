//! Whose data a call is about. Every key is built here, below tenant and user, so that no call
//! can reach across them whatever ids it is given.

use crate::error::{Error, Result};
use crate::gather::Gather;
use crate::key::{Key, MAX_ID_BYTES};
use crate::memory::{MemoryScope, USER_CUBE, agent_cube};
use crate::read::Read;
use serde::Serialize;

/// Tenant, user, and, where the call needs them, agent and session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// The customer whose users these are.
    #[serde(default = "default_tenant")]
    pub tenant: String,
    /// The person.
    pub user: String,
    /// The agent that speaks with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// The tenant of calls that name none.
pub const DEFAULT_TENANT: &str = "default";

fn default_tenant() -> String {
    DEFAULT_TENANT.to_owned()
}

/// Sessions of sub-agents start with this; their talk belongs to the main session (C3).
const SUB_AGENT: &str = "agent:";

impl Scope {
    /// Checks every id and, where one is needed, that a session is named.
    pub fn check(&self) -> Result<()> {
        check_id("scope.tenant", &self.tenant)?;
        check_id("scope.user", &self.user)?;
        if let Some(agent) = &self.agent {
            check_id("scope.agent", agent)?;
        }
        if let Some(session) = &self.session {
            check_id("scope.session", session)?;
            check_id("scope.session", main_session(session))?;
        }
        Ok(())
    }

    /// The session of this scope and whether it is a sub-agent's.
    pub fn session(&self) -> Result<Session<'_>> {
        self.check()?;
        let given = self
            .session
            .as_deref()
            .ok_or_else(|| Error::input("scope.session", "the id of a session"))?;
        let id = main_session(given);
        Ok(Session {
            scope: self,
            id,
            is_sub_agent: id.len() < given.len(),
        })
    }

    /// Whether a memory of this scope and agent is visible to calls of this scope. Without an
    /// agent, the person's own view: everything of theirs.
    pub fn sees(&self, scope: MemoryScope, agent_id: Option<&str>) -> bool {
        match (scope, &self.agent) {
            (MemoryScope::User, _) | (_, None) => true,
            (MemoryScope::Agent, Some(agent)) => agent_id == Some(agent),
        }
    }

    /// The cubes that a turn of this scope reads.
    pub fn readable_cubes(&self) -> Vec<String> {
        let agent = self.agent.as_deref().map(agent_cube);
        std::iter::once(USER_CUBE.to_owned()).chain(agent).gather()
    }

    fn key(&self, kind: &str) -> Key {
        Key::new("s1")
            .part(&self.tenant)
            .part(&self.user)
            .part(kind)
    }

    /// The bounds of everything below tenant and user.
    pub fn everything(&self) -> (String, String) {
        let user = Key::new("s1").part(&self.tenant).part(&self.user);
        user.children()
    }

    /// The key of a memory.
    pub fn memory_key(&self, id: &str) -> String {
        self.key("memory").part(id).build()
    }

    /// The bounds of the user's memories.
    pub fn memories(&self) -> (String, String) {
        self.key("memory").children()
    }

    /// The key of the record that changes with every change of the user's memories.
    pub fn memory_head_key(&self) -> String {
        self.key("memory-head").build()
    }

    /// The key of what is said of the stored search index.
    pub fn index_head_key(&self) -> String {
        self.key("index").part("head").build()
    }

    /// The key of the part of the stored search index that begins with this memory.
    pub fn index_part_key(&self, first: &str) -> String {
        self.key("index").part("part").part(first).build()
    }

    /// The bounds of the parts of the stored search index.
    pub fn index_parts(&self) -> (String, String) {
        self.key("index").part("part").children()
    }

    /// The key of a memory's embedding.
    pub fn vector_key(&self, id: &str) -> String {
        self.key("vector").part(id).build()
    }

    /// The bounds of the user's embeddings.
    pub fn vectors(&self) -> (String, String) {
        self.key("vector").children()
    }

    /// The key of what is left of a memory that is gone for good.
    pub fn tombstone_key(&self, id: &str) -> String {
        self.key("forgotten").part(id).build()
    }

    /// The bounds of the user's tombstones.
    pub fn tombstones(&self) -> (String, String) {
        self.key("forgotten").children()
    }

    /// The bounds of the marks of all sessions of the user.
    pub fn all_marks(&self) -> (String, String) {
        self.key("mark").children()
    }

    /// The bounds of the consolidation locks of all sessions of the user.
    pub fn all_locks(&self) -> (String, String) {
        self.key("lock").children()
    }

    /// The key of a question to the user.
    pub fn question_key(&self, id: &str) -> String {
        self.key("question").part(id).build()
    }

    /// The bounds of the questions to the user.
    pub fn questions(&self) -> (String, String) {
        self.key("question").children()
    }

    /// The bounds of the user's session heads.
    pub fn session_heads(&self) -> (String, String) {
        self.key("session").children()
    }
}

/// A session of a scope.
#[derive(Debug, Clone, Copy)]
pub struct Session<'a> {
    /// Whose it is.
    pub scope: &'a Scope,
    /// Its id, without a sub-agent's prefix.
    pub id: &'a str,
    /// Whether the call named it as a sub-agent.
    pub is_sub_agent: bool,
}

impl Session<'_> {
    /// The key of the session's head record.
    pub fn head_key(&self) -> String {
        self.scope.key("session").part(self.id).build()
    }

    /// The key of a message by its number.
    pub fn message_key(&self, number: u64) -> String {
        self.key("message").number(number).build()
    }

    /// The bounds of the session's messages.
    pub fn messages(&self) -> (String, String) {
        self.key("message").children()
    }

    /// The key that finds a message's number by its id.
    pub fn message_id_key(&self, id: &str) -> String {
        self.key("message-id").part(id).build()
    }

    /// The bounds of the numbers of the session's messages by id.
    pub fn message_ids(&self) -> (String, String) {
        self.key("message-id").children()
    }

    /// The key of the marks of the messages that one consolidation processed.
    pub fn mark_key(&self, first: u64) -> String {
        self.key("mark").number(first).build()
    }

    /// The bounds of the session's marks.
    pub fn marks(&self) -> (String, String) {
        self.key("mark").children()
    }

    /// The key of the session's summary.
    pub fn summary_key(&self) -> String {
        self.key("summary").build()
    }

    /// The key of the session's consolidation lock.
    pub fn lock_key(&self) -> String {
        self.key("lock").build()
    }

    /// The key of one of the session's entries in the hot cache.
    pub fn cache_key(&self, what: &str) -> String {
        self.key("cache").part(what).build()
    }

    fn key(&self, kind: &str) -> Key {
        self.scope.key(kind).part(self.id)
    }
}

fn main_session(session: &str) -> &str {
    session.strip_prefix(SUB_AGENT).unwrap_or(session)
}

/// Checks one id: not empty, and within the limit of every store's key length.
pub fn check_id(path: &str, id: &str) -> Result<()> {
    if id.is_empty() {
        return Err(Error::input(path, "a non-empty string"));
    }
    if id.len() > MAX_ID_BYTES {
        return Err(Error::too_large(path, id.len(), MAX_ID_BYTES, "bytes"));
    }
    Ok(())
}
