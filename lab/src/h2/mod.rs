// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench h2`: the compressed tier against a mapped file, in the same JVM.

mod plots;
mod report;
mod table;

use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::{Context, Result};
use clap::ValueEnum;
use tempfile::TempDir;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::interrupt;
use ztera_machine::jvm_flags::{Codec, value_name};
use ztera_machine::units::parse_size;

use crate::kit::arms::{Arm, Data, Job, Measured, Store};
use crate::kit::options::Common;
use crate::kit::program::Program;
use crate::kit::zram::ZramFs;
use report::{ArmResult, BenchReport};

/// Measure H2 on the compressed tier against H2 on a mapped file
///
/// Moves live data to H2 and reports the pause, then reads it page by page, each page for the first time, while only
/// a small part of it may be in memory uncompressed. The arms are the tier, a file on a mounted zram device (lz4), and
/// a file on disk; they take turns, each run in a fresh JVM.
///
/// Data: `arrays` are arrays of 1 MiB full of source text; `objects` is the index of `ztera demo`, millions of small
/// objects; `mixed` is what `ztera bench pauses` moves. For the last two only the pause is measured.
///
/// The file arms need a memory cgroup (their file cache must be limited like the tier's resident pages), the arm on
/// zram also root. The report names an arm that cannot run, and the other arms run.
#[derive(clap::Args)]
pub struct Args {
    /// How much live data is moved
    #[arg(long, default_value = "1g", value_name = "SIZE", value_parser = parse_size)]
    bytes: u64,
    /// How much of it may be in memory uncompressed while it is read
    #[arg(long, default_value = "64m", value_name = "SIZE", value_parser = parse_size)]
    resident: u64,
    /// The kinds of data
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Data::Arrays, Data::Objects])]
    data: Vec<Data>,
    /// The arms
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [ArmName::Tier, ArmName::FileZram, ArmName::FileSsd])]
    arms: Vec<ArmName>,
    /// The codec of the tier's pages; lz4 is what the zram device uses
    #[arg(long, value_enum, default_value = "lz4")]
    codec: Codec,
    #[command(flatten)]
    program: Program,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ArmName {
    /// The compressed tier
    Tier,
    /// A file on ext4 on zram
    FileZram,
    /// A file on a disk
    FileSsd,
}

/// Sets the arms up, runs them in turns, and reports.
pub fn run(args: &Args) -> Result<ExitCode> {
    interrupt::watch()?;
    let output = args.common.output()?;
    let scratch = tempfile::tempdir()?;
    let job = job(args, scratch.path())?;
    let mut notes = Vec::new();
    let (arms, _ssd) = arms(args, job.h2_size(), &mut notes)?;
    let mut results = Vec::new();
    for data in args.data.iter().map(value_name) {
        let mut runs: Vec<Vec<Measured>> = arms.iter().map(|_| Vec::new()).collect();
        for round in 1..=args.common.rounds() {
            for (arm, runs) in arms.iter().zip(&mut runs) {
                eprintln!("{data}, round {round} of {}: {}", args.common.rounds(), arm.name);
                runs.push(job.run(arm, &data, round).with_context(|| format!("{data} on {}", arm.name))?);
            }
        }
        results.extend(arms.iter().zip(&runs).filter_map(|(arm, runs)| ArmResult::of(&data, arm.name, runs)));
    }
    let report = BenchReport {
        bytes: args.bytes,
        resident_bytes: args.resident,
        rounds: args.common.rounds(),
        cpus: thread::available_parallelism().map_or(1, usize::from),
        notes,
        results,
    };
    output.publish(&report, table::render, plots::plots)?;
    Ok(ExitCode::SUCCESS)
}

fn job(args: &Args, scratch: &Path) -> Result<Job> {
    Ok(Job {
        java: args.program.java()?,
        jar: args.program.jar()?,
        source: args.program.source()?,
        bytes: args.bytes,
        resident: args.resident,
        strict_staging: false,
        codec: args.codec,
        scratch: scratch.to_owned(),
    })
}

/// The arms that are wanted and possible. The directory is the one that `file-ssd` uses; it goes when it is dropped.
fn arms(args: &Args, h2_size: u64, notes: &mut Vec<String>) -> Result<(Vec<Arm>, Option<TempDir>)> {
    let wanted = |name| args.arms.contains(&name);
    let mut arms = Vec::new();
    let mut ssd_dir = None;
    if wanted(ArmName::Tier) {
        arms.push(Arm { name: "tier", store: Store::Tier });
        let codec = value_name(&args.codec);
        notes
            .push(format!("tier: compressed with {codec}; `memory then` is the pool and the resident pages"));
    }
    let cgroup = Cgroup::create("bench-probe");
    if let Err(error) = &cgroup {
        notes.push(format!(
            "the arms on files are left out, since their file cache cannot be limited: {error}"
        ));
    }
    if cgroup.is_ok() && wanted(ArmName::FileZram) {
        // Twice H2, for what ext4 needs and keeps free.
        match ZramFs::create(h2_size * 2, "lz4", None) {
            Ok(fs) => {
                arms.push(Arm { name: "file-zram", store: Store::Zram(fs) });
                notes.push(
                    "file-zram: ext4 without journal on zram with lz4; `memory then` is zram's own"
                        .to_owned(),
                );
            }
            Err(error) => notes.push(format!("file-zram is left out: {error:#}")),
        }
    }
    if cgroup.is_ok() && wanted(ArmName::FileSsd) {
        match args.common.ssd_dir() {
            Ok((dir, disk)) => {
                let kind = if disk.rotational { ", which calls itself rotational" } else { "" };
                notes.push(format!(
                    "file-ssd: a file on {}{kind}; it uses no DRAM once it is written",
                    disk.name
                ));
                arms.push(Arm { name: "file-ssd", store: Store::Disk(dir.path().to_owned(), disk.name) });
                ssd_dir = Some(dir);
            }
            Err(error) => notes.push(format!("file-ssd is left out: {error:#}")),
        }
    }
    if arms.len() > usize::from(wanted(ArmName::Tier)) {
        notes.push("files: read-ahead is 128 KiB for sequential reads, and off for random ones, as after MADV_RANDOM".to_owned());
    }
    Ok((arms, ssd_dir))
}
