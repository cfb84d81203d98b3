//! What comes in: system apart from chat, assistant text cleaned, every message counted once.

use super::{Item, Losses, Reason, clean};
use crate::error::{Error, Result};
use crate::message::{Content, Message, Role, part_type};
use crate::prompt;
use crate::tokens::Tokens;
use serde_json::Value;
use std::borrow::Cow;

/// This turn's message has to be one that needs no other message before it.
pub(super) fn check_current(current: Option<&Message>) -> Result<()> {
    match current {
        Some(message) if message.role != Role::User => Err(Error::input(
            "message.role",
            format!("`user`, got `{}`", message.role.as_str()),
        )),
        Some(message) if !message.is_chat() => Err(Error::input(
            "message.content",
            "no tool calls or tool results in a user message",
        )),
        _ => Ok(()),
    }
}

pub(super) fn count(message: Message, tokens: &Tokens) -> Result<Item> {
    let tokens = tokens.message(&message)?;
    Ok(Item {
        at: 0,
        message,
        tokens,
    })
}

pub(super) fn count_all(messages: Vec<Message>, tokens: &Tokens) -> Result<Vec<Item>> {
    messages
        .into_iter()
        .map(|message| count(message, tokens))
        .collect()
}

/// Splits system from chat, cleans and counts every message once.
#[inline(never)]
pub(super) fn sort(
    system: Vec<Message>,
    history: Vec<Message>,
    current: Option<&Message>,
    tokens: &Tokens,
    losses: &mut Losses,
) -> Result<(Vec<Item>, Vec<Item>)> {
    let mut instructions = count_all(system, &tokens.lasting())?;
    let mut chat = Vec::with_capacity(history.len());
    let current_id = current.and_then(|message| message.id.as_deref());
    for (at, message) in history.into_iter().enumerate() {
        let (cost, cleaned) = {
            let shown = as_shown(&message);
            let cost = tokens.stored(&message, &shown)?;
            match shown {
                Cow::Owned(cleaned) => (cost, Some(cleaned)),
                Cow::Borrowed(_) => (cost, None),
            }
        };
        let is_cleaned = cleaned.is_some();
        let item = Item {
            at,
            message: cleaned.unwrap_or(message),
            tokens: cost,
        };
        let same = |other: &Item| {
            other.message.role == item.message.role && other.message.content == item.message.content
        };
        if prompt::is_synthetic(&item.message) {
            losses.add(item, Reason::Synthetic);
        } else if item.message.id.is_some() && item.message.id.as_deref() == current_id {
            losses.add(item, Reason::Duplicate);
        } else if !item.message.role.is_system() {
            let empty = is_cleaned && is_empty(&item.message);
            if empty {
                losses.add(item, Reason::Emptied)
            } else {
                chat.push(item)
            }
        } else if instructions.iter().any(same) {
            losses.add(item, Reason::Duplicate);
        } else {
            instructions.push(item);
        }
    }
    Ok((instructions, chat))
}

/// A message as the window shows it.
pub fn as_shown(message: &Message) -> Cow<'_, Message> {
    cleaned(message).map_or(Cow::Borrowed(message), Cow::Owned)
}

/// An assistant message without reasoning and tool mark-up, if it had any.
fn cleaned(message: &Message) -> Option<Message> {
    if message.role != Role::Assistant {
        return None;
    }
    let mut changed = false;
    let mut tidy = |text: &mut String| {
        if let Cow::Owned(clean) = clean(text) {
            *text = clean;
            changed = true;
        }
    };
    let mut message = message.clone();
    match &mut message.content {
        None => {}
        Some(Content::Text(text)) => tidy(text),
        Some(Content::Parts(parts)) => {
            for part in parts.iter_mut().filter(|part| part_type(part) == "text") {
                if let Some(Value::String(text)) = part.get_mut("text") {
                    tidy(text);
                }
            }
        }
    }
    changed.then_some(message)
}

fn is_empty(message: &Message) -> bool {
    let other_parts = message.parts().iter().any(|part| part_type(part) != "text");
    message.text().trim().is_empty() && message.tool_calls.is_empty() && !other_parts
}
