// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The footprint of all JVMs: as Nakaike et al. have it, memory that is not free, and memory in swap.

use std::fs;

use anyhow::{Context, Result};
use ztera_machine::cgroup::Cgroup;
use ztera_machine::cgroup::files::field;
use ztera_machine::process::file_of;

use super::server::Server;

/// Bytes of the group in DRAM, those of files included, and bytes of its JVMs in swap.
pub fn of(cgroup: &Cgroup, servers: &[Server]) -> Result<u64> {
    let statistics = cgroup.statistics().context("the cgroup has no memory.stat")?;
    let status = |server: &Server| fs::read_to_string(file_of(server.pid(), "status"));
    let swapped = servers.iter().map(|server| Ok(swapped(&status(server)?))).sum::<Result<u64>>()?;
    Ok(in_memory(&statistics) + swapped)
}

/// Version 2 of cgroups calls them `anon` and `file`, version 1 `rss` and `cache`.
fn in_memory(statistics: &str) -> u64 {
    let value = |names: [&str; 2]| names.iter().find_map(|name| field(statistics, name)).unwrap_or(0);
    value(["anon", "rss"]) + value(["file", "cache"])
}

/// The line `VmSwap:  4 kB` of a process's `status`, in bytes.
fn swapped(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmSwap:"));
    let kib = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_of_cgroups_are_understood() {
        assert_eq!(in_memory("anon 100\nfile 20\nkernel 3\n"), 120);
        assert_eq!(in_memory("cache 20\nrss 100\nrss_huge 4\n"), 120);
    }

    #[test]
    fn swap_is_that_of_the_process() {
        assert_eq!(swapped("VmRSS:\t  8 kB\nVmSwap:\t       4 kB\n"), 4096);
        assert_eq!(swapped("Name:\tkthreadd\n"), 0);
    }
}
