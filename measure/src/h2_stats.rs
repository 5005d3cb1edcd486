// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The second heap as a Java program of ours prints it, by the API and by the VM's own command.

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

/// Of `GC.h2_info json`: how much moved, and the needs of H2 for it. [`H2Stats`] has no part of that.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
#[allow(missing_docs, reason = "docs/statistics.md defines the fields")]
pub struct H2Info {
    pub used_bytes: u64,
    pub moved_bytes: u64,
    pub returned_bytes: u64,
    pub shape_bytes: u64,
    pub dependencies: u64,
}

impl H2Info {
    /// Bytes moved over those that did not return. Objects that returned and moved again make it more than 1.
    pub fn moves_per_object(&self) -> Option<f64> {
        let stayed = self.moved_bytes.checked_sub(self.returned_bytes).filter(|&bytes| bytes > 0)?;
        Some(self.moved_bytes as f64 / stayed as f64)
    }

    /// Dependencies between regions, per so many bytes that are used.
    pub fn dependencies_per(&self, bytes: u64) -> Option<f64> {
        let times = self.used_bytes as f64 / bytes as f64;
        (times > 0.0).then(|| self.dependencies as f64 / times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_that_return_and_move_again_count_more_than_once() {
        let info = |moved_bytes, returned_bytes| H2Info { moved_bytes, returned_bytes, ..H2Info::default() };
        assert_eq!(info(300, 100).moves_per_object(), Some(1.5));
        assert_eq!(info(300, 0).moves_per_object(), Some(1.0));
        assert_eq!(info(300, 300).moves_per_object(), None, "nothing stayed");
        assert_eq!(H2Info::default().moves_per_object(), None);
    }

    #[test]
    fn dependencies_are_counted_per_bytes_in_use() {
        let info = |used_bytes| H2Info { used_bytes, dependencies: 6, ..H2Info::default() };
        assert_eq!(info(4096).dependencies_per(1024), Some(1.5));
        assert_eq!(info(0).dependencies_per(1024), None);
    }

    #[test]
    fn the_answer_of_the_vm_is_read() {
        let answer = r#"{"enabled":true,"backing":"tiers","used_bytes":1,"moved_bytes":2,"returned_bytes":3,
            "shape_bytes":4,"dependencies":5,"decisions":[{"uptime_seconds":1.5,"reason":"so"}]}"#;
        let info: H2Info = serde_json::from_str(answer).unwrap();
        let [used_bytes, moved_bytes, returned_bytes, shape_bytes, dependencies] = [1, 2, 3, 4, 5];
        assert_eq!(info, H2Info { used_bytes, moved_bytes, returned_bytes, shape_bytes, dependencies });
    }
}
