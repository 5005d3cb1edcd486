// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All runs in their order: the arms of a cell take turns, and each run that is kept is not made again.

use anyhow::Result;
use ztera_machine::jvm_flags::value_name;

use super::arm::ArmName;
use super::job::Job;
use super::plan::Cell;
use super::sample::{Key, Sample};
use super::state::State;
use crate::kit::patience::Patience;

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
        for round in 1..=self.rounds {
            for &cell in &self.cells {
                for arm in turns(&self.arms, round) {
                    number += 1;
                    let key = Key { cell, arm, limit_bytes: self.limit, seed: self.seed, round };
                    let comparable = arm == ArmName::None || reference(state.samples(), &key).is_some();
                    if comparable && state.get(&key).is_none() && !gave_up(state.samples(), &key) {
                        self.run_one(state, key, &format!("[{number}/{all}]"))?;
                    }
                }
            }
        }
        Ok(())
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

    fn run_one(&self, state: &mut State, key: Key, number: &str) -> Result<()> {
        let reference = reference(state.samples(), &key).cloned();
        let title = format!(
            "{number} {} {} {}, round {}: {}",
            value_name(&key.cell.program),
            key.cell.factor,
            value_name(&key.cell.heap),
            key.round,
            value_name(&key.arm)
        );
        let limit = self.patience.beside(reference.as_ref().map(|reference| reference.run.seconds));
        let Some(mut sample) = self.job.run(key, &title, limit)? else { return Ok(()) };
        let run = &mut sample.run;
        run.compare(reference.and_then(|reference| reference.run.answer).as_deref());
        if !run.finished() {
            eprintln!("  {}: {}: {}", value_name(&key.arm), run.ending.word(), run.words);
        }
        state.add(sample)
    }
}

/// The reference first, since it says how long the others may take and what they must find; of the others another one
/// begins in each round.
fn turns(arms: &[ArmName], round: u32) -> Vec<ArmName> {
    let (mut turns, mut others): (Vec<ArmName>, Vec<ArmName>) =
        arms.iter().partition(|&&arm| arm == ArmName::None);
    if !others.is_empty() {
        let first = (round as usize - 1) % others.len();
        others.rotate_left(first);
    }
    turns.append(&mut others);
    turns
}

/// The reference's first run with this cell.
fn reference<'a>(samples: &'a [Sample], key: &Key) -> Option<&'a Sample> {
    samples.iter().find(|sample| {
        sample.run.finished() && sample.key == Key { arm: ArmName::None, round: sample.key.round, ..*key }
    })
}

/// Whether the arm did not finish this cell in an earlier round: it is not tried again.
fn gave_up(samples: &[Sample], key: &Key) -> bool {
    samples.iter().any(|sample| {
        !sample.run.finished()
            && sample.key.round < key.round
            && sample.key == Key { round: sample.key.round, ..*key }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defaults::sample::tests::{ended, sample};
    use crate::kit::ending::Ending;

    #[test]
    fn the_reference_begins_and_the_others_take_turns() {
        let arms = [ArmName::None, ArmName::FileSsd, ArmName::Two, ArmName::Three];
        assert_eq!(turns(&arms, 1), arms);
        assert_eq!(turns(&arms, 2), [ArmName::None, ArmName::Two, ArmName::Three, ArmName::FileSsd]);
        assert_eq!(turns(&arms, 4), arms);
        assert_eq!(turns(&arms[..1], 2), [ArmName::None]);
    }

    #[test]
    fn an_arm_that_did_not_finish_is_not_tried_again() {
        let samples = [ended(ArmName::Two, 1, Ending::DoesNotFit), sample(ArmName::Three, 1, 3.0)];
        let key = |arm, round| sample(arm, round, 1.0).key;
        assert!(gave_up(&samples, &key(ArmName::Two, 2)));
        assert!(!gave_up(&samples, &key(ArmName::Two, 1)));
        assert!(!gave_up(&samples, &key(ArmName::Three, 2)));
    }

    #[test]
    fn the_reference_of_any_round_will_do() {
        let samples = [sample(ArmName::Three, 1, 3.0), sample(ArmName::None, 1, 2.0)];
        let found = reference(&samples, &sample(ArmName::Two, 3, 1.0).key);
        assert_eq!(found, Some(&samples[1]));
        let other = Key { limit_bytes: 1, ..samples[0].key };
        assert_eq!(reference(&samples, &other), None);
    }
}
