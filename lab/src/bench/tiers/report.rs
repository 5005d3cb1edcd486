// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of the benchmark.

use serde::Serialize;
use serde_json::Value;
use ztera_machine::jvm_flags::value_name;

use super::arms::ArmName;
use super::budget::Budget;
use super::run::Run;
use super::workload::Workload;
use crate::frame::matrix::distinct;
use crate::frame::sample::{Sample, data_of};
use crate::kit::ending::Ending;
use crate::kit::result::ProgramResult;
use crate::kit::samples::Samples;

/// The arm that the others are compared with.
const SUBJECT: &str = "tiers";

/// All runs of one arm with one workload.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmResult {
    /// As on the command line, or `reference`.
    pub arm: String,
    /// Its runs in short.
    #[serde(flatten)]
    pub runs: ProgramResult,
    /// The median of the time to load over that of `tiers`.
    pub load_vs_tiers: Option<f64>,
    /// The same of the time to query.
    pub query_vs_tiers: Option<f64>,
    /// The second heap at the end of the last run.
    pub h2: Option<Value>,
}

impl ArmResult {
    fn of(arm: Option<ArmName>, runs: &[&Run]) -> Option<ArmResult> {
        let runs: Vec<&Run> = runs.iter().copied().filter(|run| run.key.arm == arm).collect();
        Some(ArmResult {
            arm: ArmName::shown(arm),
            runs: ProgramResult::of(&runs.iter().map(|run| &run.run).collect::<Vec<_>>())?,
            load_vs_tiers: None,
            query_vs_tiers: None,
            h2: runs.last().and_then(|run| run.details.h2.clone()),
        })
    }

    fn compare(&mut self, load: Option<f64>, query: Option<f64>) {
        let over = |samples: &Option<Samples>, other: Option<f64>| {
            Some(samples.as_ref()?.median / other.filter(|other| *other > 0.0)?)
        };
        self.load_vs_tiers = over(&self.runs.load_seconds, load);
        self.query_vs_tiers = over(&self.runs.query_seconds, query);
    }
}

/// One workload.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkloadResult {
    /// As on the command line.
    pub workload: String,
    /// Of all that was found, by the reference and by each arm that finished.
    pub checksum: Option<String>,
    /// How many operations there are.
    pub operations: Option<u64>,
    /// The reference, which ran once, and the arms.
    pub arms: Vec<ArmResult>,
}

impl WorkloadResult {
    /// Of its runs.
    fn of(workload: Workload, runs: &[&Run]) -> WorkloadResult {
        let arms = [None].into_iter().chain(ArmName::ALL.map(Some));
        let mut results: Vec<ArmResult> = arms.filter_map(|arm| ArmResult::of(arm, runs)).collect();
        let reference = runs.iter().find(|run| run.key.arm.is_none());
        let subject = results.iter().find(|result| result.arm == SUBJECT);
        let median = |samples: &Option<Samples>| samples.as_ref().map(|samples| samples.median);
        let load = subject.and_then(|subject| median(&subject.runs.load_seconds));
        let query = subject.and_then(|subject| median(&subject.runs.query_seconds));
        results.iter_mut().for_each(|result| result.compare(load, query));
        WorkloadResult {
            workload: value_name(&workload),
            checksum: reference.and_then(|run| run.run.answer.clone()),
            operations: reference.and_then(|run| run.details.operations),
            arms: results,
        }
    }
}

/// The results of all workloads that samples have.
pub fn found(samples: &[Sample]) -> Vec<WorkloadResult> {
    let runs: Vec<Run> = data_of(samples);
    let result = |workload: Workload| {
        let of_workload: Vec<&Run> = runs.iter().filter(|run| run.key.workload == workload).collect();
        WorkloadResult::of(workload, &of_workload)
    };
    distinct(runs.iter().map(|run| run.key.workload)).into_iter().map(result).collect()
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TiersReport {
    /// The DRAM of each arm.
    pub limit_bytes: u64,
    /// How much live data each workload makes.
    pub live_bytes: u64,
    /// How often each arm ran.
    pub rounds: u32,
    /// After which a run was stopped.
    pub time_limit_seconds: f64,
    /// CPUs.
    pub cpus: usize,
    /// How the DRAM was divided.
    pub budget: Budget,
    /// Why arms are missing, and other things one must know to read the numbers.
    pub notes: Vec<String>,
    /// One entry per workload.
    pub workloads: Vec<WorkloadResult>,
}

impl TiersReport {
    /// Whether all that finished gave the right answers, and nothing failed for want of something else than memory or
    /// time. The references have to finish.
    pub fn ok(&self) -> bool {
        let references = self.workloads.iter().filter_map(|workload| workload.arms.first());
        if references.into_iter().any(|reference| !reference.runs.finished()) {
            return false;
        }
        let arms = self.workloads.iter().flat_map(|workload| &workload.arms);
        arms.into_iter().all(|arm| !matches!(arm.runs.ending, Ending::WrongAnswers | Ending::Failed))
    }
}

#[cfg(test)]
#[path = "report_test.rs"]
pub mod tests;
