//! What the core does, seen from outside: natively, without a JavaScript engine.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that meets what it does not expect has failed"
)]

mod cases;
mod chains;
mod consolidation;
mod counts;
mod fuzz;
mod hostile;
mod indexes;
mod interrupted;
mod known;
mod life;
mod outbox;
mod providers;
mod purity;
mod recall;
mod records;
mod safety;
mod simulation;
#[path = "../support/mod.rs"]
mod support;
mod sweeps;
mod upkeep;
