// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use ztera_machine::units::MIB;

use super::*;
use crate::bench::defaults::run::Run;
use crate::bench::defaults::run::tests::{ended, sample};
use crate::frame::figure::judge;

fn cell(samples: &[Run]) -> CellResult {
    CellResult::of(samples[0].key.cell, 512 * MIB, &samples.iter().collect::<Vec<_>>(), None, None)
}

fn value(cells: &[CellResult], name: &str) -> (Option<f64>, Option<bool>) {
    let verdicts = judge(&FIGURES, cells);
    let verdict = verdicts.iter().find(|verdict| verdict.name == name).unwrap();
    (verdict.value, verdict.met)
}

/// A cell in which three tiers took so many times as long as the faster file.
fn beside_file(ratio: f64) -> CellResult {
    cell(&[
        sample(ArmName::None, 1, 4.0),
        sample(ArmName::FileSsd, 1, 12.0),
        sample(ArmName::FileZram, 1, 10.0),
        sample(ArmName::Three, 1, 10.0 * ratio),
    ])
}

#[test]
fn the_faster_file_is_what_counts() {
    let cells = [0.5, 0.8, 1.0, 0.9, 1.1].map(beside_file);
    assert_eq!(value(&cells, "three_within_file"), (Some(0.8), Some(true)));
    assert_eq!(value(&cells, "three_vs_file_worst"), (Some(1.1), Some(true)));
    let cells = [0.5, 1.2].map(beside_file);
    assert_eq!(value(&cells, "three_within_file"), (Some(0.5), Some(false)));
    assert_eq!(value(&cells, "three_vs_file_worst").1, Some(false));
}

#[test]
fn a_cell_that_three_tiers_lose_is_infinitely_bad() {
    let lost = cell(&[sample(ArmName::FileSsd, 1, 12.0), ended(ArmName::Three, 1, Ending::Stopped)]);
    let won = cell(&[ended(ArmName::FileSsd, 1, Ending::DoesNotFit), sample(ArmName::Three, 1, 50.0)]);
    let nobody =
        cell(&[ended(ArmName::FileSsd, 1, Ending::DoesNotFit), ended(ArmName::Three, 1, Ending::DoesNotFit)]);
    assert_eq!(value(std::slice::from_ref(&lost), "three_vs_file_worst"), (Some(f64::INFINITY), Some(false)));
    assert_eq!(value(std::slice::from_ref(&won), "three_vs_file_worst"), (Some(0.0), Some(true)));
    let cells = [lost, won, nobody];
    assert_eq!(value(&cells, "three_unfinished"), (Some(1.0), Some(false)));
    assert_eq!(value(&cells, "three_within_file").0, Some(0.5));
}

#[test]
fn the_mean_beside_no_limit_is_geometric_and_of_one_factor() {
    let mut cells = [0.4, 1.6].map(beside_file);
    let (mean, met) = value(&cells, "three_vs_none_at_1.5");
    assert!((mean.unwrap() - 2.0).abs() < 1e-9 && met == Some(false), "{mean:?}");
    cells[1].cell.factor = 2.0;
    let (mean, met) = value(&cells, "three_vs_none_at_1.5");
    assert!((mean.unwrap() - 1.0).abs() < 1e-9 && met == Some(true), "{mean:?}");
}

#[test]
fn dram_that_lies_idle_is_seen() {
    let mut idle = sample(ArmName::Three, 1, 5.0);
    idle.run.cgroup_peak_bytes = Some(256 * MIB);
    let mut cells = [beside_file(1.0), cell(&[idle])];
    assert_eq!(value(&cells, "three_peak_least"), (Some(0.5), Some(false)));
    assert_eq!(value(&cells, "peak_most"), (Some(480.0 / 512.0), Some(true)));
    cells[1].sizes.live = 512 * MIB;
    assert_eq!(value(&cells, "three_peak_least"), (Some(480.0 / 512.0), Some(true)));
}

#[test]
fn kills_and_wrong_answers_count_in_tiers_alone() {
    let cells = [cell(&[
        ended(ArmName::SwapZram, 1, Ending::Killed),
        ended(ArmName::Two, 1, Ending::Killed),
        ended(ArmName::Three, 1, Ending::WrongAnswers),
    ])];
    assert_eq!(value(&cells, "killed"), (Some(1.0), Some(false)));
    assert_eq!(value(&cells, "wrong"), (Some(1.0), Some(false)));
}

#[test]
fn figures_without_their_arms_have_no_value() {
    let cells = [cell(&[sample(ArmName::None, 1, 4.0)])];
    assert!(
        judge(&FIGURES, cells.as_slice())
            .iter()
            .all(|verdict| verdict.value.is_none() && verdict.met.is_none())
    );
}

#[test]
fn two_tiers_have_to_finish_where_they_fit() {
    let lost = cell(&[ended(ArmName::Two, 1, Ending::DoesNotFit)]);
    let with = |bytes| CellResult { two_tiers_bytes: bytes, ..lost.clone() };
    assert_eq!(value(&[with(Some(513 * MIB)), with(None)], "two_unfinished"), (None, None));
    assert_eq!(value(&[with(Some(512 * MIB))], "two_unfinished"), (Some(1.0), Some(false)));
    let won = CellResult { two_tiers_bytes: Some(MIB), ..cell(&[sample(ArmName::Two, 1, 3.0)]) };
    assert_eq!(value(&[won], "two_unfinished"), (Some(0.0), Some(true)));
}
