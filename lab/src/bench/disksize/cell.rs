// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run of a program: without limit, or in a cell.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ztera_machine::cgroup::Cgroup;
use ztera_machine::child::{Run, supervise};

use super::arm::Arm;
use super::data::{CellRun, Reference};
use super::machine::Machine;
use super::program::Program;
use crate::kit::ending::{Ending, Evidence, judge};
use crate::kit::shared_memory::Limit;

/// How many times longer than without limit a run may take, and the seconds that it may take at least.
const SLOWEST: f64 = 15.0;
const LEAST: f64 = 5.0;

/// Runs a program without limit.
pub fn reference(program: &Program) -> Result<Reference> {
    let cgroup = Cgroup::create("disksize-whole")?;
    let run = supervise(program.command(), Some(&cgroup), None, &mut |_| ())
        .with_context(|| format!("cannot run {}", program.name))?;
    let (ending, words) = judged(&run, &cgroup);
    if ending != Ending::Finished {
        bail!("{} {words} without any limit: {}", program.name, run.tail.join("; "));
    }
    let footprint_bytes = cgroup.peak().context("this kernel does not keep a cgroup's peak")?;
    Ok(Reference {
        program: program.name.clone(),
        footprint_bytes,
        unlimited_seconds: run.took.as_secs_f64(),
    })
}

/// A place in a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The kind of swap.
    pub arm: Arm,
    /// The row.
    pub machine: Machine,
    /// The column.
    pub size_percent: u32,
}

/// Runs a program in a cell.
pub fn run(program: &Program, cell: &Cell, reference: &Reference, ssd: &Path) -> Result<CellRun> {
    let limit = cell.machine.limit(reference.footprint_bytes);
    let swap_bytes = cell.machine.swap(reference.footprint_bytes, cell.size_percent);
    let _huge_pages = cell.arm.huge_pages()?;
    let medium = cell.arm.switch_on(swap_bytes, limit, ssd)?;
    let cgroup = Cgroup::create("disksize")?;
    let patience = Duration::from_secs_f64((SLOWEST * reference.unlimited_seconds).max(LEAST));
    let supervised = || supervise(program.command(), Some(&cgroup), Some(patience), &mut |_| ());
    let (run, swap_peak_bytes) = medium.while_limited(&cgroup, Limit::new(limit), supervised)?;
    let run = run?;
    let (ending, words) = judged(&run, &cgroup);
    Ok(CellRun {
        program: program.name.clone(),
        kernel: program.kernel.clone(),
        arm: cell.arm.name(),
        machine: cell.machine.name.clone(),
        size_percent: cell.size_percent,
        limit_bytes: limit,
        swap_bytes,
        ending,
        words,
        run_seconds: run.took.as_secs_f64(),
        cgroup_peak_bytes: cgroup.peak(),
        swap_peak_bytes,
    })
}

fn judged(run: &Run, cgroup: &Cgroup) -> (Ending, String) {
    let oom_kills = cgroup.oom_kills().unwrap_or(0);
    judge(&Evidence { end: &run.end, tail: &run.tail, oom_kills, took: run.took, reached: None }, 0)
}
