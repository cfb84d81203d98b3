//! The life of memories (R1–R7, M1, M6): what they are worth, when they settle, cool and are
//! forgotten.
//!
//! | decided | in |
//! |---|---|
//! | what a memory is worth at a moment | [`score`] |
//! | what time and numbers make of all memories of a user | [`settle()`] |
//! | what time makes of one: expired, promoted, forgotten, gone | [`passage`] |
//! | who leaves the hot and the cold tier | [`evict`] |
//! | which memories stay pinned, and which could be | [`pin`] |
//! | how a text is condensed when its memory settles | [`mod@condense`] |
//! | what being used makes of a memory | [`touch`] |
//! | how what is gone stays gone | [`tombstone`] |
//! | whom `maintain` looks after, and when | [`maintain()`] |
//! | what sessions leave behind | [`tidy`] |
//! | how many there are | [`stats`] |
//! | what people do about it | [`by_hand`] |
//!
//! Whatever is due takes effect as of the moment when it was due, in that order, and never as of
//! the moment when someone looked: one look after a year leaves the same bytes as one every minute.

pub mod by_hand;
pub mod condense;
pub mod config;
pub mod evict;
pub mod maintain;
pub mod passage;
pub mod pin;
pub mod score;
pub mod settle;
pub mod stats;
pub mod tidy;
pub mod tombstone;
pub mod touch;
pub mod users;

pub use config::LifeConfig;
pub use maintain::maintain;
pub use settle::{Settled, settle};

use crate::config::{CompressMode, Config};
use serde::Serialize;

/// Condenses the text of a memory that settles in the long tier; none when there is nothing to
/// gain. It must keep every fact: what it gives takes the text's place.
pub type Condense = fn(&str) -> Option<String>;

/// A text that was made shorter: what it was and what it is, for the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Condensed {
    /// The memory; none for a proposal of a judge that has no id yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What it was.
    pub before: String,
    /// What it is.
    pub after: String,
}

/// The rules by which memories live.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// What is tuned.
    pub config: &'a LifeConfig,
    /// What promotion does to texts.
    pub condense: Option<Condense>,
}

/// The rules of a configuration.
pub fn rules(config: &Config) -> Rules<'_> {
    Rules {
        config: &config.life,
        condense: (config.compress.mode == CompressMode::Rules).then_some(condense::by_rules),
    }
}

/// A memory and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fate {
    /// Its id.
    pub id: String,
    /// Why: `over_limit`, `cold_overflow`, `faded`, `expired` or `purged`.
    pub reason: &'static str,
}

/// What the rules of life did along with a change.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Effects {
    /// Moved to the cold tier.
    pub evicted: Vec<Fate>,
    /// No longer pinned: others of the pinned are worth more.
    pub demoted: Vec<String>,
    /// Settled in the long tier.
    pub promoted: Vec<String>,
    /// Out of every recall; those that are gone for good included.
    pub forgotten: Vec<Fate>,
    /// Texts that were made shorter.
    pub condensed: Vec<Condensed>,
}
