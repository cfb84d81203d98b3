//! The judge's answer, read by structure (E4, F9): prose and fences around JSON are stepped over, drafts in
//! `<think>` blocks are not answers, and a text that was cut keeps its whole items.

use super::reader::{Read, Reader};
use crate::gather::Gather;
use crate::words::{Words, words};
use item::{has_content, item, member};
use serde_json::Value;

pub use item::RawItem;

mod item;

/// Why an answer gave no list of memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseFault {
    /// The answer is blank.
    Empty,
    /// There is no JSON in it.
    NoJson,
    /// It ends inside a `<think>` block: what is there is a draft.
    UnclosedThink,
    /// It ends, or is broken, before the first whole memory.
    Truncated,
    /// There is JSON, but no list of memories.
    NotMemories,
}

impl ParseFault {
    /// The fault as it appears in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            ParseFault::Empty => "empty",
            ParseFault::NoJson => "no_json",
            ParseFault::UnclosedThink => "unclosed_think",
            ParseFault::Truncated => "truncated",
            ParseFault::NotMemories => "not_memories",
        }
    }
}

impl std::fmt::Display for ParseFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

const THINK_TAGS: Words = words!["think", "thinking", "reasoning", "thought", "reflection"];

/// Keys that hold the list.
const LIST_KEYS: Words = words![
    "memories", "memory", "items", "results", "result", "data", "output", "response", "answer",
    "candidates", "memory_list", "memorylist", "记忆", "记忆列表",
];

/// More items than this are not read: no dialogue gives as many memories.
const ITEMS_MAX: usize = 1_000;

/// What was found on the way through the answer.
#[derive(Default)]
struct Found {
    /// The items of the last list, or of single objects that stand side by side.
    items: Vec<RawItem>,
    /// Whether a list was read, though it may be empty.
    list: bool,
    /// Whether the items are single objects.
    loose: bool,
    /// Whether JSON of any kind was read.
    json: bool,
    /// Whether something broke off.
    broken: bool,
}

/// The memories of an answer.
#[derive(Debug)]
pub struct Answer {
    /// Those that are whole.
    pub items: Vec<RawItem>,
    /// Whether the answer breaks off after them.
    pub is_cut: bool,
}

/// Reads the memories of an answer; an empty list is an answer, and differs from a fault.
pub fn parse(answer: &str) -> Result<Answer, ParseFault> {
    let text = answer.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(ParseFault::Empty);
    }
    let mut reader = Reader::new(text);
    let mut found = Found::default();
    while let Some(c) = reader.peek() {
        if reader.is_spent() {
            break;
        }
        match c {
            '{' | '[' => step_json(&mut reader, &mut found),
            '<' => match think_tag(reader.rest()) {
                Some(Tag::Open { close }) => match find_ignoring_case(reader.rest(), &close) {
                    Some(at) => reader.seek(reader.pos() + at + close.len()),
                    None if found.list || !found.items.is_empty() => break,
                    None => return Err(ParseFault::UnclosedThink),
                },
                // The block was opened by the chat template: all before it was thought.
                Some(Tag::Close { len }) => {
                    found = Found::default();
                    reader.seek(reader.pos() + len);
                }
                None => _ = reader.bump(),
            },
            _ => _ = reader.bump(),
        }
    }
    let (items, is_cut) = (found.items, found.broken);
    if !items.is_empty() {
        Ok(Answer { items, is_cut })
    } else if is_cut {
        Err(ParseFault::Truncated)
    } else if found.list {
        Ok(Answer { items, is_cut })
    } else if found.json {
        Err(ParseFault::NotMemories)
    } else {
        Err(ParseFault::NoJson)
    }
}

fn step_json(reader: &mut Reader<'_>, found: &mut Found) {
    let start = reader.pos();
    let (value, whole) = match reader.read() {
        Read::Value { value, whole } => (value, whole),
        Read::Nothing => {
            reader.seek(start + 1);
            return;
        }
    };
    let list = list_of(&value, whole, 0).or_else(|| bare_strings(reader, start, &value));
    if !whole && list.as_ref().is_none_or(Vec::is_empty) {
        // `[NEW]` or `{name}` in prose, or a break before the first whole item: look inside.
        found.broken |= !is_prose_bracket(&value) || reader.rest().is_empty();
        reader.seek(start + 1);
        return;
    }
    found.json |= list.is_some() || value.is_object();
    if let Some(items) = list {
        found.list = true;
        // An empty list in passing does not undo an answer.
        if !items.is_empty() {
            found.items = items;
            found.broken = !whole;
            // Whole items may follow the place where a list broke.
            found.loose = !whole;
        }
    } else if (found.items.is_empty() || found.loose)
        && let Some(item) = item(&value).filter(|item| !item.content.is_empty())
    {
        found.loose = true;
        found.items.push(item);
    }
    found.items.truncate(ITEMS_MAX);
}

/// A bare list of texts, when it is the whole answer or starts its fence.
fn bare_strings(reader: &Reader<'_>, start: usize, value: &Value) -> Option<Vec<RawItem>> {
    let before = reader.before(start).trim_end();
    let values = value
        .as_array()
        .filter(|values| !values.is_empty() && values.iter().all(Value::is_string))?;
    (before.is_empty() || before.ends_with("```") || before.ends_with("```json"))
        .then(|| values.iter().filter_map(item).gather())
}

/// `[NEW]` or `{name}` in prose: a bracket that nothing readable followed.
fn is_prose_bracket(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty() || !items.iter().any(Value::is_object),
        Value::Object(members) => members.is_empty(),
        _ => true,
    }
}

/// The items of a value that is a list of memories or wraps one.
fn list_of(value: &Value, whole: bool, depth: usize) -> Option<Vec<RawItem>> {
    match value {
        Value::Array(values) => {
            let listed = depth > 0 || values.iter().all(Value::is_object);
            listed.then(|| values.iter().take(ITEMS_MAX).filter_map(item).gather())
        }
        Value::Object(members) if depth < 3 => {
            if let Some(inner) = LIST_KEYS.iter().find_map(|key| member(members, key)) {
                match inner {
                    Value::Null if whole => return Some(Vec::new()),
                    Value::Array(_) | Value::Object(_) => {
                        if let Some(items) = list_of(inner, whole, depth + 1) {
                            return Some(items);
                        }
                        return item(inner).map(|item| vec![item]);
                    }
                    _ => {}
                }
            }
            if members.is_empty() && whole {
                return Some(Vec::new());
            }
            if has_content(members) {
                return None;
            }
            let mut lists = members.values().filter(|value| {
                value
                    .as_array()
                    .is_some_and(|list| list.iter().filter_map(Value::as_object).any(has_content))
            });
            match (lists.next(), lists.next()) {
                (Some(only), None) => list_of(only, whole, depth + 1),
                _ => None,
            }
        }
        _ => None,
    }
}

enum Tag {
    Open { close: String },
    Close { len: usize },
}

/// The think tag that the text starts with.
fn think_tag(text: &str) -> Option<Tag> {
    let inner = text.strip_prefix('<')?;
    let (inner, closes) = match inner.strip_prefix('/') {
        Some(inner) => (inner, true),
        None => (inner, false),
    };
    THINK_TAGS.iter().find_map(|name| {
        let head = inner.get(..name.len())?;
        let ends = inner.get(name.len()..)?.starts_with('>');
        (ends && head.eq_ignore_ascii_case(name)).then(|| {
            let len = name.len() + if closes { 3 } else { 2 };
            if closes {
                Tag::Close { len }
            } else {
                Tag::Open {
                    close: format!("</{name}>"),
                }
            }
        })
    })
}

fn find_ignoring_case(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes()
        .windows(needle.len())
        .position(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
}

#[cfg(test)]
mod tests;
