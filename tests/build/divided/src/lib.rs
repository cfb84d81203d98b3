//! A small module that is divided as the core is: what each part keeps, shares and hands to the other.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use wasm_bindgen::prelude::*;

pub mod rest {
    use std::hint::black_box;

    #[inline(never)]
    pub fn is_there() -> bool {
        black_box(true)
    }

    #[inline(never)]
    pub fn beyond<T>(what: impl FnOnce() -> T) -> T {
        black_box(what())
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = globalThis)]
    fn tell(what: &JsValue);
}

/// Not zero at first, and written to by both.
static WRITTEN: AtomicU32 = AtomicU32::new(7);
/// Zero at first: in no segment.
static COUNTED: AtomicU32 = AtomicU32::new(0);

trait Step {
    fn step(&self, at: u32) -> u32;
}

struct Near(u32);
struct Beyond(u32);

impl Step for Near {
    #[inline(never)]
    fn step(&self, at: u32) -> u32 {
        both(at) + self.0
    }
}

impl Step for Beyond {
    #[inline(never)]
    fn step(&self, at: u32) -> u32 {
        both(at) ^ PRIMES[self.0 as usize % PRIMES.len()]
    }
}

/// Only the rest reads these.
static PRIMES: [u32; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
static WORDS: [&str; 4] = ["silt", "settles", "into", "stone"];
/// Functions of either part, by their addresses.
static STEPS: [fn(u32) -> u32; 3] = [both, doubled, far];

#[inline(never)]
fn both(at: u32) -> u32 {
    COUNTED.fetch_add(1, Relaxed);
    at.wrapping_mul(31).rotate_left(5)
}

#[inline(never)]
fn doubled(at: u32) -> u32 {
    at * 2
}

#[inline(never)]
fn far(at: u32) -> u32 {
    tell(&JsValue::from(at));
    at + 1_000
}

#[inline(never)]
fn walk(steps: &[Box<dyn Step>], at: u32) -> u32 {
    steps.iter().fold(at, |at, step| step.step(at))
}

/// Needs nothing of the rest.
#[wasm_bindgen]
pub fn near(at: u32) -> u32 {
    WRITTEN.fetch_add(1, Relaxed);
    walk(&[Box::new(Near(black_box(at)))], at)
}

#[wasm_bindgen]
pub fn written() -> u32 {
    WRITTEN.load(Relaxed)
}

#[wasm_bindgen]
pub fn counted() -> u32 {
    COUNTED.load(Relaxed)
}

#[wasm_bindgen]
pub fn is_there() -> bool {
    rest::is_there()
}

/// The first part calls functions of which it got only the addresses.
#[wasm_bindgen]
pub fn steps(at: u32) -> u32 {
    if !rest::is_there() {
        return 0;
    }
    let made: Vec<Box<dyn Step>> = rest::beyond(|| {
        WRITTEN.fetch_add(100, Relaxed);
        let count = black_box(3);
        (0..count)
            .map(|at| -> Box<dyn Step> {
                if at % 2 == 0 {
                    Box::new(Beyond(at))
                } else {
                    Box::new(Near(at))
                }
            })
            .collect()
    });
    walk(&made, at)
}

/// The rest calls what its tables name.
#[wasm_bindgen]
pub fn by_address(which: u32, at: u32) -> u32 {
    if !rest::is_there() {
        return 0;
    }
    rest::beyond(|| {
        let step = black_box(STEPS)[which as usize];
        step(at) + WORDS[which as usize].len() as u32
    })
}

/// Whether a function that both have is one.
#[wasm_bindgen]
pub fn is_same() -> bool {
    let here: fn(u32) -> u32 = both;
    rest::is_there() && rest::beyond(|| black_box(STEPS)[0] as usize) == black_box(here) as usize
}
