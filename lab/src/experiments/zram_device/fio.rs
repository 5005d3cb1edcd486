// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A point by fio: a job that writes, and one that reads, or reads and writes.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::medium::Medium;
use super::point::{Outcome, Point};
use crate::kit::device_load::{self, Moment};
use crate::kit::fio::{Contents, Job, Load, run};

/// Measures at a point, with files of `size` and for so many milliseconds per job.
pub fn measure(medium: &Medium, point: &Point, size: u64, milliseconds: u32) -> Result<Outcome> {
    let load = Load {
        place: medium.place(),
        contents: Contents::Anew(point.compressible),
        size,
        block: point.block,
        depth: point.depth,
        jobs: point.jobs,
        milliseconds,
    };
    let ([write, read], reading) =
        if point.is_watched() { watched(medium, &load, point)? } else { (both(&load, point)?, Vec::new()) };
    let (point, smaller_by, disks) = (point.clone(), medium.smaller_by(), medium.disks());
    Ok(Outcome { point, write, read, smaller_by, disks, reading })
}

fn both(load: &Load, point: &Point) -> Result<[Job; 2]> {
    let [write, read] = run(load, &jobs(point))?[..] else { bail!("fio did not report both jobs") };
    Ok([write, read])
}

/// In two runs, of which the second reads alone and is looked at a few times.
fn watched(medium: &Medium, load: &Load, point: &Point) -> Result<([Job; 2], Vec<Moment>)> {
    let [writes, reads] = jobs(point);
    let one = |job: Vec<String>| {
        run(load, &[job]).and_then(|found| found.first().copied().context("fio did not report its job"))
    };
    let write = one(writes)?;
    let step = Duration::from_millis(u64::from(load.milliseconds / LOOKS).max(1));
    let (read, reading) = device_load::watch(medium.device().as_deref(), step, || one(reads));
    Ok(([write, read?], reading))
}

/// Looks in the time of a job.
const LOOKS: u32 = 10;

fn jobs(point: &Point) -> [Vec<String>; 2] {
    let random = if point.random { "rand" } else { "" };
    let second = match point.reads {
        100 => vec![format!("--rw={random}read")],
        reads => vec![format!("--rw={random}rw"), format!("--rwmixread={reads}")],
    };
    [vec![format!("--rw={random}write")], second]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_becomes_two_jobs() {
        let mixed = Point { reads: 90, random: true, ..Point::of("ssd") };
        assert_eq!(jobs(&mixed), [vec!["--rw=randwrite"], vec!["--rw=randrw", "--rwmixread=90"]]);
        assert_eq!(jobs(&Point::of("ssd")), [["--rw=write"], ["--rw=read"]]);
    }
}
