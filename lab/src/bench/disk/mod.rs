// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench disk`: our block device against the kernel's zram, written to by one writer.
//!
//! ```text
//!  data -> arms: each in every round -> report -> table
//!           |  zram, in process, nbd (client)
//! ```

mod arms;
mod claims;
mod client;
mod report;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use anyhow::{Result, bail};
use ztera_codec::Settings;
use ztera_machine::compression::{parse_codec, parse_unit};
use ztera_machine::interrupt;
use ztera_machine::units::{KIB, MIB, parse_size};
use ztera_store::UnitSize;

use crate::bench::benchmark::Benchmark;
use crate::kit::data::Data;
use crate::kit::missing::Missing;
use crate::kit::output::Output;
use arms::{Arm, Setting};
pub use claims::claims;
use report::{DiskReport, Row};

/// Measure the block device of `ztera disk` against the kernel's zram
///
/// One writer writes the same bytes from the first to the last, one request after the other, of 64 KiB and of 1 MiB. It
/// writes to zram with lz4 past the page cache, to our device in this process, and to ours by NBD over a Unix socket.
/// Each time the device is new. Arms take turns; figures are medians, and ratios are to zram. The bench reads our
/// device back and compares.
///
/// DRAM is the pool and all tables of ours, and mem_used_total of zram, whose tables do not show. Idle DRAM is that
/// after our denser codec had its time, which it takes by itself once nobody wants the data: once for each arm, as it
/// takes long. Give --data any file, such as the Calgary corpus; without it the pages are synthetic. Takes root.
#[derive(clap::Args)]
pub struct Args {
    /// A file whose bytes are written, repeated or cut to --size; copies differ in a few words of each page
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// How many bytes are written: whole MiB
    #[arg(long, default_value = "256m", value_name = "SIZE", value_parser = parse_size)]
    size: u64,
    /// Codec of our device, and its level
    #[arg(long, default_value = "lz4", value_parser = parse_codec)]
    codec: Settings,
    /// Denser codec of our device for data that nobody wants for a while, and its level
    #[arg(long, default_value = "zstd:12", value_parser = parse_codec)]
    denser: Settings,
    /// Bytes that our device compresses as one
    #[arg(long, default_value = "16k", value_name = "SIZE", value_parser = parse_unit)]
    unit: UnitSize,
    /// How often each arm has its turn
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const BLOCKS: [usize; 2] = [64 * KIB as usize, MIB as usize];

/// Seed of random choices, and the share of random words in invented pages.
const SEED: u64 = 1;
const NOISE: f64 = 0.25;

impl Benchmark for Args {
    type Report = DiskReport;

    const RENDER: fn(&DiskReport) -> String = report::render;

    fn output(&self) -> Result<Output> {
        Output::new(self.json, None)
    }

    fn measure(&self) -> Result<DiskReport> {
        if self.size == 0 || !self.size.is_multiple_of(MIB) {
            bail!("--size must be whole MiB, and not 0");
        }
        let len = usize::try_from(self.size)?;
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let setting = Setting { codec: self.codec, denser: self.denser, unit: self.unit, threads };
        let mut missing = Missing::default();
        let mut rows = Vec::new();
        if let Some(file) = &self.data {
            let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            rows.extend(measure(
                &name,
                &Arc::new(Data::of_any_file(file, len)?),
                setting,
                self,
                &mut missing,
            )?);
        }
        let synthetic = Arc::new(Data::synthetic(NOISE, len, SEED)?);
        rows.extend(measure("synthetic", &synthetic, setting, self, &mut missing)?);
        Ok(DiskReport {
            bytes: len,
            unit_bytes: self.unit.bytes(),
            rounds: self.rounds,
            cpus: threads,
            notes: missing.0,
            rows,
        })
    }
}

fn measure(
    name: &str,
    data: &Arc<Data>,
    setting: Setting,
    args: &Args,
    missing: &mut Missing,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for block in BLOCKS {
        let mut turns = Arm::ALL.map(|_| Vec::new());
        for round in 0..args.rounds {
            eprintln!(
                "{name}, requests of {} KiB, round {} of {}",
                block as u64 / KIB,
                round + 1,
                args.rounds
            );
            for (arm, turns) in Arm::ALL.iter().zip(&mut turns) {
                interrupt::check()?;
                let turn = arm.turn(data, block, setting, turns.is_empty());
                turns.extend(missing.unless(arm.name(), turn));
            }
        }
        rows.extend(
            Arm::ALL
                .iter()
                .zip(turns)
                .filter_map(|(arm, turns)| Row::of(name, block, arm.name(), data.bytes().len(), &turns)),
        );
    }
    Ok(rows)
}
