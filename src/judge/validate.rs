//! From the judge's words to candidates (E4): missing fields filled, texts cut, importance clamped, references
//! resolved; what is dropped is reported.

use super::NewMessage;
use super::parse::RawItem;
use crate::case::{self, Lowercase};
use crate::config::JudgeConfig;
use crate::gather::Gather;
use crate::memory::{Candidate, Category, MemoryScope};
use crate::message::Role;
use crate::read;
use crate::similarity::Prepared;
use crate::sorted::Facts;
use serde::Serialize;
use serde_json::Value;

use crate::words::words;
pub use names::{category, scope};
use names::{category_of_facts, kind, kind_of, usual_importance};

mod names;

/// What a judged batch was about.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    /// The messages marked new, oldest first.
    pub new_messages: &'a [NewMessage],
    /// Label and id of the known memories that were shown.
    pub known: &'a [(String, String)],
    /// The limits.
    pub config: &'a JudgeConfig,
}

/// An item that did not become a candidate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Dropped {
    /// Its text.
    pub content: String,
    /// Why: `empty` or `placeholder`.
    pub reason: &'static str,
}

/// Facts of one memory that are kept.
const FACTS_MAX: usize = 16;

/// Characters of a fact's key or value.
const FACT_CHARS_MAX: usize = 100;

/// Turns what the judge wrote into candidates, in order.
pub fn validate(items: Vec<RawItem>, context: &Context<'_>) -> (Vec<Candidate>, Vec<Dropped>) {
    let mut kept = Vec::with_capacity(items.len());
    let mut dropped = Vec::new();
    let texts: Vec<Prepared> = context
        .new_messages
        .iter()
        .map(|message| Prepared::new(&message.text))
        .gather();
    for item in items {
        match reason_to_drop(&item.content) {
            Some(reason) => dropped.push(Dropped {
                content: item.content,
                reason,
            }),
            None => kept.push(candidate(item, context, &texts)),
        }
    }
    (kept, dropped)
}

fn reason_to_drop(content: &str) -> Option<&'static str> {
    if !content.chars().any(char::is_alphanumeric) {
        return Some("empty");
    }
    let plain = content.trim().trim_end_matches(['.', '。']).lowercase();
    let is_placeholder = words![
        "none", "null", "n/a", "na", "nil", "undefined", "nothing", "nothing to remember", "无",
        "没有", "空"
    ]
    .contains(&plain);
    is_placeholder.then_some("placeholder")
}

fn candidate(item: RawItem, context: &Context<'_>, texts: &[Prepared]) -> Candidate {
    let content = cut(item.content.trim(), context.config.max_chars);
    let facts = clean_facts(&item.facts);
    let named = item.category.as_deref().and_then(category);
    let category = named.unwrap_or_else(|| category_of_facts(&facts));
    let scope = item
        .scope
        .as_deref()
        .and_then(scope)
        .unwrap_or(MemoryScope::User);
    let kind = item
        .kind
        .as_deref()
        .and_then(kind)
        .or_else(|| item.category.as_deref().and_then(kind))
        .unwrap_or_else(|| kind_of(category));
    let sources = sources(&item.from, &content, context, texts);
    Candidate {
        category,
        kind,
        scope,
        importance: item
            .importance
            .as_ref()
            .and_then(importance)
            .unwrap_or_else(|| usual_importance(category)),
        is_sensitive: item.sensitive.unwrap_or(false) || category == Category::Auth,
        replaces: replaced(&item.replaces, context.known),
        contradicts: replaced(&item.contradicts, context.known),
        message_ids: sources.iter().map(|message| message.id.clone()).gather(),
        observed_at: sources.iter().map(|message| message.at).max().unwrap_or(0),
        facts,
        cues: String::new(),
        content,
    }
}

/// Cuts to at most `max` characters: at a sentence or word end when one is near, never inside a number or a
/// composed character.
pub fn cut(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else {
        return text.to_owned();
    };
    let head = text.get(..end).unwrap_or_default();
    let next = text.get(end..).and_then(|rest| rest.chars().next());
    if next.is_some_and(|c| c.is_whitespace() || is_stop(c)) {
        return head.trim_end().to_owned();
    }
    // A boundary in the last third is near enough to stop at.
    let near = head
        .char_indices()
        .nth(max - max / 3)
        .map_or(0, |(at, _)| at);
    let boundary = head
        .char_indices()
        .rev()
        .take_while(|(at, _)| *at >= near)
        .find(|(_, c)| c.is_whitespace() || is_stop(*c))
        .map(|(at, c)| if is_stop(c) { at + c.len_utf8() } else { at });
    if let Some(at) = boundary {
        return head.get(..at).unwrap_or_default().trim_end().to_owned();
    }
    let mut head = head;
    let mut next = next;
    while let Some(last) = head.chars().next_back() {
        let inside = next.is_some_and(|c| joins(last, c));
        if !inside || head.len() == last.len_utf8() {
            break;
        }
        next = Some(last);
        head = head.get(..head.len() - last.len_utf8()).unwrap_or_default();
    }
    head.to_owned()
}

fn is_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '；' | '，' | '、' | ';' | '!' | '?')
}

/// Whether the two characters belong together.
fn joins(before: char, after: char) -> bool {
    (before.is_ascii_digit() && (after.is_ascii_digit() || after == '.'))
        || (before == '.' && after.is_ascii_digit())
        || before == '\u{200d}'
        || matches!(after, '\u{200d}' | '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
        || (is_regional(before) && is_regional(after))
}

fn is_regional(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

fn importance(value: &Value) -> Option<u8> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => {
            let text = text.trim().lowercase();
            match text.as_str() {
                "critical" | "highest" | "极高" | "最高" => 10.0,
                "high" | "高" => 8.0,
                "medium" | "normal" | "中" => 5.0,
                "low" | "低" => 3.0,
                _ => read::number(text.split('/').next()?.trim())?,
            }
        }
        _ => return None,
    };
    if number.is_nan() {
        return None;
    }
    // A judge that rates from 0 to 1.
    let number = if number > 0.0 && number < 1.0 {
        number * 10.0
    } else {
        number
    };
    Some(libm::round(number).clamp(1.0, 10.0) as u8)
}

fn clean_facts(facts: &Facts) -> Facts {
    let clean = facts
        .iter()
        .filter_map(|(key, value)| {
            let key = fact_key(key);
            let value = value.trim();
            let fits =
                !key.is_empty() && !value.is_empty() && key.chars().count() <= FACT_CHARS_MAX;
            fits.then(|| (key, cut(value, FACT_CHARS_MAX)))
        })
        .take(FACTS_MAX);
    Facts::from_iter(clean)
}

/// A fact's key in its stable form: lower case, words joined by `_`, parts by `.`.
pub fn fact_key(key: &str) -> String {
    let mut out = String::with_capacity(key.len());
    for c in key.trim().chars().flat_map(case::lower) {
        match c {
            '.' | '/' | ':' if !out.is_empty() && !out.ends_with('.') => {
                let kept = out.trim_end_matches('_').len();
                out.truncate(kept);
                out.push('.');
            }
            c if c.is_alphanumeric() || matches!(c, '+' | '#') => out.push(c),
            _ if !out.is_empty() && !out.ends_with(['_', '.']) => out.push('_'),
            _ => {}
        }
    }
    out.trim_end_matches(['_', '.']).to_owned()
}

fn replaced(refs: &[String], known: &[(String, String)]) -> Vec<String> {
    let mut ids = Vec::new();
    for (_, id) in refs
        .iter()
        .filter_map(|name| known.iter().find(|(label, id)| is_ref(name, label, id)))
    {
        if !ids.contains(id) {
            ids.push(id.clone());
        }
    }
    ids
}

/// Whether a reference names this label or id: `k3`, `K3`, `[k3]`, `3`.
fn is_ref(name: &str, label: &str, id: &str) -> bool {
    let name = name.trim().trim_matches(['[', ']', '"', '\'', '#', ':']);
    let digits = label.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    name == id
        || (!label.is_empty()
            && (name.eq_ignore_ascii_case(label) || (!digits.is_empty() && name == digits)))
}

/// The new messages a memory came from: those named, else the most similar one, else all.
fn sources<'a>(
    refs: &[String],
    content: &str,
    context: &Context<'a>,
    texts: &[Prepared],
) -> Vec<&'a NewMessage> {
    let all = context.new_messages;
    let named: Vec<&NewMessage> = all
        .iter()
        .filter(|message| {
            refs.iter()
                .any(|name| is_ref(name, &message.label, &message.id))
        })
        .gather();
    if !named.is_empty() {
        return named;
    }
    let content = Prepared::new(content);
    let shared = |text: &Prepared| {
        content
            .content()
            .iter()
            .filter(|word| text.content().contains(word))
            .count()
    };
    let mut best: Option<(usize, &NewMessage)> = None;
    for (message, text) in all.iter().zip(texts) {
        // At equal overlap the user's own words count, then the first.
        let weight = shared(text) * 2 + usize::from(message.role == Role::User);
        if weight > 1 && best.is_none_or(|(most, _)| weight > most) {
            best = Some((weight, message));
        }
    }
    match best {
        Some((_, message)) => vec![message],
        None => all
            .iter()
            .filter(|message| matches!(message.role, Role::User | Role::Assistant))
            .gather(),
    }
}

#[cfg(test)]
mod tests;
