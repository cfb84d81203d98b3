//! What is wrong with a value, and where.

use super::Tree;
use crate::write;
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
}

#[derive(Debug)]
pub(super) enum Step {
    Field(String),
    Item(usize),
}

impl Fault {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(message: String) -> Self {
        Self(Box::new(Inner {
            steps: Vec::new(),
            message,
        }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn missing_field(name: &str) -> Self {
        Self::new(format!("missing field `{name}`"))
    }

    /// Something else was found than expected.
    #[cold]
    #[inline(never)]
    pub(super) fn expected(what: &str, found: &Tree<'_>, expected: &str) -> Self {
        let found = shown(found);
        Self::new(format!("invalid {what}: {found}, expected {expected}"))
    }

    /// A name that is not among these.
    #[cold]
    #[inline(never)]
    pub(super) fn unknown(what: &str, name: &str, names: &[&str]) -> Self {
        let expected = match names {
            [] => format!("there are no {what}s"),
            [one] => format!("expected `{one}`"),
            [one, other] => format!("expected `{one}` or `{other}`"),
            _ => format!("expected one of `{}`", names.join("`, `")),
        };
        Self::new(format!("unknown {what} `{name}`, {expected}"))
    }

    /// The same of the whole.
    pub(crate) fn whole(mut self) -> Self {
        self.0.steps.clear();
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

/// What was found, as serde says it, but values as they are in JSON.
fn shown(found: &Tree<'_>) -> String {
    let (kind, value) = match found {
        Tree::Null => return "null".to_owned(),
        Tree::List(_) => return "sequence".to_owned(),
        Tree::Record(_) => return "map".to_owned(),
        Tree::Text(text) => return format!("string {}", write::text(text)),
        Tree::Bool(value) => ("boolean", write::text(value)),
        Tree::Unsigned(value) => ("integer", write::text(value)),
        Tree::Signed(value) => ("integer", write::text(value)),
        Tree::Float(value) => ("floating point", write::text(value)),
    };
    format!("{kind} `{value}`")
}
