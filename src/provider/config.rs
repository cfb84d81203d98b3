//! How memory services are spoken to.

use crate::error::{Error, Result};
use crate::read::Read;
use crate::write;
use serde::Serialize;

/// Which of MemOS's interfaces is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum MemosApi {
    /// A server of one's own: its root ends in `/product`.
    #[default]
    SelfHosted,
    /// The vendor's: its root ends in `/api/openmem/v1`.
    Cloud,
}

/// How MemOS leaves near-repeats out of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum MemosDedup {
    /// It does not.
    No,
    /// By similarity.
    Sim,
    /// By relevance against novelty.
    #[default]
    Mmr,
}

/// How thoroughly MemOS searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum MemosMode {
    /// By embedding.
    #[default]
    Fast,
    /// With a language model.
    Fine,
    /// Both.
    Mixture,
}

/// How thoroughly MemOS reads what is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum MemosAddMode {
    /// As it is.
    Fast,
    /// With a language model.
    #[default]
    Fine,
}

/// Whether MemOS answers before it is through with what is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum MemosAsync {
    /// Before.
    #[default]
    Async,
    /// After.
    Sync,
}

/// How MemOS is spoken to (P2).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct MemosConfig {
    /// Which interface.
    pub api: MemosApi,
    /// Memories of each kind that a search asks for, 1 to 1,000.
    pub top_k: usize,
    /// Relevance from which on MemOS answers with a memory, 0 (off) to 1.
    pub relativity: f64,
    /// How it leaves near-repeats out; its own server only.
    pub dedup: MemosDedup,
    /// Whether preferences are searched, too.
    pub include_preference: bool,
    /// Preferences that a search asks for, 0 to 1,000.
    pub pref_top_k: usize,
    /// How it searches; its own server only.
    pub mode: MemosMode,
    /// How it reads what is added; its own server only.
    pub add_mode: MemosAddMode,
    /// Whether it answers an add before it is through with it.
    pub async_mode: MemosAsync,
    /// How long a search may take, ms.
    pub timeout_ms: u64,
}

impl Default for MemosConfig {
    fn default() -> Self {
        Self {
            api: MemosApi::SelfHosted,
            top_k: 10,
            relativity: 0.45,
            dedup: MemosDedup::Mmr,
            include_preference: true,
            pref_top_k: 6,
            mode: MemosMode::Fast,
            add_mode: MemosAddMode::Fine,
            async_mode: MemosAsync::Async,
            timeout_ms: 3_000,
        }
    }
}

/// Which of Mem0's interfaces is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Mem0Api {
    /// The vendor's: `https://api.mem0.ai`.
    #[default]
    Platform,
    /// The open-source server.
    Oss,
}

/// How Mem0 is spoken to.
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct Mem0Config {
    /// Which interface.
    pub api: Mem0Api,
    /// Memories that a search asks for, 1 to 1,000.
    pub top_k: usize,
    /// Score from which on Mem0 answers with a memory, 0 to 1.
    pub threshold: f64,
    /// Whether the platform sorts its answer again with a model of its own.
    pub rerank: bool,
    /// Messages before the first new one that are sent along at a session's end, 0 to 1,000.
    pub context_messages: usize,
    /// How long a search may take, ms.
    pub timeout_ms: u64,
}

impl Default for Mem0Config {
    fn default() -> Self {
        Self {
            api: Mem0Api::Platform,
            top_k: 10,
            threshold: 0.1,
            rerank: false,
            context_messages: 10,
            timeout_ms: 3_000,
        }
    }
}

fn whole(path: &str, value: usize, min: usize) -> Result<()> {
    if (min..=1_000).contains(&value) {
        return Ok(());
    }
    let expected = format!("a whole number from {min} to 1000, got {value}");
    Err(Error::config(format!("config.{path}"), expected))
}

fn share(path: &str, value: f64) -> Result<()> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    let expected = format!("a number from 0 to 1, got {}", write::number(value));
    Err(Error::config(format!("config.{path}"), expected))
}

fn duration(path: &str, value: u64) -> Result<()> {
    let max = 3_600_000;
    if (1..=max).contains(&value) {
        return Ok(());
    }
    let expected = format!("milliseconds from 1 to {max}, got {value}");
    Err(Error::config(format!("config.{path}"), expected))
}

impl MemosConfig {
    /// Checks every range.
    pub fn validate(&self) -> Result<()> {
        whole("memos.topK", self.top_k, 1)?;
        whole("memos.prefTopK", self.pref_top_k, 0)?;
        share("memos.relativity", self.relativity)?;
        duration("memos.timeoutMs", self.timeout_ms)
    }
}

impl Mem0Config {
    /// Checks every range.
    pub fn validate(&self) -> Result<()> {
        whole("mem0.topK", self.top_k, 1)?;
        whole("mem0.contextMessages", self.context_messages, 0)?;
        share("mem0.threshold", self.threshold)?;
        duration("mem0.timeoutMs", self.timeout_ms)
    }
}
