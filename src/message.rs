//! A chat message in OpenAI's shape, kept without loss: unknown fields survive a round trip.

use crate::gather::Gather;
use crate::read::{self, Fault, Fill, Json, Read, Tree};
use crate::tokens::Kept;
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Read)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions.
    System,
    /// Instructions, under the name that newer OpenAI models use.
    Developer,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A tool's answer.
    Tool,
}

impl Role {
    /// The role as it appears on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::Developer => "developer",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }

    /// Whether the role gives instructions.
    pub fn is_system(self) -> bool {
        matches!(self, Role::System | Role::Developer)
    }
}

/// Text, or a list of parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// Plain text.
    Text(String),
    /// Parts: text, image, file, tool-call, tool-result, or a kind not known here.
    Parts(Vec<Map<String, Value>>),
}

impl Fill for Content {
    fn fill(&mut self, json: Json<'_>) -> read::Result<()> {
        *self = match json.tree {
            Tree::Text(_) => Self::Text(json.read()?),
            Tree::List(_) => Self::Parts(json.read()?),
            _ => return Err(json.unexpected("a string or a list of parts")),
        };
        Ok(())
    }
}

impl Read for Content {
    fn blank() -> Self {
        Self::Text(String::new())
    }
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Unique within the session; given by the caller or made when stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who speaks.
    pub role: Role,
    /// What is said; may be absent when there are tool calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// Tool calls of the assistant, in OpenAI's shape.
    #[serde(rename = "tool_calls", skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Value>,
    /// The call that a tool message answers.
    #[serde(rename = "tool_call_id", skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The speaker's or tool's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When it was said, ms since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<i64>,
    /// Whatever the caller wants kept with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
    /// Fields not known here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
    /// What is kept beside a stored message of its count. It is no part of the message.
    #[serde(skip)]
    pub counted: Option<Kept>,
}

impl Fill for Message {
    fn fill(&mut self, json: Json<'_>) -> read::Result<()> {
        let (mut has_role, mut has_calls, mut twice) = (false, false, None);
        json.map("struct Message", &mut |name, json| {
            match name {
                _ if twice.is_some() => {}
                "id" => self.id.fill(json)?,
                "role" => {
                    has_role = true;
                    self.role.fill(json)?;
                }
                "content" => self.content.fill(json)?,
                "tool_calls" | "toolCalls" => {
                    self.tool_calls.fill(json)?;
                    if std::mem::replace(&mut has_calls, true) {
                        twice = Some("tool_calls");
                    }
                }
                "tool_call_id" | "toolCallId" => match self.tool_call_id {
                    Some(_) => twice = Some("tool_call_id"),
                    None => self.tool_call_id.fill(json)?,
                },
                "name" => self.name.fill(json)?,
                "createdAt" => self.created_at.fill(json)?,
                "meta" => self.meta.fill(json)?,
                _ => {
                    self.extra.insert(name.to_owned(), json.read()?);
                }
            }
            Ok(())
        })?;
        match twice {
            Some(name) => Err(Fault::new(format!("duplicate field `{name}`"))),
            None if !has_role => Err(Fault::missing_field("role")),
            None => Ok(()),
        }
    }
}

impl Read for Message {
    fn blank() -> Self {
        let mut message = Self::new(Role::User, "");
        message.content = None;
        message
    }
}

read::by_read!(Message);

impl Message {
    /// A message with this role and text, and nothing else.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self {
            id: None,
            role,
            content: Some(Content::Text(text.into())),
            tool_calls: Vec::new(),
            tool_call_id: None,
            name: None,
            created_at: None,
            meta: None,
            extra: Map::new(),
            counted: None,
        }
    }

    /// What a person reads: the text, or the text parts joined by line breaks.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.content {
            None => Cow::Borrowed(""),
            Some(Content::Text(text)) => Cow::Borrowed(text),
            Some(Content::Parts(parts)) => Cow::Owned(
                parts
                    .iter()
                    .filter(|part| part_type(part) == "text")
                    .filter_map(|part| part.get("text").and_then(Value::as_str))
                    .gather()
                    .join("\n"),
            ),
        }
    }

    /// The parts of a message whose content is a list; none for plain text.
    pub fn parts(&self) -> &[Map<String, Value>] {
        match &self.content {
            Some(Content::Parts(parts)) => parts,
            _ => &[],
        }
    }

    /// Ids of the tool calls this message makes, in order.
    pub fn call_ids(&self) -> Vec<&str> {
        let listed = self.tool_calls.iter().filter_map(|call| call.get("id"));
        let in_parts = parts_of_type(self.parts(), "tool-call");
        listed.chain(in_parts).filter_map(Value::as_str).gather()
    }

    /// Ids of the tool calls this message answers, in order.
    pub fn answered_ids(&self) -> Vec<&str> {
        let own = self.tool_call_id.as_deref();
        let in_parts = parts_of_type(self.parts(), "tool-result").filter_map(Value::as_str);
        own.into_iter().chain(in_parts).gather()
    }

    /// Whether this is plain talk between user and assistant, with no tool call in it.
    pub fn is_chat(&self) -> bool {
        matches!(self.role, Role::User | Role::Assistant)
            && self.call_ids().is_empty()
            && self.answered_ids().is_empty()
    }
}

/// The `type` of a content part, or the empty string.
pub fn part_type(part: &Map<String, Value>) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn parts_of_type<'a>(
    parts: &'a [Map<String, Value>],
    kind: &'a str,
) -> impl Iterator<Item = &'a Value> {
    parts
        .iter()
        .filter(move |part| part_type(part) == kind)
        .filter_map(|part| part.get("toolCallId"))
}
