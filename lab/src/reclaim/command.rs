// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The hidden command `ztera bench reclaim`, for the virtual machine of `make test-guest`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use ztera_machine::interrupt;

/// Use more memory than there is, and print in JSON what the kernel reclaims, with two lists and with MGLRU
///
/// It is to run in a memory cgroup with a limit and swap, while nothing else swaps. Each line is one setting.
#[derive(clap::Args)]
pub struct Args {
    /// An empty folder, on a disk, for a file
    folder: PathBuf,
}

/// Measures, and prints a line per phase.
pub fn run(args: &Args) -> Result<ExitCode> {
    interrupt::watch()?;
    super::run(&args.folder, |phase| {
        println!("{}", serde_json::to_string(phase)?);
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
