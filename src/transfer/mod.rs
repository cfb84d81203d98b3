//! Taking a user's data out and bringing it in: a versioned list of items, one for each record.
//!
//! | decided | in |
//! |---|---|
//! | what an item is | [`item`] |
//! | what is taken out, page by page | [`mod@export`] |
//! | what an item must be | `check` |
//! | what of a list is brought in | [`mod@import`] |

mod check;
pub mod export;
pub mod import;
pub mod item;

pub use export::export;
pub use import::import;
