// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of the benchmark: samples become cells, cells become figures.

use serde::Serialize;

use super::arm::ArmName;
use super::figures::{self, Verdict};
use super::outcome::Outcome;
use super::plan::{Cell, Sizes};
use super::sample::Sample;
use super::table;
use super::weight::Weight;
use crate::kit::output::Report;
use crate::kit::plot::Plot;
use crate::kit::report::Samples;

/// All runs of an arm in a cell. Measured values are those of the runs that finished; peaks those of all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmResult {
    /// The arm.
    pub arm: ArmName,
    /// How the last run ended: an arm that did not finish once is not run again.
    pub outcome: Outcome,
    /// The same in words.
    pub words: String,
    /// The whole run.
    pub seconds: Option<Samples>,
    /// Building the data.
    pub load_seconds: Option<Samples>,
    /// All operations.
    pub query_seconds: Option<Samples>,
    /// The median over that of the reference.
    pub vs_none: Option<f64>,
    /// All DRAM, zram's included.
    pub dram_peak_bytes: Option<Samples>,
    /// Read from the SSD.
    pub ssd_read_bytes: Option<Samples>,
    /// Written to it.
    pub ssd_written_bytes: Option<Samples>,
}

impl ArmResult {
    fn of(arm: ArmName, runs: &[&Sample]) -> Option<ArmResult> {
        let last = runs.last()?;
        let all = |value: &dyn Fn(&Sample) -> Option<f64>| {
            let finished = runs.iter().filter(|run| run.outcome == Outcome::Ok);
            Samples::of(finished.filter_map(|run| value(run)).collect())
        };
        let peaks = runs.iter().filter_map(|run| run.dram_peak()).map(|bytes| bytes as f64).collect();
        Some(ArmResult {
            arm,
            outcome: last.outcome,
            words: last.words.clone(),
            seconds: all(&|run| Some(run.seconds)),
            load_seconds: all(&|run| run.load_seconds),
            query_seconds: all(&|run| run.query_seconds),
            vs_none: None,
            dram_peak_bytes: Samples::of(peaks),
            ssd_read_bytes: all(&|run| run.ssd_read_bytes.map(|bytes| bytes as f64)),
            ssd_written_bytes: all(&|run| run.ssd_written_bytes.map(|bytes| bytes as f64)),
        })
    }

    /// The median time, if every run finished.
    pub fn median(&self) -> Option<f64> {
        self.seconds.as_ref().filter(|_| self.outcome == Outcome::Ok).map(|seconds| seconds.median)
    }
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
            let runs: Vec<&Sample> = samples.iter().filter(|sample| sample.key.arm == arm).copied().collect();
            ArmResult::of(arm, &runs)
        };
        let mut arms: Vec<ArmResult> = ArmName::ALL.into_iter().filter_map(of_arm).collect();
        let reference = arms.iter().find(|arm| arm.arm == ArmName::None).and_then(ArmResult::median);
        for arm in &mut arms {
            arm.vs_none = arm.median().zip(reference).map(|(seconds, reference)| seconds / reference);
        }
        let sizes = Sizes::plan(limit, cell.factor);
        CellResult { cell, sizes, two_tiers_bytes: weight.map(|ratio| sizes.two_tiers(ratio)), arms }
    }

    /// The result of that arm, if it ran.
    pub fn arm(&self, name: ArmName) -> Option<&ArmResult> {
        self.arms.iter().find(|arm| arm.arm == name)
    }
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DefaultsReport {
    /// The DRAM of each arm.
    pub limit_bytes: u64,
    /// How often each arm ran.
    pub rounds: u32,
    /// CPUs.
    pub cpus: usize,
    /// Why arms are missing, and other things one must know to read the numbers.
    pub notes: Vec<String>,
    /// One entry per program, factor and heap.
    pub cells: Vec<CellResult>,
    /// The figures, with their targets.
    pub figures: Vec<Verdict>,
    /// All runs.
    pub samples: Vec<Sample>,
}

impl DefaultsReport {
    /// Of all samples that were taken of these cells with this limit and seed.
    pub fn of(cells: &[Cell], limit: u64, samples: &[Sample], weights: &[Weight]) -> DefaultsReport {
        let weight = |cell: Cell| weights.iter().find(|weight| weight.program == cell.program)?.compressed_to;
        let cells: Vec<CellResult> = cells
            .iter()
            .map(|&cell| {
                let of_cell: Vec<&Sample> = samples.iter().filter(|sample| sample.key.cell == cell).collect();
                CellResult::of(cell, limit, &of_cell, weight(cell))
            })
            .collect();
        DefaultsReport {
            limit_bytes: limit,
            rounds: samples.iter().map(|sample| sample.key.round).max().unwrap_or(0),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            notes: Vec::new(),
            figures: figures::judge(&cells),
            cells,
            samples: samples.to_vec(),
        }
    }
}

impl Report for DefaultsReport {
    fn render(&self) -> String {
        table::render(self)
    }

    fn plots(&self) -> Vec<Plot> {
        Vec::new()
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::defaults::sample::tests::{ended, sample};
    use ztera_machine::units::MIB;

    /// One cell in which two tiers had no room, and three took so long.
    pub fn report(three_seconds: f64) -> DefaultsReport {
        let samples = [
            sample(ArmName::None, 1, 4.0),
            sample(ArmName::FileSsd, 1, 8.0),
            sample(ArmName::FileSsd, 2, 10.0),
            sample(ArmName::Three, 1, three_seconds),
            ended(ArmName::Two, 1, Outcome::Oom),
        ];
        let weight = Weight { program: samples[0].key.cell.program, compressed_to: Some(0.2) };
        DefaultsReport::of(&[samples[0].key.cell], 512 * MIB, &samples, &[weight])
    }

    #[test]
    fn medians_are_compared_with_the_reference() {
        let report = report(6.0);
        let cell = &report.cells[0];
        assert_eq!(cell.arm(ArmName::FileSsd).unwrap().median(), Some(9.0));
        assert_eq!(cell.arm(ArmName::Three).unwrap().vs_none, Some(1.5));
        assert_eq!(cell.arm(ArmName::Two).unwrap().median(), None);
        assert_eq!(cell.arm(ArmName::Two).unwrap().outcome, Outcome::Oom);
        assert_eq!(cell.arm(ArmName::SwapSsd), None);
    }

    #[test]
    fn the_report_is_json() {
        let json = serde_json::to_value(report(6.0)).unwrap();
        assert_eq!(json["cells"][0]["program"], "rows");
        assert_eq!(json["cells"][0]["arms"][2]["outcome"], "oom");
        assert_eq!(json["samples"][0]["seconds"], 4.0);
        assert_eq!(json["figures"][0]["direction"], "at-most");
    }
}
