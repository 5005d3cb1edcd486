// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use ztera_machine::units::GIB;

use super::*;
use crate::bench::spark::cell::tests::cell;
use crate::frame::figure::judge;

fn value(cells: &[CellResult], name: &str) -> (Option<f64>, Option<bool>) {
    let verdicts = judge(&FIGURES, cells);
    let verdict = verdicts.iter().find(|verdict| verdict.name == name).unwrap();
    (verdict.value, verdict.met)
}

/// A cell in which the best stock level took so many times as long as three tiers.
fn ahead(workload: Workload, ratio: f64) -> CellResult {
    cell(workload, &[(ArmName::MemoryAndDisk, 4.0 * ratio), (ArmName::DiskOnly, 99.0), (ArmName::Three, 4.0)])
}

#[test]
fn first_is_the_share_of_workloads_that_three_tiers_win() {
    let mut cells: Vec<CellResult> = Workload::TEN.map(|workload| ahead(workload, 1.5)).to_vec();
    assert_eq!(value(&cells, "three_first_at_2.5"), (Some(1.0), Some(true)));
    for (cell, workload) in cells.iter_mut().zip(&Workload::TEN[..3]) {
        *cell = ahead(*workload, 0.95);
    }
    assert_eq!(value(&cells, "three_first_at_2.5"), (Some(0.7), Some(false)));
}

#[test]
fn swap_and_files_may_be_first_and_two_tiers_are_ours() {
    let swap =
        cell(Workload::Sql, &[(ArmName::MemoryOnly, 9.0), (ArmName::SwapZram, 3.0), (ArmName::Three, 4.0)]);
    assert_eq!(value(&[swap], "three_first_at_2.5").0, Some(0.0));
    let two = cell(Workload::Sql, &[(ArmName::Two, 3.0), (ArmName::MemoryOnly, 9.0), (ArmName::Three, 4.0)]);
    assert_eq!(value(&[two], "three_first_at_2.5").0, Some(1.0));
}

/// Workloads in which no storage level had run counted as won.
#[test]
fn first_is_judged_where_a_storage_level_finished() {
    let never = f64::INFINITY;
    let cells = [
        ahead(Workload::PageRank, 0.95),
        cell(Workload::Sql, &[(ArmName::FileSsd, 9.0), (ArmName::Three, 4.0)]),
        cell(Workload::Als, &[(ArmName::MemoryOnly, never), (ArmName::Three, 4.0)]),
        cell(Workload::Svm, &[(ArmName::MemoryOnly, 9.0)]),
    ];
    assert_eq!(value(&cells, "three_first_at_2.5"), (Some(0.0), Some(false)));
    assert_eq!(value(&cells[1..], "three_first_at_2.5"), (None, None));
    let said = judged(&cells).unwrap();
    assert!(said.starts_with("three_first_at_2.5 judges 1 of 4 workloads: "), "{said}");
    assert_eq!(judged(&[]), None);
    let lost = cell(Workload::Sql, &[(ArmName::MemoryOnly, 9.0), (ArmName::Three, never)]);
    assert_eq!(value(&[lost], "three_first_at_2.5").0, Some(0.0));
}

#[test]
fn the_mean_is_geometric_and_the_worst_is_of_all_factors() {
    let mut cells = vec![ahead(Workload::Sql, 0.8), ahead(Workload::Als, 3.2)];
    let (mean, met) = value(&cells, "three_vs_stock_at_2.5");
    assert!((mean.unwrap() - 1.6).abs() < 1e-9 && met == Some(true), "{mean:?}");
    assert_eq!(value(&cells, "three_vs_stock_worst"), (Some(0.8), Some(false)));
    cells[0].cell.factor = 1.5;
    assert!((value(&cells, "three_vs_stock_at_2.5").0.unwrap() - 3.2).abs() < 1e-9);
    assert_eq!(value(&cells, "three_vs_stock_worst").0, Some(0.8));
}

#[test]
fn other_data_of_a_workload_do_not_count() {
    let cells = [ahead(Workload::LinearSparse, 0.1)];
    assert_eq!(value(&cells, "three_vs_stock_worst").0, None);
    assert_eq!(value(&cells, "three_first_at_2.5").0, None);
}

#[test]
fn cells_that_are_lost_are_counted() {
    let lost = cell(Workload::Sql, &[(ArmName::MemoryOnly, 9.0), (ArmName::Three, f64::INFINITY)]);
    assert_eq!(value(std::slice::from_ref(&lost), "three_unfinished"), (Some(1.0), Some(false)));
    assert_eq!(value(&[lost], "three_vs_stock_at_2.5").0, Some(0.0));
}

#[test]
fn the_thesis_s_eight_are_compared_with_the_file() {
    let cells = [Workload::Svm, Workload::PageRank, Workload::Sql]
        .map(|workload| cell(workload, &[(ArmName::FileSsd, 5.0), (ArmName::Three, 4.0)]));
    assert_eq!(value(&cells, "three_vs_file_ssd"), (Some(1.0), Some(true)), "SQL is not among them");
    let behind = cell(Workload::Svd, &[(ArmName::FileSsd, 5.0), (ArmName::Three, 6.0)]);
    assert_eq!(value(&[cells[0].clone(), behind], "three_vs_file_ssd"), (Some(0.5), Some(false)));
}

#[test]
fn peaks_are_judged_by_the_limit() {
    let cells = [ahead(Workload::Sql, 2.0)];
    let limit = cells[0].sizes.unwrap().limit as f64;
    assert_eq!(cells[0].sizes.unwrap().cached, 2 * GIB);
    assert_eq!(value(&cells, "peak_most").0, Some(480.0 * f64::from(1 << 20) / limit));
}

#[test]
fn figures_without_their_arms_have_no_value() {
    let cells = [cell(Workload::Sql, &[])];
    for verdict in judge(&FIGURES, cells.as_slice()) {
        assert!(verdict.value.is_none() || verdict.name == "wrong", "{}", verdict.name);
    }
}
