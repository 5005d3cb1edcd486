// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run, as files of samples keep it.

use serde::{Deserialize, Serialize};

use super::arm::ArmName;
use super::plan::Sizes;
use super::split::Split;
use super::workload::Workload;
use crate::frame::matrix;

/// All that was chosen for a run.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Key {
    /// The program.
    pub workload: Workload,
    /// Vertices, points, users or orders.
    pub elements: u64,
    /// The arm.
    pub arm: ArmName,
    /// Cached data over the DRAM for them; none for the reference.
    pub factor: Option<f64>,
    /// Of the data.
    pub seed: u64,
    /// Bytes a second that the SSD was read at most; none for the reference, and for the SSD as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ssd_read: Option<u64>,
}

/// Facts of a run that only programs of Spark have.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Details {
    /// Its DRAM; none for the reference.
    pub limit_bytes: Option<u64>,
    /// The same with all that follows from it.
    #[serde(default)]
    pub sizes: Option<Sizes>,
    /// The most that Spark had in its cache, if it finished.
    pub cached_bytes: Option<u64>,
    /// How its time divides, if it finished.
    pub split: Option<Split>,
    /// How many times smaller H2's compressed pages are, if it has such pages.
    pub compressed_times: Option<f64>,
}

/// A run after its end.
pub type Run = matrix::Run<Key, Details>;

#[cfg(test)]
pub mod tests {
    use ztera_machine::units::{GIB, MIB};

    use super::*;
    use crate::bench::spark::plan::tests::SCALE;
    use crate::kit::ending::Ending;
    use crate::kit::run::tests as run;

    /// A run of `workload` at 2.5 that worked so long.
    pub fn sample(workload: Workload, arm: ArmName, seconds: f64) -> Run {
        let factor = (arm != ArmName::None).then_some(2.5);
        let details = Details {
            limit_bytes: factor.map(|_| 512 * MIB),
            sizes: factor.map(|factor| Sizes::plan(&SCALE, 2 * GIB, factor)),
            cached_bytes: Some(2 * GIB),
            split: Some(Split {
                mutator_seconds: seconds / 2.0,
                minor_seconds: seconds / 8.0,
                major_seconds: seconds / 4.0,
                moves_seconds: seconds / 8.0,
            }),
            compressed_times: (arm == ArmName::Three).then_some(2.5),
        };
        let key = Key { workload, elements: 9, arm, factor, seed: 1, ssd_read: None };
        Run { key, round: 1, details, run: run::finished(seconds) }
    }

    /// The same of one that ended otherwise.
    pub fn ended(workload: Workload, arm: ArmName, ending: Ending) -> Run {
        let sample = sample(workload, arm, 60.0);
        Run { run: run::ended(ending), details: Details { split: None, ..sample.details }, ..sample }
    }

    #[test]
    fn a_sample_is_read_as_it_was_written() {
        let sample = sample(Workload::Sql, ArmName::Three, 8.0);
        let line = serde_json::to_string(&sample).unwrap();
        assert_eq!(serde_json::from_str::<Run>(&line).unwrap(), sample);
    }

    #[test]
    fn how_fast_the_ssd_was_read_tells_runs_apart() {
        let key = sample(Workload::Sql, ArmName::Three, 8.0).key;
        let slowed = Key { ssd_read: Some(125 << 20), ..key };
        let [line, slow_line] = [key, slowed].map(|key| serde_json::to_string(&key).unwrap());
        assert!(!line.contains("ssd_read") && slow_line.contains("\"ssd_read\":131072000"), "{slow_line}");
        assert_eq!(serde_json::from_str::<Key>(&slow_line).unwrap(), slowed);
    }
}
