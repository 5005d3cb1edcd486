// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench tiers`: three tiers against all other ways to have more live data than DRAM.
//!
//! ```text
//!  budget: DRAM, divided -> matrix: all turns -> job: one workload on one arm, a step -> report -> table, plots
//! ```

mod arms;
mod budget;
mod claims;
mod job;
mod plots;
mod report;
mod run;
mod table;
mod workload;

use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Result, bail};
use ztera_machine::cgroup::Cgroup;
use ztera_machine::jvm_flags::Codec;
use ztera_machine::units::{parse_positive, parse_size};

use crate::bench::benchmark::Benchmark;
use crate::frame::matrix::{self, Patience};
use crate::frame::sample::left_out;
use crate::frame::steps::Steps;
use crate::kit::filesystem;
use crate::kit::options::Common;
use crate::kit::output::Output;
use crate::kit::packages;
use crate::kit::plot::Plot;
use crate::kit::program::Program;
use arms::ArmName;
use budget::{Budget, Given};
pub use claims::claims;
use job::Job;
use report::TiersReport;
pub use report::found;
use run::Key;
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
        let mut steps = Steps::in_memory("bench tiers");
        self.take("", &mut steps)?;
        let budget = self.budget()?;
        Ok(TiersReport {
            limit_bytes: self.limit,
            live_bytes: budget.live,
            rounds: self.common.rounds(),
            time_limit_seconds: self.time_limit,
            cpus: thread::available_parallelism().map_or(1, usize::from),
            budget,
            notes: filesystem::disk(&self.common.ssd)
                .map(|disk| format!("the SSD is {disk}"))
                .into_iter()
                .chain(left_out(steps.samples()))
                .collect(),
            workloads: found(steps.samples()),
        })
    }

    fn is_well(report: &TiersReport) -> bool {
        report.ok()
    }

    /// A step per run. The reference has one turn.
    fn take(&self, _: &str, steps: &mut Steps) -> Result<()> {
        let (budget, scratch, ssd) = (self.budget()?, tempfile::tempdir()?, self.common.ssd_dir());
        if let Err(error) = Cgroup::create("bench-probe") {
            bail!("without a memory cgroup the arms would not have the same DRAM: {error}");
        }
        let input = |&workload: &Workload| Ok((workload, self.input(workload, scratch.path())?));
        let job = Job {
            java: self.program.java()?,
            jar: self.program.jar()?,
            budget,
            codec: self.codec,
            jvm_options: self.jvm_options.clone(),
            read_ahead: self.read_ahead,
            seed: self.seed,
            ssd: ssd.as_ref().ok().map(|(dir, disk)| (dir.path().to_owned(), disk.name.clone())),
            inputs: self.workload.iter().map(input).collect::<Result<_>>()?,
            scratch: scratch.path().to_owned(),
        };
        let arms: Vec<Option<ArmName>> = self.arms.iter().copied().map(Some).collect();
        let key = |workload, arm| Key { workload, arm, limit_bytes: self.limit };
        let mut turns = matrix::turns(self.common.rounds(), &self.workload, (&arms, None), key);
        turns.retain(|(key, round)| key.arm.is_some() || *round == 1);
        steps.plan(matrix::steps(&job, &turns))?;
        let seconds = self.time_limit;
        let patience = Patience { alone_seconds: seconds, least_seconds: seconds, times: 0.0 };
        matrix::take(&job, &turns, patience, steps)
    }
}

impl Args {
    fn budget(&self) -> Result<Budget> {
        let live = (self.limit as f64 * self.factor) as u64;
        Budget::plan(self.limit, live, Given { h1: Some(self.h1), resident: self.resident })
    }

    fn input(&self, workload: Workload, scratch: &Path) -> Result<PathBuf> {
        match workload {
            Workload::DemoZipf | Workload::DemoUniform => self.program.source(),
            Workload::Vectors => Ok(scratch.to_owned()),
            Workload::Graph => packages::list(self.packages.as_deref(), scratch),
        }
    }
}
