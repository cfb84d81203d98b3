//! The memory of an AI agent, pure and deterministic: the same calls with the same host answers
//! give the same bytes, natively and in WebAssembly on every runtime.
//!
//! Nothing here reads a clock, rolls dice or does I/O: time, randomness, storage, the language
//! model and the cache come in through the [`host::Host`] trait. [`engine::Engine`] runs the calls.
//!
//! # Where to find what
//!
//! | decided | in |
//! |---|---|
//! | what goes to the model in a turn | [`load`], [`window`], [`budget`], [`prompt`] |
//! | how tokens are counted | [`tokens`] |
//! | how messages are kept | [`history`], [`message`], [`sessions`], [`removal`] |
//! | what of a session is kept for good | [`session_end`], [`judge`], [`marks`], [`lock`] |
//! | what is the same, what contradicts | [`similarity`], [`dedup`], [`conflict`] |
//! | how memories change | [`memories`], [`memory`] |
//! | how memories settle, cool and are forgotten | [`life`] |
//! | which memories answer a question | [`recall`], [`index`] |
//! | what MemOS and Mem0 are asked and told | [`provider`] |
//! | when a session is summarised | [`summary`] |
//! | what may not become a memory as it is | [`safety`] |
//! | how a person is removed everywhere | [`mod@forget_user`] |
//! | how a user's data is taken out and brought in | [`transfer`] |
//! | what is done outside the store, and done again | [`outbox`] |
//! | what a vector store holds | [`vector`] |
//! | whose data a call may touch | [`scope`], [`key`] |
//! | what is loaded only when it is needed | [`rest`] |
//! | what can be tuned | [`config`], [`agent`] |
//!
//! # Untrusted input
//!
//! Texts, ids and the answers of hosts and models may be hostile: they give a typed
//! [`error::Error`] or a right answer, never a panic. After any error an engine works on.
//!
//! | bounded | by |
//! |---|---|
//! | nesting of a request | [`depth::MAX_DEPTH`] |
//! | bytes of an id | [`key::MAX_ID_BYTES`] |
//! | characters of a message, messages of one append | [`config::HistoryConfig`] |
//! | characters of a memory added by hand | [`memories::MAX_CONTENT_CHARS`] |
//! | what a judge may give | [`judge`] |
//! | numbers of an embedding | [`vector::MAX_DIMENSIONS`] |
//! | what a memory can do to a prompt | [`prompt`]: it cannot close its fence, nor fake a role |
//! | times | any `i64`: all arithmetic on them saturates |
//!
//! The size of a request as a whole, and of what a host answers, is for the caller to bound; the
//! npm package does. Who may use which scope is decided before a call: the core takes it as given.

pub mod agent;
#[cfg(target_arch = "wasm32")]
pub mod binding;
pub mod budget;
pub(crate) mod case;
pub mod compress;
pub mod config;
pub mod conflict;
pub(crate) mod decimal;
pub mod dedup;
pub mod depth;
pub mod engine;
pub mod error;
pub mod forget_user;
pub mod history;
pub mod host;
pub mod index;
pub mod judge;
pub mod key;
pub mod life;
pub(crate) mod list;
pub mod load;
pub mod lock;
pub mod marks;
pub mod memories;
pub mod memory;
pub mod message;
pub(crate) mod order;
pub mod outbox;
pub mod prompt;
pub mod provider;
pub(crate) mod read;
pub mod recall;
pub mod removal;
pub mod rest;
pub mod safety;
pub mod scope;
pub mod session_end;
pub mod sessions;
pub mod similarity;
pub(crate) mod sorted;
pub mod store;
pub mod summary;
pub(crate) mod table;
pub mod tokens;
pub mod transfer;
pub mod vector;
pub mod window;
pub(crate) mod words;
pub(crate) mod write;
