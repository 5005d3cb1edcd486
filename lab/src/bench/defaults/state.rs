// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The file of samples, which also has the weights of the programs' data, and the speed of the SSD.

use std::path::Path;

use anyhow::Result;

use super::program::Program;
use super::sample::Key;
use super::weight::Weight;
use crate::kit::json_lines;
use crate::kit::sample_file::SampleFile;
use crate::kit::ssd_speed::SsdSpeed;

/// All samples so far, the weights of the programs' data, and the speed of the SSD.
pub struct State {
    /// The runs.
    pub runs: SampleFile<Key>,
    weights: Vec<Weight>,
    ssd: Option<SsdSpeed>,
}

impl State {
    /// Goes on with a file, or begins it.
    pub fn open(path: &Path) -> Result<State> {
        let (runs, text) = SampleFile::open(path)?;
        let ssd = json_lines::values(&text).last();
        Ok(State { runs, weights: json_lines::values(&text).collect(), ssd })
    }

    /// The weight of that program's data, if it was found out.
    pub fn weight(&self, program: Program) -> Option<&Weight> {
        self.weights.iter().find(|weight| weight.program == program)
    }

    /// All weights.
    pub fn weights(&self) -> &[Weight] {
        &self.weights
    }

    /// Keeps a weight.
    pub fn add_weight(&mut self, weight: Weight) -> Result<()> {
        self.runs.add_other(&weight)?;
        self.weights.push(weight);
        Ok(())
    }

    /// The speed of the SSD, if it was measured.
    pub fn ssd(&self) -> Option<&SsdSpeed> {
        self.ssd.as_ref()
    }

    /// Keeps it.
    pub fn set_ssd(&mut self, speed: SsdSpeed) -> Result<()> {
        self.runs.add_other(&speed)?;
        self.ssd = Some(speed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::defaults::arm::ArmName;
    use crate::bench::defaults::sample::tests::sample;
    use crate::kit::ssd_speed::tests::speed;

    #[test]
    fn weights_samples_and_the_speed_of_the_ssd_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("samples.jsonl");
        let mut state = State::open(&path).unwrap();
        state.runs.add(sample(ArmName::Two, 1, 3.0)).unwrap();
        state.add_weight(Weight { program: Program::Sql, compressed_to: Some(0.25) }).unwrap();
        state.set_ssd(speed()).unwrap();
        let again = State::open(&path).unwrap();
        assert_eq!((again.runs.samples().len(), again.weights().len()), (1, 1));
        assert_eq!(again.weight(Program::Sql).unwrap().compressed_to, Some(0.25));
        assert_eq!(again.weight(Program::Rows), None);
        assert_eq!(again.ssd(), Some(&speed()));
    }
}
