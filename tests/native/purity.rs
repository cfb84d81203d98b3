//! The core stays pure: only the binding module names JavaScript, and nothing reaches for a clock,
//! randomness, threads or files.

use std::{collections::BTreeSet, fs, path::Path};

const JAVASCRIPT: &[&str] = &[
    "wasm_bindgen", "js_sys", "web_sys", "getrandom", "serde_wasm_bindgen",
];
const OUTSIDE: &[&str] = &[
    "std::time", "SystemTime", "Instant::", "std::thread", "std::fs", "std::net", "std::env",
    "HashMap::new", "HashSet::new", "RandomState", ".exp()", ".ln()", ".powf(", ".sqrt()",
];

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).unwrap();
            // Tests inside the modules may use what they like.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            found.push((path.display().to_string(), code.to_owned()));
        }
    }
}

#[test]
fn only_the_binding_names_javascript_and_nothing_leaves_the_core() {
    let mut files = Vec::new();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    sources(&src, &mut files);
    assert!(files.len() > 30, "the sources moved: {}", files.len());
    let mut faults = Vec::new();
    let mut in_binding: BTreeSet<&str> = BTreeSet::new();
    let binding = src.join("binding");
    for (file, code) in &files {
        let is_binding =
            Path::new(file).with_extension("") == binding || Path::new(file).starts_with(&binding);
        let names = |name: &&&str| {
            let mut lines = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            lines.any(|line| line.contains(**name))
        };
        let javascript = JAVASCRIPT.iter().filter(names);
        if is_binding {
            in_binding.extend(javascript);
            continue;
        }
        for name in javascript.chain(OUTSIDE.iter().filter(names)) {
            faults.push(format!("{file} names {name}"));
        }
    }
    assert!(in_binding.len() > 3, "the binding moved");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
