// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench`: measurements that anyone can repeat.

mod all;
mod arms;
mod codec;
mod defaults;
mod disk;
mod driver;
mod ending;
mod engine;
mod filesystem;
mod free_memory;
mod h2;
mod h2_plots;
mod java_run;
mod missing;
mod off;
mod output;
mod packages;
mod pauses;
mod plot;
mod program;
mod ratio;
mod report;
mod storage;
mod swap;
mod tiers;
mod zram;
mod zswap;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use tempfile::TempDir;

use filesystem::Disk;
use output::Output;

/// Measure the second heap
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    All(Box<all::Args>),
    Codec(codec::Args),
    Defaults(Box<defaults::Args>),
    Disk(disk::Args),
    Engine(engine::Args),
    H2(h2::Args),
    Off(off::Args),
    Pauses(pauses::Args),
    #[command(hide = true)]
    ReadMapped(engine::read_mapped::Args),
    Tiers(Box<tiers::Args>),
}

/// Options that several of them take.
#[derive(clap::Args)]
struct Common {
    /// How often each arm has its turn [default: 5 for the engine by itself, else 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Directory on the SSD
    #[arg(long, default_value = ".", value_name = "DIR")]
    ssd: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Directory for plots of what was measured, as SVG
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

impl Common {
    /// How often each arm has its turn where JVMs run.
    fn rounds(&self) -> u32 {
        self.rounds.unwrap_or(3)
    }

    /// How the report is to be shown; an error if that cannot be done.
    fn output(&self) -> Result<Output> {
        Output::new(self.json, self.plots.as_deref())
    }

    /// A folder of our own on the SSD, and the disk that it lies on.
    fn ssd_dir(&self) -> Result<(TempDir, Disk)> {
        fs::create_dir_all(&self.ssd)?;
        let disk = filesystem::disk(&self.ssd)?;
        Ok((tempfile::Builder::new().prefix("ztera-bench-").tempdir_in(&self.ssd)?, disk))
    }
}

/// Runs the chosen benchmark.
pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.what {
        What::All(args) => all::run(args),
        What::Codec(args) => codec::run(args),
        What::Defaults(args) => defaults::run(args),
        What::Disk(args) => disk::run(args),
        What::Engine(args) => engine::run(args),
        What::H2(args) => h2::run(args),
        What::Off(args) => off::run(args),
        What::Pauses(args) => pauses::run(args),
        What::ReadMapped(args) => engine::read_mapped::run(args),
        What::Tiers(args) => tiers::run(args),
    }
}
