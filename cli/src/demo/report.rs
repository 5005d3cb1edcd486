// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The measurements of the demo: the JSON that the program prints, and the JSON that is written from it.

use serde::{Deserialize, Serialize};

use ztera_measure::gclog::Pauses;
use ztera_measure::h2_stats::H2Stats;

/// The one line of the program. See `org.ztera.demo.CodeSearch`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct ProgramReport {
    /// Whether its JVM has a second heap.
    pub h2_enabled: bool,
    /// Of all answers.
    pub checksum: String,
    /// Used heap, both heaps, after a full collection when all was loaded.
    pub live_bytes: u64,
    /// Of that in the first heap.
    pub h1_live_bytes: u64,
    /// Reading and indexing.
    pub load_seconds: f64,
    /// Answering all queries.
    pub query_seconds: f64,
    /// How many were answered.
    pub queries: u64,
    /// Source files.
    pub files: u64,
    /// Bytes of them.
    pub source_bytes: u64,
    /// Uses of symbols, one object each.
    pub postings: u64,
    /// The second heap when all was loaded.
    pub h2_after_load: H2Stats,
    /// And when all queries were answered.
    pub h2_after_queries: H2Stats,
    /// The result of dropping a directory and indexing it again.
    pub reindex: Option<Reindex>,
}

/// A directory was dropped, and indexed again.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Reindex {
    /// Which.
    pub area: String,
    /// How long all of it took.
    pub seconds: f64,
    /// How many regions of H2 died.
    pub regions_freed: u64,
    /// How many bytes they were.
    pub h2_bytes_freed: u64,
    /// Of all answers after it.
    pub checksum: String,
}

/// One arm. A value that does not apply, or was not reached, is null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmReport {
    /// `reference`, `stock` or `ztera`.
    pub name: &'static str,
    /// In words; `finished` if it did all its work.
    pub outcome: String,
    /// Of all answers.
    pub checksum: Option<String>,
    /// Used heap, both heaps, after a full collection when all was loaded.
    pub live_bytes: Option<u64>,
    /// The memory limit.
    pub limit_bytes: Option<u64>,
    /// Whether a cgroup enforced the limit; if not, the JVM's flags did what they can.
    pub limited_by_cgroup: bool,
    /// The most that the cgroup was charged at any time, file cache included.
    pub peak_bytes: Option<u64>,
    /// The most that was seen without file cache.
    pub peak_anonymous_bytes: Option<u64>,
    /// Reading and indexing.
    pub load_seconds: Option<f64>,
    /// Answering all queries.
    pub query_seconds: Option<f64>,
    /// All pauses of the collector.
    pub pauses_seconds: f64,
    /// The same in more detail.
    pub pauses: Pauses,
    /// Bytes of compressed pages over the memory they use.
    pub compression_ratio: Option<f64>,
    /// From start to end.
    pub wall_seconds: f64,
    /// Live data in the first heap.
    pub h1_live_bytes: Option<u64>,
    /// How many queries were answered.
    pub queries: Option<u64>,
    /// How many files were indexed.
    pub files: Option<u64>,
    /// How large they were.
    pub source_bytes: Option<u64>,
    /// Objects that are uses of symbols.
    pub postings: Option<u64>,
    /// The second heap when all queries were answered.
    pub h2: Option<H2Stats>,
    /// The result of dropping a directory and indexing it again.
    pub reindex: Option<Reindex>,
    /// The command.
    pub command: Vec<String>,
}

impl ArmReport {
    /// Whether the arm did all its work.
    pub fn finished(&self) -> bool {
        self.checksum.is_some()
    }

    /// Whether it also gave these answers, before and after a directory was indexed again.
    fn answered(&self, checksum: &str) -> bool {
        let same = |other: &str| other == checksum;
        self.checksum.as_deref().is_some_and(same)
            && self.reindex.iter().all(|reindex| same(&reindex.checksum))
    }
}

/// `demo.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DemoReport {
    /// Whether ZTera finished with the reference's answers.
    pub ok: bool,
    /// Live bytes of the reference arm over the limit.
    pub factor: f64,
    /// Live bytes of the reference arm.
    pub live_bytes: u64,
    /// The limit of the other arms.
    pub limit_bytes: u64,
    /// The indexed files.
    pub source: String,
    /// In the order in which they ran.
    pub arms: Vec<ArmReport>,
}

impl DemoReport {
    /// Compares the arms.
    pub fn new(arms: Vec<ArmReport>, live_bytes: u64, limit_bytes: u64, source: String) -> DemoReport {
        let checksum = arm_named(&arms, "reference").and_then(|arm| arm.checksum.clone()).unwrap_or_default();
        let answered = |name| arm_named(&arms, name).is_some_and(|arm| arm.answered(&checksum));
        let ok = answered("reference") && answered("ztera");
        DemoReport {
            ok,
            factor: live_bytes as f64 / limit_bytes as f64,
            live_bytes,
            limit_bytes,
            source,
            arms,
        }
    }
}

/// An arm by its name.
pub fn arm_named<'a>(arms: &'a [ArmReport], name: &str) -> Option<&'a ArmReport> {
    arms.iter().find(|arm| arm.name == name)
}

#[cfg(test)]
#[path = "report_test.rs"]
pub mod tests;
