//! Every tunable, with its default, unit and range, validated in one place.

use crate::error::{Code, Error, Result};
use crate::life::LifeConfig;
use crate::outbox::OutboxConfig;
use crate::provider::config::{Mem0Config, MemosConfig};
use crate::read::Read;
use crate::safety::SafetyConfig;
use crate::{read, write};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Everything a user may tune. All fields have defaults.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct Config {
    /// How tokens are counted.
    pub tokens: TokensConfig,
    /// The session window (W1–W7).
    pub window: WindowConfig,
    /// The session summary (S1–S3).
    pub summary: SummaryConfig,
    /// The message store and its hot cache (C1–C4).
    pub history: HistoryConfig,
    /// Long-term recall before a turn (L1–L5, P3).
    pub recall: RecallConfig,
    /// The token budget of recalled memories (B1, B2).
    pub budget: BudgetConfig,
    /// The judge at session end (E3, E4).
    pub judge: JudgeConfig,
    /// How long texts are made shorter (M2).
    pub compress: CompressConfig,
    /// Duplicates within a batch and against the store (E5).
    pub dedup: DedupConfig,
    /// Session end: lock and processed marks (E1, E2).
    pub session_end: SessionEndConfig,
    /// What may not become a memory as it is (Q3, F11).
    pub safety: SafetyConfig,
    /// How memories settle, cool and are forgotten (R1–R7, M1, M6).
    pub life: LifeConfig,
    /// How effects outside the store are tried and tried again (X1, X2).
    pub outbox: OutboxConfig,
    /// How MemOS is spoken to, for agents whose provider it is (P2).
    pub memos: MemosConfig,
    /// How Mem0 is spoken to, for agents whose provider it is.
    pub mem0: Mem0Config,
    /// What holds for every agent that has no entry of its own.
    pub agent: AgentConfig,
    /// Per agent id: fields that differ from `agent`. An entry that cannot be read counts as absent (P1).
    pub agents: BTreeMap<String, Value>,
}

/// How tokens are counted (T1, T3).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct TokensConfig {
    /// `o200k_base` (default), `cl100k_base`, or `estimate` (no vocabulary; its error is told there).
    pub encoding: String,
    /// Tokens charged for an image part without a declared size: OpenAI's 85 + 170 × 4 tiles.
    pub image_tokens: usize,
    /// Tokens charged for a file part that carries no text.
    pub file_tokens: usize,
}

impl Default for TokensConfig {
    fn default() -> Self {
        Self {
            encoding: "o200k_base".into(),
            image_tokens: 765,
            file_tokens: 765,
        }
    }
}

/// What happens to turns that break the alternation of user and assistant (W2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Alternation {
    /// The older turn of a run is left out of the window and reported.
    #[default]
    Drop,
    /// Runs of one role are merged into one turn, joined by blank lines.
    Merge,
}

/// What happens when this turn's message alone is larger than the window (W6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Oversize {
    /// It is cut at a character boundary, with a mark.
    #[default]
    Cut,
    /// The call fails with `budget_exceeded`.
    Error,
}

/// The session window (W1–W7).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct WindowConfig {
    /// Tokens of everything that goes to the model.
    pub max_tokens: usize,
    /// Messages the window may hold at most, this turn's included; absent for no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_messages: Option<usize>,
    /// How to repair alternation.
    pub alternation: Alternation,
    /// What to do with one message larger than the window.
    pub oversize: Oversize,
}

impl Default for WindowConfig {
    fn default() -> Self {
        Self {
            max_tokens: 64_000,
            max_messages: None,
            alternation: Alternation::Drop,
            oversize: Oversize::Cut,
        }
    }
}

/// The session summary (S1–S3).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct SummaryConfig {
    /// A summary is made when this many messages are not covered yet.
    pub min_messages: usize,
    /// Tokens the injected summary may take, and that the window reserves for it.
    pub max_tokens: usize,
    /// How long the hot cache keeps it, ms.
    pub cache_ttl_ms: u64,
    /// How long the LLM may take, ms.
    pub timeout_ms: u64,
}

impl Default for SummaryConfig {
    fn default() -> Self {
        Self {
            min_messages: 20,
            max_tokens: 2_000,
            cache_ttl_ms: 3_600_000,
            timeout_ms: 60_000,
        }
    }
}

/// The message store and its hot cache (C1–C4).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct HistoryConfig {
    /// Messages kept in the hot cache, newest first.
    pub cache_messages: usize,
    /// How long the hot cache keeps them, ms.
    pub cache_ttl_ms: u64,
    /// Characters of one message, all of its JSON included.
    pub max_message_chars: usize,
    /// Messages one `append` takes.
    pub max_append: usize,
}

impl Default for HistoryConfig {
    fn default() -> Self {
        Self {
            cache_messages: 200,
            cache_ttl_ms: 86_400_000,
            max_message_chars: 1_000_000,
            max_append: 1_000,
        }
    }
}

/// Long-term recall before a turn (L1–L5, P3, M7).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct RecallConfig {
    /// Memories that relevance may bring into a turn.
    pub top_k: usize,
    /// Memories per scope (user, agent) in a turn (L5): all that may be pinned, and what is recalled.
    pub scope_limit: usize,
    /// User memories of at least this importance are part of every turn's profile; 11 turns that off.
    pub standing_importance: u8,
    /// A user's memories are all part of every turn while there are no more than this; 0 turns that off.
    pub standing_count: usize,
    /// How long recall may take before the turn goes on without it, ms.
    pub timeout_ms: u64,
    /// Provider answers under this score are dropped (P3).
    pub min_score: f64,
    /// Lexical answers of the local provider under this relevance are dropped, 0 to 1.
    pub local_min_score: f64,
    /// Characters of one recalled item (P3).
    pub item_chars: usize,
    /// Characters of context that follow the message in the query (L3).
    pub context_chars: usize,
    /// MMR's weight of relevance against novelty, 0 to 1.
    pub mmr_lambda: f64,
    /// The share of its score that a hit lends to memories of the messages next to it, 0 to 1.
    pub neighbour_share: f64,
    /// The share of a score that a memory loses when its weight has decayed away, 0 to 1: relevance
    /// decides, recency orders what is about as relevant (M6).
    pub recency_share: f64,
    /// How long embeddings may take, ms, a vector store's answer included; then words alone decide.
    pub embed_timeout_ms: u64,
    /// The cosine from which on a memory answers without sharing a word with the question, 0 to 1.
    pub min_cosine: f64,
    /// Keyword match only, even where embeddings are there (L4).
    pub keyword_only: bool,
    /// Leave memories marked sensitive out (L5).
    pub filter_sensitive: bool,
    /// Ask the host's own store when a provider fails (P4).
    pub failover: bool,
}

impl Default for RecallConfig {
    fn default() -> Self {
        Self {
            top_k: 8,
            scope_limit: 30,
            standing_importance: 7,
            standing_count: 20,
            timeout_ms: 3_000,
            min_score: 0.3,
            local_min_score: 0.1,
            item_chars: 1_000,
            context_chars: 200,
            mmr_lambda: 0.8,
            neighbour_share: 0.5,
            recency_share: 0.05,
            embed_timeout_ms: 2_000,
            min_cosine: 0.25,
            keyword_only: false,
            filter_sensitive: false,
            failover: false,
        }
    }
}

/// What a line that exceeds the remaining budget does to the lines after it (B2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Overflow {
    /// It is left out; shorter lines after it may still fit.
    #[default]
    Skip,
    /// It ends the section.
    Stop,
}

/// The token budget of recalled memories (B1, B2).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct BudgetConfig {
    /// Tokens for user profile and agent memory together.
    pub max_tokens: usize,
    /// The share that the user profile may take, 0 to 1.
    pub user_share: f64,
    /// What a line that does not fit does.
    pub overflow: Overflow,
}

impl Default for BudgetConfig {
    fn default() -> Self {
        Self {
            max_tokens: 4_000,
            user_share: 0.6,
            overflow: Overflow::Skip,
        }
    }
}

/// Who decides what of a dialogue is worth keeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum JudgeMode {
    /// The LLM when there is one, rules when it fails or is absent.
    #[default]
    Auto,
    /// Rules only.
    Rules,
    /// Every new chat message becomes a memory as it is.
    Verbatim,
}

/// The judge at session end (E3, E4).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct JudgeConfig {
    /// Who judges.
    pub mode: JudgeMode,
    /// Characters of one memory; longer answers are cut (E4).
    pub max_chars: usize,
    /// How long the LLM may take, ms.
    pub timeout_ms: u64,
    /// Tokens of dialogue in one request; longer sessions are judged in several.
    pub max_dialogue_tokens: usize,
    /// Stored memories shown to the LLM so that it can say what is replaced.
    pub known_memories: usize,
}

impl Default for JudgeConfig {
    fn default() -> Self {
        Self {
            mode: JudgeMode::Auto,
            max_chars: 200,
            timeout_ms: 60_000,
            max_dialogue_tokens: 24_000,
            known_memories: 20,
        }
    }
}

/// Who makes memories of 120 characters and more shorter (M2); a guard has the last word on both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum CompressMode {
    /// Nobody: texts stay as they are.
    Off,
    /// Rules, for what a judge proposes (lightly) and for what settles in the long tier (deeply).
    #[default]
    Rules,
    /// As `rules`, but the language model condenses what settles in the long tier, where it can.
    Llm,
}

/// How long texts are made shorter (M2).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct CompressConfig {
    /// Who does it.
    pub mode: CompressMode,
    /// How long the language model may take for one text, ms.
    pub timeout_ms: u64,
}

impl Default for CompressConfig {
    fn default() -> Self {
        Self {
            mode: CompressMode::Rules,
            timeout_ms: 30_000,
        }
    }
}

/// When two texts say the same (E5).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct DedupConfig {
    /// Character Jaccard similarity from which on texts are duplicates, 0 to 1.
    pub jaccard: f64,
    /// Levenshtein similarity from which on short texts are duplicates, 0 to 1.
    pub levenshtein: f64,
    /// Characters up to which a text is short.
    pub short_chars: usize,
    /// Cosine of embeddings from which on two memories are near, 0 to 1; 0.80 to 0.88 suits most
    /// embedding models (C §四).
    pub cosine: f64,
    /// Share of common content words from which on two memories are linked, 0 to 1 (M3).
    pub overlap: f64,
    /// Ask the person about severe contradictions (identity, health) instead of taking the newer (M5).
    pub ask_severe: bool,
}

impl Default for DedupConfig {
    fn default() -> Self {
        Self {
            jaccard: 0.7,
            levenshtein: 0.8,
            short_chars: 50,
            cosine: 0.85,
            overlap: 0.6,
            ask_severe: true,
        }
    }
}

/// Session end: lock and processed marks (E1, E2).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionEndConfig {
    /// How long one consolidation may hold its session, ms.
    pub lock_ms: u64,
    /// How long a message counts as processed, ms.
    pub mark_ttl_ms: u64,
}

impl Default for SessionEndConfig {
    fn default() -> Self {
        Self {
            lock_ms: 600_000,
            mark_ttl_ms: 7 * 86_400_000,
        }
    }
}

/// Where an agent's long-term memories live (P1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum ProviderName {
    /// Built in, over the host's store.
    #[default]
    Local,
    /// MemOS.
    Memos,
    /// Mem0.
    Mem0,
}

/// One agent's configuration (A §1).
#[derive(Debug, Clone, PartialEq, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct AgentConfig {
    /// Whether long-term memories are recalled into its turns. Off by default (L2).
    pub long_memory: bool,
    /// The chat model it is bound to; without one, recall is skipped (L2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Rounds of history in the window; three messages are read for each (W1).
    pub context_rounds: usize,
    /// Where its long-term memories live.
    pub provider: ProviderName,
}

impl Default for AgentConfig {
    fn default() -> Self {
        Self {
            long_memory: false,
            model: None,
            context_rounds: 20,
            provider: ProviderName::Local,
        }
    }
}

const MAX_TOKENS: usize = 10_000_000;
const MAX_MS: u64 = 366 * 86_400_000;

impl Config {
    /// Reads and checks a configuration; `null` and `{}` give the defaults.
    pub fn from_value(value: Value) -> Result<Self> {
        // Most instances are made without one: then nothing has to be read and checked.
        if value.is_null() || value.as_object().is_some_and(Map::is_empty) {
            return Ok(Self::default());
        }
        let config: Self = read::strict(&value).map_err(|fault| {
            let path = fault.path();
            Error::new(Code::InvalidConfig, format!("config.{path}: {fault}"))
                .with_path(format!("config.{path}"))
        })?;
        config.validate()?;
        Ok(config)
    }

    /// Checks every range.
    pub fn validate(&self) -> Result<()> {
        if !matches!(
            self.tokens.encoding.as_str(),
            "o200k_base" | "cl100k_base" | "estimate"
        ) {
            return Err(Error::new(
                Code::UnknownEncoding,
                format!(
                    "config.tokens.encoding: `{}` is not known; use o200k_base, cl100k_base or estimate",
                    self.tokens.encoding.chars().take(40).collect::<String>()
                ),
            )
            .with_path("config.tokens.encoding"));
        }
        let counts = [
            ("tokens.imageTokens", self.tokens.image_tokens, 0, 1_000_000),
            ("tokens.fileTokens", self.tokens.file_tokens, 0, 1_000_000),
            ("window.maxTokens", self.window.max_tokens, 1, MAX_TOKENS),
            (
                "window.maxMessages",
                self.window.max_messages.unwrap_or(1),
                1,
                100_000,
            ),
            ("summary.minMessages", self.summary.min_messages, 1, 100_000),
            ("summary.maxTokens", self.summary.max_tokens, 0, MAX_TOKENS),
            (
                "history.cacheMessages", self.history.cache_messages, 0, 10_000,
            ),
            (
                "history.maxMessageChars", self.history.max_message_chars, 1, 1_000_000,
            ),
            ("history.maxAppend", self.history.max_append, 1, 10_000),
            ("recall.topK", self.recall.top_k, 0, 1_000),
            ("recall.scopeLimit", self.recall.scope_limit, 0, 10_000),
            (
                "recall.standingImportance",
                self.recall.standing_importance.into(),
                1,
                11,
            ),
            (
                "recall.standingCount", self.recall.standing_count, 0, 10_000,
            ),
            ("recall.itemChars", self.recall.item_chars, 1, 100_000),
            ("recall.contextChars", self.recall.context_chars, 0, 100_000),
            ("budget.maxTokens", self.budget.max_tokens, 0, MAX_TOKENS),
            ("judge.maxChars", self.judge.max_chars, 1, 10_000),
            (
                "judge.maxDialogueTokens", self.judge.max_dialogue_tokens, 100, MAX_TOKENS,
            ),
            ("judge.knownMemories", self.judge.known_memories, 0, 1_000),
            ("dedup.shortChars", self.dedup.short_chars, 0, 10_000),
            ("agent.contextRounds", self.agent.context_rounds, 0, 10_000),
        ];
        for (path, value, min, max) in counts {
            if value < min || value > max {
                return Err(Error::config(
                    format!("config.{path}"),
                    format!("a whole number from {min} to {max}, got {value}"),
                ));
            }
        }
        let durations = [
            ("summary.cacheTtlMs", self.summary.cache_ttl_ms),
            ("summary.timeoutMs", self.summary.timeout_ms),
            ("history.cacheTtlMs", self.history.cache_ttl_ms),
            ("recall.timeoutMs", self.recall.timeout_ms),
            ("recall.embedTimeoutMs", self.recall.embed_timeout_ms),
            ("judge.timeoutMs", self.judge.timeout_ms),
            ("compress.timeoutMs", self.compress.timeout_ms),
            ("sessionEnd.lockMs", self.session_end.lock_ms),
            ("sessionEnd.markTtlMs", self.session_end.mark_ttl_ms),
        ];
        for (path, value) in durations {
            if value == 0 || value > MAX_MS {
                return Err(Error::config(
                    format!("config.{path}"),
                    format!("milliseconds from 1 to {MAX_MS}, got {value}"),
                ));
            }
        }
        let shares = [
            ("recall.minScore", self.recall.min_score),
            ("recall.localMinScore", self.recall.local_min_score),
            ("recall.mmrLambda", self.recall.mmr_lambda),
            ("recall.neighbourShare", self.recall.neighbour_share),
            ("recall.minCosine", self.recall.min_cosine),
            ("recall.recencyShare", self.recall.recency_share),
            ("dedup.cosine", self.dedup.cosine),
            ("budget.userShare", self.budget.user_share),
            ("dedup.jaccard", self.dedup.jaccard),
            ("dedup.levenshtein", self.dedup.levenshtein),
            ("dedup.overlap", self.dedup.overlap),
        ];
        for (path, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::config(
                    format!("config.{path}"),
                    format!("a number from 0 to 1, got {}", write::number(value)),
                ));
            }
        }
        self.life.validate()?;
        self.outbox.validate()?;
        self.memos.validate()?;
        self.mem0.validate()?;
        if self.summary.max_tokens >= self.window.max_tokens {
            return Err(Error::config(
                "config.summary.maxTokens",
                format!(
                    "less than config.window.maxTokens ({})",
                    self.window.max_tokens
                ),
            ));
        }
        Ok(())
    }
}
