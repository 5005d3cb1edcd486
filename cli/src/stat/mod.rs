// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera stat`: the second heap of a running JVM, by `GC.h2_info json`.
//!
//! ```text
//!  lines: all about one moment
//!  rows:  a line for each moment, with rates
//! ```

mod lines;
mod rows;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use ztera_machine::interrupt;
use ztera_machine::jvm::{self, Jvm};
use ztera_machine::process::end::{End, Process};
use ztera_machine::units::parse_positive;

use crate::h2::info::{Engine, Info};
use crate::h2::sample::Sample;
use lines::{all_lines, fault_lines, lines};

/// Show what the second heap of a running JVM holds, and where its pages are
///
/// Without --interval it says all about this moment. With it, there is a row for each moment, as `vmstat` has them.
///
/// The JVM is asked by its attach mechanism, as jcmd does it, but no JVM is started for that. So run this as the same
/// user, or as root. A JVM in a container can be asked from outside. --all explains every statistic.
#[derive(clap::Args)]
#[command(after_long_help = rows::LEGEND)]
pub struct Args {
    /// The JVM's process id, or part of its main class's name (`ztera top` lists them)
    #[arg(value_name = "PID|NAME")]
    jvm: String,
    /// Ask again every so many seconds until the JVM ends
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    interval: Option<f64>,
    /// End after so many rows
    #[arg(long, value_name = "N", requires = "interval", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Print the JVM's JSON as it is, one object per line
    #[arg(long)]
    json: bool,
    /// Print every statistic of the tier below, with its unit and meaning
    #[arg(long, conflicts_with_all = ["json", "interval"])]
    all: bool,
}

const OFF: &str = "This is a ZTera JVM, and its second heap is off: give it -XX:H2Size.";

/// Asks once, or again and again.
pub fn run(args: &Args) -> Result<ExitCode> {
    interrupt::watch()?;
    let jvm = jvm::one(&args.jvm)?;
    match args.interval {
        Some(seconds) => watch(&jvm, Duration::from_secs_f64(seconds), args)?,
        None => show(&Sample::take(&jvm)?, args),
    }
    Ok(ExitCode::SUCCESS)
}

fn show(sample: &Sample, args: &Args) {
    match &sample.info {
        _ if args.json => println!("{}", sample.told),
        Info { enabled: false, .. } => println!("{OFF}"),
        info if args.all => match &info.engine {
            Some(Engine(stats)) => {
                all_lines(stats).chain(fault_lines(&info.faults)).for_each(|line| println!("{line}"));
            }
            None => println!("There is no tier below this heap, but a file: it has no statistics."),
        },
        info => lines(info).iter().for_each(|(name, value)| println!("{name:<18} {value}")),
    }
}

/// Until the JVM ends, a signal comes, or there are enough rows.
fn watch(jvm: &Jvm, interval: Duration, args: &Args) -> Result<()> {
    let process = Process::open(jvm.pid())?;
    let mut before: Option<Sample> = None;
    for number in 0..args.count.unwrap_or(u64::MAX) {
        if number > 0 && process.wait(Some(interval))? != End::Time {
            return Ok(());
        }
        let sample = match Sample::take(jvm) {
            Err(_) if !jvm.is_alive() || interrupt::came() => return Ok(()),
            sample => sample?,
        };
        if args.json {
            println!("{}", rows::json(jvm.pid(), before.as_ref(), &sample));
        } else if !sample.info.enabled {
            println!("{OFF}");
            return Ok(());
        } else {
            if number % rows::ROWS_PER_TITLE == 0 {
                println!("{}", rows::title());
            }
            println!("{}", rows::row(before.as_ref(), &sample));
        }
        before = Some(sample);
    }
    Ok(())
}
