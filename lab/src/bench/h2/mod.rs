// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench h2`: the compressed tier against a mapped file, in the same JVM.

mod plots;
mod report;
mod table;

use std::thread;

use anyhow::{Context, Result};
use clap::ValueEnum;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::jvm_flags::{Codec, value_name};
use ztera_machine::units::parse_size;

use crate::bench::benchmark::Benchmark;
use crate::kit::arms::{Arm, Store};
use crate::kit::missing::Missing;
use crate::kit::move_run::{Data, Job, Measured};
use crate::kit::options::Common;
use crate::kit::output::Output;
use crate::kit::plot::Plot;
use crate::kit::program::Program;
use report::{ArmResult, BenchReport};

/// Measure H2 on the compressed tier against H2 on a mapped file
///
/// Moves live data to H2 and reports the pause. Then it reads each page for the first time, while only a small part of
/// the data may be uncompressed. Arms take turns, each run in a fresh JVM: the tier, a file on a mounted zram device
/// (lz4), and a file on disk.
///
/// Data: `arrays` are arrays of 1 MiB full of source text. `objects` is the index of `ztera demo`, millions of small
/// objects. `mixed` is what `ztera bench pauses` moves. For the last two only the pause is measured.
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

impl Benchmark for Args {
    type Report = BenchReport;

    const RENDER: fn(&BenchReport) -> String = table::render;

    const PLOTS: fn(&BenchReport) -> Vec<Plot> = plots::plots;

    fn output(&self) -> Result<Output> {
        self.common.output()
    }

    fn measure(&self) -> Result<BenchReport> {
        let scratch = tempfile::tempdir()?;
        let job = Job::new(&self.program, self.bytes, self.resident, self.codec, scratch.path())?;
        let mut notes = Missing::default();
        let arms = arms(self, job.h2_size(), &mut notes);
        let mut results = Vec::new();
        for data in self.data.iter().map(value_name) {
            let mut runs: Vec<Vec<Measured>> = arms.iter().map(|_| Vec::new()).collect();
            for round in 1..=self.common.rounds() {
                for (arm, runs) in arms.iter().zip(&mut runs) {
                    eprintln!("{data}, round {round} of {}: {}", self.common.rounds(), arm.name);
                    runs.push(job.run(arm, &data, round).with_context(|| format!("{data} on {}", arm.name))?);
                }
            }
            results.extend(
                arms.iter().zip(&runs).filter_map(|(arm, runs)| ArmResult::of(&data, arm.name, runs)),
            );
        }
        Ok(BenchReport {
            bytes: self.bytes,
            resident_bytes: self.resident,
            rounds: self.common.rounds(),
            cpus: thread::available_parallelism().map_or(1, usize::from),
            notes: notes.0,
            results,
        })
    }
}

/// The arms that are wanted and possible. Notes say of each what it is, or why it is left out.
fn arms(args: &Args, h2: u64, notes: &mut Missing) -> Vec<Arm> {
    let probe = Cgroup::create("bench-probe").context("its file cache cannot be limited");
    let limits = notes.unless("each arm on a file", probe).is_some();
    let mut arms = Vec::new();
    for &name in ArmName::value_variants().iter().filter(|name| args.arms.contains(name)) {
        let made = match name {
            ArmName::Tier => Ok(Arm::tier()),
            _ if !limits => continue,
            ArmName::FileZram => Arm::on_zram(h2),
            ArmName::FileSsd => Arm::on_ssd(&args.common.ssd),
        };
        let Some(arm) = notes.unless(&value_name(&name), made) else { continue };
        notes.0.push(about(&arm, args.codec));
        arms.push(arm);
    }
    if arms.iter().any(|arm| arm.store.disk().is_some()) {
        let read_ahead = "128 KiB for sequential reads, and off for random ones, as after MADV_RANDOM";
        notes.0.push(format!("files: read-ahead is {read_ahead}"));
    }
    arms
}

fn about(arm: &Arm, codec: Codec) -> String {
    let about = match &arm.store {
        Store::Tier => {
            format!(
                "compressed with {}; `memory then` is the pool and the resident pages",
                value_name(&codec)
            )
        }
        Store::Zram(_) => "ext4 without journal on zram with lz4; `memory then` is zram's own".to_owned(),
        Store::Disk(_, disk) => format!("a file on {disk}; it uses no DRAM once it is written"),
    };
    format!("{}: {about}", arm.name)
}
