//! What a range counts, on top of its store.

use ztera_store::Counter;

/// Running counters.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub faults: Counter,
    pub read_ahead: Counter,
    pub wp_faults: Counter,
    pub evicted_clean: Counter,
    pub evicted_dirty: Counter,
    pub promoted: Counter,
    pub demoted: Counter,
    pub recompressed: Counter,
    pub recompress_tried: Counter,
    pub discarded_units: Counter,
    pub held_writes: Counter,
}

/// A snapshot of a range's statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The store's part.
    pub store: ztera_store::Stats,
    /// Bytes of units that are mapped.
    pub resident_bytes: u64,
    /// Most that there should be; 0 = no limit.
    pub resident_limit: u64,
    /// Faults that made a unit resident.
    pub fault_count: u64,
    /// Units made resident before they were asked for.
    pub read_ahead_units: u64,
    /// Faults by writes to units that were resident and clean.
    pub wp_fault_count: u64,
    /// Units whose pages were dropped because the store had their contents.
    pub evicted_clean: u64,
    /// Units that had to be stored before their pages were dropped.
    pub evicted_dirty: u64,
    /// Units that had come back from SSD and were stored in the pool before their pages were dropped.
    pub promoted_units: u64,
    /// Units moved from the pool to SSD.
    pub demoted_units: u64,
    /// Units in the pool of which a denser codec made a smaller object.
    pub recompressed_units: u64,
    /// Units on which it was tried.
    pub recompress_tried_units: u64,
    /// Units that were discarded while they were not empty.
    pub discarded_units: u64,
    /// Resident bytes above the limit, there because the pool is full.
    pub over_limit_bytes: u64,
    /// Faults of writers that were held back because memory was far above its limit.
    pub held_writes: u64,
}
