// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of the benchmark: samples become cells, cells become figures.

use serde::Serialize;

use super::cell::CellResult;
use super::figures::FIGURES;
use super::plan::Cell;
use super::run::Run;
use super::weight::Weight;
use crate::bench::benchmark::DOCUMENT;
use crate::frame::claim::Claim;
use crate::frame::figure::{self, Reached};
use crate::frame::matrix::distinct;
use crate::frame::sample::{Sample, data_of, first, left_out};
use crate::kit::ssd_speed::SsdSpeed;

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DefaultsReport {
    /// The DRAM of each arm.
    pub limit_bytes: u64,
    /// How often each arm ran.
    pub rounds: u32,
    /// CPUs.
    pub cpus: usize,
    /// The speed of the SSD before the runs, if it was measured.
    pub ssd: Option<SsdSpeed>,
    /// Why arms are missing, and other things one must know to read the numbers.
    pub notes: Vec<String>,
    /// One entry per program, factor and heap.
    pub cells: Vec<CellResult>,
    /// The figures, with their targets.
    pub figures: Vec<Reached>,
    /// All runs.
    pub samples: Vec<Run>,
    /// Whether all were made that were wanted.
    #[serde(skip)]
    pub is_whole: bool,
}

impl DefaultsReport {
    /// Of all samples that were taken of these cells with this limit.
    pub fn of(cells: &[Cell], limit: u64, samples: &[Sample]) -> DefaultsReport {
        let (runs, ssd): (Vec<Run>, Option<SsdSpeed>) = (data_of(samples), first(samples));
        let cells = results(cells, limit, samples, &runs);
        DefaultsReport {
            limit_bytes: limit,
            rounds: runs.iter().map(|run| run.round).max().unwrap_or(0),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            ssd,
            notes: left_out(samples),
            figures: figure::judge(&FIGURES, cells.as_slice()),
            cells,
            samples: runs,
            is_whole: true,
        }
    }
}

/// The claims that figures are as wanted.
pub fn claims() -> Vec<Claim> {
    figure::claims(&FIGURES, DOCUMENT, |samples| Some(found(samples)))
}

/// All cells that samples of an experiment have, which are of one limit.
pub fn found(samples: &[Sample]) -> Vec<CellResult> {
    let runs: Vec<Run> = data_of(samples);
    let limit = runs.first().map_or(0, |run| run.key.limit_bytes);
    results(&distinct(runs.iter().map(|run| run.key.cell)), limit, samples, &runs)
}

fn results(cells: &[Cell], limit: u64, samples: &[Sample], runs: &[Run]) -> Vec<CellResult> {
    let (weights, ssd): (Vec<Weight>, Option<SsdSpeed>) = (data_of(samples), first(samples));
    let result = |&cell: &Cell| {
        let weight = weights.iter().find(|weight| weight.program == cell.program);
        let of_cell: Vec<&Run> = runs.iter().filter(|run| run.key.cell == cell).collect();
        CellResult::of(cell, limit, &of_cell, weight.and_then(|weight| weight.compressed_to), ssd.as_ref())
    };
    cells.iter().map(result).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::bench::defaults::arm::ArmName;
    use crate::bench::defaults::run::tests::{ended, sample};
    use crate::frame::sample::tests::sample as step;
    use crate::kit::ending::Ending;
    use crate::kit::ssd_speed::tests::speed;
    use ztera_machine::units::MIB;

    /// One cell in which two tiers had no room, and three took so long.
    pub fn report(three_seconds: f64) -> DefaultsReport {
        let runs = [
            sample(ArmName::None, 1, 4.0),
            sample(ArmName::FileSsd, 1, 8.0),
            sample(ArmName::FileSsd, 2, 10.0),
            sample(ArmName::Three, 1, three_seconds),
            ended(ArmName::Two, 1, Ending::DoesNotFit),
        ];
        let weight = Weight { program: runs[0].key.cell.program, compressed_to: Some(0.2) };
        let more = [step("weight", weight), step("the SSD", speed())];
        let samples: Vec<Sample> = runs.iter().map(|run| step("run", run)).chain(more).collect();
        DefaultsReport::of(&[runs[0].key.cell], 512 * MIB, &samples)
    }

    #[test]
    fn medians_are_compared_with_the_reference() {
        let report = report(6.0);
        let cell = &report.cells[0];
        assert_eq!(cell.arm(ArmName::FileSsd).unwrap().runs.median(), Some(9.0));
        assert_eq!(cell.arm(ArmName::Three).unwrap().vs_none, Some(1.5));
        assert_eq!(cell.arm(ArmName::Two).unwrap().runs.median(), None);
        assert_eq!(cell.arm(ArmName::Two).unwrap().runs.ending, Ending::DoesNotFit);
        assert_eq!(cell.arm(ArmName::SwapSsd), None);
    }

    #[test]
    fn the_report_is_json() {
        let json = serde_json::to_value(report(6.0)).unwrap();
        assert_eq!(json["cells"][0]["program"], "rows");
        assert_eq!(json["cells"][0]["arms"][2]["ending"], "does-not-fit");
        assert_eq!(json["samples"][0]["seconds"], 4.0);
        assert_eq!(json["cells"][0]["arms"][3]["ssd_alone"]["random_seconds"], 0.085);
        assert_eq!(json["ssd"]["depth"], 8);
        assert_eq!(json["figures"][0]["direction"], "at-most");
    }
}
