// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench all`: the engine by itself and the pauses of the JVM, and all figures at a glance.

mod heap_pages;
mod plots;
mod report;
mod table;

use std::time::Instant;

use anyhow::Result;
use ztera_machine::interrupt;

use crate::bench::benchmark::Benchmark;
use crate::bench::{engine, pauses};
use crate::kit::options::Common;
use crate::kit::output::Output;
use crate::kit::plot::Plot;
use report::AllReport;

/// Measure everything: the engine by itself, the pauses of the JVM, and thirteen figures at a glance
///
/// The index of `ztera demo` goes to H2, and its pages to a temporary file. With these pages runs what `ztera bench
/// pauses` and `ztera bench engine --pages` measure; their help texts say how. With --pages, pages are those of that
/// file. docs/performance.md explains the figures and their targets.
///
/// Without a JDK view only the engine is measured, with synthetic pages. Takes root for zram, a memory cgroup, and 5
/// GiB of DRAM; what is missing is said, and its figures have no value.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pages: engine::Pages,
    #[command(flatten)]
    heaps: pauses::Heaps,
    #[command(flatten)]
    common: Common,
}

impl Benchmark for Args {
    type Report = AllReport;

    const RENDER: fn(&AllReport) -> String = table::render;

    const PLOTS: fn(&AllReport) -> Vec<Plot> = plots::plots;

    fn output(&self) -> Result<Output> {
        self.common.output()
    }

    fn measure(&self) -> Result<AllReport> {
        let start = Instant::now();
        let mut notes = Vec::new();
        let scratch = tempfile::tempdir()?;
        let mut pages = self.pages.clone();
        if pages.pages.is_none() {
            let file = scratch.path().join("heap.pages");
            let dumped = heap_pages::dump(&self.heaps, pages.size, &file);
            pages.pages = optional(dumped.map(|()| file), "the demo's pages", &mut notes)?;
        }
        let pauses = optional(pauses::measure(&self.heaps, &self.common), "the JVM's pauses", &mut notes)?;
        let engine = engine::measure(&pages, &self.common.ssd, self.common.rounds())?;
        Ok(AllReport::new(engine, pauses, notes, start.elapsed()))
    }
}

/// The thing itself, or a note why it is not there. Ctrl-C is an error still.
fn optional<T>(made: Result<T>, what: &str, notes: &mut Vec<String>) -> Result<Option<T>> {
    interrupt::check()?;
    Ok(made.map_err(|error| notes.push(format!("{what} are left out: {error:#}"))).ok())
}
