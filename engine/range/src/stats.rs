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
    /// Writes to units that lingered.
    pub returned: Counter,
}
