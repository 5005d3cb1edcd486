// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run, as files of samples keep it.

use serde::{Deserialize, Serialize};

use super::arm::ArmName;
use super::plan::Cell;
use crate::frame::matrix;
use crate::kit::h2_stats::H2Info;

/// All that was chosen for a run.
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
}

/// Facts of a run that only this benchmark looks at.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Details {
    /// The second heap at the end, if the run has one and finished. Older files of samples do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub h2: Option<H2Info>,
}

/// A run after its end.
pub type Run = matrix::Run<Key, Details>;

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::bench::defaults::plan::{Heap, Hints};
    use crate::bench::defaults::program::Program;
    use crate::kit::ending::Ending;
    use crate::kit::run::tests as run;
    use ztera_machine::units::MIB;

    /// A run of `rows` at 1.5 that took so long.
    pub fn sample(arm: ArmName, round: u32, seconds: f64) -> Run {
        let cell = Cell { program: Program::Rows, factor: 1.5, heap: Heap::Xms, hints: Hints::Tags };
        let key = Key { cell, arm, limit_bytes: 512 * MIB, seed: 1 };
        Run { key, round, details: Details::default(), run: run::finished(seconds) }
    }

    /// The same of one that ended otherwise.
    pub fn ended(arm: ArmName, round: u32, ending: Ending) -> Run {
        Run { run: run::ended(ending), ..sample(arm, round, 60.0) }
    }

    /// The same of one that finished and told of its second heap.
    pub fn telling(arm: ArmName, round: u32, h2: H2Info) -> Run {
        Run { details: Details { h2: Some(h2) }, ..sample(arm, round, 10.0) }
    }

    #[test]
    fn a_sample_is_read_as_it_was_written() {
        let sample = telling(ArmName::Two, 1, H2Info { shape_bytes: 7, ..H2Info::default() });
        let line = serde_json::to_string(&sample).unwrap();
        assert_eq!(serde_json::from_str::<Run>(&line).unwrap(), sample);
    }

    #[test]
    fn a_line_of_an_earlier_version_is_read() {
        let line = r#"{"program":"rows","factor":1.5,"heap":"xms","arm":"two","limit_bytes":536870912,"seed":1,
            "round":2,"ending":"finished","words":"finished","seconds":3.0,"load_seconds":1.5,"query_seconds":1.5,
            "answer":"abc","cgroup_peak_bytes":503316480,"zram_peak_bytes":null,"ssd_read_bytes":5242880,
            "ssd_written_bytes":7340032,"pauses":{"count":9,"full":3,"total_seconds":0.5,"max_seconds":0.25}}"#;
        let read: Run = serde_json::from_str(line).unwrap();
        assert_eq!(read, sample(ArmName::Two, 2, 3.0));
        let written: serde_json::Value = serde_json::to_value(&read).unwrap();
        assert_eq!(written, serde_json::from_str::<serde_json::Value>(line).unwrap());
    }
}
