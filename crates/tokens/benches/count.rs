//! Speed of counting natively, beside tiktoken-rs: `cargo bench -p siltstone-tokens -- [file …]`.
//! Without files, this crate's own sources are counted.
#![allow(missing_docs, clippy::unwrap_used)]

use siltstone_tokens::{Encoding, Vocabulary};
use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 30;

fn main() {
    let start = Instant::now();
    let vocabulary = Vocabulary::read(Encoding::O200k, Encoding::O200k.file()).unwrap();
    println!("o200k_base unpacked in {:.2?}", start.elapsed());
    let oracle = tiktoken_rs::o200k_base().unwrap();
    let given: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let texts: Vec<(String, String)> = match given.is_empty() {
        true => vec![(
            "own sources".to_owned(),
            include_str!("../src/split.rs").to_owned(),
        )],
        false => given
            .into_iter()
            .map(|name| (name.clone(), std::fs::read_to_string(name).unwrap()))
            .collect(),
    };
    println!(
        "{:>30} {:>10} {:>12} {:>12} {:>12}",
        "text", "tokens", "first MB/s", "best MB/s", "tiktoken-rs"
    );
    for (name, text) in &texts {
        let count = || vocabulary.count_to(black_box(text), usize::MAX).unwrap();
        let (tokens, first) = timed(count);
        let best = (0..ROUNDS).map(|_| timed(count).1).min().unwrap();
        let peer = (0..3)
            .map(|_| timed(|| oracle.encode_ordinary(black_box(text)).len()).1)
            .min()
            .unwrap();
        let rate = |time: Duration| text.len() as f64 / 1e6 / time.as_secs_f64();
        println!(
            "{:>30} {tokens:>10} {:>12.1} {:>12.1} {:>12.1}",
            name,
            rate(first),
            rate(best),
            rate(peer)
        );
    }
}

fn timed<T>(work: impl Fn() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
