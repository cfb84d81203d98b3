//! Writes the JavaScript glue of a wasm module: `siltstone-bindgen INPUT.wasm OUT_DIR NAME`.
//!
//! The library has to be of the very version that the module was compiled with. Both come from
//! the one `Cargo.lock`, and so can't differ.

mod graph;
mod lift;
mod module;
mod split;

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, out_dir, name] = arguments.as_slice() else {
        eprintln!("usage: siltstone-bindgen INPUT.wasm OUT_DIR NAME");
        return ExitCode::from(2);
    };
    match generate(input, out_dir, name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("siltstone-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn generate(input: &str, out_dir: &str, name: &str) -> Result<()> {
    let mut bindgen = Bindgen::new();
    let wasm = fs::read(input)?;
    if name == "core" {
        let parts = split::split(&wasm)?;
        fs::create_dir_all(out_dir)?;
        fs::write(Path::new(out_dir).join("rest.wasm"), parts.rest)?;
        bindgen.input_bytes(name, parts.first);
    } else {
        bindgen.input_bytes(name, wasm);
    }
    bindgen.out_name(name).typescript(true).web(true)?;
    bindgen.generate(out_dir)
}
