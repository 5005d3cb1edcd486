//! `zt_stats`.

use std::ffi::{c_char, c_int};

use ztera_metrics::faults;
use ztera_range::Stats;

use crate::outcome::{Failure, outcome};
use crate::range::{give_text, zt_range};

/// Bytes that hold the text of `zt_range_fault_times`, whatever the times are.
pub const ZT_FAULT_TIMES_LEN: usize = 32768;

const _: () = assert!(ZT_FAULT_TIMES_LEN == faults::JSON_LEN);

macro_rules! define {
    ($(#[doc = $meaning:literal] $name:ident: $unit:ident $kind:ident $(, $zram:ident)?;)*) => {
        /// A snapshot of a range's statistics, as `engine/metrics` defines them.
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct zt_stats {
            /// In: sizeof(zt_stats) of the caller. Out: how many bytes of it were filled in.
            pub size: u32,
            /// 0.
            pub reserved: u32,
            $(#[doc = $meaning] pub $name: u64,)*
        }

        impl From<Stats> for zt_stats {
            fn from(stats: Stats) -> Self {
                Self { size: size_of::<Self>() as u32, reserved: 0, $($name: stats.$name,)* }
            }
        }
    };
}

ztera_metrics::for_each_statistic!(define);

/// Fills in `*stats`, whose `size` the caller has set: fields that the caller's version lacks are left
/// out, fields that this version lacks are left as they were.
///
/// # Safety
/// `range` is an open range; `stats` points to as many bytes as its `size` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_stats(range: *const zt_range, stats: *mut zt_stats) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let range = unsafe { zt_range::get(range) }?;
        if stats.is_null() {
            return Err(Failure::INVALID);
        }
        // SAFETY: not null, and it has at least its first two fields.
        let size = unsafe { (&raw const (*stats).size).read() } as usize;
        if size < 2 * size_of::<u32>() {
            return Err(Failure::INVALID);
        }
        let known = size.min(size_of::<zt_stats>());
        let filled = zt_stats { size: known as u32, ..range.stats().into() };
        // SAFETY: `known` bytes are the caller's to have written.
        unsafe { (&raw const filled).cast::<u8>().copy_to_nonoverlapping(stats.cast(), known) };
        Ok(())
    })
}

/// Writes how long faults took so far to `text`, as JSON: a list with an object for each tier that had the contents. In
/// `fault_ns`, `sum` is the sum of the times in ns, and `buckets` has the least time and the count of each bucket that is
/// not empty. -EINVAL: `cap` is less than ZT_FAULT_TIMES_LEN.
///
/// # Safety
/// `range` is an open range, `text` the caller's `cap` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_range_fault_times(
    range: *const zt_range,
    text: *mut c_char,
    cap: usize,
) -> c_int {
    outcome(|| {
        // SAFETY: by the caller's promise.
        let range = unsafe { zt_range::get(range) }?;
        if cap < ZT_FAULT_TIMES_LEN {
            return Err(Failure::INVALID);
        }
        // SAFETY: as above.
        unsafe { give_text(&faults::json(&range.fault_times()), text, cap) }
    })
}
