//! A memory service behind one set of requests and answers, whichever of the four interfaces it has.

use super::config::{Mem0Api, MemosApi};
use super::hit::Found;
use super::identity::Cube;
use super::wire::Answer;
use super::{mem0, memos, memos_cloud, request_ms};
use crate::case::Lowercase;
use crate::config::Config;
use crate::host::{ProviderAnswer, ProviderRequest};
use crate::memory::Candidate;
use crate::read::Read;
use serde::Serialize;
use serde_json::Value;

/// One of the interfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Api {
    /// MemOS on a server of one's own.
    Memos,
    /// MemOS as its vendor runs it.
    MemosCloud,
    /// Mem0 as its vendor runs it.
    Mem0,
    /// Mem0's open-source server.
    Mem0Oss,
}

/// What is asked of a service.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The question.
    pub text: &'a str,
    /// The cubes that may answer.
    pub cubes: &'a [Cube],
    /// Memories of each kind.
    pub limit: usize,
    /// To compare with: near-repeats and what is less relevant are wanted, too.
    pub wide: bool,
}

/// One line of what is added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
pub struct Said {
    /// `user` or `assistant`.
    pub role: String,
    /// The text.
    pub content: String,
}

/// What is added.
#[derive(Debug, Clone, Copy)]
pub struct Addition<'a> {
    /// The same for every attempt.
    pub key: &'a str,
    /// Where to.
    pub cube: &'a Cube,
    /// What was said.
    pub messages: &'a [Said],
    /// The memory that was judged from it; none where the service is to judge itself.
    pub candidate: Option<&'a Candidate>,
    /// The session it was said in.
    pub session: Option<&'a str>,
    /// Free labels.
    pub tags: &'a [String],
}

/// What became of an addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// These memories are new.
    Memories(Vec<String>),
    /// The service is at it; this names its task.
    Pending(String),
    /// It was taken, and nothing is new.
    Nothing,
}

/// How far a task of a service is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// It is done.
    Done,
    /// It is not.
    Running,
    /// It failed.
    Failed(String),
}

impl Progress {
    /// By the words that services use.
    pub fn read(status: &str) -> Self {
        let status = status.lowercase();
        let says = |words: &[&str]| words.iter().any(|word| status.contains(word));
        if says(&["fail", "error", "cancel"]) {
            return Self::Failed(status);
        }
        match says(&["succe", "complete", "done", "finish"]) {
            true => Self::Done,
            false => Self::Running,
        }
    }
}

/// Parts of a request that are the same for all of a kind.
pub(super) struct Post<'a> {
    pub provider: &'static str,
    pub operation: &'static str,
    pub path: &'a str,
    pub is_idempotent: bool,
    pub timeout_ms: u64,
}

impl Post<'_> {
    pub fn with(self, body: Value) -> ProviderRequest {
        ProviderRequest {
            provider: self.provider,
            operation: self.operation,
            method: "POST",
            path: self.path.to_owned(),
            body: Some(body),
            is_idempotent: self.is_idempotent,
            idempotency_key: None,
            timeout_ms: self.timeout_ms,
        }
    }
}

impl Api {
    /// The interface that this configuration names for a service.
    pub fn memos(config: &Config) -> Self {
        match config.memos.api {
            MemosApi::SelfHosted => Self::Memos,
            MemosApi::Cloud => Self::MemosCloud,
        }
    }

    /// The interface that this configuration names for a service.
    pub fn mem0(config: &Config) -> Self {
        match config.mem0.api {
            Mem0Api::Platform => Self::Mem0,
            Mem0Api::Oss => Self::Mem0Oss,
        }
    }

    /// The service's name among a host's transports.
    pub fn provider(self) -> &'static str {
        match self {
            Self::Memos | Self::MemosCloud => "memos",
            Self::Mem0 | Self::Mem0Oss => "mem0",
        }
    }

    /// Whether memories are judged here before they are sent (E9).
    pub fn takes_memories(self) -> bool {
        matches!(self, Self::Memos | Self::MemosCloud)
    }

    /// How long a search may take, ms.
    pub fn timeout_ms(self, config: &Config) -> u64 {
        match self {
            Self::Memos | Self::MemosCloud => config.memos.timeout_ms,
            Self::Mem0 | Self::Mem0Oss => config.mem0.timeout_ms,
        }
    }

    /// Memories that a search asks for unless told.
    pub fn top_k(self, config: &Config) -> usize {
        match self {
            Self::Memos | Self::MemosCloud => config.memos.top_k,
            Self::Mem0 | Self::Mem0Oss => config.mem0.top_k,
        }
    }

    /// A search.
    pub fn search(self, config: &Config, user: &str, question: &Question<'_>) -> ProviderRequest {
        match self {
            Self::Memos => memos::search(&config.memos, user, question),
            Self::MemosCloud => memos_cloud::search(&config.memos, user, question),
            Self::Mem0 => mem0::search(&config.mem0, user, question),
            Self::Mem0Oss => mem0::search_oss(&config.mem0, user, question),
        }
    }

    /// What a search found, in any order.
    pub fn found(self, answer: &ProviderAnswer) -> Answer<Vec<Found>> {
        match self {
            Self::Memos => memos::found(answer),
            Self::MemosCloud => memos_cloud::found(answer),
            Self::Mem0 | Self::Mem0Oss => mem0::found(answer),
        }
    }

    /// An addition.
    pub fn add(self, config: &Config, user: &str, what: &Addition<'_>) -> ProviderRequest {
        let timeout_ms = request_ms(config);
        let request = match self {
            Self::Memos => memos::add(&config.memos, user, what),
            Self::MemosCloud => memos_cloud::add(&config.memos, user, what),
            Self::Mem0 => mem0::add(user, what),
            Self::Mem0Oss => mem0::add_oss(user, what),
        };
        ProviderRequest {
            idempotency_key: Some(what.key.to_owned()),
            timeout_ms,
            ..request
        }
    }

    /// What became of it.
    pub fn added(self, answer: &ProviderAnswer) -> Answer<Added> {
        match self {
            Self::Memos => memos::added(answer),
            Self::MemosCloud => memos_cloud::added(answer),
            Self::Mem0 | Self::Mem0Oss => mem0::added(answer),
        }
    }

    /// The deletion of one memory of a cube.
    pub fn delete(self, config: &Config, cube: &str, id: &str) -> ProviderRequest {
        let timeout_ms = request_ms(config);
        let request = match self {
            Self::Memos => memos::delete(cube, id),
            Self::MemosCloud => memos_cloud::delete(id),
            Self::Mem0 => mem0::delete("/v1/memories", "/", id),
            Self::Mem0Oss => mem0::delete("/memories", "", id),
        };
        ProviderRequest {
            timeout_ms,
            ..request
        }
    }

    /// Whether it is gone.
    pub fn deleted(self, answer: &ProviderAnswer) -> Answer<()> {
        match self {
            Self::Memos => memos::deleted(answer),
            Self::MemosCloud => memos_cloud::deleted(answer),
            Self::Mem0 | Self::Mem0Oss => mem0::deleted(answer),
        }
    }

    /// The request that deletes all of a user.
    pub fn erase(self, config: &Config, user: &str) -> ProviderRequest {
        let request = match self {
            Self::Memos => memos::erase(user),
            Self::MemosCloud => memos_cloud::erase(user),
            Self::Mem0 => mem0::erase("/v1/memories/", user),
            Self::Mem0Oss => mem0::erase("/memories", user),
        };
        ProviderRequest {
            timeout_ms: request_ms(config),
            ..request
        }
    }

    /// A look at how far a task is.
    pub fn status(self, config: &Config, task: &str) -> ProviderRequest {
        let request = match self {
            Self::Mem0 | Self::Mem0Oss => mem0::status(task),
            Self::Memos | Self::MemosCloud => memos_cloud::status(task),
        };
        ProviderRequest {
            timeout_ms: request_ms(config),
            ..request
        }
    }

    /// How far it is.
    pub fn progress(self, answer: &ProviderAnswer) -> Answer<Progress> {
        match self {
            Self::Mem0 | Self::Mem0Oss => mem0::progress(answer),
            Self::Memos | Self::MemosCloud => memos_cloud::progress(answer),
        }
    }
}
