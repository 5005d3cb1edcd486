//! Submitting new contents.

use std::ffi::{c_int, c_void};

use ztera_range::BUFFER_LEN;

use crate::outcome::{Failure, outcome};
use crate::range::zt_range;

/// Stores in `*buf` a staging buffer and in `*cap` its size (1 MiB). It is page-aligned, its contents
/// are undefined, and it is the caller's until it is submitted or cancelled.
///
/// When the staging limit is reached, the caller compresses queued units itself until a buffer is
/// free; that never fails. -ENOMEM: no memory.
///
/// # Safety
/// `range` is an open range; `buf` and `cap` are variables of the caller's (`cap` may be NULL).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_stage_acquire(
    range: *mut zt_range,
    buf: *mut *mut c_void,
    cap: *mut usize,
) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let (range, buf, cap) = unsafe { (zt_range::get(range)?, buf.as_mut(), cap.as_mut()) };
        let buf = buf.ok_or(Failure::INVALID)?;
        *buf = range.acquire()?.as_ptr().cast();
        if let Some(cap) = cap {
            *cap = BUFFER_LEN;
        }
        Ok(())
    })
}

/// Makes the first `len` bytes of `buf` the contents of the range from `offset` on, at once for every
/// reader; workers compress them later. Both must be multiples of the unit size. The buffer belongs to
/// the engine again, unless this fails (-EINVAL; -EBUSY: somebody has pinned some of the units).
///
/// A unit that the pool has no room for stays in memory, above the resident limit if need be;
/// zt_range_capacity tells beforehand.
///
/// # Safety
/// `range` is an open range; nobody else uses the buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_stage_submit(
    range: *mut zt_range,
    buf: *mut c_void,
    offset: u64,
    len: usize,
) -> c_int {
    // SAFETY: by the caller's promise.
    outcome(|| Ok(unsafe { zt_range::get(range) }?.submit(buf.cast(), offset, len)?))
}

/// Gives a buffer back unused. The JVM submits all that it acquires.
///
/// # Safety
/// As for `zt_stage_submit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_stage_cancel(range: *mut zt_range, buf: *mut c_void) -> c_int {
    // SAFETY: by the caller's promise.
    outcome(|| Ok(unsafe { zt_range::get(range) }?.cancel(buf.cast())?))
}

/// Waits until nothing is staged. The caller helps to compress meanwhile. For tests and measurements: a host has no need of it.
///
/// # Safety
/// `range` is an open range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_drain(range: *mut zt_range) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        unsafe { zt_range::get(range) }?.drain();
        Ok(())
    })
}
