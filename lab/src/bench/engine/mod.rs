// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench engine`: the engine by itself against the kernel's zram, for what the JVM's second heap does.
//!
//! ```text
//!  kit's data -> runs: in each round every arm -> results -> figures -> report -> table, plots
//!                 |  tier    the engine (sigbus: its faults)
//!                 |  file    a mapped file on zram, SSD, in memory
//!                 |            (read_mapped: a process of its own, limit: what DRAM that may use)
//!                 |  kit's zram::raw  zram itself (churn: what it and the pool lose)
//!                 latency, order, reader; kit's clock and writers
//! ```

mod churn;
mod figures;
mod file;
mod latency;
mod limit;
mod order;
mod plots;
pub mod read_mapped;
mod reader;
mod report;
mod results;
mod runs;
pub(super) mod sigbus;
mod table;
pub(crate) mod tier;

use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Result, bail};
use ztera_machine::interrupt;
use ztera_machine::units::{MIB, parse_size};
use ztera_range::BUFFER_LEN;

use crate::bench::benchmark::Benchmark;
use crate::frame::figure;
use crate::kit::data::vectors::Numbers;
use crate::kit::data::{Data, Origin};
use crate::kit::missing::Missing;
use crate::kit::options::Common;
use crate::kit::output::Output;
use crate::kit::plot::Plot;
use figures::FIGURES;
pub use figures::claims;
pub use plots::plots;
use report::DataReport;
pub use report::EngineReport;
use results::{ArmResult, Measure};
use runs::Runs;
pub use table::render;

/// Measure the engine by itself against the kernel's zram
///
/// No JVM runs: the engine is in this process, and gets the pages that a second heap would give it. The same pages go
/// to zram. All arms run in each round, one after the other; figures are medians over the rounds.
///
/// Pages matter more than all else. Take them from a heap dump of any program, or from the second heap of a running
/// one, by `ztera analyze`, and give --pages FILE. Without it they are invented, and the output says so. With it, both
/// are measured, the real ones first.
///
/// FAULTS: all pages are compressed, and none is in memory. One thread touches one word in every 8 KiB, in random
/// order, and each touch is timed. `mmap` arms map a file after MADV_RANDOM with a cold page cache. Only an eighth of
/// the pages may be uncompressed in DRAM, so all must evict. The engine has its own limit. A mapped file is read by
/// another process, whose memory cgroup has that eighth, 1 MiB, and a 128th of the pages. `roomy` arms have
/// no limit, which shows the cost of eviction; no ratio is made of them. `mmap-tmpfs` is the floor: a fault without
/// decompression or limit. SCAN: one thread reads everything in order, within the same limits; the kernel reads ahead
/// as it does by default.
///
/// STORE: pages go to the engine in buffers of 1 MiB, which are copied first. The time ends when all is compressed.
/// Writes to zram go past the page cache, in blocks of 64 KiB and of 1 MiB; the ratio takes the better one. One writer,
/// and one per CPU; the engine compresses with all CPUs in any case, so look at CPU seconds too.
///
/// DENSITY: DRAM for the same pages: pool and tables of the engine, mem_used_total of zram (whose own tables do not
/// show). Arrays of doubles are measured as well.
///
/// CHURN: half of all units go and others of other sizes come, four times. Then the memory lost between objects is
/// measured, before and after compaction; then half go once more. The engine would compact by itself after a
/// collection, or when the pool is nearly full; neither happens here. `pool_fragmentation` is the loss after churn and
/// compaction.
///
/// Ratios are the engine's figure divided by zram's with lz4. Takes root for zram and cgroups, and several times --size
/// of DRAM: what is missing is said. On a busy machine compare the spread with the difference.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pages: Pages,
    #[command(flatten)]
    common: Common,
}

/// The data that are stored and read.
#[derive(Clone, clap::Args)]
pub struct Pages {
    /// A file of raw pages, of 4 KiB each, repeated or cut to --size; copies differ in a few words of each page
    #[arg(long, value_name = "FILE")]
    pub pages: Option<PathBuf>,
    /// How many bytes of pages: whole MiB
    #[arg(long, default_value = "512m", value_name = "SIZE", value_parser = parse_size)]
    pub size: u64,
    /// Of the invented pages, the share of words that are random: 0 compresses best, 1 not at all
    #[arg(long, default_value_t = 0.25, value_name = "SHARE", value_parser = parse_share)]
    noise: f64,
}

fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("`{text}` is not a share: give a number from 0 to 1")),
    }
}

/// The seed of random choices.
const SEED: u64 = 1;

/// Bytes of arrays of doubles, at most: they are all alike.
const MOST_VECTORS: u64 = 64 * MIB;

/// How often each arm has its turn, unless somebody says.
const ROUNDS: u32 = 5;

impl Benchmark for Args {
    type Report = EngineReport;

    const RENDER: fn(&EngineReport) -> String = render;

    const PLOTS: fn(&EngineReport) -> Vec<Plot> = plots;

    fn output(&self) -> Result<Output> {
        self.common.output()
    }

    fn measure(&self) -> Result<EngineReport> {
        measure(&self.pages, &self.common.ssd, self.common.rounds.unwrap_or(ROUNDS))
    }
}

/// All of it, in so many rounds.
pub fn measure(pages: &Pages, ssd: &Path, rounds: u32) -> Result<EngineReport> {
    if pages.size == 0 || !pages.size.is_multiple_of(BUFFER_LEN as u64) {
        bail!("--size must be whole MiB, and not 0");
    }
    let mut missing = Missing::default();
    let len = usize::try_from(pages.size)?;
    // First of all, as it may not be what it should be.
    let real = pages.pages.as_deref().map(|file| Data::of_file(file, len)).transpose()?;
    let vectors = measure_vectors(pages.size.min(MOST_VECTORS) as usize, &mut missing)?;
    let mut measure = |data: &Data| measure_data(data, rounds, ssd, &vectors, &mut missing);
    let mut reports = Vec::new();
    if let Some(real) = real {
        reports.push(measure(&real)?);
    }
    reports.push(measure(&Data::synthetic(pages.noise, len, SEED)?)?);
    // Not a report of arms that were left out for that.
    interrupt::check()?;
    Ok(EngineReport {
        pages: reports[0].pages,
        synthetic_noise: pages.noise,
        bytes: len,
        rounds,
        cpus: thread::available_parallelism().map_or(1, usize::from),
        notes: notes(pages, missing),
        ratios: reports[0].ratios.clone(),
        data: reports,
        vectors,
    })
}

fn measure_data(
    data: &Data,
    rounds: u32,
    ssd: &Path,
    vectors: &[ArmResult],
    missing: &mut Missing,
) -> Result<DataReport> {
    let title = match data.origin {
        Origin::Real => "real pages",
        Origin::Synthetic => "synthetic pages",
    };
    let mut runs = Runs::new(title, data);
    runs.speed(rounds, ssd, missing)?;
    runs.density(Measure::Density, missing)?;
    runs.fragmentation(missing)?;
    let results = runs.results.finish();
    let figures = figure::judge(&FIGURES, [results.as_slice(), vectors].concat().as_slice());
    Ok(DataReport::new(data.origin, figures, results))
}

fn measure_vectors(len: usize, missing: &mut Missing) -> Result<Vec<ArmResult>> {
    let mut results = Vec::new();
    for (measure, numbers, title) in [
        (Measure::VectorsThreeDecimals, Numbers::ThreeDecimals, "doubles with 3 decimals"),
        (Measure::VectorsRandom, Numbers::Random, "random doubles"),
    ] {
        let data = Data::vectors(numbers, len, SEED)?;
        let mut runs = Runs::new(title, &data);
        runs.density(measure, missing)?;
        results.extend(runs.results.finish());
    }
    Ok(results)
}

fn notes(pages: &Pages, missing: Missing) -> Vec<String> {
    let mut notes = missing.0;
    if pages.pages.is_none() {
        notes.push(NO_REAL_PAGES.to_owned());
    }
    notes.extend(CAVEATS.map(str::to_owned));
    notes
}

const NO_REAL_PAGES: &str =
    "the pages are synthetic: how real ones do is not known from this run; give --pages FILE";

/// Notes for readers of the numbers.
const CAVEATS: [&str; 4] = [
    "the arrays of doubles are synthetic in any case",
    "only an eighth of the pages may be uncompressed in DRAM, but with the roomy arms and mmap-tmpfs, which never pay for eviction",
    "for a cgroup the kernel evicts in the thread that faults, 32 pages at a time, which p99 shows; short of memory as a whole it has kswapd for that",
    "mem_used_total of zram is without its own tables; the engine's figure is with them",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_from_0_to_1() {
        assert_eq!(parse_share("0.5"), Ok(0.5));
        for wrong in ["-0.1", "1.1", "NaN", "half"] {
            assert!(parse_share(wrong).is_err(), "{wrong}");
        }
    }
}
