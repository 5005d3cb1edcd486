// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench defaults`: whether the product wins as it comes, with programs that nobody tuned for it.
//!
//! ```text
//!  plan: cells of programs, arm -> matrix: all turns -> job: one run, a step of the file of samples
//!                                   |  weight: how small a program's data become; the speed of the SSD
//!  runs -> cell: results of its arms, held: where their data lay at the end -> figures -> report -> table
//! ```

mod arm;
mod cell;
mod figures;
mod form;
mod held;
mod job;
mod plan;
mod program;
mod report;
mod run;
mod table;
mod weight;

use std::path::PathBuf;

use anyhow::Result;
use tempfile::TempDir;
use ztera_machine::units::{parse_positive, parse_size};
use ztera_machine::view::{Jdk, given_or_built};

use crate::bench::benchmark::Benchmark;
use crate::frame::matrix::{self, Patience, Turn};
use crate::frame::steps::Steps;
use crate::kit::options::{Runs, given_or};
use crate::kit::output::Output;
use crate::kit::ssd_speed::SsdSpeed;
use crate::kit::{filesystem, packages};
use arm::ArmName;
pub use form::Form;
use job::{Inputs, Job};
use plan::{Cell, Heap, Hints};
pub use program::{Input, Program};
use report::DefaultsReport;
pub use report::{claims, found};
use run::{Key, Run};

/// Measure what programs get that give nothing but H2Size and H2Path
///
/// Java programs that nobody tuned for a second heap run to their end in a memory cgroup, each run in a fresh JVM. A
/// cell is a program, the factor by which its live data exceed the limit, and whether -Xms is given beside -Xmx. Arms
/// take turns in each cell. The first, `none`, runs in any case: the stock JVM without a limit. It says what the others
/// must find, and how long they may take.
///
/// Arms with H2 have a first heap of half the limit, H2Size, and H2Path where there is one to give, and no other size.
/// Arms without H2 have a heap of 1.6 times the live data and 256 MiB, and the stock JVM. `H2Backing=file` is
/// `file-ssd` and `file-zram`.
///
/// A memory cgroup does not count what zram uses. So an arm on zram gets a cgroup that is smaller by zram's limit. That
/// is three fifths of the limit where the heap is swapped. Where H2 is a file on zram, it is all but the first heap, 64
/// MiB for the JVM, and a sixteenth for file cache. On zswap it is three fifths, too, rounded down to percents of the
/// machine's memory. DRAM at peak is the sum of what both used. SSD bytes are those that the kernel counts for the
/// process (/proc/PID/io), and for swap also the pages that were swapped out.
///
/// Two tiers have to finish where -Xmx, 64 MiB for the JVM and the compressed data fit into the limit. How small a
/// program's data become is found out first, by a run of 256 MiB with zstd and without a limit.
///
/// `SSD alone` is the time that the SSD needs for what three tiers read and wrote if nothing else takes any. The SSD's
/// speed is measured before the runs, for two seconds at most, by direct I/O as the engine's: reads of 8 KiB at random
/// and of 256 KiB in order, eight at once, and writes of 256 KiB.
///
/// A second table of a cell is of runs with two and three tiers that finished: where their data lay at the end. An
/// object that returned to the first heap and moved again counts once more in `moves per object`. Shapes say where
/// objects lie in H2, and take DRAM. A dependency keeps a region of H2 alive because objects of another refer to it.
///
/// Each run is written to a file of samples when it ends, out/bench-defaults/NNN.jsonl; --resume goes on with such a
/// file.
#[derive(clap::Args)]
pub struct Args {
    /// Factors 1.5 and 2, one round, ten programs, -Xms = -Xmx but for `bench plain`: an hour or two
    #[arg(long)]
    quick: bool,
    /// The programs [default: all; of the quick form, ten]
    #[arg(long, value_enum, value_delimiter = ',')]
    program: Vec<Program>,
    /// The arms [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    arm: Vec<ArmName>,
    /// Live data over the limit [default: 1.25,1.5,2,3; of `bench plain`, 1.5,2]
    #[arg(long, value_name = "X", value_delimiter = ',', value_parser = parse_positive)]
    factor: Vec<f64>,
    /// Whether -Xms and -Xmx are given [default: xms,xmx; of `bench plain`, auto]
    #[arg(long, value_enum, value_delimiter = ',')]
    heap: Vec<Heap>,
    /// The words that programs have for the second heap [default: tags; of `bench plain`, none]
    #[arg(long, value_enum, value_delimiter = ',')]
    hints: Vec<Hints>,
    /// The DRAM of each arm [default: 1g; of the quick form, 512m]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    limit: Option<u64>,
    /// A run is stopped after so many times what the reference took, but not before --least-seconds [default: 8; of the
    /// quick form, 6]
    #[arg(long, value_name = "X", value_parser = parse_positive)]
    patience: Option<f64>,
    /// No run is stopped earlier [default: 60; of the quick form, 40]
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    least_seconds: Option<f64>,
    /// Make the runs of these arms again, although the file of --resume has them
    #[arg(long, value_enum, value_delimiter = ',', value_name = "ARM", requires = "resume")]
    again: Vec<ArmName>,
    /// One more option for the JVM of `two` and `three`; may be given several times
    #[arg(long = "jvm-option", value_name = "OPTION", allow_hyphen_values = true)]
    jvm_options: Vec<String>,
    /// The jar with the programs [default: build/ztera-defaults.jar]
    #[arg(long, value_name = "FILE")]
    jar: Option<PathBuf>,
    /// The source tree that `demo-zipf` and `demo-uniform` read [default: build/jdk-source]
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    /// The packages that `graph` reads [default: what `apt-cache dumpavail` prints, or /var/lib/dpkg/status]
    #[arg(long, value_name = "FILE")]
    packages: Option<PathBuf>,
    #[command(flatten)]
    runs: Runs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Benchmark for Wanted {
    type Report = DefaultsReport;

    const RENDER: fn(&DefaultsReport) -> String = table::render;

    fn output(&self) -> Result<Output> {
        Output::new(self.args.json, None)
    }

    /// Makes the runs that are wanted and were not made. A report of one that was interrupted has what there is.
    fn measure(&self) -> Result<DefaultsReport> {
        let journal = matrix::journal(self.args.runs.resume.as_deref(), self.form.folder())?;
        let mut steps = Steps::in_file("bench", &journal)?;
        steps.forget(|run: &Run| self.args.again.contains(&run.key.arm));
        let is_whole = matrix::is_whole(self.take("", &mut steps), &journal)?;
        let report = DefaultsReport::of(&self.cells(), self.args.limit(), steps.samples());
        Ok(DefaultsReport { is_whole, ..report })
    }

    fn is_well(report: &DefaultsReport) -> bool {
        report.is_whole
    }

    /// A step per run. Before them come the weights of the programs' data, and the speed of the SSD.
    fn take(&self, _: &str, steps: &mut Steps) -> Result<()> {
        let (scratch, patience) = (tempfile::tempdir()?, self.args.patience());
        let ssd = filesystem::folder_on_disk(&self.args.runs.ssd);
        let job = job(self, &scratch, &ssd)?;
        let (arms, turns) = (self.arms(), self.turns());
        let weighed = if arms.contains(&ArmName::Two) { self.programs() } else { Vec::new() };
        let ssd = job.ssd().filter(|_| arms.contains(&ArmName::Three));
        let before = weighed.iter().map(|&program| weight::step(program)).chain(ssd.map(|_| SSD.to_owned()));
        steps.plan(before.chain(matrix::steps(&job, &turns)))?;
        for program in weighed {
            let weigh = || job.weigh(program, self.args.runs.seed, patience.beside(None));
            steps.take(&weight::step(program), weigh)?;
        }
        if let Some((folder, _)) = ssd {
            steps.take(SSD, || SsdSpeed::measure(folder))?;
        }
        matrix::take(&job, &turns, patience, steps)
    }
}

/// The step that measures the SSD.
const SSD: &str = "the SSD";

fn job(wanted: &Wanted, scratch: &TempDir, ssd: &Result<(TempDir, filesystem::Disk)>) -> Result<Job> {
    let args = &wanted.args;
    let view = Jdk::view(args.runs.jdk.as_deref())?;
    let ssd = match ssd {
        Ok((dir, disk)) => Some((std::fs::canonicalize(dir.path())?, disk.name.clone())),
        Err(error) => {
            eprintln!("ztera: no arm has an SSD: {error:#}");
            None
        }
    };
    Ok(Job {
        stock: Jdk::stock(args.runs.stock.as_deref(), &view)?,
        view,
        jar: given_or_built(
            args.jar.as_deref(),
            "ztera-defaults.jar",
            "run `make bench-defaults`, or give --jar",
        )?,
        inputs: inputs(wanted, scratch)?,
        ssd,
        jvm_options: args.jvm_options.clone(),
        scratch: scratch.path().to_owned(),
    })
}

/// Files that the programs read that were asked for.
fn inputs(wanted: &Wanted, scratch: &TempDir) -> Result<Inputs> {
    let args = &wanted.args;
    let mut inputs = Inputs::default();
    for program in wanted.programs() {
        match program.input() {
            Input::Nothing => {}
            Input::Source => {
                inputs.source = given_or_built(
                    args.source.as_deref(),
                    "jdk-source",
                    "run `make source`, or give --source",
                )?;
            }
            Input::Packages => inputs.packages = packages::list(args.packages.as_deref(), scratch.path())?,
        }
    }
    Ok(inputs)
}

/// A command line in a form of the benchmark.
pub struct Wanted {
    /// Its options.
    pub args: Args,
    /// It says what runs where nothing else is asked for.
    pub form: Form,
}

impl Wanted {
    fn programs(&self) -> Vec<Program> {
        given_or(&self.args.program, self.form.programs(self.args.quick))
    }

    fn arms(&self) -> Vec<ArmName> {
        given_or(&self.args.arm, self.form.arms())
    }

    fn turns(&self) -> Vec<Turn<Key>> {
        let Runs { seed, .. } = self.args.runs;
        let limit_bytes = self.args.limit();
        let arms = (&self.arms()[..], ArmName::None);
        let key = |cell, arm| Key { cell, arm, limit_bytes, seed };
        matrix::turns(self.args.runs.rounds(self.args.quick), &self.cells(), arms, key)
    }

    fn cells(&self) -> Vec<Cell> {
        let factors = given_or(&self.args.factor, self.form.factors(self.args.quick));
        let heaps = given_or(&self.args.heap, self.form.heaps(self.args.quick));
        let hints = given_or(&self.args.hints, &[self.form.hints()]);
        Cell::all(&self.programs(), &factors, &heaps, &hints)
    }
}

impl Args {
    fn limit(&self) -> u64 {
        self.limit.unwrap_or(if self.quick { 512 << 20 } else { 1 << 30 })
    }

    fn patience(&self) -> Patience {
        let (least_seconds, times) = if self.quick { (40.0, 6.0) } else { (60.0, 8.0) };
        Patience {
            alone_seconds: 300.0,
            least_seconds: self.least_seconds.unwrap_or(least_seconds),
            times: self.patience.unwrap_or(times),
        }
    }
}
