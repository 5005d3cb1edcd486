// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera lab`: the experiments, and their report.

mod common;
mod list;
mod report;
mod run;
mod verdicts;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// Measure what the sources claim, and judge it
///
/// An experiment measures one table or figure of a source. `ztera lab list` shows all of them, how long each takes, and
/// what it lacks here. `ztera lab run NAME` measures step by step. Ctrl-C may end that: the next run goes on from
/// there.
///
/// Each step leaves a line in DIR/NAME/samples.jsonl. The report DIR/report.html and the verdicts DIR/verdicts.json are
/// made of these lines alone, so `ztera lab report` makes them anew at any time. docs/laboratory.md says more.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    List(list::Args),
    Run(run::Args),
    Report(report::Args),
    Verdicts(verdicts::Args),
}

/// Does what was asked for.
pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.what {
        What::List(args) => list::run(args),
        What::Run(args) => run::run(args),
        What::Report(args) => report::run(args),
        What::Verdicts(args) => verdicts::run(args),
    }
}
