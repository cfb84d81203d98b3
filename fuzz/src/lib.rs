//! What may come in from outside, made from any bytes, and what must hold whatever it is. Each
//! target is run by `cargo fuzz` and, with other bytes, by the native tests.

pub mod config;
pub mod dice;
pub mod host;
pub mod import;
pub mod judge;
pub mod key;
pub mod messages;
pub mod prompt;
pub mod safety;
pub mod tokenizer;
pub mod world;

/// What is run with the bytes.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: [(&str, Target); 9] = [
    ("config", config::run),
    ("host", host::run),
    ("import", import::run),
    ("judge", judge::run),
    ("key", key::run),
    ("messages", messages::run),
    ("prompt", prompt::run),
    ("safety", safety::run),
    ("tokenizer", tokenizer::run),
];
