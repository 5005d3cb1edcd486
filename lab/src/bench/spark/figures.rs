// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The figures that say whether the plugin wins: name, unit, direction, target and formula, each once.

use super::arm::ArmName;
use super::cell::CellResult;
use super::workload::Workload;
use crate::frame::claim::Expected::{AtLeast, AtMost};
use crate::frame::figure::Figure;
use crate::kit::ending::Ending;
use crate::kit::samples::geometric_mean;

/// The factor at which most is asked.
const HIGH: f64 = 2.5;

/// All of them. Only the ten workloads count, not the other data of one of them.
pub const FIGURES: [Figure<[CellResult]>; 8] = [
    Figure {
        name: "three_first_at_2.5",
        unit: "of the workloads",
        expected: AtLeast(0.8),
        meaning: "three tiers are faster than storage levels of Spark, swap and H2 on a file: all arms that ran, where a level finished",
        formula: |cells| first(cells).into(),
    },
    Figure {
        name: "three_vs_stock_at_2.5",
        unit: "times",
        expected: AtLeast(1.3),
        meaning: "the best storage level of Spark over three tiers, geometric mean where both finished",
        formula: |cells| mean(&vs_stock(&at(cells, HIGH))).into(),
    },
    Figure {
        name: "three_vs_stock_worst",
        unit: "times",
        expected: AtLeast(0.9),
        meaning: "the same, the worst of all cells",
        formula: |cells| vs_stock(&ten(cells)).into_iter().reduce(f64::min).into(),
    },
    Figure {
        name: "three_vs_file_ssd",
        unit: "of the workloads",
        expected: AtLeast(1.0),
        meaning: "three tiers are faster than H2 on a file on SSD, at 2.5, of the thesis's eight that ran",
        formula: |cells| beats_ssd(cells).into(),
    },
    Figure {
        name: "three_unfinished",
        unit: "cells",
        expected: AtMost(0.0),
        meaning: "three tiers did not finish where another arm with the limit did",
        formula: |cells| unfinished(cells).into(),
    },
    Figure {
        name: "wrong",
        unit: "arms",
        expected: AtMost(0.0),
        meaning: "other answers than the reference's, in any arm of any cell",
        formula: |cells| {
            (!cells.is_empty()).then(|| cells.iter().map(CellResult::wrong).sum::<usize>() as f64).into()
        },
    },
    Figure {
        name: "peak_most",
        unit: "of the limit",
        // The kernel lets a cgroup be some pages above its limit.
        expected: AtMost(1.001),
        meaning: "DRAM of three tiers at its peak, the most of all cells",
        formula: |cells| cells.iter().filter_map(peak).reduce(f64::max).into(),
    },
    Figure {
        name: "killed",
        unit: "cells",
        expected: AtMost(0.0),
        meaning: "two or three tiers were killed by the kernel",
        formula: |cells| killed(cells).into(),
    },
];

/// Cells of the ten workloads.
fn ten(cells: &[CellResult]) -> Vec<&CellResult> {
    cells.iter().filter(|cell| Workload::TEN.contains(&cell.cell.workload)).collect()
}

/// Those of one factor.
pub fn at(cells: &[CellResult], factor: f64) -> Vec<&CellResult> {
    ten(cells).into_iter().filter(|cell| cell.cell.factor == factor).collect()
}

fn vs_stock(cells: &[&CellResult]) -> Vec<f64> {
    cells.iter().filter_map(|cell| cell.faster_than_stock(ArmName::Three)).collect()
}

/// Geometric, of those that are finite: a cell that only we finish has no ratio.
pub fn mean(ratios: &[f64]) -> Option<f64> {
    let finite: Vec<f64> = ratios.iter().copied().filter(|ratio| ratio.is_finite()).collect();
    geometric_mean(&finite)
}

/// How many workloads the first of these figures can judge. None if it is asked about none.
pub fn judged(cells: &[CellResult]) -> Option<String> {
    let (name, judged, all) = (FIGURES[0].name, with_stock(cells).len(), at(cells, HIGH).len());
    let words = "those in which three tiers ran and a storage level of Spark finished";
    (all > 0).then(|| format!("{name} judges {judged} of {all} workloads: {words}"))
}

/// Cells in which three tiers ran and have one of Spark's own storage levels to beat.
fn with_stock(cells: &[CellResult]) -> Vec<&CellResult> {
    let has_both = |cell: &&CellResult| cell.arm(ArmName::Three).is_some() && cell.best_stock().is_some();
    at(cells, HIGH).into_iter().filter(has_both).collect()
}

fn first(cells: &[CellResult]) -> Option<f64> {
    let others: Vec<ArmName> = ArmName::ALL
        .into_iter()
        .filter(|arm| !matches!(arm, ArmName::None | ArmName::Two | ArmName::Three))
        .collect();
    let compared = with_stock(cells);
    let wins = compared.iter().filter(|cell| {
        let three = cell.arm(ArmName::Three).and_then(|three| three.median());
        three.zip(cell.best(&others)).is_some_and(|(three, (_, other))| three < other)
    });
    (!compared.is_empty()).then(|| wins.count() as f64 / compared.len() as f64)
}

fn beats_ssd(cells: &[CellResult]) -> Option<f64> {
    let of_thesis = at(cells, HIGH).into_iter().filter(|cell| cell.cell.workload.is_of_thesis());
    let ratios: Vec<f64> =
        of_thesis.filter_map(|cell| cell.faster(ArmName::Three, ArmName::FileSsd)).collect();
    (!ratios.is_empty()).then(|| {
        let wins = ratios.iter().filter(|&&ratio| ratio > 1.0).count();
        wins as f64 / ratios.len() as f64
    })
}

fn unfinished(cells: &[CellResult]) -> Option<f64> {
    let ran: Vec<&CellResult> = cells.iter().filter(|cell| cell.arm(ArmName::Three).is_some()).collect();
    let lost = ran.iter().filter(|cell| {
        let finished = |arm| cell.arm(arm).is_some_and(|arm| arm.runs.finished());
        !finished(ArmName::Three) && ArmName::ALL[1..].iter().any(|&arm| finished(arm))
    });
    (!ran.is_empty()).then(|| lost.count() as f64)
}

fn peak(cell: &CellResult) -> Option<f64> {
    let peak = cell.arm(ArmName::Three)?.runs.dram_peak_bytes.as_ref()?;
    Some(peak.median / cell.sizes?.limit as f64)
}

fn killed(cells: &[CellResult]) -> Option<f64> {
    let tiers =
        |cell: &CellResult| [ArmName::Two, ArmName::Three].map(|arm| Some(cell.arm(arm)?.runs.ending));
    let endings: Vec<Ending> = cells.iter().flat_map(tiers).flatten().collect();
    (!endings.is_empty()).then(|| endings.iter().filter(|&&ending| ending == Ending::Killed).count() as f64)
}

#[cfg(test)]
#[path = "figures_test.rs"]
mod tests;
