//! The items of an export. They stay readable: a version adds fields or kinds, it takes none away.

use crate::history::SessionHead;
use crate::life::tombstone::Tombstone;
use crate::memories::questions::Question;
use crate::memory::Memory;
use crate::message::Message;
use crate::read::{self, Fill, Json, Read};
use crate::summary::Summary;
use serde::Serialize;

/// The version that this code writes.
pub const VERSION: u32 = 1;

/// One record of a user.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Item {
    /// The first item: what this is a list of.
    Siltstone {
        /// The version of the list.
        version: u32,
        /// When it was made, ms.
        exported_at: i64,
        /// The customer whose user it was.
        tenant: String,
        /// The person.
        user: String,
    },
    /// What is left of a memory that is gone for good.
    Forgotten {
        /// The id that it had.
        id: String,
        /// What is left.
        tombstone: Tombstone,
    },
    /// Messages that a consolidation has processed.
    Mark {
        /// Their session.
        session: String,
        /// When, ms.
        at: i64,
        /// Number and `md5(role:content)` of each.
        items: Vec<(u64, String)>,
    },
    /// A memory, live or not.
    Memory {
        /// The memory.
        memory: Box<Memory>,
    },
    /// A message.
    Message {
        /// Its session.
        session: String,
        /// Its place in it.
        number: u64,
        /// The message.
        message: Box<Message>,
    },
    /// A question to the person.
    Question {
        /// The question.
        question: Question,
    },
    /// A session; it comes after its messages.
    Session {
        /// Its head.
        head: SessionHead,
    },
    /// A session's summary.
    Summary {
        /// Its session.
        session: String,
        /// The summary.
        summary: Summary,
    },
    /// A memory's embedding; it comes after its memory.
    Vector {
        /// The memory's id.
        id: String,
        /// The components as signed bytes, base64.
        q: String,
    },
}

#[derive(Read)]
#[serde(rename_all = "snake_case")]
enum Name {
    Siltstone,
    Forgotten,
    Mark,
    Memory,
    Message,
    Question,
    Session,
    Summary,
    Vector,
}

impl Fill for Item {
    fn fill(&mut self, json: Json<'_>) -> read::Result<()> {
        *self = read::tagged(json, "kind", |name, mut record| {
            Ok(match name {
                Name::Siltstone => Self::Siltstone {
                    version: record.field("version")?,
                    exported_at: record.field("exportedAt")?,
                    tenant: record.field("tenant")?,
                    user: record.field("user")?,
                },
                Name::Forgotten => Self::Forgotten {
                    id: record.field("id")?,
                    tombstone: record.field("tombstone")?,
                },
                Name::Mark => Self::Mark {
                    session: record.field("session")?,
                    at: record.field("at")?,
                    items: record.field("items")?,
                },
                Name::Memory => Self::Memory {
                    memory: record.field("memory")?,
                },
                Name::Message => Self::Message {
                    session: record.field("session")?,
                    number: record.field("number")?,
                    message: record.field("message")?,
                },
                Name::Question => Self::Question {
                    question: record.field("question")?,
                },
                Name::Session => Self::Session {
                    head: record.field("head")?,
                },
                Name::Summary => Self::Summary {
                    session: record.field("session")?,
                    summary: record.field("summary")?,
                },
                Name::Vector => Self::Vector {
                    id: record.field("id")?,
                    q: record.field("q")?,
                },
            })
        })?;
        Ok(())
    }
}

impl Read for Item {
    fn blank() -> Self {
        Self::Vector {
            id: String::new(),
            q: String::new(),
        }
    }
}

impl Item {
    /// Its kind, as it is written.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Siltstone { .. } => "siltstone",
            Self::Forgotten { .. } => "forgotten",
            Self::Mark { .. } => "mark",
            Self::Memory { .. } => "memory",
            Self::Message { .. } => "message",
            Self::Question { .. } => "question",
            Self::Session { .. } => "session",
            Self::Summary { .. } => "summary",
            Self::Vector { .. } => "vector",
        }
    }
}
