// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The Java programs. See `org.ztera.demo.tiers`.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A program whose live data outgrows its DRAM.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// The demo's index; most questions go to few directories and symbols
    DemoZipf,
    /// The same; all are alike
    DemoUniform,
    /// Rows of numbers
    Vectors,
    /// Package dependencies
    Graph,
}

impl Workload {
    /// All of them.
    pub const ALL: [Workload; 4] =
        [Workload::DemoZipf, Workload::DemoUniform, Workload::Vectors, Workload::Graph];

    /// How much of a mapped file the kernel should read ahead: the competitor's best.
    pub fn read_ahead(self) -> u64 {
        match self {
            Workload::Vectors => 128 << 10,
            Workload::DemoZipf | Workload::DemoUniform | Workload::Graph => 16 << 10,
        }
    }
}
