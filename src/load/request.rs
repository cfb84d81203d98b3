//! How the parts of a request are read that may have one form or another.

use super::{Instructions, Spoken};
use crate::message::MessageVisitor;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

impl<'de> Deserialize<'de> for Spoken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SpokenVisitor;

        impl<'de> Visitor<'de> for SpokenVisitor {
            type Value = Spoken;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a message with `role` and `content`")
            }

            fn visit_str<E>(self, text: &str) -> Result<Spoken, E> {
                Ok(Spoken::Text(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Spoken, A::Error> {
                let message = MessageVisitor.visit_map(map);
                message.map(|message| Spoken::Message(Box::new(message)))
            }
        }

        deserializer.deserialize_any(SpokenVisitor)
    }
}

impl<'de> Deserialize<'de> for Instructions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InstructionsVisitor;

        impl<'de> Visitor<'de> for InstructionsVisitor {
            type Value = Instructions;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of system messages")
            }

            fn visit_str<E>(self, text: &str) -> Result<Instructions, E> {
                Ok(Instructions::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Instructions, A::Error> {
                let messages = Vec::deserialize(SeqAccessDeserializer::new(list));
                messages.map(Instructions::Messages)
            }
        }

        deserializer.deserialize_any(InstructionsVisitor)
    }
}
