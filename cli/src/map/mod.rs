// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera map`: the areas of a process's memory.
//!
//! ```text
//!  smaps of the process, and its pagemap  \
//!  layout: what its JVM says               -> split: sums of areas -> report, picture
//!  kinds: what a mapping's kind says      /
//! ```

mod area;
mod h2;
mod kinds;
mod layout;
mod picture;
mod report;
mod split;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use ztera_machine::process::files::{FileKind, kind};
use ztera_machine::process::pagemap::Pagemap;
use ztera_machine::process::{mapping, parse_pid, smaps, stacks};
use ztera_measure::plot;

use kinds::Owner;
use layout::Layout;
use report::Report;

/// Show the memory of a process by area: how much of each is in DRAM, in swap, or in pages of files
///
/// Of a JVM the areas are those that it knows: young and old generation, metaspace, compiled code, and so on. It is
/// asked as jcmd does it (GC.heap_info, System.map, VM.info), so run this as its user, or as root. Any other process
/// has areas by the kinds of its mappings.
///
/// The kernel's counts (/proc/PID/smaps) are divided, and their sums stay the same. A page that several processes share
/// counts in each of them.
///
/// RESIDENT pages are in DRAM. They are anonymous, or of files, clean or dirty.
///
/// ANONYMOUS pages have no file, or were changed for this process alone: they leave DRAM only by swap.
///
/// FILE, CLEAN pages are as in their file: the kernel can drop them at once, and reads them again when they are used.
///
/// FILE, DIRTY pages have to be written before they are dropped. Shared memory counts here too.
///
/// SWAPPED pages are in swap, which may be zram.
///
/// Start a JVM with -XX:NativeMemoryTracking=summary to see metaspace and all tables of its collector too. Collectors
/// but Parallel and Serial have no places for young and old: their heap is one area.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The process id (`ztera top` lists JVMs)
    #[arg(value_parser = parse_pid)]
    pid: u32,
    /// Print JSON, in bytes
    #[arg(long)]
    json: bool,
    /// Also draw the areas to this file, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  ztera map PID
  ztera map --svg map.svg PID   # and a picture
  ztera map --json PID          # bytes, for a program";

/// Looks, and prints.
pub fn run(args: &Args) -> Result<ExitCode> {
    let report = look(args)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        println!("{}", report::render(&report));
    }
    if let Some(file) = &args.svg {
        plot::folder::write(&picture::plot(&report), file)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn look(args: &Args) -> Result<Report> {
    let pid = args.pid;
    let is_jvm = mapping::of(pid)?
        .iter()
        .any(|it| it.path().is_some_and(|file| kind(file, false) == FileKind::Libjvm));
    // Before the kernel counts, as the JVM's answers take memory.
    let layout = if is_jvm { Layout::of(pid) } else { Layout::default() };
    let (stacks, pagemap, entries) = (stacks::pointers(pid), Pagemap::of(pid)?, smaps::of(pid)?);
    let owner = Owner { stacks: &stacks, has_h2: layout.h2.is_some() };
    let sums = split::sums(&entries, &layout.known, owner, |range| pagemap.count(range))
        .with_context(|| format!("cannot read the pages of process {pid}"))?;
    let (areas, total) = report::rows(sums);
    let Layout { told_by, h2, notes, .. } = layout;
    Ok(Report { pid, jvm: is_jvm, told_by, total, areas, h2, notes })
}
