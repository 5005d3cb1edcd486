// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All runs in their order: the arms of a cell take turns, and each run that is kept is not made again.

use anyhow::Result;
use ztera_machine::interrupt::Interrupted;
use ztera_machine::jvm_flags::value_name;

use super::arm::ArmName;
use super::job::Job;
use super::plan::Cell;
use super::sample::Key;
use super::state::State;
use crate::kit::line_up::{others, with_reference};
use crate::kit::patience::Patience;
use crate::kit::ssd_speed::SsdSpeed;

/// The runs that are planned.
pub struct Turns<'a> {
    /// How one run is made.
    pub job: &'a Job,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The arms, the reference first.
    pub arms: Vec<ArmName>,
    /// How often each.
    pub rounds: u32,
    /// The DRAM of each.
    pub limit: u64,
    /// Of data and questions.
    pub seed: u64,
    /// When a run is stopped.
    pub patience: Patience,
}

impl Turns<'_> {
    /// Makes all runs that the state does not have yet. Where the reference did not finish, nothing can be compared
    /// with it, and the others do not run.
    pub fn run(&self, state: &mut State) -> Result<()> {
        let all = self.cells.len() * self.arms.len() * self.rounds as usize;
        let mut number = 0;
        if self.arms.contains(&ArmName::Two) {
            self.weigh(state)?;
        }
        if self.arms.contains(&ArmName::Three) {
            self.measure_ssd(state)?;
        }
        for round in 1..=self.rounds {
            for &cell in &self.cells {
                for arm in self.arms_of(round) {
                    number += 1;
                    let key = Key { cell, arm, limit_bytes: self.limit, seed: self.seed };
                    let comparable = arm == ArmName::None || state.runs.finished(reference(key)).is_some();
                    if comparable && state.runs.lacks(key, round) {
                        self.run_one(state, key, round, &format!("[{number}/{all}]"))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The reference first, since it says how long the others may take and what they must find.
    fn arms_of(&self, round: u32) -> Vec<ArmName> {
        with_reference(&others(&self.arms, ArmName::None, round), ArmName::None)
    }

    /// Finds out of each program how small its data become.
    fn weigh(&self, state: &mut State) -> Result<()> {
        for cell in &self.cells {
            if state.weight(cell.program).is_none() {
                let limit = self.patience.beside(None);
                state.add_weight(self.job.weigh(cell.program, self.seed, limit)?)?;
            }
        }
        Ok(())
    }

    /// Finds out how fast the SSD is before anybody uses it. If that fails the report lacks what hangs on it.
    fn measure_ssd(&self, state: &mut State) -> Result<()> {
        let Some((folder, _)) = self.job.ssd().filter(|_| state.ssd().is_none()) else { return Ok(()) };
        match SsdSpeed::measure(folder) {
            Ok(speed) => state.set_ssd(speed),
            Err(error) if error.is::<Interrupted>() => Err(error),
            Err(error) => {
                eprintln!("the speed of the SSD: not found out; {error:#}");
                Ok(())
            }
        }
    }

    fn run_one(&self, state: &mut State, key: Key, round: u32, number: &str) -> Result<()> {
        let arm = value_name(&key.arm);
        let title = format!("{number} {}, round {round}: {arm}", key.cell.title(),);
        let make = |time_limit| self.job.run(key, round, &title, time_limit);
        state.runs.take(&arm, reference(key), self.patience, make)
    }
}

/// The reference in the same cell.
fn reference(key: Key) -> Key {
    Key { arm: ArmName::None, ..key }
}
