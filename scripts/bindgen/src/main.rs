//! Writes the JavaScript glue of a wasm module: `siltstone-bindgen INPUT.wasm OUT_DIR NAME`.
//!
//! The library has to be of the very version that the module was compiled with. Both come from
//! the one `Cargo.lock`, and so can't differ.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, out_dir, name] = arguments.as_slice() else {
        eprintln!("usage: siltstone-bindgen INPUT.wasm OUT_DIR NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let generated = bindgen
        .input_path(input)
        .out_name(name)
        .typescript(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(out_dir));
    match generated {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("siltstone-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
