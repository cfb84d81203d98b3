//! Makes texts shorter without losing what they say (M2): a rule compressor, the prompt for a
//! language model, and the guard that has the last word on both.

mod guard;
mod guard_items;
mod guard_names;
mod guard_words;
mod list;
mod phatic;
mod phatic_en;
mod phatic_zh;
mod rules;
mod text;
mod words;

pub use guard::{Change, Kind, Loss, lost};
