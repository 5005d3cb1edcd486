// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of the benchmark: samples become cells, cells become figures.

use serde::Serialize;

use super::cell::CellResult;
use super::figures::FIGURES;
use super::plan::Cell;
use super::sample::Sample;
use super::weight::Weight;
use crate::frame::figure::{self, Reached};
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
    pub samples: Vec<Sample>,
    /// Whether all were made that were wanted.
    #[serde(skip)]
    pub is_whole: bool,
}

impl DefaultsReport {
    /// Of all samples that were taken of these cells with this limit and seed.
    pub fn of(
        cells: &[Cell],
        limit: u64,
        samples: &[Sample],
        weights: &[Weight],
        ssd: Option<&SsdSpeed>,
    ) -> DefaultsReport {
        let weight = |cell: Cell| weights.iter().find(|weight| weight.program == cell.program)?.compressed_to;
        let cells: Vec<CellResult> = cells
            .iter()
            .map(|&cell| {
                let of_cell: Vec<&Sample> = samples.iter().filter(|sample| sample.key.cell == cell).collect();
                CellResult::of(cell, limit, &of_cell, weight(cell), ssd)
            })
            .collect();
        DefaultsReport {
            limit_bytes: limit,
            rounds: samples.iter().map(|sample| sample.round).max().unwrap_or(0),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            ssd: ssd.cloned(),
            notes: Vec::new(),
            figures: figure::judge(&FIGURES, cells.as_slice()),
            cells,
            samples: samples.to_vec(),
            is_whole: true,
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::bench::defaults::arm::ArmName;
    use crate::bench::defaults::sample::tests::{ended, sample};
    use crate::kit::ending::Ending;
    use crate::kit::ssd_speed::tests::speed;
    use ztera_machine::units::MIB;

    /// One cell in which two tiers had no room, and three took so long.
    pub fn report(three_seconds: f64) -> DefaultsReport {
        let samples = [
            sample(ArmName::None, 1, 4.0),
            sample(ArmName::FileSsd, 1, 8.0),
            sample(ArmName::FileSsd, 2, 10.0),
            sample(ArmName::Three, 1, three_seconds),
            ended(ArmName::Two, 1, Ending::DoesNotFit),
        ];
        let weight = Weight { program: samples[0].key.cell.program, compressed_to: Some(0.2) };
        DefaultsReport::of(&[samples[0].key.cell], 512 * MIB, &samples, &[weight], Some(&speed()))
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
