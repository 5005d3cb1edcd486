//! The counts of the tier.

use std::sync::atomic::AtomicU64;

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub count: AtomicU64,
    pub reads: AtomicU64,
    pub writes: AtomicU64,
    pub moved: AtomicU64,
    pub read_bytes: AtomicU64,
    pub read_ns: AtomicU64,
    pub write_bytes: AtomicU64,
    pub wait_ns: AtomicU64,
    pub errors: AtomicU64,
}
