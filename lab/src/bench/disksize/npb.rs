// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The hidden command `ztera bench npb`: a kernel of ours in a process of its own.

use std::process::ExitCode;

use anyhow::Result;

/// Run a kernel of the NAS Parallel Benchmarks once, and verify it
#[derive(clap::Args)]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    kernel: ztera_npb::Args,
}

/// Runs it, and prints how long it took.
pub fn run(args: &Args) -> Result<ExitCode> {
    Ok(args.kernel.execute())
}
