// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Measurements of the candidates, as they are kept in a file.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The place where pages are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// The kernel's zram, as swap
    #[default]
    Zram,
    /// The second heap of a JVM
    H2,
}

/// A candidate, and how it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The codec, as its user calls it.
    pub codec: String,
    /// So many pages are read at once, as a power of two: `vm.page-cluster`, or the unit of H2.
    pub page_cluster: u32,
    /// Uncompressed bytes that all threads read.
    pub mib_per_second: f64,
    /// Reads of all threads per second.
    pub iops: f64,
    /// The time of a read.
    pub mean_ns: f64,
    /// One read in a hundred takes longer.
    pub p99_ns: f64,
    /// How many times less memory the data takes.
    pub ratio: f64,
    /// Seconds that all threads took to write a GiB of the data; 0 where that was not measured.
    #[serde(default)]
    pub copy_seconds: f64,
}

/// The table of the Zram notes, a file of measurements. docs/sources.md says where they are.
pub const ZRAM_NOTES: &str = include_str!("zram_notes.json");

/// A file of measurements: reports of this command are such files too.
#[derive(Clone, Debug, Deserialize)]
pub struct File {
    /// Where the data was compressed.
    #[serde(default)]
    pub target: Target,
    /// The data, in words.
    #[serde(default)]
    pub data: String,
    /// One entry per candidate.
    pub measured: Vec<Measured>,
}
