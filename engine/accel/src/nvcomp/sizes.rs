//! How much is under way at a time.

/// Lanes: one copies while the other computes.
pub const LANES: u32 = 2;
/// Units of a batch.
pub const BATCH: usize = 64;
/// Bytes of the largest unit.
pub const LARGEST: usize = 64 << 10;
/// Jobs in the queue before the lanes.
pub const QUEUE: usize = 2 * BATCH;
