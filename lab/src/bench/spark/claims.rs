// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The thesis's claims in chapter 6 beside what is found here: H2 as a file on zram and on SSD, by figures.

use serde::Serialize;

use super::arm::ArmName;
use super::cell::CellResult;
use super::figures::mean;
use super::workload::Kind;
use crate::frame::claim::Expected::{AtLeast, AtMost};
use crate::frame::figure::{Figure, Reached};

/// A claim of a source.
pub struct Claim {
    /// The source by its name in docs/sources.md, and its figure or chapter.
    pub source: &'static str,
    /// The expected value, as a figure with its target.
    pub figure: Figure<[CellResult]>,
}

/// A claim with the verdict of what was measured: met is confirmed, not met is refuted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// As of [`Claim`].
    pub source: &'static str,
    /// The expected value, the measured one, and what follows.
    #[serde(flatten)]
    pub verdict: Reached,
}

/// So much slower still counts as similar.
const SIMILAR: f64 = 1.05;

/// All of them.
pub const CLAIMS: [Claim; 6] = [
    Claim {
        source: "ZTera thesis, figure 6.2",
        figure: Figure {
            name: "zram_not_faster",
            unit: "share of workloads",
            expected: AtLeast(1.0),
            meaning: "in every benchmark H2 on a file on zram performs similar or worse than on SSD",
            formula: |cells| share(&of_both_files(cells), |cell| faster_on_zram(cell) <= SIMILAR).into(),
        },
    },
    Claim {
        source: "ZTera thesis, 6.2",
        figure: Figure {
            name: "zram_major_longer",
            unit: "share of workloads",
            expected: AtLeast(0.8),
            meaning: "full collections take longer on zram than on SSD in almost every case",
            formula: |cells| {
                share(&of_both_files(cells), |cell| {
                    full(cell, ArmName::FileZram) > full(cell, ArmName::FileSsd)
                })
                .into()
            },
        },
    },
    Claim {
        source: "ZTera thesis, 6.2",
        figure: Figure {
            name: "mutator_similar",
            unit: "times",
            expected: AtMost(1.1),
            meaning: "the program itself takes as long on zram as on SSD, geometric mean of the greater over the lesser",
            formula: |cells| mutator(cells).into(),
        },
    },
    Claim {
        source: "ZTera thesis, figure 6.1",
        figure: Figure {
            name: "graphs_compress",
            unit: "times",
            expected: AtLeast(2.0),
            meaning: "data of graph benchmarks in H2 compress 2 to 3 times, geometric mean",
            formula: |cells| compressed(cells, Kind::Graph).into(),
        },
    },
    Claim {
        source: "ZTera thesis, figure 6.1",
        figure: Figure {
            name: "vectors_do_not",
            unit: "times",
            expected: AtMost(1.6),
            meaning: "data of machine learning compress at most 1.6 times, with the densest codec, geometric mean",
            formula: |cells| compressed(cells, Kind::Dense).into(),
        },
    },
    Claim {
        source: "ZTera thesis, 6.3",
        figure: Figure {
            name: "three_moves_faster",
            unit: "share of workloads",
            expected: AtLeast(1.0),
            meaning: "parallel moves would mend it: three tiers spend less time on moves than H2 on a file on zram",
            formula: |cells| moves(cells).into(),
        },
    },
];

/// All claims, judged.
pub fn judge(cells: &[CellResult]) -> Vec<Judged> {
    CLAIMS.iter().map(|claim| Judged { source: claim.source, verdict: claim.figure.judge(cells) }).collect()
}

/// Cells of the thesis's workloads in which both finished.
fn of_both(cells: &[CellResult], arms: [ArmName; 2]) -> Vec<&CellResult> {
    let finished = |cell: &CellResult, arm| {
        cell.arm(arm).is_some_and(|arm| arm.median().is_some() && arm.split.is_some())
    };
    let of_thesis = cells.iter().filter(|cell| cell.cell.workload.is_of_thesis());
    of_thesis.filter(|cell| arms.iter().all(|&arm| finished(cell, arm))).collect()
}

fn of_both_files(cells: &[CellResult]) -> Vec<&CellResult> {
    of_both(cells, [ArmName::FileZram, ArmName::FileSsd])
}

fn share(cells: &[&CellResult], holds: fn(&CellResult) -> bool) -> Option<f64> {
    let held = cells.iter().filter(|cell| holds(cell)).count();
    (!cells.is_empty()).then(|| held as f64 / cells.len() as f64)
}

fn faster_on_zram(cell: &CellResult) -> f64 {
    cell.faster(ArmName::FileZram, ArmName::FileSsd).unwrap_or(0.0)
}

fn part(cell: &CellResult, arm: ArmName, which: usize) -> f64 {
    cell.arm(arm).and_then(|arm| arm.split).map_or(0.0, |split| split.parts()[which])
}

/// Full collections with their moves.
fn full(cell: &CellResult, arm: ArmName) -> f64 {
    part(cell, arm, 2) + part(cell, arm, 3)
}

fn mutator(cells: &[CellResult]) -> Option<f64> {
    let ratio = |cell: &&CellResult| part(cell, ArmName::FileZram, 0) / part(cell, ArmName::FileSsd, 0);
    let ratios: Vec<f64> = of_both_files(cells).iter().map(ratio).collect();
    mean(&ratios).map(|ratio| ratio.max(1.0 / ratio))
}

/// In the cells of that kind, by the arm that compresses most of the data.
fn compressed(cells: &[CellResult], kind: Kind) -> Option<f64> {
    let of_kind = cells.iter().filter(|cell| cell.cell.workload.kind() == kind);
    let times = |cell: &CellResult| {
        let arms = [ArmName::Two, ArmName::Three];
        arms.iter().find_map(|&arm| Some(cell.arm(arm)?.compressed_times.as_ref()?.median))
    };
    mean(&of_kind.filter_map(times).collect::<Vec<f64>>())
}

fn moves(cells: &[CellResult]) -> Option<f64> {
    let both = of_both(cells, [ArmName::Three, ArmName::FileZram]);
    share(&both, |cell| part(cell, ArmName::Three, 3) < part(cell, ArmName::FileZram, 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::spark::cell::tests::cell;
    use crate::bench::spark::workload::Workload;

    fn verdict(cells: &[CellResult], name: &str) -> (Option<f64>, Option<bool>) {
        let judged = judge(cells);
        let found = judged.iter().find(|judged| judged.verdict.name == name).unwrap();
        (found.verdict.value, found.verdict.met)
    }

    fn files(workload: Workload, zram: f64) -> CellResult {
        cell(workload, &[(ArmName::FileSsd, 10.0), (ArmName::FileZram, zram), (ArmName::Three, 8.0)])
    }

    #[test]
    fn the_thesis_is_confirmed_where_zram_is_behind() {
        let cells = [files(Workload::PageRank, 14.0), files(Workload::Svm, 9.8)];
        assert_eq!(verdict(&cells, "zram_not_faster"), (Some(1.0), Some(true)));
        assert_eq!(verdict(&cells, "zram_major_longer"), (Some(0.5), Some(false)));
        let cells = [files(Workload::PageRank, 14.0), files(Workload::Svm, 5.0), files(Workload::Sql, 5.0)];
        assert_eq!(verdict(&cells, "zram_not_faster"), (Some(0.5), Some(false)));
    }

    #[test]
    fn compression_is_judged_by_kind() {
        let cells = [files(Workload::PageRank, 14.0)];
        assert_eq!(verdict(&cells, "graphs_compress"), (Some(2.5), Some(true)));
        assert_eq!(verdict(&cells, "vectors_do_not"), (None, None));
        assert_eq!(verdict(&[files(Workload::Svm, 14.0)], "vectors_do_not"), (Some(2.5), Some(false)));
    }

    #[test]
    fn moves_and_the_program_s_own_time_are_compared() {
        let cells = [files(Workload::PageRank, 12.0)];
        assert_eq!(verdict(&cells, "three_moves_faster"), (Some(1.0), Some(true)));
        let (ratio, met) = verdict(&cells, "mutator_similar");
        assert!((ratio.unwrap() - 1.2).abs() < 1e-9 && met == Some(false), "{ratio:?}");
    }

    #[test]
    fn without_both_files_nothing_is_judged() {
        let cells = [cell(Workload::PageRank, &[(ArmName::FileSsd, 10.0)])];
        assert_eq!(verdict(&cells, "zram_not_faster"), (None, None));
    }
}
