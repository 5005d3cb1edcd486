// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench codec`: what codecs and filters do to each kind of data.
//!
//! ```text
//!  kit's data: pages, arrays of numbers -> arms: each in every round -> report -> table
//! ```

mod arms;
mod claims;
mod report;

use std::path::PathBuf;

use anyhow::{Result, bail};
use ztera_machine::interrupt;
use ztera_machine::units::parse_size;

use crate::bench::benchmark::Benchmark;
use crate::kit::data::Data;
use crate::kit::data::vectors::Numbers;
use crate::kit::output::Output;
pub use claims::claims;
use report::{CodecReport, DataResult};

/// Measure what codecs and filters do to each kind of data
///
/// One thread compresses units and decompresses them again, with lz4 and zstd. Each codec works without filters, and
/// with the filter that the engine would choose. Arms take turns. All speeds are medians, and `x lz4` says how many
/// times as fast as lz4 without a filter. Units that do not compress are copied, as the engine keeps them as they are.
///
/// Arrays of numbers are invented, and a share of 100 % filtered says that their kind was recognised. --pages FILE adds
/// pages of a heap (`jcmd PID GC.h2_dump FILE`).
#[derive(clap::Args)]
pub struct Args {
    /// A file of raw pages, of 4 KiB each, repeated or cut to --size
    #[arg(long, value_name = "FILE")]
    pages: Option<PathBuf>,
    /// How many bytes of each kind of data
    #[arg(long, default_value = "16m", value_name = "SIZE", value_parser = parse_size)]
    size: u64,
    /// Bytes that are compressed as one: a power of two, 4k to 64k
    #[arg(long, default_value = "16k", value_name = "SIZE", value_parser = parse_size)]
    unit: u64,
    /// How often each arm has its turn
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The seed of random choices.
const SEED: u64 = 1;
/// The share of random words in invented objects.
const NOISE: f64 = 0.25;

const ARRAYS: [(&str, Numbers); 7] = [
    ("doubles, 3 decimals", Numbers::ThreeDecimals),
    ("doubles, random", Numbers::Random),
    ("floats, 3 decimals", Numbers::FloatsThreeDecimals),
    ("floats, random", Numbers::FloatsRandom),
    ("longs, times", Numbers::Times),
    ("references", Numbers::References),
    ("ints below 1000000", Numbers::Ints),
];

impl Benchmark for Args {
    type Report = CodecReport;

    const RENDER: fn(&CodecReport) -> String = report::render;

    fn output(&self) -> Result<Output> {
        Output::new(self.json, None)
    }

    fn measure(&self) -> Result<CodecReport> {
        if !self.unit.is_power_of_two() || !(4 << 10..=64 << 10).contains(&self.unit) {
            bail!("--unit must be a power of two from 4k to 64k");
        }
        if self.size == 0 || !self.size.is_multiple_of(self.unit) {
            bail!("--size must be whole units, and not 0");
        }
        let (len, unit) = (usize::try_from(self.size)?, self.unit as usize);
        let mut data = Vec::new();
        if let Some(file) = &self.pages {
            data.push(measure("pages of the file", &Data::of_file(file, len)?, unit, self.rounds)?);
        }
        data.push(measure("objects, synthetic", &Data::synthetic(NOISE, len, SEED)?, unit, self.rounds)?);
        for (name, numbers) in ARRAYS {
            data.push(measure(name, &Data::vectors(numbers, len, SEED)?, unit, self.rounds)?);
        }
        Ok(CodecReport { unit_bytes: unit, bytes: len, rounds: self.rounds, data })
    }
}

fn measure(name: &str, data: &Data, unit: usize, rounds: u32) -> Result<DataResult> {
    eprintln!("{name}");
    let mut arms = arms::all(unit);
    for _ in 0..rounds {
        for arm in &mut arms {
            interrupt::check()?;
            arm.round(data.bytes(), unit)?;
        }
    }
    Ok(DataResult {
        data: name.to_owned(),
        arms: arms.into_iter().map(|arm| arm.finish(data.bytes().len(), unit)).collect(),
    })
}
