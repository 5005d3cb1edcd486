// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The `ztera` command.
//!
//! One module per subcommand. [`ztera_machine`] and [`ztera_measure`] have the parts that several of them need. The
//! laboratory is another program, which `laboratory` starts.

#[macro_use(print, println, eprintln)]
extern crate ztera_machine;

mod analyze;
mod demo;
mod disk;
mod doctor;
mod export;
mod h2;
mod java;
mod laboratory;
mod manual;
mod map;
mod pin;
mod stat;
mod top;
mod tune;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use ztera_machine::output;

/// Runs Java programs whose live data outgrows their DRAM.
///
/// A ZTera JVM has a second heap, H2. Its pages are compressed in memory, and may go on to an SSD.
#[derive(Parser)]
#[command(name = "ztera", version, max_term_width = 100, help_template = HELP, after_help = FIRST_STEPS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const HELP: &str = concat!(
    "{about-with-newline}\n{usage-heading} {usage}\n\nCommands:\n{subcommands}\n\n",
    "Commands of the laboratory, which is the program ztera-lab:\n",
    "  bench    Measure the second heap, its parts, and the ways to do without it\n",
    "  lab      Measure what the sources claim, and judge it\n",
    "  sim      Replay recorded page accesses through policies\n\n",
    "Options:\n{options}{after-help}"
);

const FIRST_STEPS: &str = "\
First steps:
  ztera doctor                             what this machine lacks, and what to do about it
  ztera demo                               a program with 2.5 times as much live data as DRAM
  ztera analyze heap.hprof                 how small your program's objects become
  ztera java --h2-size 8g -- -jar app.jar  your program with a second heap
  ztera top                                all such programs that run, and what their heaps do
  ztera stat PID                           what that heap holds, and where

`ztera COMMAND --help` explains a command, with examples where they help.";

#[derive(Subcommand)]
enum Command {
    Doctor(doctor::Args),
    Demo(demo::Args),
    Java(java::Args),
    Stat(stat::Args),
    Top(top::Args),
    Export(export::Args),
    Analyze(analyze::Args),
    Map(map::Args),
    Pin(pin::Args),
    Disk(disk::Args),
    Tune(Box<tune::Args>),
    Manual(manual::Args),
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    output::end(laboratory::start(&arguments).unwrap_or_else(run))
}

fn run() -> Result<ExitCode> {
    match output::parse::<Cli>().command {
        Command::Java(args) => java::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Stat(args) => stat::run(&args),
        Command::Top(args) => top::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Map(args) => map::run(&args),
        Command::Pin(args) => pin::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Disk(args) => disk::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Manual(args) => manual::run(&args, Cli::command()),
    }
}
