// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of the benchmark: samples become cells, cells become figures and verdicts on claims.

use serde::Serialize;

use super::cell::CellResult;
use super::claims::{self, CLAIMS, Judged};
use super::figures::{self, FIGURES};
use super::plan::{Cell, Scale};
use super::run::Run;
use crate::bench::benchmark::DOCUMENT;
use crate::frame::claim::Claim;
use crate::frame::figure::{self, Reached};
use crate::frame::matrix::distinct;
use crate::frame::sample::{Sample, data_of, left_out};

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SparkReport {
    /// How much was measured.
    pub scale: Scale,
    /// Bytes a second that the SSD was read at most, if it was slowed.
    pub ssd_read: Option<u64>,
    /// How often each arm ran.
    pub rounds: u32,
    /// CPUs.
    pub cpus: usize,
    /// Why arms are missing, and other things one must know to read the numbers.
    pub notes: Vec<String>,
    /// One entry per workload and factor.
    pub cells: Vec<CellResult>,
    /// The figures, with their targets.
    pub figures: Vec<Reached>,
    /// The thesis's claims, with verdicts.
    pub claims: Vec<Judged>,
    /// All runs.
    pub samples: Vec<Run>,
    /// Whether all were made that were wanted.
    #[serde(skip)]
    pub is_whole: bool,
}

impl SparkReport {
    /// Of all samples that were taken of these cells.
    pub fn of(cells: &[Cell], scale: Scale, samples: &[Sample]) -> SparkReport {
        let runs: Vec<Run> = data_of(samples);
        let cells: Vec<CellResult> = cells.iter().map(|&cell| CellResult::of(cell, &runs)).collect();
        SparkReport {
            scale,
            ssd_read: None,
            rounds: runs.iter().map(|run| run.round).max().unwrap_or(0),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            notes: figures::judged(&cells).into_iter().chain(left_out(samples)).collect(),
            figures: figure::judge(&FIGURES, cells.as_slice()),
            claims: claims::judge(&cells),
            cells,
            samples: runs,
            is_whole: true,
        }
    }
}

/// The claims that figures are as wanted, and those of the thesis.
pub fn claims() -> Vec<Claim> {
    let of_thesis =
        CLAIMS.iter().map(|claim| claim.figure.claim(claim.source, |samples| Some(found(samples))));
    let ours = figure::claims(&FIGURES, DOCUMENT, |samples| Some(found(samples)));
    ours.into_iter().chain(of_thesis).collect()
}

/// The results of all cells that samples of an experiment have.
pub fn found(samples: &[Sample]) -> Vec<CellResult> {
    let runs: Vec<Run> = data_of(samples);
    let cell = |run: &Run| Some(Cell { workload: run.key.workload, factor: run.key.factor? });
    distinct(runs.iter().filter_map(cell)).into_iter().map(|cell| CellResult::of(cell, &runs)).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::bench::spark::arm::ArmName;
    use crate::bench::spark::plan::tests::SCALE;
    use crate::bench::spark::run::tests::{ended, sample};
    use crate::bench::spark::workload::Workload;
    use crate::frame::sample::tests::sample as step;
    use crate::kit::ending::Ending;

    /// One cell in which MEMORY_ONLY had no room, and three tiers worked so long.
    pub fn report(three_seconds: f64) -> SparkReport {
        let workload = Workload::PageRank;
        let samples = [
            sample(workload, ArmName::None, 4.0),
            ended(workload, ArmName::MemoryOnly, Ending::DoesNotFit),
            sample(workload, ArmName::MemoryAndDisk, 12.0),
            sample(workload, ArmName::FileSsd, 10.0),
            sample(workload, ArmName::FileZram, 20.0),
            sample(workload, ArmName::Three, three_seconds),
        ];
        SparkReport::of(&[Cell { workload, factor: 2.5 }], SCALE, &samples.map(|run| step("run", run)))
    }

    #[test]
    fn the_report_is_json() {
        let json = serde_json::to_value(report(6.0)).unwrap();
        assert_eq!(json["cells"][0]["workload"], "page-rank");
        assert_eq!(json["cells"][0]["arms"][1]["ending"], "does-not-fit");
        assert_eq!(json["cells"][0]["arms"][5]["vs_none"], 1.5);
        assert_eq!(json["figures"][1]["value"].as_f64().map(f64::round), Some(2.0));
        assert_eq!(json["claims"][0]["met"], true);
        let note = json["notes"][0].as_str().unwrap();
        assert!(note.starts_with("three_first_at_2.5 judges 1 of 1 workloads"), "{note}");
        assert_eq!(json["samples"][0]["seconds"], 4.0);
    }
}
