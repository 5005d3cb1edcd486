// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run, as it is kept in the file of samples.

use serde::{Deserialize, Serialize};

use super::arm::ArmName;
use super::plan::Cell;
use crate::kit::run::ProgramRun;
use crate::kit::sample_file::{self, Kept};

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
    /// How it went.
    #[serde(flatten)]
    pub run: ProgramRun,
}

impl sample_file::Key for Key {
    fn round(&self) -> u32 {
        self.round
    }

    fn in_round(self, round: u32) -> Self {
        Self { round, ..self }
    }
}

impl Kept for Sample {
    type Key = Key;

    fn key(&self) -> Key {
        self.key
    }

    fn run(&self) -> &ProgramRun {
        &self.run
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::defaults::plan::Heap;
    use crate::defaults::program::Program;
    use crate::kit::ending::Ending;
    use crate::kit::run::tests as run;
    use ztera_machine::units::MIB;

    /// A run of `rows` at 1.5 that took so long.
    pub fn sample(arm: ArmName, round: u32, seconds: f64) -> Sample {
        let cell = Cell { program: Program::Rows, factor: 1.5, heap: Heap::Xms };
        Sample { key: Key { cell, arm, limit_bytes: 512 * MIB, seed: 1, round }, run: run::finished(seconds) }
    }

    /// The same of one that ended otherwise.
    pub fn ended(arm: ArmName, round: u32, ending: Ending) -> Sample {
        Sample { run: run::ended(ending), ..sample(arm, round, 60.0) }
    }
}
