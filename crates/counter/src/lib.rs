//! Token counts alone, as a WebAssembly module of their own: a program that only counts has nothing else
//! to load, and a runtime has nothing else to check and to compile before the first count.
//!
//! It calls nothing of JavaScript, and what it gives is numbers: for each type of a function that it took
//! from there, and for every one that gives more than a number, V8 would compile code before the first count.
#![cfg(target_arch = "wasm32")]

use siltstone_tokens::{Encoding, Vocabulary};
use std::cell::{Cell, RefCell};
use std::sync::OnceLock;
use wasm_bindgen::prelude::*;

static VOCABULARIES: [OnceLock<Vocabulary>; Encoding::ALL.len()] =
    [const { OnceLock::new() }; Encoding::ALL.len()];

/// Bytes of a short text.
const SHORT: usize = 3 << 16;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static FAILURE: Cell<String> = const { Cell::new(String::new()) };
}

/// Takes the vocabulary file of an encoding, unless it is there already, and gives the encoding's number; a
/// negative one where it fails, and then [`failure`] tells why.
#[wasm_bindgen]
pub fn install(encoding: &str, file: Vec<u8>) -> i32 {
    installed(encoding, file).unwrap_or_else(|told| {
        FAILURE.set(told);
        -1
    })
}

/// Why the last [`install`] failed: an error's code, a line with the reason in its details, and its message.
#[wasm_bindgen]
pub fn failure() -> String {
    FAILURE.take()
}

fn installed(encoding: &str, file: Vec<u8>) -> Result<i32, String> {
    let found = (0..).zip(Encoding::ALL).zip(&VOCABULARIES);
    for ((number, known), cell) in found {
        if known.name() != encoding {
            continue;
        }
        if cell.get().is_none() {
            let vocabulary = Vocabulary::read(known, file).map_err(|fault| {
                let (reason, message) = (fault.reason(), fault.message(known));
                format!("vocabulary_failed\n{reason}\n{message}")
            })?;
            cell.get_or_init(|| vocabulary);
        }
        return Ok(number);
    }
    Err(format!(
        "unknown_encoding\n\nthe encoding `{encoding}` is not known"
    ))
}

/// Tokens of a text in the encoding of this number, or nothing if they are more than `limit`.
#[wasm_bindgen]
pub fn count(encoding: usize, text: &str, limit: usize) -> Option<usize> {
    VOCABULARIES.get(encoding)?.get()?.count_to(text, limit)
}

/// Where short texts are written, with room for [`SHORT`] bytes: to allocate and free room for each takes
/// as long as to count it.
#[wasm_bindgen]
pub fn room() -> *const u8 {
    TEXT.with_borrow_mut(|text| {
        text.resize(SHORT, 0);
        text.as_ptr()
    })
}

/// The same as [`count`] for the text of so many bytes that was written there.
#[wasm_bindgen(js_name = countShort)]
pub fn count_short(encoding: usize, length: usize, limit: usize) -> Option<usize> {
    TEXT.with_borrow(|text| {
        let text = std::str::from_utf8(text.get(..length)?).ok()?;
        count(encoding, text, limit)
    })
}

/// About how many tokens a text has, counted without a vocabulary.
#[wasm_bindgen]
pub fn estimate(text: &str) -> usize {
    siltstone_tokens::estimate(text)
}
