// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Counts of the device, under zram's names where zram has the same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ztera_store::Counter;

/// Counted by the device itself; the rest is the store's.
#[derive(Default)]
pub(crate) struct Counters {
    pub reads: Counter,
    pub writes: Counter,
    pub read_bytes: Counter,
    pub write_bytes: Counter,
    pub failed_reads: Counter,
    pub failed_writes: Counter,
    pub invalid_io: Counter,
    pub notify_free: Counter,
    pub huge_pages_since: Counter,
    pub demoted_units: Counter,
    pub promoted_units: Counter,
    pub recompressed_units: Counter,
}

/// A snapshot. Sizes are in bytes, and pages of 4 KiB whatever the unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Bytes that the device shows.
    pub disksize: u64,
    /// Bytes that are compressed as one.
    pub unit: u64,
    /// The codec of new objects.
    pub comp_algorithm: String,
    /// Those of objects that were left alone, by priority.
    pub recomp_algorithm: Vec<String>,
    /// As of `/sys/block/zramN/mm_stat`.
    pub mm_stat: MmStat,
    /// As of `/sys/block/zramN/io_stat`.
    pub io_stat: IoStat,
    /// As of `/sys/block/zramN/bd_stat`; absent without an SSD tier.
    pub bd_stat: Option<BdStat>,
    /// Requests, and what zram has no number for.
    pub more: More,
    /// Counts of an accelerator by the names of `docs/statistics.md`; absent without one.
    pub accelerator: Option<BTreeMap<String, u64>>,
}

/// Memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MmStat {
    /// Uncompressed size of all units stored, in DRAM or on SSD.
    pub orig_data_size: u64,
    /// Size of the compressed objects in DRAM.
    pub compr_data_size: u64,
    /// Memory of the pool, with what lies unused between objects.
    pub mem_used_total: u64,
    /// Most that the pool may take; 0 = no limit.
    pub mem_limit: u64,
    /// Most that it has taken.
    pub mem_used_max: u64,
    /// Pages of units that repeat one word.
    pub same_pages: u64,
    /// Pages given back by compaction so far.
    pub pages_compacted: u64,
    /// Pages of units that do not compress.
    pub huge_pages: u64,
    /// The same, counted since the start.
    pub huge_pages_since: u64,
}

/// Requests that went wrong, and frees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IoStat {
    /// Pieces of requests that could not be read.
    pub failed_reads: u64,
    /// Pieces of requests for which there was no room, or whose rest of a unit was lost.
    pub failed_writes: u64,
    /// Requests beyond the device's end.
    pub invalid_io: u64,
    /// Pages that a discard freed.
    pub notify_free: u64,
}

/// The SSD tier, in pages of 4 KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BdStat {
    /// Uncompressed size of what is on SSD. zram's is also that on disk, ours is smaller there.
    pub bd_count: u64,
    /// Read from it so far.
    pub bd_reads: u64,
    /// Written to it so far.
    pub bd_writes: u64,
}

/// Numbers without a name in zram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct More {
    /// Read requests, or pieces of them.
    pub reads: u64,
    /// Write requests, or pieces of them.
    pub writes: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub write_bytes: u64,
    /// Memory of the tables beside the pool: `mem_limit` does not count it.
    pub table_bytes: u64,
    /// Bytes that the SSD tier takes of its file.
    pub bd_used: u64,
    /// Most that it may take; 0 = there is none.
    pub bd_limit: u64,
    /// Bytes written to the SSD so far.
    pub bd_write_bytes: u64,
    /// Reads and writes of the SSD that failed.
    pub bd_errors: u64,
    /// Bytes that may still be written to the SSD today; 0 without a daily limit.
    pub writeback_limit: u64,
    /// Units moved from the pool to the SSD.
    pub demoted_units: u64,
    /// Units moved back.
    pub promoted_units: u64,
    /// Units made smaller by `recompress`.
    pub recompressed_units: u64,
}
