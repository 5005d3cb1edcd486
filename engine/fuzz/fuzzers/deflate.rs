//! libFuzzer's entry point for [`ztera_fuzz::deflate`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ztera_fuzz::deflate(data));
