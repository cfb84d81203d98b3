//! Token counts alone, as a WebAssembly module of their own: a program that only counts has nothing else
//! to load, and a runtime has nothing else to check and to compile before the first count.
#![cfg(target_arch = "wasm32")]

use js_sys::{Error, Object, Reflect};
use siltstone_tokens::{Encoding, Vocabulary};
use std::cell::RefCell;
use std::sync::OnceLock;
use wasm_bindgen::prelude::*;

static VOCABULARIES: [OnceLock<Vocabulary>; Encoding::ALL.len()] =
    [const { OnceLock::new() }; Encoding::ALL.len()];

/// Bytes of a short text.
const SHORT: usize = 3 << 16;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Takes the vocabulary file of an encoding, unless it is there already, and gives the encoding's number.
#[wasm_bindgen]
pub fn install(encoding: &str, file: Vec<u8>) -> Result<usize, JsValue> {
    let found = Encoding::ALL.iter().zip(&VOCABULARIES).enumerate();
    for (number, (known, cell)) in found {
        if known.name() != encoding {
            continue;
        }
        if cell.get().is_none() {
            let vocabulary = Vocabulary::read(*known, file).map_err(|fault| {
                error(
                    "vocabulary_failed",
                    &fault.message(*known),
                    &[("encoding", known.name()), ("reason", fault.reason())],
                )
            })?;
            cell.get_or_init(|| vocabulary);
        }
        return Ok(number);
    }
    let message = format!("the encoding `{encoding}` is not known");
    Err(error("unknown_encoding", &message, &[]))
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

fn error(code: &str, message: &str, details: &[(&str, &str)]) -> JsValue {
    let js = Error::new(message);
    let all = Object::new();
    // Setting a field of an object made here cannot fail.
    for (name, value) in details {
        let _ = Reflect::set(&all, &JsValue::from_str(name), &JsValue::from_str(value));
    }
    let _ = Reflect::set(&js, &JsValue::from_str("code"), &JsValue::from_str(code));
    let _ = Reflect::set(&js, &JsValue::from_str("details"), &all);
    js.into()
}
