// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench`: measurements that anyone can repeat.

mod accelerator;
mod all;
mod codec;
pub(crate) mod defaults;
mod disk;
pub(crate) mod disksize;
pub(crate) mod engine;
mod h2;
mod off;
pub(crate) mod pauses;
mod points;
pub(crate) mod spark;
mod tiers;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use crate::{reclaim, redis};
use defaults::Form;

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
    #[command(hide = true)]
    Npb(disksize::npb::Args),
    Off(off::Args),
    Pauses(pauses::Args),
    /// Measure what programs get that know nothing of a second heap
    ///
    /// This is `ztera bench defaults` with other defaults: its programs tag nothing, and arms with H2 give H2Size, and
    /// H2Path where there is one to give. They give no size of the first heap, and no collector. All else is as its
    /// help says. Files of samples are out/bench-plain/NNN.jsonl.
    Plain(Box<defaults::Args>),
    Points(points::Args),
    #[command(hide = true)]
    Reclaim(reclaim::command::Args),
    #[command(hide = true)]
    Redis(redis::command::Args),
    Spark(Box<spark::Args>),
    Tiers(Box<tiers::Args>),
}

/// Runs the chosen benchmark.
pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.what {
        What::Accelerator(args) => accelerator::run(args),
        What::All(args) => all::run(args),
        What::Codec(args) => codec::run(args),
        What::Defaults(args) => defaults::run(args, Form::Defaults),
        What::Disk(args) => disk::run(args),
        What::Disksize(args) => disksize::command::run(args),
        What::Engine(args) => engine::run(args),
        What::H2(args) => h2::run(args),
        What::Npb(args) => disksize::npb::run(args),
        What::Off(args) => off::run(args),
        What::Pauses(args) => pauses::run(args),
        What::Plain(args) => defaults::run(args, Form::Plain),
        What::Points(args) => points::run(args),
        What::Reclaim(args) => reclaim::command::run(args),
        What::Redis(args) => redis::command::run(args),
        What::Spark(args) => spark::run(args),
        What::Tiers(args) => tiers::run(args),
    }
}

/// If a benchmark started this process with these arguments to measure it: does what is to be measured.
pub fn in_this_process(arguments: &[OsString]) -> Option<Result<ExitCode>> {
    engine::read_mapped::in_this_process(arguments).or_else(|| points::child::in_this_process(arguments))
}
