//! `zt_stats`.

use std::ffi::c_int;

use ztera_range::Stats;

use crate::outcome::{Failure, outcome};
use crate::range::zt_range;

/// A snapshot of a range's statistics. Pages are of 4 KiB; times are sums over threads.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct zt_stats {
    /// In: sizeof(zt_stats) of the caller. Out: how many bytes of it were filled in.
    pub size: u32,
    /// 0.
    pub reserved: u32,
    /// Uncompressed size of all units that the store holds (same-filled ones too; staged ones not).
    pub orig_data_size: u64,
    /// Size of the objects that hold them, without the pool's rounding.
    pub compr_data_size: u64,
    /// Memory that the pool has taken from the system.
    pub mem_used_total: u64,
    /// Most that it may take; 0 = no limit.
    pub mem_limit: u64,
    /// Most that it had taken at any time.
    pub mem_used_max: u64,
    /// Pages of units that repeat one word and so need no memory.
    pub same_pages: u64,
    /// Pages of units that do not compress and are kept as they are.
    pub huge_pages: u64,
    /// Units on SSD.
    pub bd_count: u64,
    /// Units read from SSD so far.
    pub bd_reads: u64,
    /// Units written to SSD so far.
    pub bd_writes: u64,
    /// Bytes of units that are mapped.
    pub resident_bytes: u64,
    /// Most that there should be; 0 = no limit.
    pub resident_limit: u64,
    /// Bytes submitted that workers have not stored yet.
    pub staged_bytes: u64,
    /// Faults that made a unit resident.
    pub fault_count: u64,
    /// Faults by writes to units that were resident and clean.
    pub wp_fault_count: u64,
    /// Units stored so far, each as often as it was.
    pub units_stored: u64,
    /// Units whose contents were asked for so far.
    pub units_loaded: u64,
    /// Units whose pages were dropped because the store had their contents.
    pub evicted_clean: u64,
    /// Units that had to be stored before their pages were dropped.
    pub evicted_dirty: u64,
    /// Units that were discarded while they were not empty.
    pub discarded_units: u64,
    /// Resident bytes above the limit, there because the pool is full.
    pub over_limit_bytes: u64,
    /// Time spent compressing, in nanoseconds.
    pub compress_ns: u64,
    /// Time spent decompressing, in nanoseconds.
    pub decompress_ns: u64,
    /// Bytes read from SSD so far.
    pub bd_read_bytes: u64,
    /// Bytes written to SSD so far.
    pub bd_write_bytes: u64,
    /// Reads and writes that failed so far.
    pub bd_errors: u64,
    /// Bytes of the SSD tier's file in use.
    pub bd_used: u64,
    /// Most that they may be; 0 = there is no SSD tier.
    pub bd_limit: u64,
    /// Units moved from the pool to SSD.
    pub demoted_units: u64,
    /// Units that had come back from SSD and were stored in the pool when they left memory again.
    pub promoted_units: u64,
    /// Units made resident before they were asked for.
    pub read_ahead_units: u64,
    /// Uncompressed size of the units on SSD; orig_data_size has it too.
    pub bd_data_size: u64,
    /// Nanoseconds that writers have waited so far because of ssd_write_rate.
    pub bd_wait_ns: u64,
    /// Bytes that may still be written to SSD today; 0 without ssd_writes_per_day.
    pub writeback_limit: u64,
    /// ssd_writes_per_day; 0 = no limit.
    pub writes_per_day: u64,
    /// Units in the pool of which a denser codec made a smaller object.
    pub recompressed_units: u64,
    /// Pages of the pool given back so far because objects were moved out of sparse chunks.
    pub pages_compacted: u64,
    /// Units whose objects were moved for that.
    pub compacted_units: u64,
}

impl From<Stats> for zt_stats {
    fn from(range: Stats) -> Self {
        let store = range.store;
        Self {
            size: size_of::<Self>() as u32,
            reserved: 0,
            orig_data_size: store.orig_data_size,
            compr_data_size: store.compr_data_size,
            mem_used_total: store.mem_used_total,
            mem_limit: store.mem_limit,
            mem_used_max: store.mem_used_max,
            same_pages: store.same_pages,
            huge_pages: store.huge_pages,
            bd_count: store.ssd.bd_count,
            bd_reads: store.ssd.bd_reads,
            bd_writes: store.ssd.bd_writes,
            resident_bytes: range.resident_bytes,
            resident_limit: range.resident_limit,
            staged_bytes: store.staged_bytes,
            fault_count: range.fault_count,
            wp_fault_count: range.wp_fault_count,
            units_stored: store.units_stored,
            units_loaded: store.units_loaded,
            evicted_clean: range.evicted_clean,
            evicted_dirty: range.evicted_dirty,
            discarded_units: range.discarded_units,
            over_limit_bytes: range.over_limit_bytes,
            compress_ns: store.compress_ns,
            decompress_ns: store.decompress_ns,
            bd_read_bytes: store.ssd.bd_read_bytes,
            bd_write_bytes: store.ssd.bd_write_bytes,
            bd_errors: store.ssd.bd_errors,
            bd_used: store.ssd.bd_used,
            bd_limit: store.ssd.bd_limit,
            demoted_units: range.demoted_units,
            promoted_units: range.promoted_units,
            read_ahead_units: range.read_ahead_units,
            bd_data_size: store.ssd_data_size,
            bd_wait_ns: store.ssd.bd_wait_ns,
            writeback_limit: store.ssd.writeback_limit,
            writes_per_day: store.ssd.writes_per_day,
            recompressed_units: range.recompressed_units,
            pages_compacted: store.pages_compacted,
            compacted_units: store.compacted_units,
        }
    }
}

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
