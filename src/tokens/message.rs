//! What a message costs beyond its text: framing, tool calls, images, files, tool schemas (T3, F5).
//!
//! The framing is what OpenAI publishes for its chat models: 3 tokens a message, 1 more for a name,
//! 3 that prime the answer. Tool schemas are counted as their compact JSON, which is more than what
//! OpenAI turns them into; ids of calls are not part of the prompt and cost nothing.

use super::lasting::Lasting;
use super::{Counter, counter};
use crate::config::TokensConfig;
use crate::error::Result;
use crate::gather::Gather;
use crate::message::{Content, Message, Role, part_type};
use crate::write;
use serde_json::{Map, Value};
use std::cell::Cell;
use std::rc::Rc;

/// Tokens around every message.
pub const PER_MESSAGE: usize = 3;
/// Tokens more for a message that carries a name.
pub const PER_NAME: usize = 1;
/// Tokens around every tool call.
pub const PER_CALL: usize = 3;
/// Tokens that prime the answer, once a request.
pub const PRIMING: usize = 3;
/// Tokens around every tool schema.
pub const PER_TOOL: usize = 7;
/// Tokens that close the list of tools, if there is one.
pub const TOOLS: usize = 12;

/// Counts stop here, far over any budget, so that no sum of them overflows 32 bits.
const LIMIT: usize = 1 << 28;
const IMAGE_BASE: usize = 85;
const IMAGE_TILE: usize = 170;

/// Counts messages and tool schemas with one counter and one configuration.
#[derive(Clone)]
pub struct Tokens {
    counter: Rc<dyn Counter>,
    config: TokensConfig,
    /// What each role costs, once it was counted.
    roles: Rc<[Cell<Option<usize>>; 5]>,
    lasting: Rc<dyn Counter>,
}

impl Tokens {
    /// Counts with the encoding that the configuration names.
    pub fn new(config: &TokensConfig) -> Result<Self> {
        Ok(Self::with_counter(counter(&config.encoding)?, config))
    }

    /// Counts with the caller's own counter.
    pub fn with_counter(counter: Rc<dyn Counter>, config: &TokensConfig) -> Self {
        Self {
            lasting: Rc::new(Lasting::new(counter.clone())),
            counter,
            config: config.clone(),
            roles: Rc::default(),
        }
    }

    /// The same counts, of texts that come again turn by turn: each is counted once, while there is room
    /// to remember it.
    pub fn lasting(&self) -> Self {
        Self {
            counter: self.lasting.clone(),
            ..self.clone()
        }
    }

    pub(super) fn config(&self) -> &TokensConfig {
        &self.config
    }

    pub(super) fn identity(&self) -> Option<String> {
        self.counter.identity()
    }

    pub(super) fn is_ready(&self) -> bool {
        self.counter.is_ready()
    }

    /// Tokens of a role's name.
    pub(super) fn role(&self, role: Role) -> Result<usize> {
        let Some(known) = self.roles.get(role as usize) else {
            return self.text(role.as_str());
        };
        if known.get().is_none() {
            known.set(Some(self.text(role.as_str())?));
        }
        Ok(known.get().unwrap_or_default())
    }

    /// Tokens of a text alone.
    pub fn text(&self, text: &str) -> Result<usize> {
        if text.is_empty() {
            return Ok(0);
        }
        Ok(self.counter.count(text)?.min(LIMIT))
    }

    /// Tokens of a text alone, if they are at most `limit`.
    pub fn text_within(&self, text: &str, limit: usize) -> Result<Option<usize>> {
        self.counter.count_to(text, limit.min(LIMIT))
    }

    /// Tokens of one message: framing, role, name, content, tool calls.
    pub fn message(&self, message: &Message) -> Result<usize> {
        let mut total = PER_MESSAGE + self.role(message.role)?;
        if let Some(name) = &message.name {
            total += PER_NAME + self.text(name)?;
        }
        total += match &message.content {
            None => 0,
            Some(Content::Text(text)) => self.text(text)?,
            Some(Content::Parts(parts)) => self.sum(parts, Self::part)?,
        };
        total += self.sum(&message.tool_calls, Self::call)?;
        // Fields of the wire format that models are shown, though Siltstone does not read them.
        for field in ["function_call", "refusal", "reasoning_content"] {
            total += match message.extra.get(field) {
                None | Some(Value::Null) => 0,
                Some(Value::Object(call)) => PER_CALL + self.values(call)?,
                Some(value) => self.value(value)?,
            };
        }
        Ok(total)
    }

    /// Tokens of the messages together, the priming of the answer included.
    pub fn messages(&self, messages: &[Message]) -> Result<usize> {
        Ok(PRIMING + self.sum(messages, Self::message)?)
    }

    /// Tokens of the tool schemas bound to a turn.
    pub fn tools(&self, tools: &[Value]) -> Result<usize> {
        if tools.is_empty() {
            return Ok(0);
        }
        Ok(TOOLS + self.sum(tools, |tokens, tool| Ok(PER_TOOL + tokens.value(tool)?))?)
    }

    /// What `count` gives if it is at most `limit`. Texts are not read further than that needs.
    pub fn within(
        &self,
        limit: usize,
        count: impl FnOnce(&Self) -> Result<usize>,
    ) -> Result<Option<usize>> {
        let limited = Rc::new(Limited {
            counter: self.counter.clone(),
            left: Cell::new(Some(limit)),
        });
        let total = count(&Self::with_counter(limited.clone(), &self.config))?;
        let texts = limited.left.get();
        Ok(texts.map(|_| total).filter(|total| *total <= limit))
    }

    /// The sum of what `count` gives for each item.
    pub fn sum<T>(&self, items: &[T], count: impl Fn(&Self, &T) -> Result<usize>) -> Result<usize> {
        items.iter().try_fold(0usize, |total, item| {
            Ok(total.saturating_add(count(self, item)?).min(4 * LIMIT))
        })
    }

    /// A call's name and arguments, wherever its shape keeps them; else all of it.
    fn call(&self, call: &Value) -> Result<usize> {
        let function = call.get("function").unwrap_or(call);
        let fields = ["name", "toolName", "arguments", "args", "input"];
        let known: Vec<&Value> = fields.iter().filter_map(|key| function.get(key)).gather();
        if known.is_empty() {
            return Ok(PER_CALL + self.value(call)?);
        }
        Ok(PER_CALL + self.sum(&known, |tokens, value| tokens.value(value))?)
    }

    fn part(&self, part: &Map<String, Value>) -> Result<usize> {
        match part_type(part) {
            "text" | "input_text" | "output_text" => self.field(part, &["text"]),
            "image" | "image_url" | "input_image" => Ok(self.image(part)),
            "file" | "input_file" => match part.get("text").and_then(Value::as_str) {
                Some(text) => self.text(text),
                None => Ok(self.config.file_tokens),
            },
            "tool-call" => Ok(PER_CALL + self.field(part, &["toolName", "args", "input"])?),
            "tool-result" => self.field(part, &["toolName", "result", "output", "content"]),
            _ => self.values(part),
        }
    }

    fn field(&self, part: &Map<String, Value>, keys: &[&str]) -> Result<usize> {
        self.sum(keys, |tokens, key| match part.get(*key) {
            Some(value) => tokens.value(value),
            None => Ok(0),
        })
    }

    /// A string as its text, anything else as compact JSON.
    fn value(&self, value: &Value) -> Result<usize> {
        match value {
            Value::String(text) => self.text(text),
            other => self.text(&write::text(other)),
        }
    }

    fn values(&self, object: &Map<String, Value>) -> Result<usize> {
        self.text(&write::text(object))
    }

    /// OpenAI's charge: 85 for low detail, else 85 and 170 for each tile of 512 pixels after the
    /// image is scaled into 2048 × 2048 and its shorter side to 768.
    fn image(&self, part: &Map<String, Value>) -> usize {
        let nested = part.get("image_url").or_else(|| part.get("imageUrl"));
        let find = |key: &str| {
            part.get(key)
                .or_else(|| nested.and_then(|inner| inner.get(key)))
        };
        if find("detail").and_then(Value::as_str) == Some("low") {
            return IMAGE_BASE;
        }
        let side = |key: &str| {
            find(key)
                .and_then(Value::as_f64)
                .filter(|side| *side >= 1.0)
        };
        match (side("width"), side("height")) {
            (Some(width), Some(height)) => IMAGE_BASE + IMAGE_TILE * tiles(width, height),
            _ => self.config.image_tokens,
        }
    }
}

/// Counts until a limit is spent, and nothing from then on.
struct Limited {
    counter: Rc<dyn Counter>,
    left: Cell<Option<usize>>,
}

impl Counter for Limited {
    fn count(&self, text: &str) -> Result<usize> {
        let Some(left) = self.left.get() else {
            return Ok(0);
        };
        let count = self.counter.count_to(text, left)?;
        self.left.set(count.map(|count| left.saturating_sub(count)));
        Ok(count.unwrap_or_default())
    }
}

fn tiles(width: f64, height: f64) -> usize {
    let fit = (2048.0 / width.max(height)).min(1.0);
    let (width, height) = (width * fit, height * fit);
    let shrink = (768.0 / width.min(height)).min(1.0);
    let along = |side: f64| ((side * shrink / 512.0).ceil() as usize).max(1);
    along(width) * along(height)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::message::Role;
    use serde_json::json;

    /// One token a character, so that sums can be read off.
    struct Chars;

    impl Counter for Chars {
        fn count(&self, text: &str) -> Result<usize> {
            Ok(text.chars().count())
        }
    }

    fn tokens() -> Tokens {
        Tokens::with_counter(Rc::new(Chars), &TokensConfig::default())
    }

    fn of(message: Value) -> usize {
        tokens()
            .message(&serde_json::from_value(message).unwrap())
            .unwrap()
    }

    #[test]
    fn framing_follows_openai() {
        assert_eq!(of(json!({ "role": "user", "content": "hello" })), 3 + 4 + 5);
        assert_eq!(
            of(json!({ "role": "user", "name": "ann", "content": "hello" })),
            3 + 4 + 5 + 1 + 3
        );
        let hello = Message::new(Role::User, "hello");
        assert_eq!(
            tokens().messages(&[hello.clone(), hello]).unwrap(),
            3 + 2 * 12
        );
    }

    #[test]
    fn calls_and_results_count() {
        let call = json!({ "id": "c1", "type": "function",
            "function": { "name": "get", "arguments": "{\"a\":1}" } });
        assert_eq!(
            of(json!({ "role": "assistant", "content": null, "tool_calls": [call] })),
            3 + 9 + 3 + 3 + 7
        );
        let part = json!({ "type": "tool-call", "toolCallId": "c1", "toolName": "get", "args": { "a": 1 } });
        assert_eq!(
            of(json!({ "role": "assistant", "content": [part] })),
            3 + 9 + 3 + 3 + 7
        );
        let part =
            json!({ "type": "tool-result", "toolCallId": "c1", "toolName": "get", "result": "ok" });
        assert_eq!(
            of(json!({ "role": "tool", "content": [part] })),
            3 + 4 + 3 + 2
        );
    }

    #[test]
    fn images_are_charged_by_tiles() {
        let image = |part: Value| of(json!({ "role": "user", "content": [part] })) - 7;
        assert_eq!(
            image(json!({ "type": "image", "width": 1024, "height": 1024 })),
            765
        );
        assert_eq!(
            image(json!({ "type": "image", "width": 2048, "height": 4096 })),
            1105
        );
        assert_eq!(
            image(json!({ "type": "image_url", "image_url": { "url": "u", "detail": "low" } })),
            85
        );
        assert_eq!(
            image(json!({ "type": "image", "width": 1, "height": 1e300 })),
            85 + 170 * 4
        );
        assert_eq!(
            image(json!({ "type": "image", "width": 0, "height": "x" })),
            765
        );
    }

    #[test]
    fn tool_schemas_count() {
        assert_eq!(tokens().tools(&[]).unwrap(), 0);
        assert_eq!(tokens().tools(&[json!({ "a": 1 })]).unwrap(), 12 + 7 + 7);
    }

    #[test]
    fn a_count_within_a_limit() {
        let messages = [
            Message::new(Role::User, "hello"),
            Message::new(Role::User, "you"),
        ];
        let total = tokens().messages(&messages).unwrap();
        for limit in 0..total + 3 {
            let within = tokens().within(limit, |tokens| tokens.messages(&messages));
            assert_eq!(
                within.unwrap(),
                (limit >= total).then_some(total),
                "{limit}"
            );
        }
    }

    #[test]
    fn an_unknown_part_counts_as_its_json() {
        let part = json!({ "type": "x", "k": "v" });
        let length = part.to_string().len();
        assert_eq!(of(json!({ "role": "user", "content": [part] })), 7 + length);
    }
}
