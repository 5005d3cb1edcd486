// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench spark`: Spark with more cached data than DRAM, stock and with the plugin.
//!
//! ```text
//!  plan: cells of workloads, arm -> matrix: all turns -> job: one run, a step
//!                                                       |  split: its time in parts
//!  runs -> cell: results of its arms -> figures, claims -> report -> table, plots
//! ```

mod arm;
mod cell;
mod claims;
mod figures;
mod job;
mod plan;
mod plots;
mod report;
mod run;
mod split;
mod table;
mod workload;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::units::{GIB, MIB, parse_positive, parse_size};
use ztera_machine::view::{Jdk, given_or_built};

use crate::bench::benchmark::Benchmark;
use crate::frame::matrix::{self, Patience, Turn};
use crate::frame::steps::Steps;
use crate::kit::filesystem;
use crate::kit::options::{Runs, given_or};
use crate::kit::output::Output;
use crate::kit::plot::Plot;
use arm::ArmName;
pub use job::submit;
use job::{Jars, Job};
use plan::{Cell, Scale};
use report::SparkReport;
pub use report::{claims, found};
use run::{Key, Run};
pub use workload::Workload;

/// Measure Spark with more cached data than DRAM
///
/// Ten programs run to their end in a memory cgroup, each run in a fresh Spark (local[2]). Arms take turns in each
/// cell. A cell is a program, and the factor by which its cached data exceed the DRAM for them. The first arm, `none`,
/// runs in any case: stock Spark without a limit. It says how much is cached, what the others must find, and how long
/// they may take.
///
/// Spark does not start with less heap than 520 MiB (the quick form: 173). So all arms but those with swap have half
/// the limit, and that at least. Arms with swap have a heap that holds all cached data. Arms with H2 have the plugin,
/// H2Size, H2Path where there is one to give, and no other setting; their data have the level MEMORY_AND_DISK. All arms
/// have Kryo and the parallel collector.
///
/// The limit holds the process and its file cache. A memory cgroup does not count what zram uses. So an arm on zram
/// gets a cgroup that is smaller by zram's limit. That is three fifths of the limit where the heap is swapped. Where H2
/// is a file on zram, it is all but the heap, 200 MiB for the JVM, and a sixteenth for file cache. SSD bytes are those
/// that the kernel counts for the process, shuffles included, and for swap also the pages that were swapped out.
///
/// With --ssd-read all arms but the reference read the SSD more slowly than it is: a model of other disks.
///
/// Each run is written to a file of samples when it ends, out/bench-spark/NNN.jsonl; --resume goes on with such a
/// file.
#[derive(clap::Args)]
pub struct Args {
    /// Six programs, four arms, factor 2.5, one round, 512 MiB of cached data: about twenty minutes. Spark itself gets
    /// 496 MiB beyond the data's share, and reserves 100 instead of 300 MiB of the heap
    #[arg(long)]
    quick: bool,
    /// The programs [default: all; of the quick form, six]
    #[arg(long, value_enum, value_delimiter = ',')]
    workload: Vec<Workload>,
    /// The arms [default: all; of the quick form, four]
    #[arg(long, value_enum, value_delimiter = ',')]
    arm: Vec<ArmName>,
    /// Cached data over the DRAM for them [default: 1.5,2.5; of the quick form, 2.5]
    #[arg(long, value_name = "X", value_delimiter = ',', value_parser = parse_positive)]
    factor: Vec<f64>,
    /// How much each program caches, roughly [default: 2500m; of the quick form, 512m]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    cached: Option<u64>,
    /// The heap's share of the limit
    #[arg(long, default_value_t = 0.5, value_name = "SHARE", value_parser = parse_positive)]
    heap_share: f64,
    /// Bytes a second that the SSD is read at most, such as 125m, what a cloud's network disk gives. Writes are not
    /// slowed
    #[arg(long, value_name = "SIZE", value_parser = parse_rate)]
    ssd_read: Option<u64>,
    /// A run is stopped after so many times what the reference took, but not before --least-seconds [default: 8; of the
    /// quick form, 4]
    #[arg(long, value_name = "X", value_parser = parse_positive)]
    patience: Option<f64>,
    /// No run is stopped earlier [default: 120; of the quick form, 45]
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    least_seconds: Option<f64>,
    /// Make the runs of these arms again, although the file of --resume has them
    #[arg(long, value_enum, value_delimiter = ',', value_name = "ARM", requires = "resume")]
    again: Vec<ArmName>,
    /// Spark 4.2's folder [default: $SPARK_HOME]
    #[arg(long, value_name = "DIR")]
    spark: Option<PathBuf>,
    #[command(flatten)]
    runs: Runs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Directory for plots of what was measured, as SVG
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

/// Where files of samples are made, below the current directory.
const FOLDER: &str = "out/bench-spark";

impl Benchmark for Args {
    type Report = SparkReport;

    const RENDER: fn(&SparkReport) -> String = table::render;

    const PLOTS: fn(&SparkReport) -> Vec<Plot> = plots::plots;

    fn output(&self) -> Result<Output> {
        Output::new(self.json, self.plots.as_deref())
    }

    /// Makes the runs that are wanted and were not made. A report of one that was interrupted has what there is.
    fn measure(&self) -> Result<SparkReport> {
        let journal = matrix::journal(self.runs.resume.as_deref(), FOLDER)?;
        let mut steps = Steps::in_file("bench spark", &journal)?;
        steps.forget(|run: &Run| self.again.contains(&run.key.arm));
        let is_whole = matrix::is_whole(self.take("", &mut steps), &journal)?;
        let cells = Cell::all(&self.workloads(), &self.factors());
        let report = SparkReport::of(&cells, self.scale(), steps.samples());
        Ok(SparkReport { ssd_read: self.ssd_read, is_whole, ..report })
    }

    fn is_well(report: &SparkReport) -> bool {
        report.is_whole
    }

    /// A step per run.
    fn take(&self, _: &str, steps: &mut Steps) -> Result<()> {
        let scratch = tempfile::tempdir()?;
        let (ssd, disk) = filesystem::folder_on_disk(&self.runs.ssd)?;
        let job = job(self, &scratch, &ssd, disk.name)?;
        let mut probe = Cgroup::create("bench-probe").context("without a memory cgroup there is no limit")?;
        self.ssd_read
            .map_or(Ok(()), |rate| probe.limit_reads(&job.ssd.1, rate))
            .context("leave out --ssd-read")?;
        drop(probe);
        let turns = self.turns();
        steps.plan(matrix::steps(&job, &turns))?;
        matrix::take(&job, &turns, self.patience(), steps)
    }
}

fn job(args: &Args, scratch: &TempDir, ssd: &TempDir, disk: String) -> Result<Job> {
    let view = Jdk::view(args.runs.jdk.as_deref())?;
    let jar =
        |name, remedy| -> Result<PathBuf> { Ok(fs::canonicalize(given_or_built(None, name, remedy)?)?) };
    Ok(Job {
        stock: Jdk::stock(args.runs.stock.as_deref(), &view)?,
        view: Jdk::at(&fs::canonicalize(view.home())?)?,
        spark: spark(args.spark.as_deref())?,
        jars: Jars {
            plugin: jar("ztera-spark_2.13.jar", "run `make spark`")?,
            workloads: jar("ztera-spark-workloads.jar", "run `make spark-workloads`")?,
        },
        ssd: (fs::canonicalize(ssd.path())?, disk),
        scale: args.scale(),
        scratch: scratch.path().to_owned(),
    })
}

/// The kernel takes 0 for "no limit".
fn parse_rate(text: &str) -> Result<u64, String> {
    parse_size(text).and_then(|rate| if rate > 0 { Ok(rate) } else { Err("give at least 1m".to_owned()) })
}

fn spark(given: Option<&Path>) -> Result<PathBuf> {
    let home = given.map(Path::to_owned).or_else(|| std::env::var_os("SPARK_HOME").map(PathBuf::from));
    let home = home.context("no Spark was found: give --spark; java/spark/fetch-spark.sh fetches one")?;
    let submit = home.join("bin/spark-submit");
    fs::metadata(&submit).with_context(|| format!("{} is not there", submit.display()))?;
    Ok(fs::canonicalize(home)?)
}

impl Args {
    fn workloads(&self) -> Vec<Workload> {
        given_or(&self.workload, if self.quick { &Workload::QUICK } else { &Workload::ALL })
    }

    fn arms(&self) -> Vec<ArmName> {
        given_or(&self.arm, if self.quick { &ArmName::QUICK } else { &ArmName::ALL })
    }

    /// The reference is of all factors.
    fn turns(&self) -> Vec<Turn<Key>> {
        let cached = self.scale().cached;
        let key = |Cell { workload, factor }: Cell, arm| {
            let factor = (arm != ArmName::None).then_some(factor);
            let (elements, ssd_read) = (workload.elements(cached), factor.and(self.ssd_read));
            Key { workload, elements, arm, factor, seed: self.runs.seed, ssd_read }
        };
        let cells = Cell::all(&self.workloads(), &self.factors());
        matrix::turns(self.runs.rounds(self.quick), &cells, (&self.arms(), ArmName::None), key)
    }

    fn factors(&self) -> Vec<f64> {
        given_or(&self.factor, if self.quick { &[2.5] } else { &[1.5, 2.5] })
    }

    fn scale(&self) -> Scale {
        let full = Scale {
            cached: 5 * GIB / 2,
            own: 0,
            reserved: plan::RESERVED,
            partitions: 128,
            heap_share: self.heap_share,
        };
        let quick = Scale { cached: 512 * MIB, own: 496 * MIB, reserved: 100 * MIB, partitions: 32, ..full };
        let scale = if self.quick { quick } else { full };
        Scale { cached: self.cached.unwrap_or(scale.cached), ..scale }
    }

    fn patience(&self) -> Patience {
        let (alone_seconds, least_seconds, times) =
            if self.quick { (180.0, 45.0, 4.0) } else { (1200.0, 120.0, 8.0) };
        Patience {
            alone_seconds,
            least_seconds: self.least_seconds.unwrap_or(least_seconds),
            times: self.patience.unwrap_or(times),
        }
    }
}
