// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The answer of a JVM that is asked for its second heap.

use std::collections::BTreeMap;

use serde::Deserialize;
use ztera_metrics::Stats;

/// The output of `GC.h2_info json`, under the names that the JVM prints. A JVM that lacks a field has none of it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Info {
    pub enabled: bool,
    pub backing: String,
    pub capacity_bytes: u64,
    pub used_bytes: u64,
    pub region_bytes: u64,
    pub regions_total: u64,
    pub regions_used: u64,
    pub regions_freed: u64,
    pub tags: u64,
    pub moved_objects: u64,
    pub moved_bytes: u64,
    pub moves: u64,
    pub last_move_seconds: f64,
    pub returned_bytes: u64,
    pub labels: Vec<Label>,
    /// The last ones, the oldest first.
    pub decisions: Vec<Decision>,
    pub memory: Option<Memory>,
    pub engine: Option<Engine>,
}

/// A decision of the JVM about its memory or a label, with its reason.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Decision {
    /// Since the JVM began.
    pub uptime_seconds: f64,
    pub reason: String,
}

/// How the memory limit was last divided.
#[derive(Clone, Debug, Deserialize)]
pub struct Memory {
    pub limit_bytes: u64,
    pub h1_bytes: u64,
    /// The needs of the JVM besides both heaps.
    pub beside_bytes: u64,
    pub staging_bytes: u64,
    pub h2_bytes: u64,
}

/// A group of objects in H2.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Label {
    /// Negative for what belongs to several groups.
    pub label: i64,
    pub regions: u64,
    pub used_bytes: u64,
    #[serde(default)]
    pub dead_bytes: u64,
    #[serde(default)]
    pub resident_bytes: u64,
    #[serde(default)]
    pub ssd_bytes: u64,
}

/// The tier below H2. An older JVM does not tell all of it, and a newer one more than this command knows.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "BTreeMap<String, u64>")]
pub struct Engine(pub Stats);

impl From<BTreeMap<String, u64>> for Engine {
    fn from(told: BTreeMap<String, u64>) -> Self {
        let mut stats = Stats::default();
        for (name, value) in told {
            stats.set(&name, value);
        }
        Self(stats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_the_vm_are_understood() {
        let json = r#"{"enabled":true,"labels":[{"label":-1,"regions":1,"used_bytes":9}]}"#;
        let info: Info = serde_json::from_str(json).unwrap();
        assert_eq!(info.labels[0].label, -1);
    }

    #[test]
    fn a_newer_vm_may_tell_more() {
        let info: Info =
            serde_json::from_str(r#"{"enabled":true,"engine":{"same_pages":7,"new_one":1}}"#).unwrap();
        assert_eq!(info.engine.unwrap().0, Stats { same_pages: 7, ..Stats::default() });
    }
}
