// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A cell with the results of its arms.

use serde::Serialize;

use super::arm::ArmName;
use super::held::Held;
use super::plan::{Cell, Sizes};
use super::run::Run;
use crate::kit::result::ProgramResult;
use crate::kit::run::ProgramRun;
use crate::kit::samples::Samples;
use crate::kit::ssd_speed::{SsdAlone, SsdSpeed};

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
    /// The time that the SSD alone would take for the transfers of three tiers.
    pub ssd_alone: Option<SsdAlone>,
    /// Where the data lay at the end, if it has a second heap.
    pub held: Option<Held>,
}

/// Of the medians of bytes: of the runs that finished, or else of those that came to an end otherwise.
fn ssd_alone(arm: ArmName, runs: &[&ProgramRun], speed: Option<&SsdSpeed>) -> Option<SsdAlone> {
    let finished = runs.iter().any(|run| run.finished());
    let median = |bytes: fn(&ProgramRun) -> Option<u64>| {
        let bytes = runs.iter().filter(|run| run.finished() == finished).filter_map(|run| bytes(run));
        Samples::of(bytes.map(|bytes| bytes as f64).collect()).map(|bytes| bytes.median)
    };
    let speed = speed.filter(|_| arm == ArmName::Three)?;
    Some(speed.alone(median(|run| run.ssd_read_bytes)?, median(|run| run.ssd_written_bytes)?))
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
    pub fn of(
        cell: Cell,
        limit: u64,
        samples: &[&Run],
        weight: Option<f64>,
        speed: Option<&SsdSpeed>,
    ) -> CellResult {
        let of_arm = |arm: ArmName| {
            let samples: Vec<&Run> = samples.iter().copied().filter(|sample| sample.key.arm == arm).collect();
            let runs: Vec<&ProgramRun> = samples.iter().map(|sample| &sample.run).collect();
            let (ssd_alone, held) = (ssd_alone(arm, &runs, speed), Held::of(&samples));
            Some(ArmResult { arm, runs: ProgramResult::of(&runs)?, vs_none: None, ssd_alone, held })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::defaults::run::tests::{ended, sample};
    use crate::kit::ending::Ending;
    use crate::kit::ssd_speed::tests::speed;
    use ztera_machine::units::MIB;

    fn moved(sample: Run, read: u64, written: u64) -> Run {
        let bytes = |mib: u64| Some(mib * MIB);
        let run = ProgramRun { ssd_read_bytes: bytes(read), ssd_written_bytes: bytes(written), ..sample.run };
        Run { run, ..sample }
    }

    /// Of three tiers: if all reads are in order, and if all are at random.
    fn alone(samples: &[Run], speed: Option<&SsdSpeed>) -> Option<(f64, f64)> {
        let samples: Vec<&Run> = samples.iter().collect();
        let cell = CellResult::of(samples[0].key.cell, 512 * MIB, &samples, None, speed);
        assert!(cell.arms.iter().all(|arm| arm.arm == ArmName::Three || arm.ssd_alone.is_none()));
        cell.arm(ArmName::Three)?.ssd_alone.map(|alone| (alone.sequential_seconds, alone.random_seconds))
    }

    #[test]
    fn the_ssd_alone_takes_the_time_of_the_bytes() {
        let three = |round, read| moved(sample(ArmName::Three, round, 20.0), read, 100);
        let samples = [sample(ArmName::None, 1, 4.0), sample(ArmName::FileSsd, 1, 9.0), three(1, 700)];
        assert_eq!(alone(&samples, Some(&speed())), Some((2.25, 7.5)));
        assert_eq!(alone(&samples, None), None, "nobody measured it");
        assert_eq!(alone(&[three(1, 700), three(2, 900)], Some(&speed())), Some((2.5, 8.5)));
    }

    /// Programs that the SSD holds up most are those that are stopped: the report said nothing of them.
    #[test]
    fn runs_that_were_stopped_have_it_too() {
        let stopped = |round| ended(ArmName::Three, round, Ending::Stopped);
        assert_eq!(alone(&[stopped(1)], Some(&speed())), None, "of an earlier version");
        assert_eq!(alone(&[moved(stopped(1), 800, 100)], Some(&speed())), Some((2.5, 8.5)));
        let finished = moved(sample(ArmName::Three, 1, 20.0), 400, 100);
        assert_eq!(alone(&[finished, moved(stopped(2), 800, 100)], Some(&speed())), Some((1.5, 4.5)));
    }
}
