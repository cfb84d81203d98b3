//! Counts that are kept beside a stored message, so that it is tokenized once.

use super::{PER_MESSAGE, Tokens};
use crate::error::Result;
use crate::message::{Content, Message, Role};
use crate::read::{self, Fill, Json, Read};
use crate::window;
use serde::Serialize;
use std::borrow::Cow;

/// The version of what a message costs in the window: framing, charges, cleaning and vocabularies. Whoever
/// changes one of them raises it, and no count made before is used again.
const RULES: u32 = 1;

/// What counted, and what it counted: only the same counter under the same rules takes it over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Kept(String, usize);

impl Fill for Kept {
    fn fill(&mut self, json: Json<'_>) -> read::Result<()> {
        (self.0, self.1) = json.read()?;
        Ok(())
    }
}

impl Read for Kept {
    fn blank() -> Self {
        Self(String::new(), 0)
    }
}

/// Names how `tokens` counts a message; nothing if it has no name, so that nothing may be kept.
fn way(tokens: &Tokens, message: &Message) -> Option<String> {
    let counter = tokens.identity()?;
    let config = tokens.config();
    // Only parts can be images or files, which are charged as the configuration says.
    Some(match message.content {
        Some(Content::Parts(_)) => format!(
            "{counter}/{RULES}/{}/{}",
            config.image_tokens, config.file_tokens
        ),
        _ => format!("{counter}/{RULES}"),
    })
}

/// What a stored message costs in the window, to be kept with it. Nothing when that cannot be told here
/// and now: it is no reason not to store the message.
pub fn keep(tokens: &Tokens, message: &Message) -> Option<Kept> {
    if !tokens.is_ready() {
        return None;
    }
    let way = way(tokens, message)?;
    let count = tokens.message(&window::as_shown(message)).ok()?;
    Some(Kept(way, count))
}

impl Tokens {
    /// Tokens of a message of the history as the window shows it, `shown`: from what is kept with it if
    /// this very way of counting made it.
    pub fn stored(&self, message: &Message, shown: &Message) -> Result<usize> {
        match self.kept(message) {
            Some(count) => Ok(count),
            None => self.lasting().message(shown),
        }
    }

    /// Whether a stored message need not be counted again.
    pub fn knows(&self, message: &Message) -> bool {
        self.kept(message).is_some()
    }

    fn kept(&self, message: &Message) -> Option<usize> {
        let Kept(by, count) = message.counted.as_ref()?;
        (way(self, message).as_ref() == Some(by)).then_some(*count)
    }

    /// Tokens of the text of a stored message, which `text` shows: from what is kept with the message if it
    /// is all of it.
    pub fn said(&self, message: &Message, text: &str) -> Result<usize> {
        let is_all = message.name.is_none()
            && message.tool_calls.is_empty()
            && message.extra.is_empty()
            && message.role != Role::Tool
            && matches!(&message.content, Some(Content::Text(own)) if own == text)
            && matches!(window::as_shown(message), Cow::Borrowed(_));
        match self.kept(message).filter(|_| is_all) {
            Some(count) => Ok(count.saturating_sub(PER_MESSAGE + self.role(message.role)?)),
            None => self.text(text),
        }
    }
}
