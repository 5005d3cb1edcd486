// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench`: measurements that anyone can repeat.

mod arms;
mod codec;
mod driver;
mod engine;
mod filesystem;
mod h2;
mod report;
mod tiers;
mod zram;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// Measure the second heap
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Codec(codec::Args),
    Engine(engine::Args),
    H2(h2::Args),
    Tiers(Box<tiers::Args>),
}

/// Runs the chosen benchmark.
pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.what {
        What::Codec(args) => codec::run(args),
        What::Engine(args) => engine::run(args),
        What::H2(args) => h2::run(args),
        What::Tiers(args) => tiers::run(args),
    }
}
