//! Writes the JavaScript glue of a wasm module: `siltstone-bindgen INPUT.wasm OUT_DIR NAME [REST]`. With
//! the name of a rest, the module comes in two parts, of which that one is loaded when it is needed.
//!
//! The library has to be of the very version that the module was compiled with. Both come from
//! the one `Cargo.lock`, and so can't differ.

mod graph;
mod lift;
mod linked;
mod parts;
mod plan;

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use graph::Graph;
use linked::Linked;
use plan::Plan;
use wasm_bindgen_cli_support::Bindgen;
use wasmparser::{Parser, Payload};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let ([input, out_dir, name], rest) = (match arguments.as_slice() {
        [names @ .., rest] if names.len() == 3 => (names, Some(rest.as_str())),
        names => (names, None),
    }) else {
        eprintln!("usage: siltstone-bindgen INPUT.wasm OUT_DIR NAME [REST]");
        return ExitCode::from(2);
    };
    match generate(input, out_dir, name, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("siltstone-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn generate(input: &str, out_dir: &str, name: &str, rest: Option<&str>) -> Result<()> {
    let mut bindgen = Bindgen::new();
    let mut wasm = fs::read(input)?;
    if let Some(rest) = rest {
        let linked = Linked::read(&wasm)?;
        let plan = Plan::new(&linked, &Graph::read(&wasm)?)?;
        bindgen.input_bytes(name, plan.first_part()?);
        fs::create_dir_all(out_dir)?;
        fs::write(
            Path::new(out_dir).join(format!("{rest}.wasm")),
            plan.rest()?,
        )?;
    } else {
        hide_references(&mut wasm)?;
        bindgen.input_bytes(name, wasm);
    }
    bindgen.out_name(name).typescript(true).web(true)?;
    bindgen.generate(out_dir)
}

/// Lets wasm-bindgen make no table for values of JavaScript where a module takes nothing from there: for the
/// import that fills the table V8 would compile code at every start.
fn hide_references(wasm: &mut [u8]) -> Result<()> {
    const FEATURE: &[u8] = b"+\x0freference-types";
    let mut features = 0..0;
    for payload in Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    if import?.name.starts_with("__wbg_") {
                        return Ok(());
                    }
                }
            }
            Payload::CustomSection(section) if section.name() == "target_features" => {
                features = section.range();
            }
            _ => {}
        }
    }
    let section = wasm.get_mut(features).unwrap_or_default();
    let at = section.windows(FEATURE.len()).position(|it| it == FEATURE);
    let sign = at.and_then(|at| section.get_mut(at));
    *sign.context("the module does not tell its features")? = b'-';
    Ok(())
}
