// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All runs in their order: the arms of a workload take turns, and each run that is kept is not made again.

use anyhow::Result;
use ztera_machine::jvm_flags::value_name;

use super::arm::ArmName;
use super::job::Job;
use super::plan::{Cell, Sizes};
use super::sample::{Key, SampleFile};
use super::workload::Workload;
use crate::kit::line_up::others;
use crate::kit::patience::Patience;

/// The runs that are planned.
pub struct Turns<'a> {
    /// How one run is made.
    pub job: &'a Job,
    /// The workloads.
    pub workloads: Vec<Workload>,
    /// Cached data over DRAM.
    pub factors: Vec<f64>,
    /// The arms, the reference first.
    pub arms: Vec<ArmName>,
    /// How often each.
    pub rounds: u32,
    /// Of the data.
    pub seed: u64,
    /// Bytes a second that the SSD is read at most, if it is to be slower than it is.
    pub ssd_read: Option<u64>,
    /// When a run is stopped.
    pub patience: Patience,
}

impl Turns<'_> {
    /// Makes all runs that the state does not have yet. The reference says how much is cached, and so how much DRAM the
    /// others get: where it did not finish, they do not run.
    pub fn run(&self, state: &mut SampleFile) -> Result<()> {
        let turns = self.turns();
        for (number, &(key, round)) in turns.iter().enumerate() {
            if state.lacks(key, round) {
                self.run_one(state, key, round, &format!("[{}/{}]", number + 1, turns.len()))?;
            }
        }
        Ok(())
    }

    /// The cells that follow.
    pub fn cells(&self) -> Vec<Cell> {
        Cell::all(&self.workloads, &self.factors)
    }

    /// Whether a sample is of these runs.
    pub fn contains(&self, key: &Key) -> bool {
        self.workloads.contains(&key.workload)
            && key.factor.is_none_or(|factor| self.factors.contains(&factor))
            && *key == self.key(key.workload, key.arm, key.factor)
    }

    fn key(&self, workload: Workload, arm: ArmName, factor: Option<f64>) -> Key {
        let elements = workload.elements(self.job.scale.cached);
        Key { workload, elements, arm, factor, seed: self.seed, ssd_read: factor.and(self.ssd_read) }
    }

    /// Keys and rounds. The reference is first in each round of a workload; then of the others another one begins in
    /// each round.
    fn turns(&self) -> Vec<(Key, u32)> {
        let mut turns = Vec::new();
        for round in 1..=self.rounds {
            for &workload in &self.workloads {
                let turn = |arm, factor| (self.key(workload, arm, factor), round);
                turns.push(turn(ArmName::None, None));
                for &factor in &self.factors {
                    let others = others(&self.arms, ArmName::None, round).into_iter();
                    turns.extend(others.map(|arm| turn(arm, Some(factor))));
                }
            }
        }
        turns
    }

    fn run_one(&self, state: &mut SampleFile, key: Key, round: u32, number: &str) -> Result<()> {
        let reference = self.key(key.workload, ArmName::None, None);
        let cached = state.finished(reference).and_then(|sample| sample.details.cached_bytes);
        let sizes = match (key.factor, cached) {
            (None, _) => Sizes::plan(&self.job.scale, 2 * self.job.scale.cached, 1.0),
            (Some(factor), Some(cached)) => Sizes::plan(&self.job.scale, cached, factor),
            (Some(_), None) => return Ok(()),
        };
        let arm = value_name(&key.arm);
        let factor = key.factor.map_or(String::new(), |factor| format!(" {factor}"));
        let title = format!("{number} {}{factor}, round {round}: {arm}", value_name(&key.workload));
        let make = |time_limit| self.job.run(key, round, &sizes, &title, time_limit);
        state.take(&arm, reference, self.patience, make)
    }
}
