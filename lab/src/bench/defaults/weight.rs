// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How small a program's data become when they are compressed: what says whether two tiers have room for them.

use serde::{Deserialize, Serialize};
use ztera_machine::jvm_flags::{Codec, H2Flags, HeapFlags, value_name};
use ztera_machine::units::MIB;

use super::program::Program;
use crate::kit::h2_stats::H2Stats;

/// Live data of the run that tells.
pub const LIVE: u64 = 256 * MIB;
/// Less than the live data, so that most of them move.
const H1: u64 = 160 * MIB;

/// The weight of a program's data.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// Whose.
    pub program: Program,
    /// Compressed over uncompressed, the pool's own needs included. None if the run that was to tell failed.
    pub compressed_to: Option<f64>,
}

impl Weight {
    /// Of the second heap when all data are loaded, if the run came so far.
    pub fn of(program: Program, stats: Option<&H2Stats>) -> Weight {
        let ratio = stats.and_then(H2Stats::compression_ratio).filter(|ratio| *ratio > 0.0);
        Weight { program, compressed_to: ratio.map(|ratio| 1.0 / ratio) }
    }
}

/// The step that finds it out.
pub fn step(program: Program) -> String {
    format!("{}: how small its data become", value_name(&program))
}

/// The JVM's flags: hardly anything stays uncompressed, and the denser codec is taken, as under need.
pub fn flags() -> Vec<String> {
    let h2 = H2Flags {
        size: 4 * LIVE,
        resident: Some(16 * MIB),
        pool: Some(2 * LIVE),
        codec: Some(Codec::Zstd),
        ..H2Flags::default()
    };
    let heap = HeapFlags { max: Some(H1), ..HeapFlags::parallel() };
    [heap.arguments(), h2.arguments()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_is_what_the_pool_takes() {
        let stats = H2Stats { compressed_bytes: 400, mem_used_total: 100, ..H2Stats::default() };
        assert_eq!(Weight::of(Program::Rows, Some(&stats)).compressed_to, Some(0.25));
        assert_eq!(Weight::of(Program::Rows, Some(&H2Stats::default())).compressed_to, None);
        assert_eq!(Weight::of(Program::Rows, None).compressed_to, None);
    }
}
