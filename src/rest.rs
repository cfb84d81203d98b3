//! The rest of the module: what no turn needs, loaded when a call first needs it.
//!
//! The build divides the linked module by what refers to what (`scripts/bindgen`). What can be
//! reached only through `enter` is in the rest; all else is in the part that a program starts with.

use crate::error::{Code, Error, Result};
use std::hint::black_box;

/// Whether the rest is loaded. A module in one piece has it; in a divided one, the build puts a look
/// at the function table in the place of this.
#[inline(never)]
pub fn is_there() -> bool {
    black_box(true)
}

/// Does what may be in the rest only; an error where that is not loaded.
pub(crate) fn enter<T>(what: impl FnOnce() -> T) -> Result<T> {
    if is_there() {
        return Ok(beyond(what));
    }
    Err(Error::new(
        Code::NotInitialized,
        "the part of the WebAssembly module that this call needs is not loaded",
    ))
}

// Calls to this are where the build divides: none may be inlined, and of what one gives, such as the
// functions of a boxed future, nothing may be known before it.
#[inline(never)]
fn beyond<T>(what: impl FnOnce() -> T) -> T {
    black_box(what())
}
