// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of the benchmark.

use serde::Serialize;

use super::budget::Budget;
use super::job::ArmRun;
use super::{plots, table};
use crate::demo::report::H2Stats;
use crate::kit::ending::Ending;
use crate::kit::java_run::Program;
use crate::kit::output::Report;
use crate::kit::plot::Plot;
use crate::kit::report::Samples;

/// The arm that the others are compared with.
const SUBJECT: &str = "tiers";
/// A run of the same program with plenty of memory.
pub const REFERENCE: &str = "reference";

/// All runs of one arm with one workload. Measured values are those of the runs that finished.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmResult {
    /// As on the command line, or `reference`.
    pub arm: String,
    /// How the last run ended.
    pub ending: Ending,
    /// The same in words.
    pub outcome: String,
    /// Building the data, and moving it to H2.
    pub load_seconds: Option<Samples>,
    /// All operations.
    pub query_seconds: Option<Samples>,
    /// The median of the time to load over that of `tiers`.
    pub load_vs_tiers: Option<f64>,
    /// The same of the time to query.
    pub query_vs_tiers: Option<f64>,
    /// The collector's longest pause.
    pub longest_pause_seconds: Option<Samples>,
    /// All its pauses.
    pub pauses_seconds: Option<Samples>,
    /// See the help text for what is counted.
    pub ssd_read_bytes: Option<Samples>,
    /// The same.
    pub ssd_written_bytes: Option<Samples>,
    /// The highest charge of the cgroup.
    pub cgroup_peak_bytes: Option<Samples>,
    /// The highest use of zram.
    pub zram_peak_bytes: Option<Samples>,
    /// The sum of both.
    pub dram_peak_bytes: Option<Samples>,
    /// The second heap at the end of the last run.
    pub h2: Option<H2Stats>,
}

impl ArmResult {
    fn of(arm: &str, runs: &[ArmRun]) -> Option<ArmResult> {
        let last = runs.last()?;
        let all = |value: fn(&ArmRun) -> Option<f64>| {
            let finished = runs.iter().filter(|run| run.ending == Ending::Finished);
            Samples::of(finished.filter_map(value).collect())
        };
        let bytes = |value: Option<u64>| value.map(|bytes| bytes as f64);
        let dram = |run: &ArmRun| bytes(run.cgroup_peak.map(|peak| peak + run.zram_peak.unwrap_or(0)));
        Some(ArmResult {
            arm: arm.to_owned(),
            ending: last.ending,
            outcome: last.words.clone(),
            load_seconds: all(|run| program(run).map(|program| program.load_seconds)),
            query_seconds: all(|run| program(run).map(|program| program.query_seconds)),
            load_vs_tiers: None,
            query_vs_tiers: None,
            longest_pause_seconds: all(|run| Some(run.pauses.max_seconds)),
            pauses_seconds: all(|run| Some(run.pauses.total_seconds)),
            ssd_read_bytes: all(|run| run.ssd.map(|(read, _)| read as f64)),
            ssd_written_bytes: all(|run| run.ssd.map(|(_, written)| written as f64)),
            cgroup_peak_bytes: all(|run| run.cgroup_peak.map(|peak| peak as f64)),
            zram_peak_bytes: all(|run| run.zram_peak.map(|peak| peak as f64)),
            dram_peak_bytes: Samples::of(
                runs.iter().filter(|run| run.ending == Ending::Finished).filter_map(dram).collect(),
            ),
            h2: program(last).map(|program| program.h2_after_queries).filter(|h2| h2.capacity_bytes > 0),
        })
    }

    fn compare(&mut self, load: Option<f64>, query: Option<f64>) {
        let over = |samples: &Option<Samples>, other: Option<f64>| {
            Some(samples.as_ref()?.median / other.filter(|other| *other > 0.0)?)
        };
        self.load_vs_tiers = over(&self.load_seconds, load);
        self.query_vs_tiers = over(&self.query_seconds, query);
    }
}

fn program(run: &ArmRun) -> Option<&Program> {
    run.program.as_ref()
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
    /// Of the reference's run, and of each arm's.
    pub fn of<'a>(
        workload: &str,
        reference: &ArmRun,
        arms: impl Iterator<Item = (String, &'a [ArmRun])>,
    ) -> WorkloadResult {
        let mut results: Vec<ArmResult> =
            ArmResult::of(REFERENCE, std::slice::from_ref(reference)).into_iter().collect();
        results.extend(arms.filter_map(|(name, runs)| ArmResult::of(&name, runs)));
        let subject = results.iter().find(|result| result.arm == SUBJECT);
        let median = |samples: &Option<Samples>| samples.as_ref().map(|samples| samples.median);
        let load = subject.and_then(|subject| median(&subject.load_seconds));
        let query = subject.and_then(|subject| median(&subject.query_seconds));
        results.iter_mut().for_each(|result| result.compare(load, query));
        WorkloadResult {
            workload: workload.to_owned(),
            checksum: program(reference).map(|program| program.checksum.clone()),
            operations: program(reference).map(|program| program.operations),
            arms: results,
        }
    }
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
    /// time.
    pub fn ok(&self) -> bool {
        let arms = self.workloads.iter().flat_map(|workload| &workload.arms);
        arms.into_iter().all(|arm| !matches!(arm.ending, Ending::WrongAnswers | Ending::Failed))
    }
}

impl Report for TiersReport {
    fn render(&self) -> String {
        table::render(self)
    }

    fn plots(&self) -> Vec<Plot> {
        plots::plots(self)
    }
}

#[cfg(test)]
#[path = "report_test.rs"]
pub mod tests;
