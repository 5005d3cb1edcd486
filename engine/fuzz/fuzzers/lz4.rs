//! libFuzzer's entry point for [`ztera_fuzz::lz4`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ztera_fuzz::lz4(data));
