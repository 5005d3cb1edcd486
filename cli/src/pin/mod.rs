// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera pin`: keeps files of a process in memory.
//!
//! ```text
//!  find: its files -> room: may so much be locked? -> hold: map and lock -> report
//!                                                      until the end: of the process, of time, by a signal
//!  react: the same again and again, for pages that come back -> read_back: what has left and was read again?
//! ```

mod find;
mod hold;
mod in_memory;
mod react;
mod read_back;
mod report;
mod room;
mod what;

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use ztera_machine::interrupt;
use ztera_machine::process::end::{End, Process};
use ztera_machine::process::parse_pid;
use ztera_machine::units::parse_positive;

use react::Looks;
use report::Report;
use room::Room;
use what::What;

/// Keep pages of a process's files in memory: its JVM, class archives, jars, libraries
///
/// Where memory is short, the kernel drops pages of files first, as they can be read again. A JVM then waits for the
/// disk on its way through its own code. This command maps the same files, reads them, and locks them (mlock). They
/// stay until it ends: with the process, after --for, or by Ctrl-C. Nothing else is changed.
///
/// Pinned are pages that are in memory: those that the process has mapped, and those of jars that it has open. Run it
/// once the process does its usual work. With --whole, pages that it has not used count too. Pages that it changed for
/// itself (data of libraries, archives of classes that were moved) are its own memory and cannot be pinned from
/// outside. Files that it opens later are not pinned either.
///
/// With --react nothing is pinned at first. Once the kernel takes pages for want of memory and the process reads them
/// again, those pages are pinned, as far as there is room. Files that it opens later count, too. Run this as root or as
/// the owner of the files: to others the kernel does not show which pages are in memory.
///
/// It refuses to pin more than a share of the memory limit: the least of the machine's, of this process's cgroup, and
/// of the other's. Without CAP_IPC_LOCK the limit of locked memory (`ulimit -l`) holds too. Pages that this command has
/// to read count in its own cgroup, so run it in the container of the process. `ztera map PID` shows what a process has
/// in memory.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The process id
    #[arg(value_parser = parse_pid)]
    pid: u32,
    /// The kinds of files, separated by commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_value = "libjvm,cds,jars,libraries")]
    what: Vec<What>,
    /// Pin all that is mapped of a file, and all of a jar, in memory or not
    #[arg(long)]
    whole: bool,
    /// Pin what the process reads back after the kernel took it
    #[arg(long, conflicts_with = "whole")]
    react: bool,
    /// Look so often, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, requires = "react", value_parser = parse_positive)]
    every: f64,
    /// Let go after so many seconds [default: when the process ends]
    #[arg(long = "for", value_name = "SECONDS", value_parser = parse_positive)]
    seconds: Option<f64>,
    /// The most to pin, as a share of the memory limit
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, value_parser = parse_share)]
    share: f64,
    /// Print JSON, one object, once everything is pinned; with --react, whenever more is
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  ztera pin PID                                 # what it uses now, until it ends
  ztera pin --what libjvm,cds --for 600 PID     # the JVM and its class archives, for ten minutes
  ztera pin --react PID                         # what the kernel took and it read again";

fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err(format!("`{text}` is no share: give a number above 0, and at most 1")),
    }
}

/// Pins, says what, and waits.
pub fn run(args: &Args) -> Result<ExitCode> {
    interrupt::watch()?;
    let process = Process::open(args.pid)?;
    let room = Room::of(args.pid, args.share)?;
    let end = if args.react { again(args, &process, &room)? } else { once(args, &process, &room)? };
    if !args.json {
        println!("Released, as {}.", reason(end));
    }
    Ok(ExitCode::SUCCESS)
}

fn once(args: &Args, process: &Process, room: &Room) -> Result<End> {
    let (wanted, not_opened) = find::files(args.pid, &args.what, args.whole)?;
    if wanted.is_empty() {
        let kinds: Vec<_> = args.what.iter().map(|what| what.name()).collect();
        let kinds = kinds.join(", ");
        bail!("process {} has no files of these kinds, or no pages of them in memory: {kinds}", args.pid);
    }
    if let Some(refusal) = room.refusal(wanted.iter().map(find::Wanted::bytes).sum()) {
        bail!(refusal);
    }
    let mut held = Vec::new();
    for file in &wanted {
        interrupt::check()?;
        held.push(hold::pin(file)?);
    }
    show(&Report::of(args.pid, &held, room, not_opened), args)?;
    process.wait(args.seconds.map(Duration::from_secs_f64))
}

fn again(args: &Args, process: &Process, room: &Room) -> Result<End> {
    let until = args.seconds.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let every = Duration::from_secs_f64(args.every);
    let looks = Looks { pid: args.pid, kinds: &args.what, every, until };
    react::run(&looks, process, room, |report| show(report, args))
}

fn show(report: &Report, args: &Args) -> Result<()> {
    if args.json {
        println!("{}", serde_json::to_string(report)?);
    } else {
        println!("{}", report::render(report));
    }
    Ok(stdout().flush()?)
}

fn reason(end: End) -> &'static str {
    match end {
        End::Process => "the process ended",
        End::Time => "the time is over",
        End::Signal => "it was interrupted",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_of_one() {
        assert_eq!(parse_share("0.5"), Ok(0.5));
        assert_eq!(parse_share("1"), Ok(1.0));
        for wrong in ["0", "1.1", "-1", "NaN", "half"] {
            assert!(parse_share(wrong).is_err(), "{wrong}");
        }
    }
}
