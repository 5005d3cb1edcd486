// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How an arm's memory is divided. Pure arithmetic, no looking around.

use anyhow::{Result, bail};
use ztera_machine::units::{MIB, show_size};

/// The needs of a JVM besides its heap: code, metaspace, the collector's tables, stacks, file cache that it cannot do
/// without. The stock one gets it, so that it does not die for want of it.
const STOCK_JVM: u64 = 80 * MIB;
/// The first heap must hold what the program is building, and its garbage.
const LEAST_H1: u64 = 96 * MIB;
/// Nor is there any use in a second heap with less than this.
const LEAST_H2: u64 = 64 * MIB;

/// The sizes that the ZTera arm is given, in bytes. The JVM divides its limit itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// The first heap.
    pub h1: u64,
    /// The capacity of H2.
    pub h2: u64,
}

impl Sizes {
    /// For a program with `live` bytes of live data within `limit`, and a first heap of `h1` if that is chosen.
    pub fn plan(limit: u64, live: u64, h1: Option<u64>) -> Result<Sizes> {
        // Regions are never quite full, and a directory that is indexed again exists twice for a moment.
        Ok(Sizes { h1: check(limit, h1)?, h2: live + live / 2 })
    }
}

/// The size of the first heap within `limit`, be it `h1` or chosen. Refuses a limit that is too low for any program.
pub fn check(limit: u64, h1: Option<u64>) -> Result<u64> {
    let h1 = h1.unwrap_or((limit / 12).max(LEAST_H1));
    let needed = h1 + STOCK_JVM + LEAST_H2;
    if limit < needed {
        bail!(
            "a limit of {} is too low: the first heap, the JVM itself and the least of a second heap need {}; give a \
             higher --limit, a lower --factor, or a smaller --h1",
            show_size(limit),
            show_size(needed)
        );
    }
    Ok(h1)
}

/// The heap of a stock JVM that is given `limit` bytes of DRAM: all of it, but for what a JVM needs besides.
pub fn stock_heap(limit: u64) -> u64 {
    limit.saturating_sub(STOCK_JVM).max(limit / 2)
}

/// The limit of zram where a heap within `limit` bytes of DRAM is swapped to it.
pub fn zram_of_swap(limit: u64) -> u64 {
    limit * 3 / 5
}

/// The limit of zram where H2 is a file on it: all but what lies beside it in DRAM, and some file cache.
pub fn zram_of_file(limit: u64, beside: u64) -> u64 {
    let cache = limit / 16;
    limit.saturating_sub(beside + cache).max(cache)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ztera_machine::units::GIB;

    #[test]
    fn the_first_heap_is_a_twelfth_or_what_is_given() {
        let h1 = |limit, h1| Sizes::plan(limit, 3 * GIB, h1).unwrap().h1;
        assert_eq!(h1(600 * MIB, None), LEAST_H1);
        assert_eq!(h1(6 * GIB, None), GIB / 2);
        assert_eq!(h1(GIB, Some(200 * MIB)), 200 * MIB);
        assert!(Sizes::plan(GIB, 3 * GIB, None).unwrap().h2 > 3 * GIB);
    }

    #[test]
    fn too_low_a_limit_is_refused_with_what_it_takes() {
        let error = Sizes::plan(239 * MIB, 2 * GIB, None).unwrap_err().to_string();
        assert!(error.contains("239 MiB is too low") && error.contains("need 240 MiB"), "{error}");
    }

    #[test]
    fn the_stock_heap_leaves_room_for_the_jvm() {
        assert_eq!(stock_heap(GIB), GIB - STOCK_JVM);
        assert_eq!(stock_heap(100 * MIB), 50 * MIB);
    }
}
