// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A point of the plan, and what was found there.

use serde::{Deserialize, Serialize};
use ztera_disk::Stats;

use crate::kit::laps::{Laps, Shape};

/// The way to a device.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Requests by calls: of our device in this process, and of zram's block device.
    Calls,
    /// fio, of our device by NBD, and of zram's block device.
    Fio,
}

/// All that is varied.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Point {
    /// The device.
    pub arm: String,
    /// The way to it.
    pub way: Way,
    /// Bytes of a request.
    pub block: u64,
    /// Whether requests are in random order.
    pub random: bool,
    /// Threads, each with one request under way.
    pub jobs: u32,
}

impl Point {
    /// With the QZRAM paper's defaults: pages in order, by one job.
    pub fn of(arm: &str, way: Way) -> Point {
        Point { arm: arm.to_owned(), way, block: 4 << 10, random: false, jobs: 1 }
    }

    /// The step's key.
    pub fn key(&self) -> String {
        let order = if self.random { "random" } else { "sequential" };
        format!("{}, {} KiB, {order}, jobs {}", self.name(), self.block >> 10, self.jobs)
    }

    /// The requests.
    pub fn shape(&self) -> Shape {
        Shape { block: self.block as usize, random: self.random, jobs: self.jobs }
    }

    /// The device, with the way to it.
    pub fn name(&self) -> String {
        match self.way {
            Way::Calls => format!("{} by calls", self.arm),
            Way::Fio if self.arm.starts_with("zram") => format!("{} by fio", self.arm),
            Way::Fio => format!("{} by fio and NBD", self.arm),
        }
    }
}

/// Writing, or reading.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Side {
    /// Of uncompressed data.
    pub mib_per_second: f64,
    /// Of a request.
    pub mean_us: f64,
    /// Of the slowest of a hundred.
    pub p99_us: f64,
    /// CPU seconds per GiB of all that takes part: the job and, of ours, the server.
    pub cpu_per_gib: f64,
}

impl Side {
    /// All CPU time of this process counts.
    pub fn of(laps: &Laps) -> Side {
        let Laps { bytes, spent, mean_us, p99_us } = *laps;
        let (mib_per_second, cpu_per_gib) = (spent.mib_per_second(bytes), spent.cpu_per_gib(bytes));
        Side { mib_per_second, mean_us, p99_us, cpu_per_gib }
    }
}

/// The findings at a point.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Outcome {
    /// The settings.
    pub point: Point,
    /// First all is written.
    pub write: Side,
    /// Then it is read.
    pub read: Side,
    /// The device's contents after that.
    pub density: Density,
    /// The share of units that an accelerator compressed, of those that were written; absent without one.
    pub offloaded: Option<f64>,
}

/// Units that an accelerator compressed so far, and all that it could have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offloads {
    done: u64,
    all: u64,
}

impl Offloads {
    /// Of our device; `None` without an accelerator.
    pub fn of(stats: &Stats) -> Option<Offloads> {
        let counts = stats.accelerator.as_ref()?;
        let outcomes = counts.iter().filter(|(name, _)| *name != "in_flight_units" && *name != "resets");
        let done = counts.get("offloaded_units").copied().unwrap_or(0);
        Some(Offloads { done, all: outcomes.map(|(_, count)| count).sum() })
    }

    /// The share since then.
    pub fn share_since(self, before: Offloads) -> f64 {
        (self.done - before.done) as f64 / (self.all - before.all).max(1) as f64
    }
}

/// How many times smaller data have become.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Density {
    /// Of all compressed objects.
    pub objects: f64,
    /// Of all DRAM for them. zram's tables do not show.
    pub dram: f64,
}

impl Density {
    /// Of bytes before and after.
    pub fn of(original: u64, compressed: u64, used: u64) -> Density {
        let times = |bytes: u64| original as f64 / bytes.max(1) as f64;
        Density { objects: times(compressed), dram: times(used) }
    }

    /// Of our device, tables included.
    pub fn of_ours(stats: &Stats) -> Density {
        let mm = stats.mm_stat;
        Density::of(mm.orig_data_size, mm.compr_data_size, mm.mem_used_total + stats.more.table_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_tells_all_that_is_varied() {
        let point = Point::of("zram-lzo", Way::Calls);
        assert_eq!(point.key(), "zram-lzo by calls, 4 KiB, sequential, jobs 1");
        let point = Point { arm: "ours-lz4".to_owned(), way: Way::Fio, random: true, jobs: 16, ..point };
        assert_eq!(point.key(), "ours-lz4 by fio and NBD, 4 KiB, random, jobs 16");
    }

    #[test]
    fn units_that_the_cpu_had_to_do_are_no_offloads() {
        let of = |offloaded_units, busy_units| {
            let counts = [("offloaded_units", offloaded_units), ("busy_units", busy_units), ("resets", 9)];
            let counts = counts.map(|(name, count)| (name.to_owned(), count)).into();
            Offloads::of(&Stats { accelerator: Some(counts), ..Stats::default() }).unwrap()
        };
        assert_eq!(of(13, 2).share_since(of(10, 1)), 0.75);
        assert_eq!(Offloads::of(&Stats::default()), None);
    }

    #[test]
    fn density_is_a_quotient() {
        assert_eq!(Density::of(100, 50, 80), Density { objects: 2.0, dram: 1.25 });
    }
}
