// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The `ztera` command.
//!
//! One module per subcommand. The laboratory ([`ztera_lab`]) has those that measure, [`ztera_machine`] what several of
//! them need.

mod analyze;
mod disk;
mod doctor;
mod java;
mod map;
mod pin;
mod stat;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use ztera_lab::{bench, demo, lab, sim, tune};

/// Runs Java programs whose live data outgrows their DRAM.
///
/// A ZTera JVM has a second heap, H2, whose pages are compressed in memory. Start with `ztera doctor`, which says
/// whether this machine can do it, and `ztera demo`, which shows it.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Java(java::Args),
    Doctor(doctor::Args),
    Stat(stat::Args),
    Map(map::Args),
    Pin(pin::Args),
    Demo(demo::Args),
    Bench(bench::Args),
    Lab(lab::Args),
    Analyze(analyze::Args),
    Disk(disk::Args),
    Sim(sim::Args),
    Tune(Box<tune::Args>),
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let result = bench::in_this_process(&arguments).unwrap_or_else(run);
    result.unwrap_or_else(|error| {
        eprintln!("ztera: {error:#}");
        ExitCode::FAILURE
    })
}

fn run() -> Result<ExitCode> {
    match Cli::parse().command {
        Command::Java(args) => java::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Stat(args) => stat::run(&args),
        Command::Map(args) => map::run(&args),
        Command::Pin(args) => pin::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Lab(args) => lab::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Disk(args) => disk::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Tune(args) => tune::run(&args),
    }
}
