// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The second heap as a Java program of ours prints it.

use serde::{Deserialize, Serialize};

/// `org.ztera.H2.Stats`.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all(deserialize = "camelCase"), default)]
#[allow(missing_docs, reason = "the fields are defined in org.ztera.H2.Stats")]
pub struct H2Stats {
    pub capacity_bytes: u64,
    pub used_bytes: u64,
    pub regions_used: u64,
    pub regions_freed: u64,
    pub moved_objects: u64,
    pub moved_bytes: u64,
    pub resident_bytes: u64,
    pub staged_bytes: u64,
    pub compressed_bytes: u64,
    pub compr_data_size: u64,
    pub mem_used_total: u64,
    pub same_pages: u64,
    pub huge_pages: u64,
    pub fault_count: u64,
    pub ssd_data_size: u64,
    pub ssd_used: u64,
    pub ssd_read_bytes: u64,
    pub ssd_write_bytes: u64,
}

impl H2Stats {
    /// How much smaller the compressed pages are, the allocator's own needs included.
    pub fn compression_ratio(&self) -> Option<f64> {
        (self.mem_used_total > 0).then(|| self.compressed_bytes as f64 / self.mem_used_total as f64)
    }
}
