//! The targets of `make fuzz` with bytes that are the same in every run, so that a fault shows
//! without a fuzzer; and with every input that was kept.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::{fs, path::Path};

/// Runs of each target.
const RUNS: usize = 400;

fn bytes(seed: &mut u64, length: usize) -> Vec<u8> {
    let mut next = || {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        u8::try_from(*seed >> 56).unwrap()
    };
    (0..length).map(|_| next()).collect()
}

fn run(name: &str, runs: usize) {
    let (_, target) = targets::TARGETS
        .iter()
        .find(|(own, _)| *own == name)
        .unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(name);
    let mut kept: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    kept.sort();
    assert!(!kept.is_empty(), "{name} has no corpus");
    for path in kept {
        println!("{}", path.display());
        target(&fs::read(path).unwrap());
    }
    let mut seed = 20_261_130;
    for at in 0..runs {
        let data = bytes(&mut seed, at % 997);
        println!("{name} run {at}");
        target(&data);
    }
}

#[test]
fn config() {
    run("config", RUNS);
}

#[test]
fn host() {
    run("host", RUNS);
}

#[test]
fn import() {
    run("import", RUNS / 4);
}

#[test]
fn judge() {
    run("judge", RUNS);
}

#[test]
fn key() {
    run("key", 4 * RUNS);
}

#[test]
fn messages() {
    run("messages", RUNS);
}

#[test]
fn prompt() {
    run("prompt", RUNS);
}

#[test]
fn safety() {
    run("safety", RUNS);
}

#[test]
fn tokenizer() {
    run("tokenizer", RUNS);
}
