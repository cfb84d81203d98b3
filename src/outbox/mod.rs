//! What is to happen outside the store (X1–X3): planned as a record in the same commit as the
//! decision it follows from, done right after it, and done again by [`replay()`] where that failed,
//! was late or died.
//!
//! | decided | in |
//! |---|---|
//! | what an effect is and how it is planned | here |
//! | what doing each kind means | [`effect`] and a file for each kind |
//! | who may do it, in which order, and what its outcome leaves | [`mod@run`] |
//! | what a slice of replay does | [`mod@replay`] |
//! | what people see and do about it | [`letters`] |
//!
//! Planning an effect claims it: until [`Effect::next_at`] only the call that planned it may do it.
//! Later, whoever does it claims it first by a checked commit, and its outcome is committed only
//! against the record as it was claimed. Whoever comes late writes nothing.

pub mod config;
pub mod effect;
pub mod letters;
pub mod replay;
pub mod run;
mod vectors;

pub use config::OutboxConfig;
pub use replay::replay;
pub use run::run;

use crate::error::Result;
use crate::host::Host;
use crate::key::Key;
use crate::provider::effects::{Keep, Remove};
use crate::read::{self, Fault, Fill, Json, Read, Record};
use crate::scope::Scope;
use crate::store::{self, Change};
use serde::Serialize;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Kind {
    /// These memories are to be found in the vector store (M8).
    VectorUpsert {
        /// Ids of memories.
        memories: Vec<String>,
    },
    /// These memories are to leave the vector store (M8).
    VectorDelete {
        /// Ids of memories.
        memories: Vec<String>,
    },
    /// A memory, or talk to be judged there, is to be added to a memory service (E9).
    ProviderKeep(Box<Keep>),
    /// A memory is to be deleted from a memory service.
    ProviderRemove(Box<Remove>),
    /// Everything of the user is to go.
    ForgetUser {
        /// Whether the store is done: what is in it by now is new.
        is_store_done: bool,
        /// Sessions that the hot cache may still hold.
        cached: Vec<String>,
    },
}

#[derive(Read)]
#[serde(rename_all = "snake_case")]
enum KindName {
    VectorUpsert,
    VectorDelete,
    ProviderKeep,
    ProviderRemove,
    ForgetUser,
}

impl Fill for Kind {
    fn fill(&mut self, json: Json<'_>) -> read::Result<()> {
        *self = read::tagged(json, "type", |name, mut record| {
            Ok(match name {
                KindName::VectorUpsert => Self::VectorUpsert {
                    memories: record.field("memories")?,
                },
                KindName::VectorDelete => Self::VectorDelete {
                    memories: record.field("memories")?,
                },
                KindName::ProviderKeep => Self::ProviderKeep(record.whole()?),
                KindName::ProviderRemove => Self::ProviderRemove(record.whole()?),
                KindName::ForgetUser => Self::ForgetUser {
                    is_store_done: record.optional("is_store_done")?,
                    cached: record.optional("cached")?,
                },
            })
        })?;
        Ok(())
    }
}

impl Read for Kind {
    fn blank() -> Self {
        Self::VectorUpsert {
            memories: Vec::new(),
        }
    }
}

impl Kind {
    /// Its name, as it is stored.
    pub fn name(&self) -> &'static str {
        match self {
            Self::VectorUpsert { .. } => "vector_upsert",
            Self::VectorDelete { .. } => "vector_delete",
            Self::ProviderKeep(_) => "provider_keep",
            Self::ProviderRemove(_) => "provider_remove",
            Self::ForgetUser { .. } => "forget_user",
        }
    }

    /// Whether it is about the vector store.
    pub fn is_of_vectors(&self) -> bool {
        matches!(self, Self::VectorUpsert { .. } | Self::VectorDelete { .. })
    }

    /// Whether it brings something of the user to a memory service.
    pub fn adds_to_a_service(&self) -> bool {
        matches!(self, Self::ProviderKeep(_))
    }
}

/// Something to be done outside the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "camelCase")]
pub struct Effect {
    /// Its id, time-ordered; the same for every attempt, whoever makes it.
    pub id: String,
    /// Effects of one lane of a user are done in the order of their ids, one after the other.
    pub lane: String,
    /// What is to be done.
    pub kind: Kind,
    /// When it was planned, ms.
    pub planned_at: i64,
    /// Attempts that failed.
    pub attempts: u32,
    /// From when on whoever comes may claim it, ms.
    pub next_at: i64,
    /// Why the last attempt failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
}

impl Effect {
    /// An effect that the caller will [`run()`] after its commit; replay leaves it alone until then.
    pub fn new<H: Host>(host: &H, config: &OutboxConfig, lane: &str, kind: Kind) -> Result<Self> {
        let now = store::now(host)?;
        Ok(Self {
            id: store::new_id(host)?,
            lane: lane.to_owned(),
            kind,
            planned_at: now,
            attempts: 0,
            next_at: now.saturating_add_unsigned(config.lease_ms),
            last_error: None,
        })
    }

    /// The same, left to the next replay.
    #[must_use]
    pub fn for_replay(mut self) -> Self {
        self.next_at = self.planned_at;
        self
    }
}

/// An effect as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Planned {
    /// The customer whose user it is about.
    pub tenant: String,
    /// The user it is about.
    pub user: String,
    /// The effect.
    #[serde(flatten)]
    pub effect: Effect,
    /// Who has claimed it; none while that is whoever planned it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// When it was given up, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub died_at: Option<i64>,
}

impl Fill for Planned {
    fn fill(&mut self, json: Json<'_>) -> read::Result<()> {
        let mut record = Record::of(json);
        let read = || {
            self.tenant = record.field("tenant")?;
            self.user = record.field("user")?;
            self.owner = record.optional("owner")?;
            self.died_at = record.optional("diedAt")?;
            self.effect = record.whole()?;
            Ok(())
        };
        read().map_err(Fault::whole)
    }
}

impl Read for Planned {
    fn blank() -> Self {
        Self {
            tenant: String::new(),
            user: String::new(),
            effect: Effect::blank(),
            owner: None,
            died_at: None,
        }
    }
}

impl Planned {
    /// The user it is about.
    pub fn scope(&self) -> Scope {
        Scope {
            tenant: self.tenant.clone(),
            user: self.user.clone(),
            agent: None,
            session: None,
        }
    }
}

/// Puts an effect into the change that holds the decision it follows from.
pub fn plan(change: &mut Change, scope: &Scope, effect: &Effect) {
    let planned = Planned {
        tenant: scope.tenant.clone(),
        user: scope.user.clone(),
        effect: effect.clone(),
        owner: None,
        died_at: None,
    };
    change.put(Shelf::Waiting.key(scope, &effect.id), &planned);
}

/// Where effects lie: outside the users' own keys, so that replay finds all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shelf {
    /// To be done.
    Waiting,
    /// Given up after too many attempts.
    Dead,
}

impl Shelf {
    fn root(self) -> Key {
        Key::new(match self {
            Self::Waiting => "o1",
            Self::Dead => "o1-dead",
        })
    }

    /// The key of one effect.
    pub fn key(self, scope: &Scope, id: &str) -> String {
        let user = self.root().part(&scope.tenant).part(&scope.user);
        user.part(id).build()
    }

    /// The bounds of a user's effects.
    pub fn of_user(self, scope: &Scope) -> (String, String) {
        let user = self.root().part(&scope.tenant).part(&scope.user);
        user.children()
    }

    /// The bounds of all effects.
    pub fn all(self) -> (String, String) {
        self.root().children()
    }
}
