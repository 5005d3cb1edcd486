// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The file of samples.

use std::path::Path;

use anyhow::Result;

use super::sample::{Key, Sample};
use crate::kit::json_lines::{self, JsonLines};

/// Where files of samples are made, below the current directory.
const FOLDER: &str = "out/bench-spark";

/// All samples so far.
pub struct State {
    lines: JsonLines,
    samples: Vec<Sample>,
}

impl State {
    /// Goes on with a file, or begins it. Of two samples of the same run the later one counts.
    pub fn open(path: &Path) -> Result<State> {
        let (lines, text) = JsonLines::open(path)?;
        let mut samples: Vec<Sample> = Vec::new();
        for sample in json_lines::values::<Sample>(&text) {
            samples.retain(|other| other.key != sample.key);
            samples.push(sample);
        }
        Ok(State { lines, samples })
    }

    /// Begins a new file with the next free number.
    pub fn begin() -> Result<State> {
        State::open(&json_lines::next_free(FOLDER)?)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// All samples, in their order.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Whether that run was made.
    pub fn has(&self, key: &Key) -> bool {
        self.samples.iter().any(|sample| sample.key == *key)
    }

    /// Forgets samples, in memory alone, so that their runs are made again.
    pub fn forget(&mut self, unwanted: impl Fn(&Sample) -> bool) {
        self.samples.retain(|sample| !unwanted(sample));
    }

    /// Keeps a sample.
    pub fn add(&mut self, sample: Sample) -> Result<()> {
        self.lines.add(&sample)?;
        self.samples.push(sample);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spark::arm::ArmName;
    use crate::spark::sample::tests::sample;
    use crate::spark::workload::Workload;

    #[test]
    fn the_later_of_two_samples_counts() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("samples.jsonl");
        let mut state = State::open(&path).unwrap();
        let [first, second] = [3.0, 4.0].map(|seconds| sample(Workload::Als, ArmName::Two, seconds));
        state.add(first.clone()).unwrap();
        assert!(state.has(&first.key) && !state.has(&Key { round: 2, ..first.key }));
        state.forget(|sample| sample.key.arm == ArmName::Two);
        assert_eq!(state.samples(), []);
        state.add(second.clone()).unwrap();
        assert_eq!(State::open(&path).unwrap().samples(), [second]);
    }
}
