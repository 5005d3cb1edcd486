// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench points`: reads of single values by more and more threads, where memory has no room for all of them.
//!
//! ```text
//!  values -> child: arm (engine | plain memory, swapped to zram) -> histogram -> report: figures, tables
//!              in a cgroup: dram
//! ```

mod arm;
pub mod child;
mod dram;
mod figures;
mod report;
mod values;

use std::thread;

use anyhow::{Result, bail};
use ztera_machine::interrupt;
use ztera_machine::units::{MIB, parse_size};
use ztera_range::BUFFER_LEN;

use crate::bench::benchmark::Benchmark;
use crate::frame::figure;
use crate::kit::missing::Missing;
use crate::kit::output::Output;
use crate::kit::setting::Setting;
use crate::kit::swap::ZramSwap;
use crate::kit::zram::CODEC;
use arm::Arm;
use dram::Allowance;
use figures::FIGURES;
use report::{Fit, Found, PointsReport, render};
use values::Choice;

/// Measure reads of single values by 1 to N threads beside the kernel's swap on zram
///
/// No JVM runs. A process has values of 1 KiB: in a range of the engine, set up as the JVM does without an SSD, or in
/// plain memory that the kernel swaps to zram (lz4, one page at a time). Threads read a word of values at random: all
/// alike, or a few very often. Each read is timed and checked. Both arms have equal DRAM: pages and compressed objects
/// together, and a few MiB for the program. zram's memory is not charged to a cgroup, so that has less. Values are text
/// of a few words.
///
/// NEARLY FITTING: DRAM for 98 of 100 values as they are. TIGHT: for 60 of 100.
///
/// Ratios are ours divided by zram's, for the number of threads and the order where they are worst. Takes root for
/// zram and cgroups.
#[derive(clap::Args)]
pub struct Args {
    /// How many bytes of values: whole MiB [default: 1g; of the quick form, 256m]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    size: Option<u64>,
    /// Numbers of threads [default: 1, 2, 4 .. twice the CPUs]
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = parse_threads)]
    threads: Vec<usize>,
    /// Bytes of the engine's units, as of -XX:H2UnitSize; the default is that of a JVM without an SSD
    #[arg(long, value_name = "SIZE", default_value = "16k", value_parser = parse_size)]
    unit: u64,
    /// Fewer values, less time: about two minutes
    #[arg(long)]
    quick: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..) => Ok(count),
        _ => Err(format!("`{text}` is not a number of threads")),
    }
}

impl Benchmark for Args {
    type Report = PointsReport;

    const RENDER: fn(&PointsReport) -> String = render;

    fn output(&self) -> Result<Output> {
        Output::new(self.json, None)
    }

    fn measure(&self) -> Result<PointsReport> {
        measure(self)
    }
}

fn measure(args: &Args) -> Result<PointsReport> {
    let bytes = args.size.unwrap_or(if args.quick { 256 } else { 1024 } * MIB);
    if bytes == 0 || !bytes.is_multiple_of(BUFFER_LEN as u64) {
        bail!("--size must be whole MiB, and not 0");
    }
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    let threads = if args.threads.is_empty() { powers(2 * cpus) } else { args.threads.clone() };
    let seconds = if args.quick { 1.5 } else { 5.0 };
    let mut missing = Missing::default();
    let zram_ratio = missing.unless(Arm::Zram.name(), dram::ratio());
    let mut results = Vec::new();
    for fit in Fit::ALL {
        for choice in Choice::ALL {
            for arm in Arm::ALL {
                let Some(ratio) = zram_ratio.or((arm == Arm::Engine).then_some(0.0)) else { continue };
                interrupt::check()?;
                eprintln!("{}, {}: {}", fit.name(), choice.name(), arm.name());
                let allowance = Allowance::of(arm, bytes, fit.dram(bytes), ratio);
                let child = child::Args {
                    arm,
                    data: usize::try_from(bytes)?,
                    budget: allowance.budget,
                    unit: usize::try_from(args.unit)?,
                    choice,
                    threads: threads.clone(),
                    seconds,
                };
                let found = missing.unless(arm.name(), one(&child, allowance, fit));
                results.extend(found);
            }
        }
    }
    interrupt::check()?;
    let figures = figure::judge(&FIGURES, results.as_slice());
    Ok(PointsReport { bytes, cpus, zram_ratio, figures, results, notes: missing.0 })
}

/// 1, 2, 4, up to `most`.
fn powers(most: usize) -> Vec<usize> {
    std::iter::successors(Some(1), |count| Some(count * 2)).take_while(|&count| count <= most).collect()
}

fn one(args: &child::Args, allowance: Allowance, fit: Fit) -> Result<Found> {
    let cgroup = allowance.cgroup(args.arm)?;
    let swap = match args.arm {
        Arm::Engine => None,
        Arm::Zram => Some((
            ZramSwap::create(2 * args.data as u64, CODEC, None)?,
            Setting::change("/proc/sys/vm/page-cluster".into(), "0")?,
        )),
    };
    let by_threads = child::in_child(args, &cgroup)?;
    let compressed = swap.as_ref().map_or(Some(0), |(swap, _)| swap.device().most_memory_used());
    let dram_bytes = cgroup.peak().zip(compressed).map(|(peak, compressed)| peak + compressed);
    Ok(Found { arm: args.arm.name(), fit, choice: args.choice, dram_bytes, by_threads })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_threads_double() {
        assert_eq!((powers(1), powers(6)), (vec![1], vec![1, 2, 4]));
        assert!(parse_threads("0").is_err() && parse_threads("x").is_err() && parse_threads("3") == Ok(3));
    }
}
