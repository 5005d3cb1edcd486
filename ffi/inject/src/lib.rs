//! `libztera.so` once more, for tests of the JVM: with points that fail, and two functions that say how.
//!
//! The engine makes its system calls itself, so nothing can be put between it and libc; and a test wants to fail
//! what no system call does. So this library takes the place of `libztera.so` in a JDK view made for the test.
//! It is never shipped.

use std::ffi::{CStr, c_char, c_int};

// All functions of the interface.
extern crate ztera as _;

const EINVAL: c_int = 22;

/// Replaces all rules by those of `text`, which is as [`ztera_fail::instruct`] says. -EINVAL: it is not, and nothing
/// has changed.
///
/// # Safety
/// `text` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_inject(text: *const c_char) -> c_int {
    // SAFETY: by the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    match text.to_str().map(ztera_fail::instruct) {
        Ok(Ok(())) => 0,
        _ => -EINVAL,
    }
}

/// How often `point` has failed by the rules that hold now.
///
/// # Safety
/// `point` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_injected(point: *const c_char) -> u64 {
    // SAFETY: by the caller's promise.
    let point = unsafe { CStr::from_ptr(point) };
    point.to_str().map_or(0, ztera_fail::failed)
}
