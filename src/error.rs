//! The one error type: a stable code, the path of the offending field, and details.

use crate::write;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::ops::Deref;

/// A stable, machine-readable error code. Codes are never renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// A request has a wrong type, a missing field or a value out of range.
    InvalidInput,
    /// The configuration has a wrong type, an unknown field or a value out of range.
    InvalidConfig,
    /// The named tokenizer encoding does not exist.
    UnknownEncoding,
    /// The vocabulary of the encoding is not there.
    VocabularyMissing,
    /// What was given as a vocabulary is none, is damaged, or is that of another encoding.
    VocabularyFailed,
    /// A text, list or id is over its documented limit.
    TooLarge,
    /// What must be in the window cannot fit in the token budget.
    BudgetExceeded,
    /// No memory or session of that id is visible in this scope.
    NotFound,
    /// Another writer changed the same records first, and retries ran out.
    Conflict,
    /// The durable store failed; a host may say in `details.outcome` whether it wrote all the same.
    StoreFailed,
    /// A stored record cannot be read: damaged, or written by a newer version.
    CorruptRecord,
    /// The user's own token counter failed or gave something that is not a count.
    CounterFailed,
    /// The host cannot give time or random bytes.
    HostFailed,
    /// An external memory service could not be reached, or answered nothing usable.
    ServiceFailed,
    /// The agent's provider has no such call.
    Unsupported,
    /// The part of the WebAssembly module that a call needs is not loaded.
    NotInitialized,
}

impl Code {
    /// Every code, in declaration order.
    pub const ALL: [Code; 16] = [
        Code::InvalidInput,
        Code::InvalidConfig,
        Code::UnknownEncoding,
        Code::VocabularyMissing,
        Code::VocabularyFailed,
        Code::TooLarge,
        Code::BudgetExceeded,
        Code::NotFound,
        Code::Conflict,
        Code::StoreFailed,
        Code::CorruptRecord,
        Code::CounterFailed,
        Code::HostFailed,
        Code::ServiceFailed,
        Code::Unsupported,
        Code::NotInitialized,
    ];

    /// The code as it appears in JavaScript and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::InvalidInput => "invalid_input",
            Code::InvalidConfig => "invalid_config",
            Code::UnknownEncoding => "unknown_encoding",
            Code::VocabularyMissing => "vocabulary_missing",
            Code::VocabularyFailed => "vocabulary_failed",
            Code::TooLarge => "too_large",
            Code::BudgetExceeded => "budget_exceeded",
            Code::NotFound => "not_found",
            Code::Conflict => "conflict",
            Code::StoreFailed => "store_failed",
            Code::CorruptRecord => "corrupt_record",
            Code::CounterFailed => "counter_failed",
            Code::HostFailed => "host_failed",
            Code::ServiceFailed => "service_failed",
            Code::Unsupported => "unsupported",
            Code::NotInitialized => "not_initialized",
        }
    }
}

/// What every fallible call of the core returns on failure.
///
/// Boxed: it is part of nearly every result, and is handed up from call to call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Error(Box<Failure>);

/// What failed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Failure {
    /// The stable code.
    pub code: Code,
    /// A sentence for people: what is wrong and what to do.
    pub message: String,
    /// The path of the field that is wrong, such as `message.content[2].text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// More for programs: what was expected, the limit, the id.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub details: Value,
}

/// The core's result type.
pub type Result<T> = std::result::Result<T, Error>;

impl Deref for Error {
    type Target = Failure;

    fn deref(&self) -> &Failure {
        &self.0
    }
}

impl Error {
    /// An error of this code with a message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(Failure {
            code,
            message: message.into(),
            path: None,
            details: Value::Null,
        }))
    }

    /// Bad input at `path`, saying what was expected there.
    pub fn input(path: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::at(Code::InvalidInput, path, expected)
    }

    /// Bad configuration at `path`, saying what was expected there.
    pub fn config(path: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::at(Code::InvalidConfig, path, expected)
    }

    /// Something over its limit at `path`.
    pub fn too_large(path: impl Into<String>, size: usize, limit: usize, unit: &str) -> Self {
        let path = path.into();
        Self::new(
            Code::TooLarge,
            format!("{path} has {size} {unit}; the limit is {limit}"),
        )
        .with_path(path)
        .with_details(write::record(&[
            ("size", &size),
            ("limit", &limit),
            ("unit", &unit),
        ]))
    }

    fn at(code: Code, path: impl Into<String>, expected: impl Into<String>) -> Self {
        let (path, expected) = (path.into(), expected.into());
        Self::new(code, format!("{path}: expected {expected}"))
            .with_details(write::record(&[("expected", &expected)]))
            .with_path(path)
    }

    /// Its sentence alone.
    pub fn into_message(self) -> String {
        self.0.message
    }

    /// The same error, naming the field it is about.
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// The same error with details for programs.
    pub fn with_details(mut self, details: Value) -> Self {
        self.0.details = details;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for Error {}
