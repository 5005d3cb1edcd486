// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A cell with the results of its arms.

use serde::Serialize;

use super::arm::ArmName;
use super::plan::{Cell, Sizes};
use super::sample::Sample;
use crate::kit::result::ProgramResult;
use crate::kit::run::ProgramRun;

/// All runs of an arm in a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmResult {
    /// The arm.
    pub arm: ArmName,
    /// Its runs in short.
    #[serde(flatten)]
    pub runs: ProgramResult,
    /// The median over that of the reference.
    pub vs_none: Option<f64>,
}

/// A cell, and what each arm made of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellResult {
    /// Program, factor and heap.
    #[serde(flatten)]
    pub cell: Cell,
    /// Their meaning in bytes.
    pub sizes: Sizes,
    /// The memory of the first heap, the JVM and the compressed data together, if that was found out.
    pub two_tiers_bytes: Option<u64>,
    /// In the order of the command line's help.
    pub arms: Vec<ArmResult>,
}

impl CellResult {
    /// Of the samples of this cell.
    pub fn of(cell: Cell, limit: u64, samples: &[&Sample], weight: Option<f64>) -> CellResult {
        let of_arm = |arm: ArmName| {
            let samples = samples.iter().filter(|sample| sample.key.arm == arm);
            let runs: Vec<&ProgramRun> = samples.map(|sample| &sample.run).collect();
            Some(ArmResult { arm, runs: ProgramResult::of(&runs)?, vs_none: None })
        };
        let mut arms: Vec<ArmResult> = ArmName::ALL.into_iter().filter_map(of_arm).collect();
        let reference = arms.iter().find(|arm| arm.arm == ArmName::None).and_then(|arm| arm.runs.median());
        for arm in &mut arms {
            arm.vs_none = arm.runs.median().zip(reference).map(|(seconds, reference)| seconds / reference);
        }
        let sizes = Sizes::plan(limit, cell.factor);
        CellResult {
            cell,
            sizes,
            two_tiers_bytes: weight.map(|ratio| sizes.two_tiers(cell.heap, ratio)),
            arms,
        }
    }

    /// The result of that arm, if it ran.
    pub fn arm(&self, name: ArmName) -> Option<&ArmResult> {
        self.arms.iter().find(|arm| arm.arm == name)
    }
}
