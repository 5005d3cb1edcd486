//! What the store counts. Each statistic is defined here and changed only in `store.rs`; but for the units
//! that `compact.rs` moves.

use crate::counter::Counter;

/// Running counters and gauges.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub orig_units: Counter,
    pub compr_bytes: Counter,
    pub same_units: Counter,
    pub huge_units: Counter,
    pub staged_units: Counter,
    pub pooled_units: Counter,
    pub dirty_units: Counter,
    pub ssd_units: Counter,
    pub compacted_units: Counter,
    pub units_stored: Counter,
    pub units_loaded: Counter,
    pub compress_ns: Counter,
    pub decompress_ns: Counter,
}

/// A snapshot. Pages are of 4 KiB, sizes in bytes; the first group has zram's names and meanings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Uncompressed size of all units that the store holds (same-filled ones and those on SSD too; staged ones not).
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
    /// Pages of the pool given back so far because objects were moved out of sparse chunks.
    pub pages_compacted: u64,

    /// Bytes submitted that workers have not stored yet.
    pub staged_bytes: u64,
    /// Memory of all staging buffers, whoever has them; the last few are kept.
    pub staging_bytes: u64,
    /// Units stored so far.
    pub units_stored: u64,
    /// Units whose contents were asked for so far.
    pub units_loaded: u64,
    /// Units whose objects were moved for that.
    pub compacted_units: u64,
    /// Time spent compressing, summed over threads.
    pub compress_ns: u64,
    /// Time spent decompressing, summed over threads.
    pub decompress_ns: u64,
    /// Uncompressed size of the units on SSD; `orig_data_size` has it too.
    pub ssd_data_size: u64,
    /// The SSD tier; zeros if there is none.
    pub ssd: ztera_ssd::Stats,
}
