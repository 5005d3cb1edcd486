// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of the benchmark.

use serde::{Deserialize, Serialize};

use super::budget::Budget;
use crate::kit::ending::Ending;
use crate::kit::h2_stats::H2Stats;
use crate::kit::java_run::Ended;
use crate::kit::result::ProgramResult;
use crate::kit::samples::Samples;

/// The arm that the others are compared with.
const SUBJECT: &str = "tiers";
/// A run of the same program with plenty of memory.
pub const REFERENCE: &str = "reference";

/// All runs of one arm with one workload.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
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
    pub h2: Option<H2Stats>,
}

impl ArmResult {
    fn of(arm: &str, runs: &[Ended]) -> Option<ArmResult> {
        let last = runs.last()?.program.as_ref();
        Some(ArmResult {
            arm: arm.to_owned(),
            runs: ProgramResult::of(&runs.iter().map(|ended| &ended.run).collect::<Vec<_>>())?,
            load_vs_tiers: None,
            query_vs_tiers: None,
            h2: last.map(|program| program.h2_after_queries).filter(|h2| h2.capacity_bytes > 0),
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
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
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
    /// Of the reference's run, and of each arm's.
    pub fn of<'a>(
        workload: &str,
        reference: &Ended,
        arms: impl Iterator<Item = (String, &'a [Ended])>,
    ) -> WorkloadResult {
        let mut results: Vec<ArmResult> =
            ArmResult::of(REFERENCE, std::slice::from_ref(reference)).into_iter().collect();
        results.extend(arms.filter_map(|(name, runs)| ArmResult::of(&name, runs)));
        let subject = results.iter().find(|result| result.arm == SUBJECT);
        let median = |samples: &Option<Samples>| samples.as_ref().map(|samples| samples.median);
        let load = subject.and_then(|subject| median(&subject.runs.load_seconds));
        let query = subject.and_then(|subject| median(&subject.runs.query_seconds));
        results.iter_mut().for_each(|result| result.compare(load, query));
        WorkloadResult {
            workload: workload.to_owned(),
            checksum: reference.program.as_ref().map(|program| program.checksum.clone()),
            operations: reference.program.as_ref().map(|program| program.operations),
            arms: results,
        }
    }
}

/// Everything.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
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
    /// time.
    pub fn ok(&self) -> bool {
        let arms = self.workloads.iter().flat_map(|workload| &workload.arms);
        arms.into_iter().all(|arm| !matches!(arm.runs.ending, Ending::WrongAnswers | Ending::Failed))
    }
}

#[cfg(test)]
#[path = "report_test.rs"]
pub mod tests;
