// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One point of the plan, and what is found there.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// A web application.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum App {
    /// It keeps sessions, as DayTrader.
    Trading,
    /// It keeps none, as AcmeAir.
    Booking,
}

impl App {
    /// Its name for people, and its first argument.
    pub fn name(self) -> &'static str {
        match self {
            App::Trading => "trading",
            App::Booking => "booking",
        }
    }
}

/// The place of what does not fit into memory.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// Swap in a file on the SSD.
    SwapOnSsd,
    /// Swap on zram, whose DRAM counts against the limit.
    SwapOnZram,
    /// No swap; H2, compressed in memory.
    TwoTiers,
    /// No swap; H2, compressed in memory and on the SSD.
    ThreeTiers,
}

impl Arm {
    /// In the order of tables.
    pub const ALL: [Arm; 4] = [Arm::SwapOnSsd, Arm::SwapOnZram, Arm::TwoTiers, Arm::ThreeTiers];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Arm::SwapOnSsd => "swap on SSD",
            Arm::SwapOnZram => "swap on zram",
            Arm::TwoTiers => "H2, two tiers",
            Arm::ThreeTiers => "H2, three tiers",
        }
    }

    /// Whether the kernel swaps.
    pub fn swaps(self) -> bool {
        matches!(self, Arm::SwapOnSsd | Arm::SwapOnZram)
    }
}

/// All that is varied.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Point {
    /// The application.
    pub app: App,
    /// The place of what does not fit.
    pub arm: Arm,
    /// Whether libjvm, class archive and libraries are kept in memory.
    pub pinned: bool,
    /// How eagerly the kernel swaps, from 0 to 200; arms that do not swap have 0.
    pub swappiness: u32,
    /// JVMs, with one limit for all.
    pub jvms: u32,
    /// The heap of each, in times of the usual one: the paper's table 1 has 1, 2 and 4.
    #[serde(default = "usual")]
    pub heap: u32,
}

fn usual() -> u32 {
    1
}

/// The paper's, where nothing else is said; Linux's is 60.
pub const SWAPPINESS: u32 = 100;

impl Point {
    /// With the paper's swappiness, nothing pinned, and the usual heap.
    pub fn of(app: App, arm: Arm, jvms: u32) -> Point {
        Point { app, arm, pinned: false, swappiness: if arm.swaps() { SWAPPINESS } else { 0 }, jvms, heap: 1 }
    }

    /// The same with files pinned.
    pub fn with_files_pinned(self) -> Point {
        Point { pinned: true, ..self }
    }

    /// The arm and how it is set, for people.
    pub fn setting(&self) -> String {
        let mut words = self.arm.name().to_owned();
        if self.arm.swaps() {
            _ = write!(words, ", swappiness {}", self.swappiness);
        }
        if self.heap > 1 {
            _ = write!(words, ", heap times {}", self.heap);
        }
        if self.pinned {
            words.push_str(", pinned");
        }
        words
    }

    /// The step's key.
    pub fn key(&self) -> String {
        format!("{}, JVMs {}, {}", self.app.name(), self.jvms, self.setting())
    }
}

/// The answers of all JVMs to the load.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Load {
    /// Answered.
    pub requests: u64,
    /// Of these or beside them, errors.
    pub failed: u64,
    /// How long.
    pub seconds: f64,
    /// Requests under way at once.
    pub connections: u32,
    /// Of response time: 99 of 100 are below. Corrected by wrk for requests that a slow one held up.
    pub p99_ms: f64,
}

impl Load {
    /// Throughput.
    pub fn per_second(&self) -> f64 {
        self.requests as f64 / self.seconds
    }

    /// The mean response time. In a closed loop it follows from throughput.
    pub fn mean_ms(&self) -> f64 {
        f64::from(self.connections) * self.seconds * 1e3 / self.requests.max(1) as f64
    }
}

/// Bytes and events during the load, of all JVMs together.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Traffic {
    /// Read from files on the SSD.
    pub file_read_bytes: u64,
    /// Written to them.
    #[serde(default)]
    pub file_written_bytes: u64,
    /// Read from swap.
    pub swap_read_bytes: u64,
    /// Written to swap.
    pub swap_written_bytes: u64,
    /// Read from H2's file.
    pub h2_read_bytes: u64,
    /// Written to it.
    pub h2_written_bytes: u64,
    /// Pages of files that came back after they had been reclaimed.
    pub file_refaults: u64,
    /// The same of anonymous pages.
    pub anonymous_refaults: u64,
    /// Faults that waited for a device.
    pub major_faults: u64,
    /// The share of the machine's CPU time that was idle while a disk was waited for, from 0 to 1.
    pub io_wait: f64,
}

impl Traffic {
    /// All of swap.
    pub fn swap_bytes(&self) -> u64 {
        self.swap_read_bytes + self.swap_written_bytes
    }

    /// All of H2's file.
    pub fn h2_bytes(&self) -> u64 {
        self.h2_read_bytes + self.h2_written_bytes
    }
}

/// Memory of an area after the load, in bytes.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct AreaBytes {
    /// As of `ztera map`.
    pub area: String,
    /// In DRAM, without a file.
    pub anonymous: u64,
    /// In DRAM, of files.
    pub file: u64,
    /// In swap.
    pub swapped: u64,
}

/// The measurements of JVMs that all ran.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Served {
    /// Throughput and response time.
    pub load: Load,
    /// Of devices.
    pub traffic: Traffic,
    /// Sums over the JVMs that were looked at.
    pub areas: Vec<AreaBytes>,
    /// How many were, and had the right total in their books.
    pub looked_at: u32,
    /// Kept in memory.
    pub pinned_bytes: u64,
    /// Of objects in H2, over all JVMs.
    pub h2_used_bytes: u64,
    /// Of all JVMs, in DRAM and in swap.
    #[serde(default)]
    pub footprint_bytes: u64,
}

/// The findings at a point.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Outcome {
    /// The settings.
    pub point: Point,
    /// For all JVMs and zram.
    pub limit_bytes: u64,
    /// `-Xms` and `-Xmx` of each.
    pub heap_bytes: u64,
    /// Of each, before the JVM makes objects of them.
    pub data_bytes: u64,
    /// The most DRAM that zram used.
    pub zram_peak_bytes: u64,
    /// None if they do not all fit.
    pub served: Option<Served>,
    /// Why they do not.
    pub ended: Option<String>,
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A measurement of one second, with bytes of files and of swap that were read.
    pub fn served(requests: u64, file: u64, swap: u64) -> Served {
        Served {
            load: Load { requests, failed: 0, seconds: 1.0, connections: 12, p99_ms: 9.0 },
            traffic: Traffic { file_read_bytes: file, swap_read_bytes: swap, ..Traffic::default() },
            areas: vec![AreaBytes { area: "old".to_owned(), anonymous: 2 << 20, file: 0, swapped: 1 << 20 }],
            looked_at: 1,
            pinned_bytes: 0,
            h2_used_bytes: 0,
            footprint_bytes: 0,
        }
    }

    /// Of a point that was measured.
    pub fn outcome(point: Point, served: Served) -> Outcome {
        Outcome {
            point,
            limit_bytes: 384 << 20,
            heap_bytes: 64 << 20,
            data_bytes: 24 << 20,
            zram_peak_bytes: 0,
            served: Some(served),
            ended: None,
        }
    }

    #[test]
    fn a_key_tells_all_that_is_varied() {
        let point = Point::of(App::Trading, Arm::SwapOnSsd, 4);
        assert_eq!(point.key(), "trading, JVMs 4, swap on SSD, swappiness 100");
        let point = Point { swappiness: 60, heap: 2, ..point }.with_files_pinned();
        assert_eq!(point.key(), "trading, JVMs 4, swap on SSD, swappiness 60, heap times 2, pinned");
        assert_eq!(Point::of(App::Booking, Arm::TwoTiers, 1).key(), "booking, JVMs 1, H2, two tiers");
    }

    #[test]
    fn the_mean_follows_from_throughput_in_a_closed_loop() {
        let load = Load { requests: 2000, failed: 0, seconds: 4.0, connections: 10, p99_ms: 50.0 };
        assert_eq!((load.per_second(), load.mean_ms()), (500.0, 20.0));
    }
}
