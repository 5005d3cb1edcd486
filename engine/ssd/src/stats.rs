//! What the tier counts.

use std::sync::atomic::AtomicU64;

/// A snapshot. Counts are of records, which are units for the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// On SSD now.
    pub bd_count: u64,
    /// Read so far.
    pub bd_reads: u64,
    /// Written so far.
    pub bd_writes: u64,
    /// Of those written, how many only changed their place, by cleaning.
    pub bd_moved: u64,
    /// Bytes read so far.
    pub bd_read_bytes: u64,
    /// Bytes written so far.
    pub bd_write_bytes: u64,
    /// Reads and writes that failed so far.
    pub bd_errors: u64,
    /// Bytes of the file in use, in whole segments.
    pub bd_used: u64,
    /// Most that they may be.
    pub bd_limit: u64,
    /// Nanoseconds that writers have waited so far because of the limit per second.
    pub bd_wait_ns: u64,
    /// Bytes that may still be written today; 0 without a limit per day.
    pub writeback_limit: u64,
    /// That limit; 0 = none.
    pub writes_per_day: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub count: AtomicU64,
    pub reads: AtomicU64,
    pub writes: AtomicU64,
    pub moved: AtomicU64,
    pub read_bytes: AtomicU64,
    pub write_bytes: AtomicU64,
    pub wait_ns: AtomicU64,
    pub errors: AtomicU64,
}
