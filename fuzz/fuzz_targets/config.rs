#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| siltstone_fuzz::config::run(data));
