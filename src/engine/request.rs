//! What the calls are asked with: which fields each has, all read by one type. A type for each call
//! would take the code for every field once more.

use crate::error::{Code, Error, Result};
use crate::memories::questions::Keep;
use crate::memories::{NewMemory, Patch};
use crate::message::Message;
use crate::read::{self, Fault};
use crate::scope::Scope;
use crate::transfer::item::Item;
use crate::write;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};
use serde_json::Value;

/// A call, by what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    Append,
    CountTokens,
    Fits,
    Get,
    List,
    Messages,
    Recall,
    Sessions,
    Summary,
    Far(Far),
}

/// A call that no turn makes: the rest of the module does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Far {
    Add,
    Allow,
    Answer,
    ClearSession,
    DeadLetters,
    Discard,
    Effects,
    EndSession,
    Export,
    Forget,
    ForgetUser,
    History,
    Import,
    Maintain,
    Pin,
    PinCandidates,
    Questions,
    Redrive,
    RemoveMessages,
    Replay,
    Restore,
    Revert,
    Stats,
    Unpin,
    Update,
}

/// What a call is named and asked with.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) name: &'static str,
    pub(crate) call: Call,
    fields: &'static [&'static str],
    required: &'static [&'static str],
}

const fn form(
    name: &'static str,
    call: Call,
    fields: &'static [&'static str],
    required: &'static [&'static str],
) -> Form {
    Form {
        name,
        call,
        fields,
        required,
    }
}

const fn far(
    name: &'static str,
    call: Far,
    fields: &'static [&'static str],
    required: &'static [&'static str],
) -> Form {
    form(name, Call::Far(call), fields, required)
}

const SCOPE: &[&str] = &["scope"];
const ID: &[&str] = &["scope", "id"];
const PAGE: &[&str] = &["scope", "limit", "cursor"];

/// All calls but `load`, which has a request of its own.
#[rustfmt::skip]
const FORMS: &[Form] = &[
    form("append", Call::Append, &["scope", "messages"], &["scope", "messages"]),
    form("messages", Call::Messages, &["scope", "limit", "before"], SCOPE),
    far("removeMessages", Far::RemoveMessages, &["scope", "ids"], &["scope", "ids"]),
    far("clearSession", Far::ClearSession, SCOPE, SCOPE),
    far("endSession", Far::EndSession, SCOPE, SCOPE),
    form("recall", Call::Recall, &[
        "scope", "query", "limit", "context", "keywordOnly", "filterSensitive", "cold",
    ], &["scope", "query"]),
    form("sessions", Call::Sessions, SCOPE, SCOPE),
    form("summary", Call::Summary, SCOPE, SCOPE),
    far("forgetUser", Far::ForgetUser, SCOPE, SCOPE),
    far("export", Far::Export, PAGE, SCOPE),
    far("import", Far::Import, &["scope", "lines"], &["scope", "lines"]),
    form("countTokens", Call::CountTokens, &["text", "messages", "tools"], &[]),
    form("fits", Call::Fits, &["text", "messages", "tools", "budget"], &["budget"]),
    far("maintain", Far::Maintain, &["limit"], &[]),
    far("replay", Far::Replay, &["limit", "deadlineMs"], &[]),
    far("outbox.list", Far::Effects, PAGE, &[]),
    far("outbox.deadLetters", Far::DeadLetters, PAGE, &[]),
    far("outbox.redrive", Far::Redrive, ID, &[]),
    far("outbox.discard", Far::Discard, ID, ID),
    form("memories.list", Call::List, &["scope", "limit", "cursor", "includeInvalid"], SCOPE),
    form("memories.get", Call::Get, ID, ID),
    far("memories.add", Far::Add, &["scope", "memory"], &["scope", "memory"]),
    far("memories.update", Far::Update, &["scope", "id", "patch", "expectedVersion"], &[
        "scope", "id", "patch",
    ]),
    far("memories.revert", Far::Revert, &["scope", "id", "to"], &["scope", "id", "to"]),
    far("memories.questions", Far::Questions, SCOPE, SCOPE),
    far("memories.answer", Far::Answer, &["scope", "id", "keep"], &["scope", "id", "keep"]),
    far("memories.forget", Far::Forget, &["scope", "id", "hard"], ID),
    far("memories.history", Far::History, ID, ID),
    far("memories.stats", Far::Stats, SCOPE, SCOPE),
    far("memories.pin", Far::Pin, ID, ID),
    far("memories.unpin", Far::Unpin, ID, ID),
    far("memories.restore", Far::Restore, ID, ID),
    far("memories.allow", Far::Allow, ID, ID),
    far("memories.pinCandidates", Far::PinCandidates, &["scope", "limit"], SCOPE),
];

/// The form of the call of this name.
pub(super) fn of(method: &str) -> Result<&'static Form> {
    let form = FORMS.iter().find(|form| form.name == method);
    form.ok_or_else(|| {
        let method: String = method.chars().take(60).collect();
        Error::input("method", "the name of a call").with_details(write::record(&[
            ("expected", &"the name of a call"),
            ("got", &method),
        ]))
    })
}

/// The fields of all calls, in the order of each.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    #[serde(default, deserialize_with = "given")]
    pub(super) scope: Option<Scope>,
    #[serde(default)]
    pub(super) query: String,
    #[serde(default)]
    pub(super) text: Option<String>,
    #[serde(default, deserialize_with = "given")]
    pub(crate) id: Option<String>,
    #[serde(default)]
    pub(super) messages: Vec<Message>,
    #[serde(default)]
    pub(super) tools: Vec<Value>,
    #[serde(default)]
    pub(super) budget: usize,
    #[serde(default)]
    pub(super) ids: Vec<String>,
    #[serde(default)]
    pub(super) lines: Vec<Item>,
    #[serde(default, deserialize_with = "given")]
    pub(crate) memory: Option<NewMemory>,
    #[serde(default)]
    pub(super) patch: Patch,
    #[serde(default)]
    pub(super) expected_version: Option<u32>,
    #[serde(default)]
    pub(super) to: String,
    #[serde(default, deserialize_with = "given")]
    pub(super) keep: Option<Keep>,
    #[serde(default)]
    pub(super) hard: bool,
    #[serde(default)]
    pub(super) limit: Option<usize>,
    #[serde(default)]
    pub(super) deadline_ms: Option<u64>,
    #[serde(default)]
    pub(super) before: Option<String>,
    #[serde(default)]
    pub(super) cursor: Option<String>,
    #[serde(default)]
    pub(super) include_invalid: bool,
    #[serde(default)]
    pub(super) context: Option<String>,
    #[serde(default)]
    pub(super) keyword_only: Option<bool>,
    #[serde(default)]
    pub(super) filter_sensitive: Option<bool>,
    #[serde(default)]
    pub(super) cold: bool,
}

/// A field that cannot be `null`.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl Request {
    pub(super) fn read(value: &Value, form: &Form) -> Result<Self> {
        let read = read::fields(value, form.fields, form.required, ID);
        read.map_err(|fault| refused(&fault))
    }

    /// How many are asked for; `usual` unless told.
    pub(super) fn limit(&self, usual: usize, most: usize) -> Result<usize> {
        let limit = self.limit.unwrap_or(usual);
        if (1..=most).contains(&limit) {
            return Ok(limit);
        }
        Err(Error::input(
            "limit",
            format!("a whole number from 1 to {most}"),
        ))
    }
}

/// A field that is there whenever its call was read.
pub(crate) fn present<T>(field: Option<T>, name: &str) -> Result<T> {
    field.ok_or_else(|| Error::input(name, "a value"))
}

/// Reads a request; the error names the field.
pub(super) fn parse<T: DeserializeOwned>(request: &Value) -> Result<T> {
    read::strict(request).map_err(|fault| refused(&fault))
}

#[cold]
fn refused(fault: &Fault) -> Error {
    let path = fault.path();
    let inner = fault.to_string();
    let message = if path == "." {
        inner.clone()
    } else {
        format!("{path}: {inner}")
    };
    Error::new(Code::InvalidInput, message)
        .with_path(path)
        .with_details(write::record(&[("expected", &inner)]))
}
