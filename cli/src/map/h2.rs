// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where the data of the second heap is, as the JVM's own statistics have it.

use serde::Serialize;
use serde_json::Value;
use ztera_machine::units::show_size;

/// Bytes of the second heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct H2 {
    /// Of all objects in it.
    pub used_bytes: u64,
    /// Of uncompressed pages.
    pub resident_bytes: u64,
    /// Waiting to be compressed.
    pub staged_bytes: u64,
    /// Before compression, of pages that are compressed in memory.
    pub compressed_bytes: u64,
    /// Of memory for these.
    pub pool_bytes: u64,
    /// Before compression, of pages on the SSD.
    pub ssd_bytes: u64,
    /// Of the SSD for these.
    pub ssd_used_bytes: u64,
}

impl H2 {
    /// Of the answer to `GC.h2_info json`; none if the second heap is off.
    pub fn of(info: Value) -> Option<H2> {
        let engine = |name: &str| info["engine"][name].as_u64().unwrap_or(0);
        (info["enabled"] == true).then(|| H2 {
            used_bytes: info["used_bytes"].as_u64().unwrap_or(0),
            resident_bytes: engine("resident_bytes"),
            staged_bytes: engine("staged_bytes"),
            compressed_bytes: engine("orig_data_size").saturating_sub(engine("bd_data_size")),
            pool_bytes: engine("mem_used_total"),
            ssd_bytes: engine("bd_data_size"),
            ssd_used_bytes: engine("bd_used"),
        })
    }

    /// A line for people.
    pub fn line(&self) -> String {
        let size = show_size;
        format!(
            "Second heap: {} used; {} resident, {} staged, {} compressed in {}, {} on SSD in {}.",
            size(self.used_bytes),
            size(self.resident_bytes),
            size(self.staged_bytes),
            size(self.compressed_bytes),
            size(self.pool_bytes),
            size(self.ssd_bytes),
            size(self.ssd_used_bytes)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn data_on_ssd_is_not_in_memory_too() {
        let engine = json!({"orig_data_size": 30 << 20, "bd_data_size": 10 << 20, "mem_used_total": 5 << 20,
                            "bd_used": 4 << 20, "resident_bytes": 1 << 20});
        let h2 = H2::of(json!({"enabled": true, "used_bytes": 31 << 20, "engine": engine})).unwrap();
        assert_eq!(
            h2.line(),
            "Second heap: 31.0 MiB used; 1.00 MiB resident, 0 B staged, 20.0 MiB compressed in 5.00 MiB, \
             10.0 MiB on SSD in 4.00 MiB."
        );
        assert_eq!(H2::of(json!({"enabled": false})), None);
    }
}
