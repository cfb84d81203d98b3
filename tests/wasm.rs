//! The behaviour cases in wasm, in Node and in a browser: the same bytes as natively.
#![cfg(target_arch = "wasm32")]

#[allow(dead_code, reason = "the native tests use more of it")]
mod support;

use serde_json::Value;
use siltstone::tokens::{Encoding, install};
use support::cases::{FILES, run_file};
use wasm_bindgen_test::wasm_bindgen_test;

/// Written by the native run of `tests/cases.rs`.
const NATIVE: &str = include_str!("../target/cases/native.json");

#[wasm_bindgen_test]
async fn every_case_gives_the_same_bytes_as_natively() {
    install(Encoding::O200k, Encoding::O200k.file()).unwrap();
    let native: Value = serde_json::from_str(NATIVE).unwrap();
    for (file, text) in FILES {
        let (output, wrong) = run_file(file, text).await;
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
        let native = native.get(*file).unwrap_or(&Value::Null);
        let (here, there) = (output.to_string(), native.to_string());
        let same = here
            .chars()
            .zip(there.chars())
            .take_while(|(a, b)| a == b)
            .count();
        let around = |text: &str| {
            text.chars()
                .skip(same.saturating_sub(200))
                .take(300)
                .collect::<String>()
        };
        assert!(
            here == there,
            "{file}\nhere:   …{}\nnative: …{}",
            around(&here),
            around(&there)
        );
    }
}
