// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench`: measurements that anyone can repeat.

mod accelerator;
mod all;
mod benchmark;
pub(crate) mod codec;
pub(crate) mod defaults;
pub(crate) mod disk;
pub(crate) mod disksize;
pub(crate) mod engine;
mod h2;
pub(crate) mod off;
pub(crate) mod pauses;
mod points;
pub(crate) mod spark;
pub(crate) mod tiers;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::frame::steps::Steps;
use crate::{reclaim, redis};
use benchmark::AnyBenchmark;
use defaults::{Form, Wanted};

/// Measure the second heap, its parts, and the ways to do without it
///
/// Arms of a benchmark take turns, and it prints medians with their spread. An arm that cannot run here is named with
/// the reason, and the others run. Root adds zram, swap and cgroups.
///
/// Begin with `ztera bench engine`, which takes no JVM. `ztera lab run NAME` runs a benchmark, too, and judges what it
/// finds.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Accelerator(accelerator::Args),
    All(Box<all::Args>),
    Codec(codec::Args),
    Defaults(Box<defaults::Args>),
    Disk(disk::Args),
    Disksize(Box<disksize::command::Args>),
    Engine(engine::Args),
    H2(h2::Args),
    Off(off::Args),
    Pauses(pauses::Args),
    /// Measure what programs get that know nothing of a second heap
    ///
    /// This is `ztera bench defaults` with other defaults: its programs tag nothing, and arms with H2 give H2Size, and
    /// H2Path where there is one to give. They give no size of the first heap, and no collector. All else is as its
    /// help says. Files of samples are out/bench-plain/NNN.jsonl.
    Plain(Box<defaults::Args>),
    Points(points::Args),
    Spark(Box<spark::Args>),
    Tiers(Box<tiers::Args>),
    #[command(flatten)]
    Part(Part),
}

/// Programs that benchmarks and experiments start.
#[derive(Subcommand)]
enum Part {
    #[command(hide = true)]
    Npb(disksize::npb::Args),
    #[command(hide = true)]
    Reclaim(reclaim::command::Args),
    #[command(hide = true)]
    Redis(redis::command::Args),
}

impl What {
    fn benchmark(self) -> Result<Box<dyn AnyBenchmark>, Part> {
        Ok(match self {
            What::Accelerator(args) => Box::new(args),
            What::All(args) => args,
            What::Codec(args) => Box::new(args),
            What::Defaults(args) => Box::new(Wanted { args: *args, form: Form::Defaults }),
            What::Disk(args) => Box::new(args),
            What::Disksize(args) => args,
            What::Engine(args) => Box::new(args),
            What::H2(args) => Box::new(args),
            What::Off(args) => Box::new(args),
            What::Pauses(args) => Box::new(args),
            What::Plain(args) => Box::new(Wanted { args: *args, form: Form::Plain }),
            What::Points(args) => Box::new(args),
            What::Spark(args) => args,
            What::Tiers(args) => args,
            What::Part(part) => return Err(part),
        })
    }
}

/// Runs the chosen benchmark.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.what.benchmark() {
        Ok(benchmark) => benchmark.show(),
        Err(Part::Npb(args)) => disksize::npb::run(&args),
        Err(Part::Reclaim(args)) => reclaim::command::run(&args),
        Err(Part::Redis(args)) => redis::command::run(&args),
    }
}

/// A command line without the program's name.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Words {
    #[command(subcommand)]
    what: What,
}

/// Takes the steps of a benchmark with these arguments of `ztera bench`.
pub fn take(words: &[OsString], step: &str, steps: &mut Steps) -> Result<()> {
    let benchmark = Words::try_parse_from(words)?.what.benchmark();
    benchmark.map_err(|_| anyhow::anyhow!("{step} is no benchmark"))?.take_steps(step, steps)
}

/// If a benchmark started this process with these arguments to measure it: does what is to be measured.
pub fn in_this_process(arguments: &[OsString]) -> Option<Result<ExitCode>> {
    engine::read_mapped::in_this_process(arguments).or_else(|| points::child::in_this_process(arguments))
}
