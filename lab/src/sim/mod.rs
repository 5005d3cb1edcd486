// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera sim`: what the engine's policy, and others, make of a trace. [`report`] is what gets printed.

mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use ztera_machine::units::parse_size;
use ztera_sim::bound::Bound;
use ztera_sim::lru::Lru;
use ztera_sim::ours::Ours;
use ztera_sim::zram::Zram;
use ztera_sim::{Limits, Policy, Tally, Trace, replay, synthetic};

use report::{Arm, PolicyName, Report};

/// Replay which pages a program touched through the engine's policy and through others, and compare
///
/// A trace is recorded by any program on ZTera whose environment has ZTERA_TRACE=FILE: each change of page is a fault
/// then, so it is slow. FILE must not exist. docs/performance.md says what is compared with what.
#[derive(clap::Args)]
pub struct Args {
    /// The trace, as recorded, or compressed by zstd; `zipf`, `scan` and `hot` are synthetic ones
    trace: PathBuf,
    /// DRAM for uncompressed pages [default: a twentieth of the program's data]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    resident: Option<u64>,
    /// DRAM for compressed pages; the SSD takes what does not fit; 0 = no limit [default: half of what the data would
    /// take]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pool: Option<u64>,
    /// Whose decisions
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "ours,lru,zram,opt")]
    policy: Vec<PolicyName>,
    /// Epochs without a touch after which a page is idle, as -XX:H2IdleEpochs; 0 = never
    #[arg(long, default_value_t = 16, value_name = "N")]
    idle_epochs: u32,
    /// Of so many pages only one, chosen by a hash; memory should shrink as much
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: u64,
    /// For a synthetic trace: the same for the same seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the trace, or the sample, to this file, and replay nothing
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Of so many resident pages one is unmapped at a time, where reads are looked for.
const LOOKS: u64 = 16;

/// Replays, and prints.
pub fn run(args: &Args) -> Result<ExitCode> {
    let trace = load(&args.trace, args.seed)?;
    let trace = if args.sample > 1 { trace.sample(args.sample) } else { trace };
    if let Some(file) = &args.write {
        fs::write(file, trace.bytes()).with_context(|| format!("cannot write {}", file.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let report = compare(args, &trace)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        println!("{}", report::render(&report));
    }
    Ok(ExitCode::SUCCESS)
}

fn load(trace: &Path, seed: u64) -> Result<Trace> {
    match trace.to_str() {
        Some("zipf") => return Ok(synthetic::usual_zipf(seed)),
        Some("hot") => return Ok(synthetic::usual_hot(seed)),
        Some("scan") => return Ok(synthetic::usual_scans(seed)),
        _ => {}
    }
    let show = || trace.display().to_string();
    let file = fs::read(trace).with_context(|| format!("cannot read {}", show()))?;
    Trace::read(&file).with_context(show)
}

fn compare(args: &Args, trace: &Trace) -> Result<Report> {
    let footprint = trace.footprint();
    let limits = Limits {
        resident: args.resident.unwrap_or(footprint.bytes / 20).max(trace.unit_len),
        pool: args.pool.unwrap_or((footprint.compressed / 2).max(16 * trace.unit_len)),
    };
    if limits.pool != 0 && limits.pool < 16 * trace.unit_len {
        bail!("--pool must be at least 16 pages, {} KiB", (16 * trace.unit_len) >> 10);
    }
    let arms = args.policy.iter().map(|&name| arm(name, trace, limits, args.idle_epochs)).collect();
    Ok(Report::new(args.trace.display().to_string(), trace, limits, arms))
}

fn arm(name: PolicyName, trace: &Trace, limits: Limits, idle_epochs: u32) -> Arm {
    let mut policy: Box<dyn Policy> = match name {
        PolicyName::Ours => Box::new(Ours::new(trace, limits, idle_epochs)),
        PolicyName::Looks => Box::new(Ours::new(trace, limits, idle_epochs).looking(LOOKS)),
        PolicyName::Lru => Box::new(Lru::new(trace, limits)),
        PolicyName::Arc => Box::new(Lru::below_arc(trace, limits)),
        PolicyName::S3fifo => Box::new(Lru::below_s3fifo(trace, limits)),
        PolicyName::Zram => Box::new(Zram::new(trace, limits)),
        PolicyName::Opt => return Arm::of_bound(Bound::new(trace, limits)),
    };
    let tally: Tally = replay(trace, policy.as_mut());
    Arm::of_tally(name, tally)
}
