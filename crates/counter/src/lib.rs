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

/// Bytes of short texts.
const SHORT: usize = 3 << 16;
/// How many of them are counted at once.
const MANY: usize = 4096;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static FAILURE: Cell<String> = const { Cell::new(String::new()) };
    static SIZES: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
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

/// The tokens of the text of so many bytes that was written there, or one more than `limit`.
#[wasm_bindgen(js_name = countShort)]
pub fn count_short(encoding: usize, length: usize, limit: usize) -> usize {
    let counted = TEXT.with_borrow(|text| {
        let text = std::str::from_utf8(text.get(..length)?).ok()?;
        count(encoding, text, limit)
    });
    counted.unwrap_or(limit.saturating_add(1))
}

/// Where the sizes of up to [`MANY`] texts are written, in units of UTF-16.
#[wasm_bindgen(js_name = roomForSizes)]
pub fn room_for_sizes() -> *const u32 {
    SIZES.with_borrow_mut(|sizes| {
        sizes.resize(MANY, 0);
        sizes.as_ptr()
    })
}

/// Writes the tokens of so many texts, of these bytes one after the other, in the place of their sizes.
#[wasm_bindgen(js_name = countBatch)]
pub fn count_batch(encoding: usize, bytes: usize, texts: usize) {
    TEXT.with_borrow(|text| {
        SIZES.with_borrow_mut(|sizes| {
            let text = text.get(..bytes).unwrap_or_default();
            let mut rest = std::str::from_utf8(text).unwrap_or_default();
            let is_ascii = rest.is_ascii();
            for size in sizes.iter_mut().take(texts) {
                let length = match is_ascii {
                    true => *size as usize,
                    false => length_of(rest, *size as usize),
                };
                let (one, others) = rest.split_at_checked(length).unwrap_or((rest, ""));
                *size = count(encoding, one, usize::MAX).unwrap_or_default() as u32;
                rest = others;
            }
        });
    });
}

/// Bytes of the first units of UTF-16.
fn length_of(text: &str, mut units: usize) -> usize {
    let text = text.as_bytes();
    let mut at = 0;
    while units > 0 {
        let rest = text.get(at..).unwrap_or_default();
        match rest.first_chunk::<8>() {
            Some(some) if units >= 8 && some.is_ascii() => {
                at += 8;
                units -= 8;
                continue;
            }
            _ => (),
        }
        let (bytes, of) = match rest.first() {
            None => break,
            Some(..0x80) => (1, 1),
            Some(..0xe0) => (2, 1),
            Some(..0xf0) => (3, 1),
            Some(_) => (4, 2),
        };
        at += bytes;
        units = units.saturating_sub(of);
    }
    at
}

/// About how many tokens a text has, counted without a vocabulary.
#[wasm_bindgen]
pub fn estimate(text: &str) -> usize {
    siltstone_tokens::estimate(text)
}
