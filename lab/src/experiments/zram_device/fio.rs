// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A point by fio: a job that writes, and one that reads, or reads and writes.

use anyhow::{Result, bail};

use super::medium::Medium;
use super::point::{Outcome, Point};
use crate::kit::fio::{Contents, Load, run};

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
    let [write, read] = run(&load, &jobs(point))?[..] else { bail!("fio did not report both jobs") };
    Ok(Outcome { point: point.clone(), write, read, smaller_by: medium.smaller_by() })
}

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
