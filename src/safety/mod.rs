//! What may not become a memory as it is: secrets (Q3), and texts that try to give orders (F11).
//!
//! Secrets are masked before a judge sees the talk and before a memory is written by hand. A text
//! that tries to give orders to whoever reads it later is stored with the reason, and held: neither
//! recalled nor merged with others until somebody allows it.

pub mod secrets;
pub mod suspicion;

use crate::read::Read;
use crate::sorted::Facts;
use serde::Serialize;

/// What happens to secrets on their way into memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Secrets {
    /// They are replaced by what they are: `[masked password]`.
    #[default]
    Mask,
    /// They are stored as they are.
    Allow,
}

/// What happens to memories that try to give orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "snake_case")]
pub enum Suspicious {
    /// They are stored with the reason and held until they are allowed.
    #[default]
    Hold,
    /// They are stored with the reason and recalled like others, as data inside the fence.
    Flag,
    /// Nobody looks.
    Allow,
}

/// What may not become a memory as it is (Q3, F11).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Read)]
#[serde(rename_all = "camelCase", default)]
pub struct SafetyConfig {
    /// What happens to passwords, keys, tokens and card numbers.
    pub secrets: Secrets,
    /// What happens to texts that try to give orders.
    pub suspicious: Suspicious,
}

impl SafetyConfig {
    /// The text without its secrets, unless they are allowed; none when there is nothing to mask.
    pub fn masked(&self, text: &str) -> Option<String> {
        match self.secrets {
            Secrets::Mask => secrets::mask(text),
            Secrets::Allow => None,
        }
    }

    /// Facts without their secrets: the name of a fact says what its value is.
    pub fn masked_facts(&self, facts: &Facts) -> Facts {
        let masked = |(key, value): &(String, String)| {
            let lead = format!("{}: ", key.rsplit('.').next().unwrap_or(key));
            let line = self.masked(&format!("{lead}{value}"));
            let value = line.as_deref().and_then(|line| line.strip_prefix(&lead));
            value.map(|value| (key.clone(), value.to_owned()))
        };
        let mut kept = facts.clone();
        kept.extend(facts.iter().filter_map(masked));
        kept
    }
}
