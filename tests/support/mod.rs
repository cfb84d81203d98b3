//! What the tests share.

pub mod cases;
pub mod host;
pub mod memos;
