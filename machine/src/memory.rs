// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How much memory there is, and how much of it this process may use.

use std::fs;

use ztera_cgroup::files::{STATISTICS, field, limit_file, parse_limit};
use ztera_cgroup::{Group, Version, group};

/// The memory that this process may use: the machine's, or less where a cgroup says so.
pub fn memory_limit() -> Option<u64> {
    meminfo("MemTotal").into_iter().chain(cgroup_limit(&group::own())).min()
}

/// The memory that both this process and process `pid` may use.
pub fn memory_limit_of(pid: u32) -> Option<u64> {
    memory_limit().into_iter().chain(cgroup_limit(&group::of_process(&pid.to_string()))).min()
}

/// The lowest limit of all groups that this process is in.
pub fn cgroup_limit(groups: &[Group]) -> Option<u64> {
    let limit =
        |group: &Group| parse_limit(&fs::read_to_string(group.dir.join(limit_file(group.version))).ok()?);
    groups.iter().filter_map(limit).min()
}

/// How many pages of files were read back after the kernel had taken them. Counted are process `pid` and all others of
/// its memory cgroup, or the whole system where it is in none. `None` if the kernel does not count (before Linux 5.9).
pub fn file_refaults_of(pid: u32) -> Option<u64> {
    let group = group::of_process(&pid.to_string()).into_iter().next();
    let of_group = group.and_then(|group| {
        field(&fs::read_to_string(group.dir.join(STATISTICS)).ok()?, group.version.names().refaults)
    });
    of_group.or_else(|| field(&fs::read_to_string("/proc/vmstat").ok()?, Version::V2.names().refaults))
}

/// A value of `/proc/meminfo` in bytes.
pub fn meminfo(name: &str) -> Option<u64> {
    meminfo_value(&fs::read_to_string("/proc/meminfo").ok()?, name)
}

fn meminfo_value(meminfo: &str, name: &str) -> Option<u64> {
    Some(field(meminfo, &format!("{name}:"))? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_is_in_kib() {
        let text = "MemTotal:       24103340 kB\nMemTotalX: 1 kB\nSwapTotal:             0 kB\n";
        assert_eq!(meminfo_value(text, "MemTotal"), Some(24103340 << 10));
        assert_eq!(meminfo_value(text, "SwapTotal"), Some(0));
        assert_eq!(meminfo_value(text, "Mem"), None);
    }
}
