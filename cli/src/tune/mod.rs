// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera tune`: the codec and the page cluster that suit a machine and its data.
//!
//! ```text
//!  sample: data -> measure: zram or H2 -> score, with weights -> report
//!          or a file of measurements  /                       -> advice: files -> written with --apply
//! ```

mod advice;
mod measure;
mod report;
mod sample;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ztera_machine::interrupt;
use ztera_machine::units::{parse_positive, parse_size};

use measure::Plan;
use report::TuneReport;
use ztera_measure::data::Data;
use ztera_measure::data::pages::PAGE;
use ztera_measure::output::print;
use ztera_measure::tuning::{self, File, Formula, Measured, Target, Weights};
use ztera_measure::zram;

/// Most pages that are read at once: 1 MiB for zram, and the largest unit of H2.
const MOST_CLUSTER: [(Target, u32); 2] = [(Target::Zram, 8), (Target::H2, 4)];

/// Choose codec and page-cluster for this machine and your data, by measuring them
///
/// Each codec compresses a sample of the data. Then as many threads as there are CPUs read pages at random, for each
/// page-cluster: 2^page-cluster pages at once. The best score wins.
///
/// MEASURED, for zram: direct reads from a zram device of its own, which takes root. A page fault, the swap cache, and
/// pages read ahead in vain are not in it. From swap on zram Linux reads one page for a fault, whatever page-cluster
/// is, and at most 2^page-cluster from other swap: `ztera lab run tune` counts them here. The ratio is that of the data
/// to all memory that zram took for it. For H2 (--target h2), units are decompressed in memory, and a unit has 4 KiB
/// times 2^page-cluster.
///
/// SCORED: each quality is divided by the best of it, times its weight. `--formula notes` compares latency with the
/// worst instead, as the Zram notes do, which this command repeats; latency then outweighs everything else.
///
/// Nothing is changed without --apply. With it, files are written below --root: a sysctl file and one of
/// zram-generator, or flags of a JVM. The output says how they take effect.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Where pages are compressed [default: zram, or as --measured says]
    #[arg(long, value_enum)]
    target: Option<Target>,
    #[command(flatten)]
    source: sample::Source,
    /// How much data each codec compresses; a smaller sample is repeated with small changes
    #[arg(long, default_value = "64m", value_name = "SIZE", value_parser = parse_size)]
    size: u64,
    /// The codecs, separated by commas [default: all that there are]
    #[arg(long, value_name = "CODECS", value_delimiter = ',')]
    codecs: Vec<String>,
    /// The page clusters, separated by commas [default: 0 to 3 for zram, 0 to 4 for H2]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    page_clusters: Vec<u32>,
    /// How long each candidate is read
    #[arg(long, default_value = "1", value_name = "SECONDS", value_parser = parse_positive)]
    seconds: f64,
    /// Threads that read at the same time [default: as many as there are CPUs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Also read a file in this directory, so that vm.swappiness follows from its disk; it takes --size there
    #[arg(long, value_name = "DIR")]
    disk: Option<PathBuf>,
    /// Measure nothing, and score what this file has: the output of an earlier run with --json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pid", "directory", "pages", "synthetic", "disk", "codecs"])]
    measured: Option<PathBuf>,
    /// How much each quality counts; those that are not named do not
    #[arg(long, value_name = "WEIGHTS", default_value = "throughput=0.2,latency=0.4,ratio=0.4")]
    weights: Weights,
    /// How qualities are brought to one scale
    #[arg(long, value_enum, default_value = "bounded")]
    formula: Formula,
    /// Print the files only; this is the default
    #[arg(long)]
    dry_run: bool,
    /// Write the files
    #[arg(long, conflicts_with = "dry_run")]
    apply: bool,
    /// Where files are written
    #[arg(long, value_name = "DIR", default_value = "/", requires = "apply")]
    root: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  ztera tune --pid PID                                  # codec and page-cluster of zram; takes root
  ztera tune --target h2 --pid PID                      # H2Codec and H2UnitSize, without root
  ztera tune --directory data --json > tune.json        # of files, and the measurements are kept
  ztera tune --measured tune.json --weights latency=0.2,ratio=0.8   # scored anew";

/// Measures, scores, prints, and writes if asked to.
pub fn run(args: &Args) -> Result<ExitCode> {
    interrupt::watch()?;
    let (file, disk_ns) = match &args.measured {
        Some(path) => (read(path)?, None),
        None => {
            if args.apply {
                advice::may_apply(args.target.unwrap_or_default(), &args.root)?;
            }
            measure_all(args)?
        }
    };
    let target = args.target.unwrap_or(file.target);
    let ranked = tuning::rank(&file.measured, args.weights, args.formula);
    let best = &ranked.first().context("there is no candidate: give --codecs or --page-clusters")?.measured;
    let turn = tuning::turning_point(&file.measured, args.weights, args.formula);
    let files = advice::files(best, target, disk_ns.unwrap_or(advice::ASSUMED_DISK_NS));
    if args.apply {
        advice::apply(&files, &args.root)?;
    }
    let report = TuneReport {
        target,
        data: file.data,
        weights: args.weights,
        formula: args.formula,
        disk_ns: disk_ns.unwrap_or(advice::ASSUMED_DISK_NS),
        disk_measured: disk_ns.is_some(),
        reasons: tuning::reasons(&ranked, turn.as_ref()),
        measured: file.measured,
        ranked,
        files,
        applied_below: args.apply.then(|| args.root.display().to_string().trim_end_matches('/').to_owned()),
    };
    print(&report, args.json, report::render)?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<File> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    serde_json::from_str(&text).with_context(|| format!("{shown} is no output of `ztera tune --json`"))
}

/// The measurements, and the time of a read of the disk if it was to be measured.
fn measure_all(args: &Args) -> Result<(File, Option<f64>)> {
    args.source.check()?;
    let target = args.target.unwrap_or_default();
    let plan = plan(args, target)?;
    let most = *plan.page_clusters.iter().max().context("there is no page cluster")?;
    let len = usize::try_from(args.size)?;
    if len == 0 || !len.is_multiple_of(PAGE << most) {
        bail!("--size must be a multiple of the {} KiB that are read at once", 4 << most);
    }
    let known = match target {
        Target::Zram => zram::codecs()?,
        Target::H2 => measure::h2::codecs(),
    };
    let codecs = if args.codecs.is_empty() { &known } else { &args.codecs };
    if let Some(unknown) = codecs.iter().find(|codec| !known.contains(codec)) {
        bail!("there is no codec `{unknown}` here, but {}", known.join(", "));
    }
    let (data, name) = args.source.data(len)?;
    let mut measured = Vec::new();
    for codec in codecs {
        eprintln!("  {codec}");
        measured.extend(measure(target, codec, &data, &plan)?);
    }
    let disk = args.disk.as_deref().map(|dir| measure::disk(dir, &data, &plan)).transpose()?;
    Ok((File { target, data: name, measured }, disk))
}

fn measure(target: Target, codec: &str, data: &Data, plan: &Plan) -> Result<Vec<Measured>> {
    let measured = match target {
        Target::Zram => measure::zram::measure(codec, data, plan),
        Target::H2 => measure::h2::measure(codec, data, plan),
    };
    measured.with_context(|| format!("cannot measure {codec}"))
}

fn plan(args: &Args, target: Target) -> Result<Plan> {
    let most = MOST_CLUSTER.iter().find(|(it, _)| *it == target).map_or(0, |(_, most)| *most);
    let usual = match target {
        Target::Zram => 0..=3,
        Target::H2 => 0..=4,
    };
    let page_clusters =
        if args.page_clusters.is_empty() { usual.collect() } else { args.page_clusters.clone() };
    if let Some(large) = page_clusters.iter().find(|cluster| **cluster > most) {
        bail!("--page-clusters has {large}, and {most} is the most here");
    }
    let cpus = || std::thread::available_parallelism().map_or(1, |cpus| cpus.get());
    let threads = args.threads.map_or_else(cpus, usize::from);
    Ok(Plan { page_clusters, threads, time: Duration::from_secs_f64(args.seconds) })
}
