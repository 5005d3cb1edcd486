// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A cell with the results of its arms.

use serde::Serialize;

use super::arm::ArmName;
use super::plan::{Cell, Sizes};
use super::run::Run;
use super::split::Split;
use crate::kit::ending::Ending;
use crate::kit::result::ProgramResult;
use crate::kit::run::ProgramRun;
use crate::kit::samples::Samples;

/// All runs of an arm in a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmResult {
    /// The arm.
    pub arm: ArmName,
    /// Its runs in short.
    #[serde(flatten)]
    pub runs: ProgramResult,
    /// Building the data and computing, without Spark's start.
    pub work_seconds: Option<Samples>,
    /// That, divided: the parts of the run in the middle.
    pub split: Option<Split>,
    /// How many times smaller H2's compressed pages are.
    pub compressed_times: Option<Samples>,
    /// The work's median over that of the reference.
    pub vs_none: Option<f64>,
}

impl ArmResult {
    fn of(arm: ArmName, samples: &[&Run]) -> Option<ArmResult> {
        let runs: Vec<&ProgramRun> = samples.iter().map(|sample| &sample.run).collect();
        let all = |value: fn(&Run) -> Option<f64>| {
            Samples::of(samples.iter().filter_map(|sample| value(sample)).collect())
        };
        Some(ArmResult {
            arm,
            runs: ProgramResult::of(&runs)?,
            work_seconds: all(|sample| sample.run.work_seconds()),
            split: middle(samples),
            compressed_times: all(|sample| sample.details.compressed_times),
            vs_none: None,
        })
    }

    /// The median of the work, if every run finished.
    pub fn median(&self) -> Option<f64> {
        self.work_seconds.as_ref().filter(|_| self.runs.finished()).map(|seconds| seconds.median)
    }
}

/// Of the run in the middle; parts of different runs do not add up to a run.
fn middle(samples: &[&Run]) -> Option<Split> {
    let mut finished: Vec<(f64, Split)> = samples
        .iter()
        .filter_map(|sample| Some((sample.run.work_seconds()?, sample.details.split?)))
        .collect();
    finished.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    finished.get(finished.len().saturating_sub(1) / 2).map(|(_, split)| *split)
}

/// A cell, and what each arm made of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellResult {
    /// Workload and factor.
    #[serde(flatten)]
    pub cell: Cell,
    /// Their meaning in bytes. None if no arm but the reference ran.
    pub sizes: Option<Sizes>,
    /// In the order of the command line's help.
    pub arms: Vec<ArmResult>,
}

impl CellResult {
    /// Of the runs of this cell, and those of the reference with its workload.
    pub fn of(cell: Cell, samples: &[Run]) -> CellResult {
        let is_of_cell = |sample: &&Run| {
            sample.key.workload == cell.workload
                && sample.key.factor.is_none_or(|factor| factor == cell.factor)
        };
        let samples: Vec<&Run> = samples.iter().filter(is_of_cell).collect();
        let of_arm = |arm: ArmName| {
            let samples: Vec<&Run> = samples.iter().copied().filter(|sample| sample.key.arm == arm).collect();
            ArmResult::of(arm, &samples)
        };
        let mut arms: Vec<ArmResult> = ArmName::ALL.into_iter().filter_map(of_arm).collect();
        let reference = arms.iter().find(|arm| arm.arm == ArmName::None).and_then(ArmResult::median);
        for arm in &mut arms {
            arm.vs_none = arm.median().zip(reference).map(|(seconds, reference)| seconds / reference);
        }
        CellResult { cell, sizes: samples.iter().find_map(|run| run.details.sizes), arms }
    }

    /// The result of that arm, if it ran.
    pub fn arm(&self, name: ArmName) -> Option<&ArmResult> {
        self.arms.iter().find(|arm| arm.arm == name)
    }

    /// The fastest of those of these arms that finished.
    pub fn best(&self, names: &[ArmName]) -> Option<(ArmName, f64)> {
        let finished = names.iter().filter_map(|&name| Some((name, self.arm(name)?.median()?)));
        finished.min_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// The best of Spark's own storage levels.
    pub fn best_stock(&self) -> Option<(ArmName, f64)> {
        self.best(&ArmName::STOCK_LEVELS)
    }

    /// How many times faster `arm` is than `other`. A run that did not finish took for ever; none if neither finished
    /// or one of them did not run.
    pub fn faster(&self, arm: ArmName, other: ArmName) -> Option<f64> {
        times(self.arm(arm)?.median(), self.arm(other)?.median())
    }

    /// The same of `arm` and the best of Spark's own storage levels.
    pub fn faster_than_stock(&self, arm: ArmName) -> Option<f64> {
        ArmName::STOCK_LEVELS.iter().find_map(|&level| self.arm(level))?;
        times(self.arm(arm)?.median(), self.best_stock().map(|(_, seconds)| seconds))
    }

    /// Whether any arm gave other answers than the reference.
    pub fn wrong(&self) -> usize {
        self.arms.iter().filter(|arm| arm.runs.ending == Ending::WrongAnswers).count()
    }
}

fn times(seconds: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (seconds, other) {
        (Some(seconds), Some(other)) => Some(other / seconds),
        (Some(_), None) => Some(f64::INFINITY),
        (None, Some(_)) => Some(0.0),
        (None, None) => None,
    }
}

#[cfg(test)]
pub mod tests {
    use ztera_machine::units::GIB;

    use super::*;
    use crate::bench::spark::run::tests::{ended, sample};
    use crate::bench::spark::workload::Workload;

    /// A cell in which these arms worked so long, and the reference two seconds.
    pub fn cell(workload: Workload, times: &[(ArmName, f64)]) -> CellResult {
        let mut samples = vec![sample(workload, ArmName::None, 2.0)];
        samples.extend(times.iter().map(|&(arm, seconds)| match seconds.is_finite() {
            true => sample(workload, arm, seconds),
            false => ended(workload, arm, Ending::Stopped),
        }));
        CellResult::of(Cell { workload, factor: 2.5 }, &samples)
    }

    #[test]
    fn the_best_stock_level_is_what_counts() {
        let cell = cell(
            Workload::Sql,
            &[
                (ArmName::MemoryOnly, 9.0),
                (ArmName::DiskOnly, 6.0),
                (ArmName::SwapZram, 1.0),
                (ArmName::Three, 4.0),
            ],
        );
        assert_eq!(cell.best_stock(), Some((ArmName::DiskOnly, 6.0)));
        assert_eq!(cell.faster_than_stock(ArmName::Three), Some(1.5));
        assert_eq!(cell.faster(ArmName::Three, ArmName::SwapZram), Some(0.25));
        assert_eq!(cell.arm(ArmName::Three).unwrap().vs_none, Some(2.0));
        assert_eq!(cell.sizes.unwrap().cached, 2 * GIB);
    }

    #[test]
    fn a_run_that_did_not_finish_took_for_ever() {
        let never = f64::INFINITY;
        let won = cell(Workload::Sql, &[(ArmName::MemoryOnly, never), (ArmName::Three, 4.0)]);
        assert_eq!(won.faster_than_stock(ArmName::Three), Some(f64::INFINITY));
        let lost = cell(Workload::Sql, &[(ArmName::MemoryOnly, 9.0), (ArmName::Three, never)]);
        assert_eq!(lost.faster_than_stock(ArmName::Three), Some(0.0));
        let nobody = cell(Workload::Sql, &[(ArmName::MemoryOnly, never), (ArmName::Three, never)]);
        assert_eq!(nobody.faster_than_stock(ArmName::Three), None);
        assert_eq!(cell(Workload::Sql, &[(ArmName::Three, 1.0)]).faster_than_stock(ArmName::Three), None);
    }

    #[test]
    fn the_split_is_that_of_the_run_in_the_middle() {
        let samples = [4.0, 16.0, 8.0].map(|seconds| sample(Workload::Als, ArmName::Two, seconds));
        let split = middle(&samples.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(split, samples[2].details.split.unwrap());
        assert_eq!(middle(&[]), None);
    }
}
