//! The core, linked as the WebAssembly module that the npm package ships.
//!
//! A crate of its own, because what is linked is optimised at the level of the crate that is linked
//! last: that level must be one that vectorises, so that the inner loops of recall and of counting use
//! SIMD, while every other function keeps the mark of the level for size that it was compiled at.

extern crate siltstone as _;
