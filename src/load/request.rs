//! How the parts of a request are read that may have one form or another.

use super::{Instructions, Spoken};
use crate::read::{Fill, Json, Read, Result, Tree};

impl Fill for Spoken {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        *self = match json.tree {
            Tree::Text(_) => Self::Text(json.read()?),
            Tree::Record(_) => Self::Message(Box::new(json.read()?)),
            _ => return Err(json.unexpected("a text or a message with `role` and `content`")),
        };
        Ok(())
    }
}

impl Read for Spoken {
    fn blank() -> Self {
        Self::Text(String::new())
    }
}

impl Fill for Instructions {
    fn fill(&mut self, json: Json<'_>) -> Result<()> {
        *self = match json.tree {
            Tree::Text(_) => Self::Text(json.read()?),
            Tree::List(_) => Self::Messages(json.read()?),
            _ => return Err(json.unexpected("a text or a list of system messages")),
        };
        Ok(())
    }
}

impl Read for Instructions {
    fn blank() -> Self {
        Self::Text(String::new())
    }
}
