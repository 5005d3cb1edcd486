// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use serde_json::json;
use ztera_machine::units::MIB;

use super::*;
use crate::bench::tiers::budget::Given;
use crate::bench::tiers::run::{Details, Key};
use crate::frame::sample::tests::sample;
use crate::kit::run::{ProgramRun, tests as run};

/// A run that took so long to query.
fn finished(arm: Option<ArmName>, query_seconds: f64) -> Run {
    let run = ProgramRun {
        load_seconds: Some(10.0),
        query_seconds: Some(query_seconds),
        cgroup_peak_bytes: Some(100 * MIB),
        ..run::finished(10.0 + query_seconds)
    };
    let key = Key { workload: Workload::Graph, arm, limit_bytes: 256 * MIB };
    let details = Details { operations: Some(99), h2: arm.map(|_| json!({"fault_count": 1234})) };
    Run { key, round: 1, details, run }
}

/// Samples of a workload that `tier` is too small for, and that `file-zram` is faster with.
pub fn samples() -> Vec<Sample> {
    let tiers = |seconds| finished(Some(ArmName::Tiers), seconds);
    let mut file = finished(Some(ArmName::FileZram), 1.5);
    file.run.zram_peak_bytes = Some(50 * MIB);
    let too_large = ProgramRun { words: "OutOfMemoryError".to_owned(), ..run::ended(Ending::DoesNotFit) };
    let tier = Run { run: too_large, ..finished(Some(ArmName::Tier), 9.0) };
    let runs = [finished(None, 1.0), tiers(4.0), tiers(2.0), tiers(3.0), tier, file];
    runs.map(|run| sample("a run", run)).into()
}

/// A report of these.
pub fn report() -> TiersReport {
    let given = Given { h1: Some(64 * MIB), resident: Some(32 * MIB) };
    TiersReport {
        limit_bytes: 256 * MIB,
        live_bytes: 640 * MIB,
        rounds: 3,
        time_limit_seconds: 120.0,
        cpus: 2,
        budget: Budget::plan(256 * MIB, 640 * MIB, given).unwrap(),
        notes: vec!["swap-ssd is left out: no root".to_owned()],
        workloads: found(&samples()),
    }
}

fn arm<'a>(report: &'a TiersReport, name: &str) -> &'a ArmResult {
    report.workloads[0].arms.iter().find(|arm| arm.arm == name).unwrap()
}

#[test]
fn medians_are_compared_with_those_of_tiers() {
    let report = report();
    assert_eq!(arm(&report, "tiers").query_vs_tiers, Some(1.0));
    assert_eq!(arm(&report, "file-zram").query_vs_tiers, Some(0.5));
    assert_eq!(arm(&report, "file-zram").load_vs_tiers, Some(1.0));
    assert_eq!(arm(&report, "tier").query_vs_tiers, None);
}

#[test]
fn dram_is_the_sum_of_cgroup_and_zram() {
    let report = report();
    assert_eq!(arm(&report, "file-zram").runs.dram_peak_bytes.as_ref().unwrap().median, 150.0 * MIB as f64);
    assert_eq!(arm(&report, "tiers").runs.dram_peak_bytes.as_ref().unwrap().median, 100.0 * MIB as f64);
}

#[test]
fn what_does_not_fit_is_no_failure_but_wrong_answers_are() {
    let mut report = report();
    assert!(report.ok());
    report.workloads[0].arms[1].runs.ending = Ending::WrongAnswers;
    assert!(!report.ok());
}

#[test]
fn the_report_is_json_with_one_entry_per_arm() {
    let json = serde_json::to_value(report()).unwrap();
    let arms = &json["workloads"][0]["arms"];
    assert_eq!(arms[0]["arm"], "reference");
    assert_eq!(arms[2]["ending"], "does-not-fit");
    assert_eq!(arms[2]["query_seconds"], serde_json::Value::Null);
    assert_eq!(arms[1]["query_seconds"]["samples"], serde_json::json!([4.0, 2.0, 3.0]));
    assert_eq!(json["budget"]["limit"], 256 * MIB);
}
