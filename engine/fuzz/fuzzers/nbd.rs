//! libFuzzer's entry point for [`ztera_fuzz::nbd`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ztera_fuzz::nbd(data));
