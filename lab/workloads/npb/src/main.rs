// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera-npb KERNEL CLASS`: runs a kernel once, says how long it took, and fails unless its result is as published.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use ztera_npb::{Class, Kernel, run};

/// Run a kernel of the NAS Parallel Benchmarks once, and verify it
///
/// The exit status is 0 only if the result is as NAS publishes it.
#[derive(Parser)]
#[command(name = "ztera-npb", version)]
struct Args {
    /// The problem
    kernel: Kernel,
    /// Its size
    #[arg(ignore_case = true)]
    class: Class,
    /// Threads that share the work
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let start = Instant::now();
    let result = run(args.kernel, args.class, usize::from(args.threads));
    let verified = if result.right { "verified" } else { "WRONG" };
    println!(
        "{:?} {:?}: {verified}, {:.14e}, {:.3} s",
        args.kernel,
        args.class,
        result.value,
        start.elapsed().as_secs_f64()
    );
    if result.right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
