//! User and assistant take turns, repaired from the newest back (W2).
//!
//! A turn of the assistant that calls tools reaches to the next user message: calls, results and
//! what it says on them belong together.

use super::{Item, Losses, Reason, Turn};
use crate::error::Result;
use crate::gather::Gather;
use crate::gather::Push;
use crate::message::{Content, Message, Role};
use crate::tokens::Tokens;
use serde_json::{Map, Value};

/// Turns in order, not yet alternating.
#[inline(never)]
pub(super) fn turns(groups: Vec<Vec<Item>>) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut calling = false;
    for group in groups {
        let plain = group.iter().all(|item| item.message.is_chat());
        let role = match group.first().map(|item| item.message.role) {
            Some(Role::User) => Role::User,
            _ => Role::Assistant,
        };
        match turns.last_mut() {
            Some(turn) if turn.role == Role::Assistant && role == Role::Assistant && calling => {
                turn.items.push_all(group);
            }
            _ => {
                turns.push(Turn { role, items: group });
                calling = !plain;
            }
        }
    }
    turns
}

/// Leaves out turns until user and assistant alternate and the assistant has the last word.
pub(super) fn drop_runs(turns: Vec<Turn>, losses: &mut Losses) -> Vec<Turn> {
    let mut expected = Role::Assistant;
    let mut kept = Vec::with_capacity(turns.len());
    for turn in turns.into_iter().rev() {
        if turn.role == expected {
            expected = if expected == Role::User {
                Role::Assistant
            } else {
                Role::User
            };
            kept.push(turn);
        } else {
            losses.add_all(turn.items, Reason::Alternation);
        }
    }
    kept.reverse();
    kept
}

/// Merges runs of one role into one turn each.
#[inline(never)]
pub(super) fn merge_runs(
    turns: Vec<Turn>,
    tokens: &Tokens,
    losses: &mut Losses,
) -> Result<Vec<Turn>> {
    let mut merged: Vec<Turn> = Vec::new();
    for turn in turns {
        match merged.last_mut() {
            Some(last) if last.role == turn.role => last.items.push_all(turn.items),
            _ => merged.push(turn),
        }
    }
    for turn in &mut merged {
        let items = std::mem::take(&mut turn.items);
        turn.items = merge_items(items, tokens, losses)?;
    }
    Ok(merged)
}

fn merge_items(items: Vec<Item>, tokens: &Tokens, losses: &mut Losses) -> Result<Vec<Item>> {
    let mut merged: Vec<Item> = Vec::new();
    for mut item in items {
        let older = merged.pop_if(|last| last.message.is_chat() && item.message.is_chat());
        if let Some(older) = older {
            item.message = join(&older.message, item.message);
            item.tokens = tokens.message(&item.message)?;
            losses.add(older, Reason::Merged);
        }
        merged.push(item);
    }
    Ok(merged)
}

/// `newer` with what `older` says before it. A name stays only if both carry it.
pub(super) fn join(older: &Message, mut newer: Message) -> Message {
    newer.content = match (older.content.clone(), newer.content.take()) {
        (None, content) | (content, None) => content,
        (Some(Content::Text(first)), Some(Content::Text(second))) => {
            Some(Content::Text(format!("{first}\n\n{second}")))
        }
        (Some(first), Some(second)) => Some(Content::Parts(
            parts(first).into_iter().chain(parts(second)).gather(),
        )),
    };
    if older.name != newer.name {
        newer.name = None;
    }
    newer
}

fn parts(content: Content) -> Vec<Map<String, Value>> {
    match content {
        Content::Parts(parts) => parts,
        Content::Text(text) => {
            let mut part = Map::new();
            part.insert("type".to_owned(), Value::from("text"));
            part.insert("text".to_owned(), Value::from(text));
            vec![part]
        }
    }
}
