//! Runs the behaviour cases natively and writes what came out for the other runtimes to match.

use crate::support::cases::{FILES, run_file};
use serde_json::{Map, Value};
use std::{fs, path::Path};

#[test]
fn every_case_holds() {
    let mut outputs = Map::new();
    let mut faults = Vec::new();
    for (file, text) in FILES {
        let (output, wrong) = pollster::block_on(run_file(file, text));
        outputs.insert((*file).to_owned(), output);
        faults.extend(wrong);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/cases");
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("native.json"),
        Value::Object(outputs).to_string(),
    )
    .unwrap();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_file_of_cases_is_compiled_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut there: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".json"))
        .collect();
    there.sort();
    let known: Vec<&str> = FILES.iter().map(|(file, _)| *file).collect();
    assert_eq!(there, known);
}
