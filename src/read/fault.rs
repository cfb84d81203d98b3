//! What is wrong with a value, and where.

use crate::write;
use serde::de::{Expected, Unexpected};
use std::fmt::{self, Display};

/// What is wrong, and where: `messages[2].content`, or `.` for the whole.
///
/// Boxed: it is part of every result of reading, and rarely there.
#[derive(Debug)]
pub struct Fault(Box<Inner>);

#[derive(Debug)]
struct Inner {
    /// The segments of the path, the last one first.
    steps: Vec<Step>,
    message: String,
    /// The place of a field that is missing, until its name is known.
    missing: Option<usize>,
}

#[derive(Debug)]
pub(super) enum Step {
    Field(String),
    Item(usize),
}

impl Fault {
    #[cold]
    #[inline(never)]
    pub(super) fn new(message: String) -> Self {
        Self(Box::new(Inner {
            steps: Vec::new(),
            message,
            missing: None,
        }))
    }

    #[cold]
    #[inline(never)]
    fn missing(place: usize) -> Self {
        let mut fault = Self::new(String::new());
        fault.0.missing = Some(place);
        fault
    }

    /// The same, once it is known what the fields are called.
    #[cold]
    #[inline(never)]
    pub(super) fn naming(mut self, names: &[&str]) -> Self {
        if let Some(place) = self.0.missing.take() {
            let name = names.get(place).copied().unwrap_or_default();
            self.0.message = format!("missing field `{name}`");
        }
        self
    }

    #[cold]
    #[inline(never)]
    pub(super) fn within(mut self, step: Step) -> Self {
        self.0.steps.push(step);
        self
    }

    /// The path.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.0.steps.iter().rev() {
            match step {
                Step::Item(at) => path.push_str(&format!("[{at}]")),
                Step::Field(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
            }
        }
        if path.is_empty() {
            path.push('.');
        }
        path
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Fault {}

#[cold]
#[inline(never)]
fn expected(what: &str, found: Unexpected<'_>, expected: &dyn Expected) -> Fault {
    let found = shown(found);
    Fault::new(format!("{what}: {found}, expected {expected}"))
}

impl serde::de::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        expected("invalid type", found, wanted)
    }

    fn invalid_value(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        expected("invalid value", found, wanted)
    }

    #[inline(always)]
    fn invalid_length(length: usize, _: &dyn Expected) -> Self {
        Self::missing(length)
    }
}

/// What was found, as serde says it, but values as they are in JSON.
fn shown(found: Unexpected<'_>) -> String {
    let (kind, value) = match found {
        Unexpected::Unit => return "null".to_owned(),
        Unexpected::Seq => return "sequence".to_owned(),
        Unexpected::Map => return "map".to_owned(),
        Unexpected::Str(text) => return format!("string {}", write::text(text)),
        Unexpected::Bool(value) => ("boolean", write::text(&value)),
        Unexpected::Unsigned(value) => ("integer", value.to_string()),
        Unexpected::Signed(value) => ("integer", value.to_string()),
        Unexpected::Float(value) => ("floating point", write::text(&value)),
        _ => return "another value".to_owned(),
    };
    format!("{kind} `{value}`")
}
