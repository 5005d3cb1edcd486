// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The laboratory: measurements of the second heap, and of what others claim about memory. `ztera bench`, `lab` and
//! `sim` become this program.
//!
//! | Folder | Contents |
//! |---|---|
//! | [`experiments`] | one folder per table or figure of a source: claims, and the steps that judge them |
//! | [`frame`] | the form of an experiment: needs, steps, samples, claims, verdicts, plots, the report |
//! | [`bench`] | one folder per benchmark of `ztera bench`: arms take turns, figures have targets |
//! | [`kit`] | all that both need: zram, swap, cgroups, JVMs, data, tables, plots |
//! | [`lab`], [`sim`] | the commands `ztera lab` and `sim` |
//!
//! ```text
//!  experiment: steps  -> samples -> claims: verdicts \
//!                                   view: tables, plots -> page, JSON
//!  benchmark:  turns  -> samples -> figures          /
//! ```
//!
//! An experiment or benchmark sets its arms up with the kit, and undoes that when it is dropped. All that follows from
//! samples is pure. A figure has its name, unit, direction, target and formula in one table. No two modules import each
//! other.

#[macro_use(print, println, eprintln)]
extern crate ztera_machine;

mod bench;
mod experiments;
mod frame;
mod kit;
mod lab;
mod reclaim;
mod redis;
mod sim;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
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
        Command::Bench(args) => bench::run(args),
        Command::Lab(args) => lab::run(&args),
        Command::Sim(args) => sim::run(&args),
    }
}
