// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A kernel as a command: it runs once, says how long it took, and fails unless its result is as published.

use std::process::ExitCode;
use std::time::Instant;

use crate::{Class, Kernel, run};

/// Run a kernel of the NAS Parallel Benchmarks once, and verify it
///
/// The exit status is 0 only if the result is as NAS publishes it, or near the known answer for `ua`.
#[derive(clap::Args)]
pub struct Args {
    /// The problem
    kernel: Kernel,
    /// Its size
    #[arg(ignore_case = true)]
    class: Class,
    /// Threads that share the work
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

impl Args {
    /// Runs it, and prints one line.
    pub fn execute(&self) -> ExitCode {
        let start = Instant::now();
        let result = run(self.kernel, self.class, usize::from(self.threads));
        let verified = if result.right { "verified" } else { "WRONG" };
        let (kernel, class, seconds) = (self.kernel, self.class, start.elapsed().as_secs_f64());
        println!("{kernel:?} {class:?}: {verified}, {:.14e}, {seconds:.3} s", result.value);
        if result.right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
