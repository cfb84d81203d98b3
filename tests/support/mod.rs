//! What the tests share.

pub mod cases;
pub mod host;
