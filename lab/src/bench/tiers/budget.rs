// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How an arm's DRAM is divided. Pure arithmetic.

use anyhow::{Result, bail};
use serde::Serialize;
use ztera_machine::units::{MIB, show_size};

use crate::kit::sizing::Sizes;

/// Memory that ZTera's JVM needs besides its heaps: code, metaspace, the collector's tables, stacks, file cache that it
/// cannot do without. At the demo's peak that is less than 50 MiB.
const JVM: u64 = 48 * MIB;
/// Staging buffers of the engine. They may take 64 MiB, but a program moves at most 20 MiB at a time, and the workers
/// are at it meanwhile.
const STAGING: u64 = 24 * MIB;
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

/// Sizes in bytes. All but `live`, `h2` and `heap` are DRAM.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Budget {
    /// The DRAM of each arm.
    pub limit: u64,
    /// How much live data a workload makes.
    pub live: u64,
    /// The first heap (arms with H2).
    pub h1: u64,
    /// Uncompressed pages of H2 (tier), if somebody said so; otherwise the JVM divides what there is.
    pub resident: Option<u64>,
    /// Compressed pages: of H2 (tier) if somebody said how many uncompressed ones there are; what zram has.
    pub pool: u64,
    /// The capacity of H2.
    pub h2: u64,
    /// The heap of the arms without H2.
    pub heap: u64,
}

impl Budget {
    /// Divides `limit`.
    pub fn plan(limit: u64, live: u64, given: Given) -> Result<Budget> {
        let sizes = Sizes::plan(limit, live, given.h1)?;
        let resident = given.resident.unwrap_or((limit / 20).max(LEAST_RESIDENT));
        let fixed = sizes.h1 + resident + STAGING + JVM + live / 128;
        let Some(pool) = limit.checked_sub(fixed).filter(|pool| *pool >= LEAST_POOL) else {
            bail!(
                "a limit of {} is too low: heap, resident pages, staging, tables and the JVM itself need {} before the \
                 first compressed page",
                show_size(limit),
                show_size(fixed + LEAST_POOL)
            );
        };
        Ok(Budget {
            limit,
            live,
            h1: sizes.h1,
            resident: given.resident,
            pool,
            h2: sizes.h2,
            // So large that no full collection is ever needed: it would bring all of the heap back from swap.
            heap: live + live / 2 + 256 * MIB,
        })
    }

    /// Most bytes of zram, where an arm uses it.
    pub fn zram(&self) -> u64 {
        self.pool
    }

    /// The limit of the cgroup then, since a cgroup does not count zram's memory.
    pub fn cgroup_beside_zram(&self) -> u64 {
        self.limit - self.zram()
    }

    /// The young generation of the arms without H2. As small as with H2, so that it stays in memory.
    pub fn young(&self) -> u64 {
        self.h1 / 2
    }

    /// For the head of the report.
    pub fn in_words(&self) -> String {
        let tiers = match self.resident {
            None => "the JVM divides the rest".to_owned(),
            Some(resident) => format!(
                "{} uncompressed, {} compressed, the rest for staging and the JVM",
                show_size(resident),
                show_size(self.pool)
            ),
        };
        format!(
            "H2 arms: {} for the first heap; tiers: {tiers}; zram: {} of the limit, its cgroup {}",
            show_size(self.h1),
            show_size(self.zram()),
            show_size(self.cgroup_beside_zram())
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(limit: u64) -> Result<Budget> {
        Budget::plan(limit, limit * 5 / 2, Given { h1: Some(64 * MIB), resident: Some(32 * MIB) })
    }

    #[test]
    fn zram_and_its_cgroup_are_the_limit_together() {
        for limit in [256 * MIB, 384 * MIB, 1024 * MIB] {
            let budget = budget(limit).unwrap();
            assert_eq!(budget.zram() + budget.cgroup_beside_zram(), limit);
            assert!(budget.cgroup_beside_zram() > budget.h1 + 32 * MIB);
        }
    }

    #[test]
    fn the_heap_without_h2_holds_all_live_data() {
        let budget = budget(256 * MIB).unwrap();
        assert!(budget.heap - budget.young() > budget.live && budget.h2 > budget.live);
    }

    #[test]
    fn a_limit_with_no_room_for_data_is_refused() {
        let error = budget(128 * MIB).unwrap_err().to_string();
        assert!(error.contains("128 MiB is too low"), "{error}");
    }
}
