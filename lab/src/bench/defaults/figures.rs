// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The figures that say whether the product wins with its defaults: name, unit, direction, target and formula, each
//! once.

use super::arm::ArmName;
use super::cell::{ArmResult, CellResult};
use crate::frame::claim::Expected::{AtLeast, AtMost};
use crate::frame::figure::Figure;
use crate::kit::ending::Ending;
use crate::kit::samples::geometric_mean;

/// All of them.
pub const FIGURES: [Figure<[CellResult]>; 10] = [
    Figure {
        name: "three_unfinished",
        unit: "cells",
        expected: AtMost(0.0),
        meaning: "three tiers did not finish where another arm with the limit did",
        formula: |cells| three_unfinished(cells).into(),
    },
    Figure {
        name: "two_unfinished",
        unit: "cells",
        expected: AtMost(0.0),
        meaning: "two tiers did not finish where first heap, JVM and compressed data fit",
        formula: |cells| two_unfinished(cells).into(),
    },
    Figure {
        name: "three_within_file",
        unit: "share of cells",
        expected: AtLeast(0.8),
        meaning: "three tiers took no longer than the faster file arm",
        formula: |cells| share(&ratios_to_file(cells), |ratio| ratio <= 1.0).into(),
    },
    Figure {
        name: "three_vs_file_worst",
        unit: "times",
        expected: AtMost(1.15),
        meaning: "three tiers over the faster file arm, the worst cell",
        formula: |cells| ratios_to_file(cells).into_iter().reduce(f64::max).into(),
    },
    Figure {
        name: "three_vs_none_at_1.5",
        unit: "times",
        expected: AtMost(1.5),
        meaning: "three tiers over no limit, geometric mean where live data are 1.5 times the limit",
        formula: |cells| three_vs_none(cells).into(),
    },
    Figure {
        name: "three_peak_least",
        unit: "of the limit",
        expected: AtLeast(0.9),
        meaning: "DRAM of three tiers at its peak, the least of all cells where live data exceed the limit",
        formula: |cells| peaks(cells, ArmName::Three).into_iter().reduce(f64::min).into(),
    },
    Figure {
        name: "two_peak_least",
        unit: "of the limit",
        expected: AtLeast(0.9),
        meaning: "the same of two tiers, where they finished",
        formula: |cells| peaks(cells, ArmName::Two).into_iter().reduce(f64::min).into(),
    },
    Figure {
        name: "peak_most",
        unit: "of the limit",
        // The kernel lets a cgroup be some pages above its limit.
        expected: AtMost(1.001),
        meaning: "DRAM of two and three tiers at its peak, the most of all cells",
        formula: |cells| tiers(cells).filter_map(|(cell, arm)| peak(cell, arm)).reduce(f64::max).into(),
    },
    Figure {
        name: "killed",
        unit: "cells",
        expected: AtMost(0.0),
        meaning: "two or three tiers were killed by the kernel",
        formula: |cells| count(cells, Ending::Killed).into(),
    },
    Figure {
        name: "wrong",
        unit: "cells",
        expected: AtMost(0.0),
        meaning: "two or three tiers gave wrong answers, or failed otherwise than for want of memory or time",
        formula: |cells| wrong(cells).into(),
    },
];

/// Cells in which three tiers ran.
fn with_three(cells: &[CellResult]) -> Vec<(&CellResult, &ArmResult)> {
    cells.iter().filter_map(|cell| Some((cell, cell.arm(ArmName::Three)?))).collect()
}

fn three_unfinished(cells: &[CellResult]) -> Option<f64> {
    let limited = |arm: &ArmResult| !matches!(arm.arm, ArmName::None | ArmName::Three);
    let cells = with_three(cells);
    let lost = cells.iter().filter(|(cell, three)| {
        three.runs.ending != Ending::Finished
            && cell.arms.iter().any(|arm| limited(arm) && arm.runs.ending == Ending::Finished)
    });
    (!cells.is_empty()).then(|| lost.count() as f64)
}

fn two_unfinished(cells: &[CellResult]) -> Option<f64> {
    let fits = |cell: &&CellResult| cell.two_tiers_bytes.is_some_and(|bytes| bytes <= cell.sizes.limit);
    let two: Vec<Ending> =
        cells.iter().filter(fits).filter_map(|cell| Some(cell.arm(ArmName::Two)?.runs.ending)).collect();
    (!two.is_empty()).then(|| two.iter().filter(|&&ending| ending != Ending::Finished).count() as f64)
}

/// Three tiers over the faster file arm, in each cell where a file arm ran. A run that did not finish took for ever.
fn ratios_to_file(cells: &[CellResult]) -> Vec<f64> {
    let ratio = |(cell, three): &(&CellResult, &ArmResult)| {
        let files = [ArmName::FileSsd, ArmName::FileZram].map(|name| cell.arm(name));
        let file = files.into_iter().flatten().filter_map(|arm| arm.runs.median()).reduce(f64::min);
        match (three.runs.median(), file) {
            (Some(three), Some(file)) => Some(three / file),
            (Some(_), None) => files.iter().any(Option::is_some).then_some(0.0),
            (None, Some(_)) => Some(f64::INFINITY),
            (None, None) => None,
        }
    };
    with_three(cells).iter().filter_map(ratio).collect()
}

fn share(values: &[f64], good: fn(f64) -> bool) -> Option<f64> {
    let good = values.iter().filter(|&&value| good(value)).count();
    (!values.is_empty()).then(|| good as f64 / values.len() as f64)
}

fn three_vs_none(cells: &[CellResult]) -> Option<f64> {
    let at: Vec<CellResult> = cells.iter().filter(|cell| cell.cell.factor == 1.5).cloned().collect();
    let ratios: Vec<f64> =
        with_three(&at).iter().map(|(_, three)| three.vs_none.unwrap_or(f64::INFINITY)).collect();
    geometric_mean(&ratios)
}

/// Two and three tiers, wherever they ran.
fn tiers(cells: &[CellResult]) -> impl Iterator<Item = (&CellResult, &ArmResult)> {
    cells.iter().flat_map(|cell| {
        [ArmName::Two, ArmName::Three].into_iter().filter_map(move |name| Some((cell, cell.arm(name)?)))
    })
}

fn peak(cell: &CellResult, arm: &ArmResult) -> Option<f64> {
    Some(arm.runs.dram_peak_bytes.as_ref()?.median / cell.sizes.limit as f64)
}

/// Where the arm finished, and live data exceed the limit.
fn peaks(cells: &[CellResult], name: ArmName) -> Vec<f64> {
    let full = cells.iter().filter(|cell| cell.sizes.live > cell.sizes.limit);
    full.filter_map(|cell| peak(cell, cell.arm(name).filter(|arm| arm.runs.ending == Ending::Finished)?))
        .collect()
}

fn count(cells: &[CellResult], ending: Ending) -> Option<f64> {
    let all: Vec<Ending> = tiers(cells).map(|(_, arm)| arm.runs.ending).collect();
    (!all.is_empty()).then(|| all.iter().filter(|&&other| other == ending).count() as f64)
}

fn wrong(cells: &[CellResult]) -> Option<f64> {
    Some(count(cells, Ending::WrongAnswers)? + count(cells, Ending::Failed)?)
}

#[cfg(test)]
#[path = "figures_test.rs"]
mod tests;
