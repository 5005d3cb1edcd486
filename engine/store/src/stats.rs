//! The counts of the store. Each statistic is defined here and changed only in `store.rs`; but for the units
//! that `compact.rs` moves, and those of `offload.rs`.

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
    pub offloaded: Counter,
    pub offload_missed: Counter,
    pub offload_wrong: Counter,
}
