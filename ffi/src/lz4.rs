//! LZ4 for tables of the host's own.

use std::ffi::{c_int, c_void};
use std::slice;

use ztera_codec::{Codec, Lz4};

use crate::outcome::{Failure, outcome};

/// Compresses `len` bytes at `src`, 64 KiB at most, to the front of the `cap` bytes at `dst`, and stores in `*stored` how
/// many of them that took. -ENOSPC: they are too few, or there are more bytes to compress; `dst` may hold anything then.
///
/// # Safety
/// `src` is the caller's `len` bytes, `dst` other `cap` bytes, `stored` a variable of the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_lz4_compress(
    src: *const c_void,
    len: usize,
    dst: *mut c_void,
    cap: usize,
    stored: *mut usize,
) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let (src, dst, stored) = unsafe { (bytes(src, len)?, room(dst, cap)?, stored.as_mut()) };
        *stored.ok_or(Failure::INVALID)? = Lz4::new(0).compress(src, dst).ok_or(Failure::NO_SPACE)?;
        Ok(())
    })
}

/// Decompresses the `len` bytes at `src`, which are what zt_lz4_compress has made of `cap` bytes, to these. -EINVAL: they
/// are something else, and `dst` may hold anything.
///
/// # Safety
/// `src` is the caller's `len` bytes, `dst` other `cap` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_lz4_decompress(
    src: *const c_void,
    len: usize,
    dst: *mut c_void,
    cap: usize,
) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let (src, dst) = unsafe { (bytes(src, len)?, room(dst, cap)?) };
        Lz4::decode(src, dst).map_err(|_| Failure::INVALID)
    })
}

/// # Safety
/// They are the caller's, and nobody writes to them meanwhile.
unsafe fn bytes<'a>(at: *const c_void, len: usize) -> Result<&'a [u8], Failure> {
    if at.is_null() {
        return Err(Failure::INVALID);
    }
    // SAFETY: by the caller's promise.
    Ok(unsafe { slice::from_raw_parts(at.cast(), len) })
}

/// # Safety
/// They are the caller's, and nobody else uses them meanwhile.
unsafe fn room<'a>(at: *mut c_void, len: usize) -> Result<&'a mut [u8], Failure> {
    if at.is_null() {
        return Err(Failure::INVALID);
    }
    // SAFETY: by the caller's promise.
    Ok(unsafe { slice::from_raw_parts_mut(at.cast(), len) })
}
