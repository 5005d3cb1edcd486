// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All runs in their order: the arms of a workload take turns, and each run that is kept is not made again.

use anyhow::Result;
use ztera_machine::jvm_flags::value_name;

use super::arm::ArmName;
use super::job::Job;
use super::plan::{Cell, Sizes};
use super::sample::{Key, Sample};
use super::workload::Workload;
use crate::kit::line_up::others;
use crate::kit::patience::Patience;
use crate::kit::sample_file::SampleFile;

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
    /// When a run is stopped.
    pub patience: Patience,
}

impl Turns<'_> {
    /// Makes all runs that the state does not have yet. The reference says how much is cached, and so how much DRAM the
    /// others get: where it did not finish, they do not run.
    pub fn run(&self, state: &mut SampleFile<Sample>) -> Result<()> {
        let keys = self.keys();
        for (number, &key) in keys.iter().enumerate() {
            if !state.has(key) && !state.gave_up(key) {
                self.run_one(state, key, &format!("[{}/{}]", number + 1, keys.len()))?;
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
            && Key { elements: self.elements(key.workload), seed: self.seed, ..*key } == *key
    }

    fn elements(&self, workload: Workload) -> u64 {
        workload.elements(self.job.scale.cached)
    }

    /// The reference first in each round of a workload; then of the others another one begins in each round.
    fn keys(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        for round in 1..=self.rounds {
            for &workload in &self.workloads {
                let key = |arm, factor| Key {
                    workload,
                    elements: self.elements(workload),
                    arm,
                    factor,
                    seed: self.seed,
                    round,
                };
                keys.push(key(ArmName::None, None));
                for &factor in &self.factors {
                    keys.extend(
                        others(&self.arms, ArmName::None, round)
                            .into_iter()
                            .map(|arm| key(arm, Some(factor))),
                    );
                }
            }
        }
        keys
    }

    fn run_one(&self, state: &mut SampleFile<Sample>, key: Key, number: &str) -> Result<()> {
        let reference = reference(state.samples(), &key).cloned();
        let sizes = match (key.factor, reference.as_ref().and_then(|reference| reference.cached_bytes)) {
            (None, _) => Sizes::plan(&self.job.scale, 2 * self.job.scale.cached, 1.0),
            (Some(factor), Some(cached)) => Sizes::plan(&self.job.scale, cached, factor),
            (Some(_), None) => return Ok(()),
        };
        let factor = key.factor.map_or(String::new(), |factor| format!(" {factor}"));
        let title = format!(
            "{number} {}{factor}, round {}: {}",
            value_name(&key.workload),
            key.round,
            value_name(&key.arm)
        );
        let limit = self.patience.beside(reference.as_ref().map(|reference| reference.run.seconds));
        let Some(mut sample) = self.job.run(key, &sizes, &title, limit)? else { return Ok(()) };
        let run = &mut sample.run;
        run.compare(reference.and_then(|reference| reference.run.answer).as_deref());
        if !run.finished() {
            eprintln!("  {}: {}: {}", value_name(&key.arm), run.ending.word(), run.words);
        }
        state.add(sample)
    }
}

/// The first of the reference's runs with this workload.
fn reference<'a>(samples: &'a [Sample], key: &Key) -> Option<&'a Sample> {
    samples.iter().find(|sample| {
        let round = sample.key.round;
        sample.run.finished() && sample.key == Key { arm: ArmName::None, factor: None, round, ..*key }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spark::sample::tests::sample;

    #[test]
    fn the_reference_of_any_round_and_the_same_size_will_do() {
        let (three, none) =
            (sample(Workload::Sql, ArmName::Three, 3.0), sample(Workload::Sql, ArmName::None, 2.0));
        let samples = [three.clone(), none.clone()];
        assert_eq!(reference(&samples, &Key { round: 3, ..three.key }), Some(&none));
        assert_eq!(reference(&samples, &Key { elements: 1, ..three.key }), None);
        assert_eq!(reference(&samples, &Key { workload: Workload::Als, ..three.key }), None);
    }
}
