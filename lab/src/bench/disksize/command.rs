// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench disksize`: a sweep of any command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::thread;

use anyhow::{Result, bail};
use serde::Serialize;
use ztera_npb::{Class, Kernel};

use super::arm::Arm;
use super::claims::claims;
use super::data::{Data, Theirs};
use super::paper;
use super::program::Program;
use super::sweep::Plan;
use super::view::present;
use crate::bench::benchmark::Benchmark;
use crate::frame::claim::Verdict;
use crate::frame::presentation::Table;
use crate::frame::sample::Sample;
use crate::frame::steps::Steps;
use crate::kit::options::Common;
use crate::kit::output::Output;
use crate::kit::plot::Plot;
use crate::kit::table::boxed;

/// Sweep a command over limits of DRAM and sizes of compressed swap
///
/// First the command runs without limit, which tells its footprint. Then each cell of the sweep limits DRAM to a
/// percentage of that and switches on swap of another percentage. The result is a time, X for out of memory, or
/// "stopped" for a run of more than 15 times as long. Compressed pages count against the limit. It takes root, and a
/// system that does not swap already.
///
/// Without a command, kernels of the NAS Parallel Benchmarks run, which are written anew for this; --npb-dir takes the
/// original codes. For these, --study adds machines of the study that this repeats, scaled to the footprints here. With
/// --authors the results stand beside that study's own.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    common: Common,
    /// Limits of DRAM, in percent of the footprint
    #[arg(long, default_value = "100,75,50", value_name = "PERCENTS", value_delimiter = ',', value_parser = percent())]
    limits: Vec<u32>,
    /// Sizes of swap, in percent of the footprint, or of a machine's DRAM
    #[arg(long, default_value = "0,25,50,75,100", value_name = "PERCENTS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(0..=1000))]
    sizes: Vec<u32>,
    /// Machines of the study, in GB of DRAM
    #[arg(long, value_name = "GB", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=8))]
    study: Vec<u32>,
    /// Codecs of zram
    #[arg(long, default_value = "lzo-rle", value_name = "CODECS", value_delimiter = ',')]
    codecs: Vec<String>,
    /// Swap to a file on the SSD with zswap before it, too
    #[arg(long)]
    zswap: bool,
    /// Swap to our block device, too
    #[arg(long)]
    disk: bool,
    /// Swap to zram with huge pages of these sizes for every program, too, such as 64,2048
    #[arg(long, value_name = "KIB", value_delimiter = ',')]
    huge_pages: Vec<u32>,
    /// Kernels that run where no command is given
    #[arg(long, default_value = "is,mg", value_name = "KERNELS", value_delimiter = ',')]
    kernels: Vec<Kernel>,
    /// Their size
    #[arg(long, default_value = "A", value_name = "CLASS", ignore_case = true)]
    class: Class,
    /// Run the original codes in this folder, such as is.A.x
    #[arg(long, value_name = "DIR")]
    npb_dir: Option<PathBuf>,
    /// Folder with the CSV files of the study's authors
    #[arg(long, value_name = "DIR")]
    authors: Option<PathBuf>,
    /// The command and its arguments
    #[arg(last = true, conflicts_with = "npb_dir")]
    command: Vec<OsString>,
}

fn percent() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=10_000)
}

/// Everything, for programs.
#[derive(Serialize)]
pub struct Report {
    samples: Vec<Sample>,
    verdicts: Vec<Verdict>,
}

/// The step that reads the authors' runs.
const THEIRS: &str = "the authors' runs";

impl Benchmark for Args {
    type Report = Report;

    const RENDER: fn(&Report) -> String = render;

    const PLOTS: fn(&Report) -> Vec<Plot> = |report| present(&report.samples).plots;

    fn output(&self) -> Result<Output> {
        self.common.output()
    }

    fn measure(&self) -> Result<Report> {
        if !rustix::process::geteuid().is_root() {
            bail!("a sweep takes root: it makes cgroups and swap");
        }
        let their_runs = self.authors.as_deref().map(paper::read).transpose()?;
        let (plan, mut steps) = (plan(self)?, Steps::in_memory("disksize"));
        steps.plan(plan.keys().into_iter().chain(their_runs.is_some().then(|| THEIRS.to_owned())))?;
        plan.run(&mut steps)?;
        if Data::of(steps.samples()).references.is_empty() {
            let reason = steps.samples().iter().find_map(|sample| sample.missing.clone());
            bail!("{}", reason.unwrap_or_else(|| "nothing was measured".to_owned()));
        }
        if let Some(their_runs) = their_runs {
            steps.take(THEIRS, || Ok(Theirs { their_runs }))?;
        }
        let samples = steps.samples().to_vec();
        let verdicts = claims().iter().map(|claim| claim.judge("disksize", &samples)).collect();
        Ok(Report { samples, verdicts })
    }
}

fn plan(args: &Args) -> Result<Plan> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let programs = match (&args.npb_dir, args.command.is_empty()) {
        (Some(folder), _) => Program::originals(folder, args.class)?,
        (None, false) => vec![Program::any(&args.command)],
        (None, true) => {
            let kernel = |kernel: &Kernel| Program::ours(*kernel, args.class, threads);
            args.kernels.iter().map(kernel).collect::<Result<_>>()?
        }
    };
    let zram = args.codecs.iter().cloned().map(Arm::Zram);
    let huge = args.huge_pages.iter().copied().map(Arm::Huge);
    let arms = zram
        .chain(huge)
        .chain(args.zswap.then_some(Arm::Zswap))
        .chain(args.disk.then_some(Arm::Disk))
        .collect();
    Ok(Plan {
        programs,
        limits: args.limits.clone(),
        study: args.study.clone(),
        sizes: args.sizes.clone(),
        arms,
        rounds: args.common.rounds.unwrap_or(1),
        ssd: args.common.ssd.clone(),
    })
}

/// Tables, notes and verdicts.
fn render(report: &Report) -> String {
    let shown = present(&report.samples);
    let tables = shown.tables.iter().map(table);
    let lines = shown.losing.iter().chain(&shown.notes).map(|line| format!("- {line}"));
    let verdicts = report.verdicts.iter().filter(|verdict| verdict.measured.is_some()).map(verdict);
    tables.chain(lines).chain(verdicts).collect::<Vec<String>>().join("\n")
}

fn table(table: &Table) -> String {
    let mut boxed = boxed(table.head.iter().map(String::as_str));
    boxed.add_rows(&table.rows);
    format!("{}\n{boxed}\n", table.title)
}

fn verdict(verdict: &Verdict) -> String {
    let measured = verdict.measured.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
    let words = verdict.verdict.words();
    format!(
        "{words}: {} ({measured} where it expects {} {})",
        verdict.claim,
        verdict.relation.words(),
        verdict.expected
    )
}
