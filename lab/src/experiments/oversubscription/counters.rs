// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Counters of the kernel and of H2, and how they grow.

use std::fs;

use anyhow::{Context, Result};
use ztera_machine::cgroup::Cgroup;
use ztera_machine::cgroup::files::field;
use ztera_machine::process::file_of;

use super::point::Traffic;
use super::server::Server;
use crate::kit::swap::Swapped;

/// All of them, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counters {
    refaults: Refaults,
    swapped: Swapped,
    read_bytes: u64,
    written_bytes: u64,
    h2_read_bytes: u64,
    h2_written_bytes: u64,
    ticks: Ticks,
}

impl Counters {
    /// Now.
    pub fn now(cgroup: &Cgroup, servers: &[Server]) -> Result<Counters> {
        let statistics = cgroup.statistics().context("the cgroup has no memory.stat")?;
        let mut counters = Counters { refaults: Refaults::of(&statistics), ..Counters::default() };
        for server in servers {
            let heap = server.second_heap()?;
            let io = fs::read_to_string(file_of(server.pid(), "io"))?;
            counters.read_bytes += bytes_of(&io, "read_bytes: ");
            counters.written_bytes += bytes_of(&io, "write_bytes: ");
            counters.h2_read_bytes += heap.ssd_read;
            counters.h2_written_bytes += heap.ssd_written;
        }
        counters.swapped = Swapped::now();
        counters.ticks = Ticks::of(&fs::read_to_string("/proc/stat")?);
        Ok(counters)
    }

    /// The growth since then; `swaps` says whether the group may swap.
    ///
    /// The kernel counts pages from swap and from H2's file as read by the process. Its counts of swap are the whole
    /// system's, and other groups may use our swap. So no more counts as read than pages that came back to the group.
    pub fn since(&self, before: &Counters, swaps: bool) -> Traffic {
        let swapped = if swaps { self.swapped.since(before.swapped) } else { Swapped::default() };
        let anonymous_refaults = self.refaults.anonymous - before.refaults.anonymous;
        let swap_read_bytes = swapped.read.min(anonymous_refaults * rustix::param::page_size() as u64);
        let h2_read_bytes = self.h2_read_bytes - before.h2_read_bytes;
        let read = self.read_bytes - before.read_bytes;
        let written = self.written_bytes - before.written_bytes;
        let h2_written_bytes = self.h2_written_bytes - before.h2_written_bytes;
        let ticks = self.ticks.since(before.ticks);
        Traffic {
            file_read_bytes: read.saturating_sub(swap_read_bytes + h2_read_bytes),
            // The kernel counts pages that go to swap for nobody.
            file_written_bytes: written.saturating_sub(h2_written_bytes),
            swap_read_bytes,
            swap_written_bytes: swapped.written,
            h2_read_bytes,
            h2_written_bytes,
            file_refaults: self.refaults.file - before.refaults.file,
            anonymous_refaults,
            major_faults: self.refaults.major - before.refaults.major,
            io_wait: ticks.io_wait as f64 / ticks.all.max(1) as f64,
        }
    }
}

/// Of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Refaults {
    file: u64,
    anonymous: u64,
    major: u64,
}

impl Refaults {
    fn of(statistics: &str) -> Refaults {
        let value = |name| field(statistics, name).unwrap_or(0);
        Refaults {
            file: value("workingset_refault_file"),
            anonymous: value("workingset_refault_anon"),
            major: value("pgmajfault"),
        }
    }
}

/// Of all CPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Ticks {
    all: u64,
    io_wait: u64,
}

impl Ticks {
    /// `cpu  user nice system idle iowait irq softirq steal guest guest_nice`; guests are in user and nice.
    fn of(stat: &str) -> Ticks {
        let line = stat.lines().next().unwrap_or_default();
        let values: Vec<u64> = line.split_whitespace().skip(1).filter_map(|it| it.parse().ok()).collect();
        Ticks { all: values.iter().take(8).sum(), io_wait: values.get(4).copied().unwrap_or(0) }
    }

    fn since(self, before: Ticks) -> Ticks {
        Ticks {
            all: self.all.saturating_sub(before.all),
            io_wait: self.io_wait.saturating_sub(before.io_wait),
        }
    }
}

/// A line such as `read_bytes: 4096` of a process's `io`.
fn bytes_of(io: &str, name: &str) -> u64 {
    let line = io.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_files_are_understood() {
        let statistics = "rss 1\nworkingset_refault_anon 3\nworkingset_refault_file 5\npgmajfault 7\n";
        assert_eq!(Refaults::of(statistics), Refaults { file: 5, anonymous: 3, major: 7 });
        assert_eq!(Ticks::of("cpu  10 0 20 60 10 0 0 0 5 0\ncpu0 1\n"), Ticks { all: 100, io_wait: 10 });
        let io = "rchar: 9\nread_bytes: 4096\nwrite_bytes: 512\ncancelled_write_bytes: 1\n";
        assert_eq!(["read_bytes: ", "write_bytes: "].map(|name| bytes_of(io, name)), [4096, 512]);
    }

    #[test]
    fn reads_are_divided_among_files_swap_and_h2() {
        let swapped = |read, written| Swapped { read, written };
        let before = Counters { read_bytes: 1000, swapped: swapped(100, 7), ..Counters::default() };
        let after = Counters {
            read_bytes: 2000,
            swapped: swapped(400, 9),
            refaults: Refaults { anonymous: 1, ..Refaults::default() },
            h2_read_bytes: 200,
            written_bytes: 900,
            h2_written_bytes: 300,
            ticks: Ticks { all: 50, io_wait: 10 },
        };
        let traffic = after.since(&before, true);
        assert_eq!((traffic.file_read_bytes, traffic.swap_bytes(), traffic.h2_bytes()), (500, 302, 500));
        assert_eq!(traffic.file_written_bytes, 600);
        assert_eq!(traffic.io_wait, 0.2);
        // Others swapped.
        let traffic = Counters { refaults: Refaults::default(), ..after }.since(&before, true);
        assert_eq!((traffic.file_read_bytes, traffic.swap_read_bytes), (800, 0));
        assert_eq!(after.since(&before, false).swap_bytes(), 0);
    }
}
