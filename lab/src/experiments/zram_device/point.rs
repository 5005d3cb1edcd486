// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One point of the plan, and what fio finds there.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::kit::device_load::Moment;
use crate::kit::fio::Job;

/// All that is varied.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Point {
    /// `zram-CODEC`, `ours-CODEC`, `range-CODEC`, `files-KIND`, `ssd` or `tmpfs`.
    pub medium: String,
    /// The share of a buffer that compresses to nothing, in percent.
    pub compressible: u32,
    /// Bytes of a request.
    pub block: u64,
    /// Requests of one process that are under way at once; 0 is synchronous.
    pub depth: u32,
    /// Processes.
    pub jobs: u32,
    /// Whether requests are in random order.
    pub random: bool,
    /// Of the second job, the share of reads in percent.
    pub reads: u32,
}

impl Point {
    /// With the source's defaults, table 4.4.
    pub fn of(medium: &str) -> Point {
        Point {
            medium: medium.to_owned(),
            compressible: 50,
            block: 64 << 10,
            depth: 0,
            jobs: 1,
            random: false,
            reads: 100,
        }
    }

    /// Whether the device's queue and all CPUs are looked at: where a queue is deep, or processes are many.
    pub fn is_watched(&self) -> bool {
        !self.random && self.reads == 100 && (self.depth >= 128 || self.jobs > 1)
    }

    /// The step's key.
    pub fn key(&self) -> String {
        let mut key =
            format!("{} {} % compressible, {} KiB", self.medium, self.compressible, self.block >> 10);
        match self.depth {
            0 => key.push_str(", sync"),
            depth => _ = write!(key, ", depth {depth}"),
        }
        _ = write!(key, ", jobs {}, {}", self.jobs, if self.random { "random" } else { "sequential" });
        if self.reads < 100 {
            _ = write!(key, ", {} % reads", self.reads);
        }
        key
    }
}

/// The findings at a point: first all is written, then it is read, or read and written.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Outcome {
    /// The settings.
    pub point: Point,
    /// Of the first job.
    pub write: Job,
    /// Of the second.
    pub read: Job,
    /// How many times smaller the data are in DRAM, where that is known.
    pub smaller_by: Option<f64>,
    /// Of a RAID 0, how many disks it has.
    #[serde(default)]
    pub disks: Option<u32>,
    /// The device and all CPUs while the second job read, at points that are [watched](Point::is_watched).
    #[serde(default)]
    pub reading: Vec<Moment>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_tells_all_that_is_varied() {
        let point = Point::of("ssd");
        assert_eq!(point.key(), "ssd 50 % compressible, 64 KiB, sync, jobs 1, sequential");
        let point = Point { depth: 128, random: true, reads: 90, ..point };
        assert_eq!(point.key(), "ssd 50 % compressible, 64 KiB, depth 128, jobs 1, random, 90 % reads");
    }
}
