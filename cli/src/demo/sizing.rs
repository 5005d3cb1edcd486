// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How an arm's memory is divided. Pure arithmetic, no looking around.

use anyhow::{Result, bail};

use crate::jvm_flags::{Backing, Codec, H2Flags};
use crate::units::{MIB, show_size};

/// What a JVM needs besides its heap: code, metaspace, the collector's tables, stacks, file cache that it cannot do
/// without. At the demo's peak ZTera's has less than 50 MiB of that; the stock one gets more, so that it does not die
/// for want of it.
const JVM: u64 = 48 * MIB;
const STOCK_JVM: u64 = 80 * MIB;
/// Staging buffers of the engine. They may take 64 MiB, but the demo moves one shard of at most 20 MiB at a time, and the
/// workers are at it meanwhile.
const STAGING: u64 = 24 * MIB;
/// The first heap must hold what the program is building, and its garbage.
const LEAST_H1: u64 = 96 * MIB;
const LEAST_RESIDENT: u64 = 32 * MIB;
const LEAST_POOL: u64 = 32 * MIB;

/// Sizes that the user chose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// The first heap.
    pub h1: Option<u64>,
    /// Uncompressed pages of H2.
    pub resident: Option<u64>,
}

/// How the ZTera arm's memory is divided. All in bytes; all but `h2` are DRAM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// The first heap.
    pub h1: u64,
    /// Uncompressed pages of H2.
    pub resident: u64,
    /// Compressed pages of H2: all that is left.
    pub pool: u64,
    /// The capacity of H2.
    pub h2: u64,
}

impl Sizes {
    /// Divides `limit` for a program with `live` bytes of live data.
    pub fn plan(limit: u64, live: u64, given: Given) -> Result<Sizes> {
        let h1 = given.h1.unwrap_or((limit / 12).max(LEAST_H1));
        let resident = given.resident.unwrap_or((limit / 20).max(LEAST_RESIDENT));
        let tables = live / 128;
        let fixed = h1 + resident + STAGING + JVM + tables;
        let Some(pool) = limit.checked_sub(fixed).filter(|pool| *pool >= LEAST_POOL) else {
            bail!(
                "a limit of {} is too low: heap, resident pages, staging and the JVM itself need {} before the first \
                 compressed page; give a higher --limit, a lower --factor, or a smaller --h1",
                show_size(limit),
                show_size(fixed + LEAST_POOL)
            );
        };
        // Regions are never quite full, and a directory that is indexed again exists twice for a moment.
        let h2 = live + live / 2;
        Ok(Sizes { h1, resident, pool, h2 })
    }

    /// The flags that say so.
    pub fn h2_flags(&self, codec: Codec) -> H2Flags {
        H2Flags {
            size: self.h2,
            resident: Some(self.resident),
            pool: Some(self.pool),
            backing: Some(Backing::Tier),
            codec: Some(codec),
            ..H2Flags::default()
        }
    }
}

/// The heap of a stock JVM that is given `limit` bytes of DRAM: all of it, but for what a JVM needs besides.
pub fn stock_heap(limit: u64) -> u64 {
    limit.saturating_sub(STOCK_JVM).max(limit / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::GIB;

    #[test]
    fn the_parts_add_up_to_the_limit() {
        for limit in [600 * MIB, GIB, 5 * GIB] {
            let sizes = Sizes::plan(limit, 3 * GIB, Given::default()).unwrap();
            assert_eq!(sizes.h1 + sizes.resident + sizes.pool + STAGING + JVM + 3 * GIB / 128, limit);
            assert!(sizes.h1 >= LEAST_H1 && sizes.h2 > 3 * GIB);
        }
    }

    #[test]
    fn what_is_given_is_kept() {
        let given = Given { h1: Some(200 * MIB), resident: Some(50 * MIB) };
        let sizes = Sizes::plan(GIB, 2 * GIB, given).unwrap();
        assert_eq!((sizes.h1, sizes.resident), (200 * MIB, 50 * MIB));
    }

    #[test]
    fn too_low_a_limit_is_refused_with_what_it_takes() {
        let error = Sizes::plan(240 * MIB, 2 * GIB, Given::default()).unwrap_err().to_string();
        assert!(error.contains("240 MiB is too low") && error.contains("need 248 MiB"), "{error}");
    }

    #[test]
    fn the_stock_heap_leaves_room_for_the_jvm() {
        assert_eq!(stock_heap(GIB), GIB - STOCK_JVM);
        assert_eq!(stock_heap(100 * MIB), 50 * MIB);
    }
}
