// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The file of samples: one line per run, written as soon as it ended, so that a benchmark that was interrupted goes
//! on.

use std::path::Path;

use anyhow::Result;

use super::program::Program;
use super::sample::{Key, Sample};
use super::weight::Weight;
use crate::kit::json_lines::{self, JsonLines};

/// Where files of samples are made, below the current directory.
const FOLDER: &str = "out/bench-defaults";

/// All samples so far.
pub struct State {
    lines: JsonLines,
    samples: Vec<Sample>,
    weights: Vec<Weight>,
}

impl State {
    /// Goes on with a file, or begins it.
    pub fn open(path: &Path) -> Result<State> {
        let (lines, text) = JsonLines::open(path)?;
        Ok(State { lines, samples: samples(&text), weights: json_lines::values(&text).collect() })
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

    /// The sample of that run, if it was made.
    pub fn get(&self, key: &Key) -> Option<&Sample> {
        self.samples.iter().find(|sample| sample.key == *key)
    }

    /// Forgets samples, in memory alone, so that their runs are made again; the newer ones are read first.
    pub fn forget(&mut self, unwanted: impl Fn(&Sample) -> bool) {
        self.samples.retain(|sample| !unwanted(sample));
    }

    /// The weight of that program's data, if it was found out.
    pub fn weight(&self, program: Program) -> Option<&Weight> {
        self.weights.iter().find(|weight| weight.program == program)
    }

    /// All weights.
    pub fn weights(&self) -> &[Weight] {
        &self.weights
    }

    /// Keeps a sample.
    pub fn add(&mut self, sample: Sample) -> Result<()> {
        self.lines.add(&sample)?;
        self.samples.push(sample);
        Ok(())
    }

    /// Keeps a weight.
    pub fn add_weight(&mut self, weight: Weight) -> Result<()> {
        self.lines.add(&weight)?;
        self.weights.push(weight);
        Ok(())
    }
}

/// The samples in a file. Of two of the same run the later one counts; lines that are none are skipped.
fn samples(text: &str) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    for sample in json_lines::values::<Sample>(text) {
        samples.retain(|other| other.key != sample.key);
        samples.push(sample);
    }
    samples
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::defaults::arm::ArmName;
    use crate::defaults::sample::tests::{ended, sample};
    use crate::kit::ending::Ending;

    #[test]
    fn what_was_kept_is_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/samples.jsonl");
        let (three, two) =
            (sample(ArmName::Three, 1, 12.345_678_9), ended(ArmName::Two, 1, Ending::DoesNotFit));
        let mut state = State::open(&path).unwrap();
        state.add(three.clone()).unwrap();
        state.add(two.clone()).unwrap();
        let again = State::open(&path).unwrap();
        assert_eq!(again.samples(), [three.clone(), two]);
        assert_eq!(again.get(&three.key), Some(&three));
        assert_eq!(again.get(&Key { round: 2, ..three.key }), None);
    }

    #[test]
    fn weights_and_samples_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("samples.jsonl");
        let mut state = State::open(&path).unwrap();
        state.add(sample(ArmName::Two, 1, 3.0)).unwrap();
        state.add_weight(Weight { program: Program::Sql, compressed_to: Some(0.25) }).unwrap();
        let again = State::open(&path).unwrap();
        assert_eq!((again.samples().len(), again.weights().len()), (1, 1));
        assert_eq!(again.weight(Program::Sql).unwrap().compressed_to, Some(0.25));
        assert_eq!(again.weight(Program::Rows), None);
    }

    #[test]
    fn a_line_that_was_cut_off_is_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("samples.jsonl");
        let line = serde_json::to_string(&sample(ArmName::Two, 1, 3.0)).unwrap();
        fs::write(&path, format!("{line}\n{}", &line[..40])).unwrap();
        let mut state = State::open(&path).unwrap();
        assert_eq!(state.samples().len(), 1);
        state.add(sample(ArmName::Two, 2, 4.0)).unwrap();
        assert_eq!(State::open(&path).unwrap().samples().len(), 2);
    }

    #[test]
    fn the_later_of_two_samples_counts() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("samples.jsonl");
        let mut state = State::open(&path).unwrap();
        state.add(sample(ArmName::Two, 1, 3.0)).unwrap();
        state.forget(|sample| sample.key.arm == ArmName::Two);
        assert_eq!(state.samples(), []);
        state.add(sample(ArmName::Two, 1, 4.0)).unwrap();
        let seconds: Vec<f64> =
            State::open(&path).unwrap().samples().iter().map(|sample| sample.run.seconds).collect();
        assert_eq!(seconds, [4.0]);
    }
}
