// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench accelerator`: batches of units by a device, and by the CPU.
//!
//! ```text
//!  data -> arms: CPU, device; in turns, for each size of unit -> report -> table
//! ```

mod arm;
mod report;

use std::path::PathBuf;
use std::thread;

use anyhow::{Result, bail};
use ztera_accel::Backend;
use ztera_machine::compression::parse_unit;
use ztera_machine::interrupt;
use ztera_machine::units::{MIB, parse_size};
use ztera_store::UnitSize;

use crate::bench::benchmark::Benchmark;
use crate::kit::data::Data;
use crate::kit::output::Output;
use arm::{Arm, Turn};
use report::{AcceleratorReport, Row};

/// Measure batches of units by an accelerator against the CPU
///
/// A thread per CPU compresses its part of the same data by deflate. It does so alone, and then it offers batches to
/// the device, as `ztera disk` does: units that the device refuses are the CPU's. The CPU decodes and compares each
/// output of the device. The two take turns, and figures are medians.
///
/// Where the library or the device is missing, the CPU is measured, and the rows of the device say `not measured`. The
/// model makes nothing quicker; see `ztera disk serve --help` for backends.
#[derive(clap::Args)]
pub struct Args {
    /// The backend
    #[arg(long, default_value = "nvcomp", value_name = "BACKEND")]
    accelerator: Backend,
    /// A file whose bytes are compressed, repeated or cut to --size; copies differ in a few words of each page
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// How many bytes: whole MiB
    #[arg(long, default_value = "64m", value_name = "SIZE", value_parser = parse_size)]
    size: u64,
    /// Bytes that are compressed as one
    #[arg(long, default_value = "4k,16k,64k", value_name = "SIZES", value_delimiter = ',', value_parser = parse_unit)]
    unit: Vec<UnitSize>,
    /// Units that a thread offers at a time
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    batch: u16,
    /// How often each has its turn
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Seed of random choices, and the share of random words in invented pages.
const SEED: u64 = 1;
const NOISE: f64 = 0.25;

impl Benchmark for Args {
    type Report = AcceleratorReport;

    const RENDER: fn(&AcceleratorReport) -> String = report::render;

    fn output(&self) -> Result<Output> {
        Output::new(self.json, None)
    }

    fn measure(&self) -> Result<AcceleratorReport> {
        if self.size == 0 || !self.size.is_multiple_of(MIB) {
            bail!("--size must be whole MiB, and not 0");
        }
        let len = usize::try_from(self.size)?;
        let data = match &self.data {
            Some(file) => Data::of_any_file(file, len)?,
            None => Data::synthetic(NOISE, len, SEED)?,
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let mut missing = None;
        let mut rows = Vec::new();
        for unit in &self.unit {
            let device = Arm::device(self.accelerator, unit.bytes(), self.batch.into(), threads);
            missing = missing.or(device.as_ref().err().map(|error| format!("{error:#}")));
            rows.extend(measure(&data, unit.bytes(), [Some(Arm::cpu(threads)), device.ok()], self.rounds)?);
        }
        Ok(AcceleratorReport {
            bytes: len,
            batch: self.batch,
            rounds: self.rounds,
            cpus: threads,
            missing,
            rows,
        })
    }
}

/// A row for the CPU, and one for the device, without figures if there is none.
fn measure(data: &Data, unit: usize, arms: [Option<Arm>; 2], rounds: u32) -> Result<[Row; 2]> {
    let mut turns: [Vec<Turn>; 2] = [const { Vec::new() }; 2];
    // A model answers from memory what it has seen, so the first turn is not counted.
    for round in 0..=rounds {
        eprintln!("units of {} KiB, round {round} of {rounds}", unit >> 10);
        for (arm, turns) in arms.iter().zip(&mut turns) {
            interrupt::check()?;
            let turn = arm.as_ref().map(|arm| arm.turn(data.bytes(), unit)).transpose()?;
            turns.extend(turn.filter(|_| round > 0));
        }
    }
    let [cpu, device] = turns;
    Ok([("CPU", cpu), ("device", device)].map(|(by, turns)| Row::of(by, unit, data.bytes().len(), &turns)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_device_the_cpu_is_measured_alone() {
        let data = Data::synthetic(NOISE, 1 << 20, SEED).unwrap();
        let [cpu, device] = measure(&data, 16384, [Some(Arm::cpu(2)), None], 1).unwrap();
        assert!(cpu.figures.is_some_and(|figures| figures.smaller_by > 1.5 && figures.device_share == 0.0));
        assert!(device.figures.is_none());
    }

    #[test]
    fn a_device_makes_data_as_small_as_the_cpu_does() {
        let data = Data::synthetic(NOISE, 1 << 20, SEED).unwrap();
        let model = "model:latency=10us,page=1us".parse().unwrap();
        let device = Arm::device(model, 16384, 8, 2).unwrap();
        let [cpu, device] = measure(&data, 16384, [Some(Arm::cpu(2)), Some(device)], 2).unwrap();
        let [cpu, device] = [cpu, device].map(|row| row.figures.unwrap());
        assert!(device.device_share > 0.0, "{device:?}");
        assert!((device.smaller_by / cpu.smaller_by - 1.0).abs() < 0.2, "{device:?} {cpu:?}");
    }
}
