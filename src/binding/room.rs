//! Memory is asked for ahead of need.
//!
//! The allocator lets memory grow by what it lacks at the moment, most often one page of 64 KiB. Each
//! time the engine takes the whole memory for newly allocated: V8 collects garbage after a few of them,
//! more often the larger the memory is. So whatever grew is made to have room for a part more.

use std::arch::wasm32::memory_size;
use std::cell::Cell;
use std::hint::black_box;

const PAGE_BYTES: usize = 1 << 16;
/// Of the memory that there is, this part is asked for ahead.
const PART: usize = 8;

thread_local! {
    static PAGES: Cell<usize> = const { Cell::new(0) };
}

/// Makes room if memory has grown since the last time.
pub(super) fn ahead() {
    let pages = memory_size::<0>();
    if pages > PAGES.get() {
        // Freed, it stays with the allocator.
        drop(black_box(Vec::<u8>::with_capacity(
            pages / PART * PAGE_BYTES,
        )));
        PAGES.set(memory_size::<0>());
    }
}
