//! A chat message in OpenAI's shape, kept without loss: unknown fields survive a round trip.

use crate::tokens::Kept;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ContentVisitor;

        impl<'de> Visitor<'de> for ContentVisitor {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of parts")
            }

            fn visit_str<E>(self, text: &str) -> Result<Content, E> {
                Ok(Content::Text(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Content, E> {
                Ok(Content::Text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Content, A::Error> {
                let parts = Vec::deserialize(SeqAccessDeserializer::new(list));
                parts.map(Content::Parts)
            }
        }

        deserializer.deserialize_any(ContentVisitor)
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

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MessageVisitor)
    }
}

pub(crate) struct MessageVisitor;

impl<'de> Visitor<'de> for MessageVisitor {
    type Value = Message;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct Message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Message, A::Error> {
        let mut role = None;
        let mut calls = None;
        let mut message = Message::new(Role::User, "");
        message.content = None;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "id" => message.id = map.next_value()?,
                "role" => role = Some(map.next_value()?),
                "content" => message.content = map.next_value()?,
                "tool_calls" | "toolCalls" => {
                    if calls.replace(map.next_value()?).is_some() {
                        return Err(A::Error::duplicate_field("tool_calls"));
                    }
                }
                "tool_call_id" | "toolCallId" => {
                    if message.tool_call_id.is_some() {
                        return Err(A::Error::duplicate_field("tool_call_id"));
                    }
                    message.tool_call_id = map.next_value()?;
                }
                "name" => message.name = map.next_value()?,
                "createdAt" => message.created_at = map.next_value()?,
                "meta" => message.meta = map.next_value()?,
                _ => {
                    message.extra.insert(name, map.next_value()?);
                }
            }
        }
        message.role = role.ok_or_else(|| A::Error::missing_field("role"))?;
        message.tool_calls = calls.unwrap_or_default();
        Ok(message)
    }
}

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
                    .collect::<Vec<_>>()
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
        listed.chain(in_parts).filter_map(Value::as_str).collect()
    }

    /// Ids of the tool calls this message answers, in order.
    pub fn answered_ids(&self) -> Vec<&str> {
        let own = self.tool_call_id.as_deref();
        let in_parts = parts_of_type(self.parts(), "tool-result").filter_map(Value::as_str);
        own.into_iter().chain(in_parts).collect()
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
