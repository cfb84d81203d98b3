//! The crate `tiktoken` behind plain exports: a text is written to `reserve(length)`, then counted.

use std::cell::RefCell;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where a text of so many bytes is to be written.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Tokens of the first `length` bytes that were written.
#[unsafe(no_mangle)]
pub extern "C" fn count(length: usize) -> usize {
    TEXT.with_borrow(|text| {
        let text = std::str::from_utf8(&text[..length]).expect("UTF-8");
        tiktoken::get_encoding("o200k_base").expect("built in").count(text)
    })
}
