//! One memory of an answer, whatever its fields are called and however they are written.

use crate::case::Lowercase;
use crate::gather::Gather;
use crate::sorted::Facts;
use crate::words::{Words, words};
use crate::write;
use serde_json::{Map, Value};

/// One memory as the judge wrote it, before validation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawItem {
    /// The text; empty when the item has none.
    pub content: String,
    /// What it is about, in the judge's words.
    pub category: Option<String>,
    /// Who shares it, in the judge's words.
    pub scope: Option<String>,
    /// 1 to 10, as a number or in words.
    pub importance: Option<Value>,
    /// Its content form, in the judge's words.
    pub kind: Option<String>,
    /// Key–value pairs.
    pub facts: Facts,
    /// Whether it is sensitive.
    pub sensitive: Option<bool>,
    /// References to the messages it came from.
    pub from: Vec<String>,
    /// References to the known memories it replaces.
    pub replaces: Vec<String>,
    /// References to the known memories that cannot be true together with it.
    pub contradicts: Vec<String>,
}

/// Keys that hold the text of one memory.
pub(super) const CONTENT_KEYS: Words = words![
    "content", "memory", "text", "statement", "fact", "内容", "记忆内容",
];

pub(super) fn has_content(members: &Map<String, Value>) -> bool {
    CONTENT_KEYS
        .iter()
        .any(|key| member(members, key).is_some_and(Value::is_string))
}

/// A member by name, whatever its case.
pub(super) fn member<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    members.get(name).or_else(|| {
        members
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    })
}

pub(super) fn first<'a>(members: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    names
        .iter()
        .find_map(|name| member(members, name))
        .filter(|value| !value.is_null())
}

pub(super) fn item(value: &Value) -> Option<RawItem> {
    let members = match value {
        Value::String(text) => {
            return Some(RawItem {
                content: text.clone(),
                ..RawItem::default()
            });
        }
        Value::Object(members) => members,
        _ => return None,
    };
    let content = CONTENT_KEYS
        .iter()
        .find_map(|key| member(members, key).and_then(Value::as_str));
    let text_of = |names: &[&str]| first(members, names).and_then(scalar);
    Some(RawItem {
        content: content.unwrap_or_default().to_owned(),
        category: text_of(&["category", "type", "类别", "分类"]),
        scope: text_of(&["scope", "owner", "作用域", "范围"]),
        importance: first(
            members,
            &["importance", "score", "priority", "重要性", "重要度"],
        )
        .cloned(),
        kind: text_of(&["kind", "form"]),
        facts: first(members, &["facts", "keys", "attributes", "事实"])
            .map(facts)
            .unwrap_or_default(),
        sensitive: first(
            members,
            &["sensitive", "is_sensitive", "issensitive", "敏感"],
        )
        .and_then(truth),
        from: first(
            members,
            &["from", "source", "sources", "message_ids", "来源"],
        )
        .map(refs)
        .unwrap_or_default(),
        replaces: first(members, &["replaces", "replace", "supersedes", "替换"])
            .map(refs)
            .unwrap_or_default(),
        contradicts: first(members, &["contradicts", "conflicts", "矛盾"])
            .map(refs)
            .unwrap_or_default(),
    })
}

pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(write::text(number)),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

pub(super) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::Number(number) => Some(number.as_f64() != Some(0.0)),
        Value::String(text) => match text.trim().lowercase().as_str() {
            "true" | "yes" | "1" | "是" => Some(true),
            "false" | "no" | "0" | "否" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn refs(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().filter_map(scalar).gather(),
        Value::String(text) => text
            .split([',', ' ', ';', '，', '、'])
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .gather(),
        other => scalar(other).into_iter().gather(),
    }
}

/// Facts as an object, nested or flat, or as a list of `{key, value}`.
pub(super) fn facts(value: &Value) -> Facts {
    let mut out = Facts::new();
    match value {
        Value::Array(pairs) => {
            for pair in pairs.iter().filter_map(Value::as_object) {
                let key = first(pair, &["key", "name"]).and_then(scalar);
                let value = first(pair, &["value"]).and_then(scalar);
                if let (Some(key), Some(value)) = (key, value) {
                    out.insert(key, value);
                }
            }
        }
        Value::Object(members) => flatten("", members, 0, &mut out),
        _ => {}
    }
    out
}

pub(super) fn flatten(prefix: &str, members: &Map<String, Value>, depth: usize, out: &mut Facts) {
    for (key, value) in members {
        let path = if prefix.is_empty() {
            key.clone()
        } else {
            format!("{prefix}.{key}")
        };
        match value {
            Value::Object(inner) if depth < 4 => flatten(&path, inner, depth + 1, out),
            Value::Array(values) => {
                let joined: Vec<String> = values.iter().filter_map(scalar).gather();
                if !joined.is_empty() {
                    out.insert(path, joined.join(", "));
                }
            }
            other => {
                if let Some(text) = scalar(other) {
                    out.insert(path, text);
                }
            }
        }
    }
}
