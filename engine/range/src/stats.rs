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
    /// Units that came back from the pool, and from SSD, so soon that a little more memory would have kept them.
    pub near_pages: Counter,
    pub near_pool: Counter,
    /// Writes to units that lingered.
    pub returned: Counter,
}
