// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The hidden command `ztera bench redis`: one arm, for the virtual machine of `make test-guest`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use ztera_machine::interrupt;
use ztera_machine::units::parse_size;

use super::{Arm, Setting};
use crate::kit::ending::Ending;

/// Let data of Redis grow on a kind of swap until the kernel ends it, and print in JSON what was held
///
/// It is patient enough for a CPU that is emulated. All else than a server that the kernel kills is a failure: a wrong
/// value, a server that refuses, data that do not end in time.
#[derive(clap::Args)]
pub struct Args {
    /// The swap: none, zram-CODEC, ours, ours-model
    arm: Arm,
    /// A text whose pieces are the values
    #[arg(value_name = "FILE")]
    text: PathBuf,
    /// DRAM for servers and compressed pages
    #[arg(long, default_value = "32m", value_name = "SIZE", value_parser = parse_size)]
    limit: u64,
}

/// Measures, and prints one line.
pub fn run(args: &Args) -> Result<ExitCode> {
    interrupt::watch()?;
    let text = fs::read(&args.text).with_context(|| format!("cannot read {}", args.text.display()))?;
    let curve = super::run(args.arm, Setting::emulated(args.limit), &text)?;
    println!("{}", serde_json::to_string(&curve)?);
    Ok(if curve.ending == Ending::Killed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
