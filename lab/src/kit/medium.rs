// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Swap of some kind below a program, and one limit of DRAM for both.

use ztera_machine::cgroup::{Cgroup, CgroupError};
use ztera_machine::memory::meminfo;

use super::disk_swap::DiskSwap;
use super::shared_memory::{Limit, while_limited};
use super::swap::ZramSwap;
use super::zswap::Zswap;

/// Swap that is switched on. Dropping it undoes all.
pub enum Medium {
    /// There is none.
    Nothing,
    /// On zram.
    Zram(ZramSwap),
    /// In a file, with zswap before it.
    Zswap(#[expect(dead_code, reason = "dropping it switches it off")] Zswap),
    /// On our block device.
    Disk(DiskSwap),
}

impl Medium {
    /// Bytes of DRAM that compressed pages take now.
    pub fn used(&self) -> u64 {
        match self {
            Medium::Nothing => 0,
            Medium::Zram(swap) => swap.device().usage().map_or(0, |usage| usage.used),
            Medium::Zswap(_) => meminfo("Zswap").unwrap_or(0),
            Medium::Disk(swap) => swap.used().unwrap_or(0),
        }
    }

    /// Bytes of DRAM that it takes beside them, which do not grow.
    pub fn fixed(&self) -> u64 {
        match self {
            Medium::Disk(swap) => swap.fixed().unwrap_or(0),
            _ => 0,
        }
    }

    /// Calls `run` while the group and compressed pages together have DRAM within `limit`. Returns the result of
    /// `run`, and the most bytes that compressed pages took.
    pub fn while_limited<R>(
        &self,
        cgroup: &Cgroup,
        limit: Limit,
        run: impl FnOnce() -> R,
    ) -> Result<(R, u64), CgroupError> {
        if let Medium::Nothing = self {
            cgroup.set_limit(limit.bytes)?;
            return Ok((run(), 0));
        }
        cgroup.set_limit_with_swap(limit.bytes)?;
        Ok(while_limited(cgroup, limit, || self.used(), run))
    }
}
