// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench pauses`: what H2 costs while the program stands still.
//!
//! ```text
//!  moves: full collections that move data to H2      \
//!                                                      figures -> report -> table, plots
//!  collections: young and full, with much data in H2 /
//! ```

mod collections;
mod figures;
mod moves;
mod plots;
mod report;
mod table;

use std::path::Path;
use std::thread;

use anyhow::{Result, bail};
use ztera_machine::interrupt;
use ztera_machine::jvm_flags::{Codec, value_name};
use ztera_machine::units::{MIB, parse_size};

use crate::bench::benchmark::Benchmark;
use crate::frame::figure::{self, Reached};
use crate::kit::missing::Missing;
use crate::kit::move_run::{Data, Job};
use crate::kit::options::Common;
use crate::kit::output::Output;
use crate::kit::plot::Plot;
use crate::kit::program::Program;
use collections::Collector;
use figures::FIGURES;
pub use figures::claims;
pub use plots::plots;
use report::Found;
pub use report::PausesReport;
pub use table::tables;

/// Measure the pauses of collections that move data to H2, and of those that find H2 full
///
/// Half of all data are arrays of 1 MiB full of source text, half are lines of it as small objects. Arms take turns,
/// each run in a fresh JVM; all times are those of the collector's log. The tier compresses with lz4, as the zram
/// device does.
///
/// MOVE: the full collection that moves --move of live data. It ends when all is copied, not when all is compressed.
/// Data that are not compressed yet may have three quarters of the pool's unused memory, which is enough for all data
/// here. `file-zram` and `file-ssd` are H2 on a mapped file; the file cache may hold all of it, too.
///
/// With less memory: `tier-full-staging` has no more than 16 MiB for what is not compressed yet, and waits for most of
/// that. `-limited` is a file whose cache is limited likewise: to the tier's resident pages and buffers, and what the
/// JVM needs for a move.
///
/// YOUNG and FULL: --h1 of live data are in the first heap, and --h2 of data that the program holds in H2. `no-h2` is
/// the same JVM and heap without H2. `h2-clean`: nobody writes to H2. `h2-dirty`: before each collection, references
/// are written in a tenth of a percent, or one percent, of it, which lies together.
///
/// The file arms take a memory cgroup, those on zram also root. The report names an arm that cannot run, and the other
/// arms run.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    heaps: Heaps,
    #[command(flatten)]
    common: Common,
}

/// The data that move, their place, and the JVM that runs it.
#[derive(clap::Args)]
pub struct Heaps {
    /// How much live data is moved
    #[arg(long = "move", default_value = "1g", value_name = "SIZE", value_parser = parse_size)]
    moved: u64,
    /// The data that are moved
    #[arg(long, value_enum, default_value = "mixed")]
    data: Data,
    /// How much lies in H2 when other collections are measured. About half of it is needed in DRAM
    #[arg(long, default_value = "8g", value_name = "SIZE", value_parser = parse_size)]
    h2: u64,
    /// Live data in the first heap meanwhile
    #[arg(long, default_value = "256m", value_name = "SIZE", value_parser = parse_size)]
    h1: u64,
    #[command(flatten)]
    pub program: Program,
}

/// DRAM for uncompressed pages while data is moved. Staging buffers have a quarter of that, and what the pool leaves.
const RESIDENT: u64 = 64 * MIB;

impl Benchmark for Args {
    type Report = PausesReport;

    const RENDER: fn(&PausesReport) -> String = table::render;

    const PLOTS: fn(&PausesReport) -> Vec<Plot> = plots;

    fn output(&self) -> Result<Output> {
        self.common.output()
    }

    fn measure(&self) -> Result<PausesReport> {
        measure(&self.heaps, &self.common)
    }
}

/// All of it.
pub fn measure(heaps: &Heaps, common: &Common) -> Result<PausesReport> {
    for (size, option) in [(heaps.moved, "--move"), (heaps.h2, "--h2"), (heaps.h1, "--h1")] {
        if size < LEAST {
            bail!("{option} must be at least 16m");
        }
    }
    let scratch = tempfile::tempdir()?;
    let job = job(heaps, heaps.moved, scratch.path())?;
    let rounds = common.rounds();
    let mut missing = Missing::default();
    let moves = moves::measure(&job, &value_name(&heaps.data), common, &mut missing)?;
    let collections = Collector { job: &job, h1: heaps.h1, h2: heaps.h2 }.measure(rounds, &mut missing)?;
    // Not a report of arms that were left out for that.
    interrupt::check()?;
    let found = Found { moves, collections };
    let figures = figure::judge(&FIGURES, &found);
    Ok(PausesReport {
        moved_bytes: heaps.moved,
        moved_data: value_name(&heaps.data),
        h2_bytes: heaps.h2,
        h1_bytes: heaps.h1,
        rounds,
        cpus: thread::available_parallelism().map_or(1, usize::from),
        notes: missing.0,
        ratios: figure::values(&figures),
        figures,
        found,
    })
}

/// Of each size, for there to be arrays and small objects.
const LEAST: u64 = 16 * MIB;

/// The figures where nothing ran.
pub fn no_figures() -> Vec<Reached> {
    figure::judge(&FIGURES, &Found::default())
}

/// How `bytes` of data get to H2.
pub fn job(heaps: &Heaps, bytes: u64, scratch: &Path) -> Result<Job> {
    Job::new(&heaps.program, bytes, RESIDENT, Codec::Lz4, scratch)
}
