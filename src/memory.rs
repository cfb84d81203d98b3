//! What a memory is: its fields, categories and the cube it belongs to.

use crate::read::Read;
use crate::safety::{SafetyConfig, Suspicious, suspicion};
pub use crate::sorted::Facts;
use serde::Serialize;

/// What a memory is about. The platform's wider taxonomy maps onto these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Who the user is: name, home, work, family, health.
    Profile,
    /// Where credentials are kept; never the secret itself.
    Auth,
    /// People around the user.
    Social,
    /// A project and its facts.
    Project,
    /// What the user likes, dislikes, or how they want to be answered.
    Preference,
    /// Something to be done, a plan, a decision about work.
    Task,
    /// An explicit "remember this", or a note.
    Note,
    /// An idea.
    Idea,
    /// Something that happened or will happen at a time.
    Event,
    /// A document or its content.
    Document,
    /// Code or tooling.
    Code,
    /// Anything else.
    Other,
}

/// Who shares a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum MemoryScope {
    /// Shared by all agents of the user: cube `user_profile`.
    User,
    /// One agent's experience: cube `agent_{agentId}`.
    Agent,
}

/// MemOS's content forms, a dimension apart from scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A plain fact.
    #[default]
    Text,
    /// A preference.
    Pref,
    /// How to do something.
    Skill,
    /// What a tool answered or how to use it.
    Tool,
}

/// How far a memory has settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Recent, detailed.
    #[default]
    Short,
    /// Settled, condensed.
    Long,
}

/// Whether a memory takes part in ordinary recall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Temperature {
    /// In the working set.
    #[default]
    Hot,
    /// Archived, recalled only on request.
    Cold,
}

/// Where a memory came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Dialogue.
    #[default]
    Chat,
    /// A tool's answer.
    Tool,
    /// Added through the API.
    External,
}

/// A lasting memory, as stored and as returned.
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// Unique within the user; time-ordered.
    pub id: String,
    /// The text.
    pub content: String,
    /// When it was stored, ms since the epoch.
    pub created_at: i64,
    /// When it was last recalled or confirmed, ms.
    pub last_access_at: i64,
    /// How often it was recalled or confirmed.
    #[serde(default)]
    pub access_count: u32,
    /// When what it tells was said, ms; the newest of its messages.
    pub observed_at: i64,
    /// The weight at last access.
    pub weight: f64,
    /// 1 (greeting) to 10 (explicit instruction).
    pub importance: u8,
    /// What it is about.
    pub category: Category,
    /// Its content form.
    #[serde(default)]
    pub kind: Kind,
    /// Who shares it.
    pub scope: MemoryScope,
    /// The agent whose experience it is, when `scope` is `agent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// How far it has settled.
    #[serde(default)]
    pub tier: Tier,
    /// Whether it takes part in ordinary recall.
    #[serde(default)]
    pub temperature: Temperature,
    /// Free labels.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Where it came from.
    #[serde(default)]
    pub source: Source,
    /// 1, and one more at every update.
    pub version: u32,
    /// The version that this one replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_id: Option<String>,
    /// The version that replaced this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_id: Option<String>,
    /// Memories that overlap with it.
    #[serde(default)]
    pub related_ids: Vec<String>,
    /// Memories that contradict it.
    #[serde(default)]
    pub conflict_ids: Vec<String>,
    /// False once it was superseded or forgotten.
    pub is_valid: bool,
    /// When it was forgotten softly, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forgotten_at: Option<i64>,
    /// Protected by the user.
    #[serde(default)]
    pub is_pinned: bool,
    /// The session it was learnt in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The messages it came from.
    #[serde(default)]
    pub message_ids: Vec<String>,
    /// The number of the first of these messages in its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u32>,
    /// Key–value pairs that the judge named, such as `profile.location.city`.
    #[serde(default, skip_serializing_if = "Facts::is_empty")]
    pub facts: Facts,
    /// Words of the messages it came from and of those around, by which it is found too: who said it,
    /// a colon, the words that the text itself does not have. They are never shown to a model.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cues: String,
    /// Kept out of the prompt when the caller filters sensitive memories.
    #[serde(default)]
    pub is_sensitive: bool,
    /// When it stops being true, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// Why somebody should look at it: it tries to give orders to its reader (F11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspicion: Option<String>,
    /// Kept out of recall and of merges until it is allowed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_held: bool,
}

/// The cube shared by all agents of a user.
pub const USER_CUBE: &str = "user_profile";

/// The cube of one agent's experience.
pub fn agent_cube(agent: &str) -> String {
    format!("agent_{agent}")
}

impl Memory {
    /// The cube this memory belongs to.
    pub fn cube(&self) -> String {
        match (self.scope, &self.agent_id) {
            (MemoryScope::Agent, Some(agent)) => agent_cube(agent),
            _ => USER_CUBE.to_owned(),
        }
    }

    /// Whether it belongs to this cube.
    pub fn is_of(&self, cube: &str) -> bool {
        match (self.scope, &self.agent_id) {
            (MemoryScope::Agent, Some(agent)) => agent_cube(agent) == cube,
            _ => cube == USER_CUBE,
        }
    }

    /// Takes note of what its text may be up to, as this configuration wants it.
    pub fn inspect(&mut self, config: &SafetyConfig) {
        let reason = match config.suspicious {
            Suspicious::Allow => None,
            Suspicious::Hold | Suspicious::Flag => suspicion::reason(&self.content),
        };
        self.suspicion = reason.map(|reason| reason.as_str().to_owned());
        self.is_held = reason.is_some() && config.suspicious == Suspicious::Hold;
    }

    /// Whether recall may use it at `now_ms`.
    pub fn is_live(&self, now_ms: i64) -> bool {
        !self.is_held && !self.is_over(now_ms)
    }

    /// Whether it was replaced, forgotten, or has expired.
    pub fn is_over(&self, now_ms: i64) -> bool {
        !self.is_valid || self.expires_at.is_some_and(|at| at <= now_ms)
    }
}

/// A memory that a judge proposes, before dedup and conflict handling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// The text.
    pub content: String,
    /// What it is about.
    pub category: Category,
    /// Its content form.
    pub kind: Kind,
    /// Who shares it.
    pub scope: MemoryScope,
    /// 1 to 10.
    pub importance: u8,
    /// Key–value pairs that name what it states.
    #[serde(default)]
    pub facts: Facts,
    /// Kept out of the prompt when the caller filters sensitive memories.
    #[serde(default)]
    pub is_sensitive: bool,
    /// Ids of stored memories that the judge says it replaces.
    #[serde(default)]
    pub replaces: Vec<String>,
    /// Ids of stored memories that the judge says cannot be true with it, without knowing which is.
    #[serde(default)]
    pub contradicts: Vec<String>,
    /// The messages it came from.
    #[serde(default)]
    pub message_ids: Vec<String>,
    /// What else it is found by; see [`Memory::cues`].
    #[serde(default)]
    pub cues: String,
    /// When it was said, ms; the newest of its messages.
    pub observed_at: i64,
}
