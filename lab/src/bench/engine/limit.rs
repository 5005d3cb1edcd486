// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How much DRAM a process that reads a mapped file may use, with the page cache that it fills.

use anyhow::{Context, Result, bail};
use ztera_machine::cgroup::Cgroup;
use ztera_machine::units::{MIB, show_size};

use super::tier::RESIDENT_PART;

/// Bytes that the process needs however much it reads. Without a limit 0.75 MiB were charged besides the file on two
/// CPUs. With this whole MiB, an eighth of 16 MiB to 1 GiB was still cached after all touches. With half of it, up to a
/// twentieth less was cached.
const PROGRAM: u64 = MIB;

/// The part of the data that it needs besides, as large. One page of each 8 KiB is touched. That takes 24 bytes for the
/// offset and the time, 16 of page tables, and 18 in the tree of the page cache. 7.25 KiB per MiB were charged.
const TABLES_PART: u64 = 128;

/// A limit, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit(u64);

impl Limit {
    /// For `len` bytes of pages: as many as the engine may have resident, and what the process needs besides. Fails
    /// where there are no cgroups to be had.
    pub fn of(len: usize) -> Result<Limit> {
        let limit = Limit::bytes(len as u64);
        limit.cgroup().map(|_| limit)
    }

    fn bytes(len: u64) -> Limit {
        Limit(len / RESIDENT_PART as u64 + PROGRAM + len / TABLES_PART)
    }

    /// An empty group with this limit.
    pub fn cgroup(self) -> Result<Cgroup> {
        let cgroup = Cgroup::create("bench-engine").context("no limit of DRAM")?;
        cgroup.set_limit(self.0).context("no limit of DRAM")?;
        Ok(cgroup)
    }

    /// An error unless the group kept to the limit, and has the pages of the file that are `cached` now. A process that
    /// read more than the limit had to give pages back.
    pub fn check(self, cgroup: &Cgroup, cached: u64) -> Result<()> {
        // Where the kernel keeps no peak, the cached pages must do.
        self.held(cgroup.peak().unwrap_or(cached), cached)
    }

    fn held(self, peak: u64, cached: u64) -> Result<()> {
        if !(cached..=self.0).contains(&peak) {
            let [limit, peak, cached] = [self.0, peak, cached].map(show_size);
            bail!(
                "the limit of {limit} was not in force: {cached} of the file are cached, {peak} were charged"
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_what_reads_them_are_limited() {
        assert_eq!(Limit::bytes(512 * MIB), Limit((64 + 1 + 4) * MIB));
    }

    #[test]
    fn a_limit_that_was_not_in_force_is_told() {
        let limit = Limit(8 * MIB);
        assert!(limit.held(8 * MIB, 7 * MIB).is_ok());
        // More was charged than may be; and the pages were charged to somebody else.
        for (peak, cached) in [(9 * MIB, 7 * MIB), (MIB, 7 * MIB)] {
            let error = limit.held(peak, cached).unwrap_err().to_string();
            assert!(
                error.contains("the limit of 8.00 MiB was not in force: 7.00 MiB of the file"),
                "{error}"
            );
        }
    }
}
