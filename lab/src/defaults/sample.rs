// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run, as it is kept in the file of samples.

use serde::{Deserialize, Serialize};

use super::arm::ArmName;
use super::outcome::Outcome;
use super::plan::Cell;

/// The key that tells a run from all others.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Key {
    /// Program, factor and heap.
    #[serde(flatten)]
    pub cell: Cell,
    /// The arm.
    pub arm: ArmName,
    /// Its DRAM.
    pub limit_bytes: u64,
    /// Of data and questions.
    pub seed: u64,
    /// From 1.
    pub round: u32,
}

/// A run after its end.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Sample {
    /// Which.
    #[serde(flatten)]
    pub key: Key,
    /// How it ended.
    pub outcome: Outcome,
    /// The same in words.
    pub words: String,
    /// The whole run, the JVM's start included.
    pub seconds: f64,
    /// Building the data, if it finished.
    pub load_seconds: Option<f64>,
    /// All operations, if it finished.
    pub query_seconds: Option<f64>,
    /// The checksum of all answers, if it finished.
    pub answer: Option<String>,
    /// The highest charge of its cgroup.
    pub cgroup_peak_bytes: Option<u64>,
    /// The highest use of zram or zswap, if the arm has one and the cgroup does not count it.
    pub zram_peak_bytes: Option<u64>,
    /// If the arm has an SSD and finished.
    pub ssd_read_bytes: Option<u64>,
    /// The same.
    pub ssd_written_bytes: Option<u64>,
    /// Full collections.
    pub full_collections: usize,
    /// All pauses.
    pub pause_seconds: f64,
}

impl Sample {
    /// All DRAM at its peak: the cgroup does not count zram's.
    pub fn dram_peak(&self) -> Option<u64> {
        Some(self.cgroup_peak_bytes? + self.zram_peak_bytes.unwrap_or(0))
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::defaults::plan::Heap;
    use crate::defaults::program::Program;
    use ztera_machine::units::MIB;

    /// A run of `rows` at 1.5 that took so long.
    pub fn sample(arm: ArmName, round: u32, seconds: f64) -> Sample {
        let cell = Cell { program: Program::Rows, factor: 1.5, heap: Heap::Xms };
        Sample {
            key: Key { cell, arm, limit_bytes: 512 * MIB, seed: 1, round },
            outcome: Outcome::Ok,
            words: "finished".to_owned(),
            seconds,
            load_seconds: Some(seconds / 2.0),
            query_seconds: Some(seconds / 2.0),
            answer: Some("abc".to_owned()),
            cgroup_peak_bytes: Some(480 * MIB),
            zram_peak_bytes: None,
            ssd_read_bytes: Some(5 * MIB),
            ssd_written_bytes: Some(7 * MIB),
            full_collections: 3,
            pause_seconds: 0.5,
        }
    }

    /// The same of one that ended otherwise.
    pub fn ended(arm: ArmName, round: u32, outcome: Outcome) -> Sample {
        Sample { outcome, words: "it was so".to_owned(), answer: None, ..sample(arm, round, 60.0) }
    }

    #[test]
    fn dram_is_the_sum_of_cgroup_and_zram() {
        let mut sample = sample(ArmName::FileZram, 1, 2.0);
        sample.zram_peak_bytes = Some(20 * MIB);
        assert_eq!(sample.dram_peak(), Some(500 * MIB));
        sample.cgroup_peak_bytes = None;
        assert_eq!(sample.dram_peak(), None);
    }
}
