// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The program `ztera-lab`: `ztera lab`, `bench` and `sim` become it.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use ztera_lab::{bench, lab, sim};
use ztera_machine::output;

/// Measures the second heap, and what others claim about memory.
///
/// `ztera` starts this program for its commands bench, lab and sim.
#[derive(Parser)]
#[command(name = "ztera-lab", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Args),
    Lab(lab::Args),
    Sim(sim::Args),
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    output::end(bench::in_this_process(&arguments).unwrap_or_else(run))
}

fn run() -> Result<ExitCode> {
    match output::parse::<Cli>().command {
        Command::Bench(args) => bench::run(&args),
        Command::Lab(args) => lab::run(&args),
        Command::Sim(args) => sim::run(&args),
    }
}
