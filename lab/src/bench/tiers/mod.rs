// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench tiers`: three tiers against all other ways to have more live data than DRAM.
//!
//! ```text
//!  budget: DRAM, divided -> arms: set up -> job: one workload on one arm -> report -> table, plots
//! ```

mod arms;
mod budget;
mod claims;
mod job;
mod plots;
mod report;
mod table;
mod workload;

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use tempfile::TempDir;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::jvm_flags::{Codec, value_name};
use ztera_machine::units::{parse_positive, parse_size};

use crate::bench::benchmark::Benchmark;
use crate::kit::filesystem;
use crate::kit::java_run::Ended;
use crate::kit::options::Common;
use crate::kit::output::Output;
use crate::kit::packages;
use crate::kit::plot::Plot;
use crate::kit::program::Program;
use arms::ArmName;
use budget::{Budget, Given};
pub use claims::claims;
use job::Job;
use report::{TiersReport, WorkloadResult};
use workload::Workload;

/// Measure three tiers against files, zram and swap
///
/// Java programs with more live data than DRAM run to their end in a memory cgroup. Arms take turns, each run in a
/// fresh JVM (always ZTera's). First, once per workload, comes a run without H2 and with plenty of memory: it gives the
/// right answers, and shows what the others lose.
///
/// Arms: `tiers` is H2 on DRAM, compressed DRAM and SSD; `tier` is the same without SSD. `file-ssd` and `file-zram` are
/// H2 on a mapped file. `swap-zram` and `swap-ssd` have no H2 but a heap as large as it takes, and swap.
///
/// Workloads: `demo-zipf` and `demo-uniform` put questions to the index of `ztera demo`, skewed or not. `vectors` goes
/// over rows of numbers again and again, half of them with three decimals and half with all bits random. `graph`
/// traverses the package dependencies of this distribution, in many invented releases.
///
/// Each arm has the same DRAM. A memory cgroup does not count what zram uses. So an arm on zram gets a cgroup that is
/// smaller by zram's limit, which is what the demo gives its compressed pages. DRAM at peak is the sum of what both
/// used. SSD bytes are those that the kernel counts for the process (/proc/PID/io), pages of mapped files that were
/// made dirty included. For `swap-ssd` the pages that were swapped (/proc/vmstat) are added.
///
/// An arm that runs out of memory does not fit: that is a result, and it is not run again. Takes root for zram, swap
/// and cgroups; what is missing is said, and the other arms run.
#[derive(clap::Args)]
pub struct Args {
    /// The workloads
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Workload::ALL)]
    workload: Vec<Workload>,
    /// The arms
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = ArmName::ALL)]
    arms: Vec<ArmName>,
    /// The DRAM of each arm
    #[arg(long, default_value = "512m", value_name = "SIZE", value_parser = parse_size)]
    limit: u64,
    /// How many times more live data than that
    #[arg(long, default_value_t = 2.5, value_name = "X", value_parser = parse_positive)]
    factor: f64,
    /// A run is stopped after so many seconds
    #[arg(long, default_value_t = 120.0, value_name = "SECONDS", value_parser = parse_positive)]
    time_limit: f64,
    /// DRAM for the first heap of the arms with H2
    #[arg(long, default_value = "64m", value_name = "SIZE", value_parser = parse_size)]
    h1: u64,
    /// DRAM for uncompressed pages of H2 (`tiers`, `tier`); the rest is for compressed ones [default: the JVM divides
    /// it as it goes]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    resident: Option<u64>,
    /// Their codec (`tiers`, `tier`); zram uses lz4
    #[arg(long, value_enum, default_value = "zstd")]
    codec: Codec,
    /// One more option for the JVM of `tiers` and `tier`; may be given several times
    #[arg(long = "jvm-option", value_name = "OPTION", allow_hyphen_values = true)]
    jvm_options: Vec<String>,
    /// The kernel's read-ahead at a fault in a file (`file-ssd`, `file-zram`) [default: what suits the workload:
    /// 128k for `vectors`, 16k for the others]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    read_ahead: Option<u64>,
    /// The seed of data and questions
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Descriptions of packages, for `graph` [default: what `apt-cache dumpavail` prints, or /var/lib/dpkg/status]
    #[arg(long, value_name = "FILE")]
    packages: Option<PathBuf>,
    #[command(flatten)]
    program: Program,
    #[command(flatten)]
    common: Common,
}

impl Benchmark for Args {
    type Report = TiersReport;

    const RENDER: fn(&TiersReport) -> String = table::render;

    const PLOTS: fn(&TiersReport) -> Vec<Plot> = plots::plots;

    fn output(&self) -> Result<Output> {
        self.common.output()
    }

    fn measure(&self) -> Result<TiersReport> {
        let bench = Bench::prepare(self)?;
        let mut notes = Vec::new();
        let arms = bench.possible_arms(&mut notes)?;
        let mut workloads = Vec::new();
        for &workload in &self.workload {
            workloads.push(bench.run(workload, &arms)?);
        }
        Ok(TiersReport {
            limit_bytes: self.limit,
            live_bytes: bench.budget.live,
            rounds: self.common.rounds(),
            time_limit_seconds: self.time_limit,
            cpus: thread::available_parallelism().map_or(1, usize::from),
            budget: bench.budget.clone(),
            notes,
            workloads,
        })
    }

    fn is_well(report: &TiersReport) -> bool {
        report.ok()
    }
}

/// The settings that all runs share.
struct Bench<'a> {
    args: &'a Args,
    budget: Budget,
    job: Job,
    scratch: TempDir,
    /// On the SSD. None where there is no such directory.
    ssd: Result<(TempDir, filesystem::Disk)>,
}

impl<'a> Bench<'a> {
    fn prepare(args: &'a Args) -> Result<Self> {
        let live = (args.limit as f64 * args.factor) as u64;
        let given = Given { h1: Some(args.h1), resident: args.resident };
        let budget = Budget::plan(args.limit, live, given)?;
        let scratch = tempfile::tempdir()?;
        let job = Job {
            java: args.program.java()?,
            jar: args.program.jar()?,
            budget: budget.clone(),
            codec: args.codec,
            jvm_options: args.jvm_options.clone(),
            read_ahead: args.read_ahead,
            seed: args.seed,
            time_limit: Duration::from_secs_f64(args.time_limit),
            scratch: scratch.path().to_owned(),
        };
        Ok(Bench { args, budget, job, scratch, ssd: args.common.ssd_dir() })
    }

    /// The arms that are wanted and possible here. Each is set up once to see.
    fn possible_arms(&self, notes: &mut Vec<String>) -> Result<Vec<ArmName>> {
        if let Err(error) = Cgroup::create("bench-probe") {
            anyhow::bail!("without a memory cgroup the arms would not have the same DRAM: {error}");
        }
        match &self.ssd {
            Ok((_, disk)) => notes.push(format!("the SSD is {disk}")),
            Err(error) => notes.push(format!("no arm has an SSD: {error:#}")),
        }
        let mut arms = Vec::new();
        for &arm in &self.args.arms {
            match arm.set_up(&self.budget, self.ssd_dir()) {
                Ok(_) => arms.push(arm),
                Err(error) => notes.push(format!("{} is left out: {error:#}", value_name(&arm))),
            }
        }
        Ok(arms)
    }

    fn ssd_dir(&self) -> Option<(&std::path::Path, &str)> {
        self.ssd.as_ref().ok().map(|(dir, disk)| (dir.path(), disk.name.as_str()))
    }

    /// The reference, then all arms in turns.
    fn run(&self, workload: Workload, arms: &[ArmName]) -> Result<WorkloadResult> {
        let input = self.input(workload)?;
        let name = value_name(&workload);
        let reference = self.job.run_reference(workload, &input)?;
        let mut runs: Vec<Vec<Ended>> = arms.iter().map(|_| Vec::new()).collect();
        for round in 1..=self.args.common.rounds() {
            for (&arm, runs) in arms.iter().zip(&mut runs) {
                if runs.iter().any(|ended| !ended.run.finished()) {
                    continue;
                }
                let title =
                    format!("{name}, round {round} of {}: {}", self.args.common.rounds(), value_name(&arm));
                let mut ended = self.job.run(&title, arm, self.ssd_dir(), workload, &input)?;
                ended.run.compare(reference.run.answer.as_deref());
                runs.push(ended);
            }
        }
        let arms = arms.iter().zip(&runs).map(|(arm, runs)| (value_name(arm), runs.as_slice()));
        Ok(WorkloadResult::of(&name, &reference, arms))
    }

    fn input(&self, workload: Workload) -> Result<PathBuf> {
        match workload {
            Workload::DemoZipf | Workload::DemoUniform => self.args.program.source(),
            Workload::Vectors => Ok(self.scratch.path().to_owned()),
            Workload::Graph => packages::list(self.args.packages.as_deref(), self.scratch.path()),
        }
    }
}
