//! A simulator: people talk to instances over one store while everything that can go wrong does, and what
//! must hold is checked after every call and once all is quiet. One seed gives all of it.
//!
//! `make sim SEEDS=100000 STOP_AFTER=seconds`; `FIRST` is the first seed, `SHOW` how many violations are
//! explained, `WIDTH` and `LINES` how much of their traces is shown.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that meets what it does not expect has failed"
)]

mod checkers;
mod executor;
mod host;
mod judge;
mod plan;
mod rng;
#[path = "../support/memos.rs"]
mod support_memos;
mod workload;
mod world;

use plan::Plan;
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use world::Violation;

fn run(plan: &Plan, tracing: bool) -> (Vec<Violation>, Vec<String>) {
    let run = || executor::run(plan, tracing);
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let what = panic.downcast_ref::<String>().cloned();
        let what = what.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        let violation = Violation {
            invariant: "nothing panics",
            what: what.unwrap_or_default(),
        };
        (vec![violation], Vec::new())
    })
}

/// The smallest plan of the same seed on which the same invariant fails.
fn shrink(plan: &Plan, invariant: &str) -> Plan {
    let mut least = plan.clone();
    'smaller: loop {
        for plan in least.smaller() {
            if run(&plan, false)
                .0
                .iter()
                .any(|violation| violation.invariant == invariant)
            {
                least = plan;
                continue 'smaller;
            }
        }
        return least;
    }
}

fn explain(seed: u64, violation: &Violation) {
    let least = shrink(&Plan::of(seed), violation.invariant);
    let (violations, trace) = run(&least, true);
    println!("{}: {}", violation.invariant, violation.what);
    println!("least: {least:?}");
    let lines = usize::try_from(number("LINES").unwrap_or(100)).unwrap();
    let width = usize::try_from(number("WIDTH").unwrap_or(400)).unwrap();
    for line in &trace[trace.len().saturating_sub(lines)..] {
        println!("  {}", line.chars().take(width).collect::<String>());
    }
    for violation in violations {
        println!("  => {}: {}", violation.invariant, violation.what);
    }
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// Seeds that once showed a fault, each before what it was.
fn kept() -> impl Iterator<Item = u64> {
    let lines = include_str!("seeds.txt").lines();
    let seeds = lines.filter_map(|line| line.split_whitespace().next());
    seeds
        .filter(|seed| !seed.starts_with('#'))
        .map(|seed| seed.parse().unwrap())
}

fn main() -> ExitCode {
    // Of `cargo test`: a filter that is meant for other tests, or a question.
    if env::args()
        .skip(1)
        .any(|arg| arg == "--list" || (!arg.starts_with('-') && arg != "sim"))
    {
        return ExitCode::SUCCESS;
    }
    let (first, seeds) = (number("FIRST").unwrap_or(1), number("SEEDS").unwrap_or(300));
    let limit = number("STOP_AFTER")
        .filter(|seconds| *seconds > 0)
        .map(Duration::from_secs);
    let show = number("SHOW").unwrap_or(3);
    println!("the seeds of tests/sim/seeds.txt, then {seeds} from {first}");
    let begun = Instant::now();
    let (mut ran, mut failed) = (0u64, 0u64);
    for seed in kept().chain(first..first.saturating_add(seeds)) {
        if limit.is_some_and(|limit| begun.elapsed() >= limit) {
            break;
        }
        ran += 1;
        let (violations, _) = run(&Plan::of(seed), false);
        if let Some(violation) = violations.first() {
            failed += 1;
            println!("seed={seed} {}", violation.invariant);
            if failed <= show {
                explain(seed, violation);
            }
        }
        if ran.is_multiple_of(5_000) {
            println!(
                "{ran} seeds, {failed} with violations, {} s",
                begun.elapsed().as_secs()
            );
        }
    }
    if failed > 0 {
        println!("keep such seeds in tests/sim/seeds.txt");
    }
    println!("seeds={ran} violations={failed}");
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
