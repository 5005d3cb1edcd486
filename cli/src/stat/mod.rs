// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera stat`: the second heap of a running JVM, by `jcmd PID GC.h2_info json`.

mod info;
mod lines;

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use ztera_machine::jcmd::Jcmd;
use ztera_machine::process::parse_pid;
use ztera_machine::units::parse_positive;

use info::{Engine, Info};
use lines::{all_lines, lines};

/// Show what the second heap of a running JVM holds, and where its pages are
///
/// The JVM is asked by its attach mechanism, as jcmd does it. So run this as the same user, and in the same container.
/// --all explains every statistic.
#[derive(clap::Args)]
pub struct Args {
    /// The JVM's process id (`jcmd -l` lists them)
    #[arg(value_parser = parse_pid)]
    pid: u32,
    /// Ask again every so many seconds until the JVM ends
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    interval: Option<f64>,
    /// Print the JVM's JSON as it is, one object per line
    #[arg(long)]
    json: bool,
    /// Print every statistic of the tier below, with its unit and meaning
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// The JDK whose jcmd is used [default: the one that the JVM runs on, else the one that `make` built]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
}

/// Asks once, or again and again.
pub fn run(args: &Args) -> Result<ExitCode> {
    let jcmd = Jcmd::of(args.pid, args.jdk.as_deref())?;
    show(&jcmd.h2_info()?, args)?;
    let Some(interval) = args.interval else { return Ok(ExitCode::SUCCESS) };
    let interval = Duration::from_secs_f64(interval);
    loop {
        thread::sleep(interval);
        if !jcmd.is_alive() {
            return Ok(ExitCode::SUCCESS);
        }
        if !args.json {
            println!();
        }
        show(&jcmd.h2_info()?, args)?;
    }
}

fn show(info: &Value, args: &Args) -> Result<()> {
    if args.json {
        println!("{info}");
        return Ok(());
    }
    let info: Info = serde_json::from_value(info.clone())
        .context("the JVM's answer is not as expected; it may be of another version of ZTera")?;
    match info {
        Info { enabled: false, .. } => {
            println!("This is a ZTera JVM, and its second heap is off: give it -XX:H2Size.")
        }
        info if args.all => match &info.engine {
            Some(Engine(stats)) => all_lines(stats).for_each(|line| println!("{line}")),
            None => println!("There is no tier below this heap, but a file: it has no statistics."),
        },
        info => lines(&info).iter().for_each(|(name, value)| println!("{name:<18} {value}")),
    }
    Ok(())
}
