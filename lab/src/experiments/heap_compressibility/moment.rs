// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A heap at one moment, as `ztera analyze --json` describes it.

use serde::{Deserialize, Serialize};

/// All moments of one program.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Program {
    /// Its name.
    pub program: String,
    /// In their order.
    pub moments: Vec<Moment>,
}

/// One dump.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Moment {
    /// The progress that the program had printed, such as `load 50%`.
    pub at: String,
    /// Bytes of all pages.
    pub bytes: u64,
    /// By size of unit.
    pub units: Vec<Units>,
}

/// Units of one size.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Units {
    /// Bytes of each.
    pub unit_bytes: u64,
    /// How many were compressed.
    pub units: u64,
    /// Those that repeat one word.
    pub same_filled_units: u64,
    /// With lz4.
    pub lz4: Packing,
    /// With zstd.
    pub zstd: Packing,
}

/// A codec's results.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Packing {
    /// Bytes afterwards.
    pub stored_bytes: u64,
    /// Units that are kept as they are.
    pub incompressible_units: u64,
}

impl Units {
    /// How many times smaller they become.
    pub fn smaller_by(&self, packing: Packing) -> f64 {
        (self.units * self.unit_bytes) as f64 / packing.stored_bytes.max(1) as f64
    }

    /// A part of all units, in percent.
    pub fn share(&self, part: u64) -> f64 {
        part as f64 * 100.0 / self.units.max(1) as f64
    }
}

impl Program {
    /// The last dump, when all data are there.
    pub fn last(&self) -> Option<&Moment> {
        self.moments.last()
    }
}

impl Moment {
    /// Units of this size.
    pub fn of(&self, unit_bytes: u64) -> Option<&Units> {
        self.units.iter().find(|units| units.unit_bytes == unit_bytes)
    }
}
