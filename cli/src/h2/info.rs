// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The answer of a JVM that is asked for its second heap.

use std::collections::BTreeMap;

use serde::Deserialize;
use ztera_metrics::{Histogram, Stats, bucket_of};

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
    /// Data that do not compress and that the program should drop.
    pub due_bytes: u64,
    pub labels: Vec<Label>,
    /// The last ones, the oldest first.
    pub decisions: Vec<Decision>,
    pub memory: Option<Memory>,
    pub engine: Option<Engine>,
    pub faults: Vec<Faults>,
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
    /// Of the resident ones, those that the program wrote to since they came into memory.
    #[serde(default)]
    pub written_bytes: u64,
    /// Those that were compressed again, as the program had written to them.
    #[serde(default)]
    pub rewritten_bytes: u64,
}

/// The faults of one tier.
#[derive(Clone, Debug, Deserialize)]
pub struct Faults {
    /// Its name.
    pub tier: String,
    pub fault_ns: Times,
}

/// How long they took. A JVM whose buckets are finer than those of this command tells more than it keeps.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "ToldTimes")]
pub struct Times(pub Histogram);

/// The sum, and of each bucket the least time and the count.
#[derive(Deserialize)]
struct ToldTimes {
    sum: u64,
    buckets: Vec<(u64, u64)>,
}

impl From<ToldTimes> for Times {
    fn from(told: ToldTimes) -> Self {
        let mut times = Histogram::default();
        times.add_sum(told.sum);
        told.buckets.iter().for_each(|&(least, count)| times.add_counted(bucket_of(least), count));
        Self(times)
    }
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

    /// The engine writes its times by hand, and they are read back whole.
    #[test]
    fn times_of_the_engine_are_understood() {
        let mut times = [(); 3].map(|()| Histogram::default());
        [0, 900, 14_000, 14_100, u64::MAX >> 8].into_iter().for_each(|ns| times[1].add(ns));
        let told = format!(r#"{{"enabled":true,"faults":{}}}"#, ztera_metrics::faults::json(&times));
        let info: Info = serde_json::from_str(&told).unwrap();
        assert_eq!(
            info.faults.iter().map(|it| it.tier.as_str()).collect::<Vec<_>>(),
            ["memory", "pool", "ssd"]
        );
        assert_eq!(info.faults[1].fault_ns.0, times[1]);
    }

    #[test]
    fn a_newer_vm_may_tell_more() {
        let info: Info =
            serde_json::from_str(r#"{"enabled":true,"engine":{"same_pages":7,"new_one":1}}"#).unwrap();
        assert_eq!(info.engine.unwrap().0, Stats { same_pages: 7, ..Stats::default() });
    }
}
