// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The features of this machine. Only looking, no judging: that is in [`super::rules`].

use std::fs;
use std::path::Path;

use rustix::process::Resource;
use serde::Serialize;
use ztera_machine::cgroup::{Cgroup, Version, group};
use ztera_machine::memory::{cgroup_limit, meminfo};
use ztera_machine::view::Jdk;

use super::uffd::{self, Uffd};

/// Everything that [`super::rules`] judges. A fact that could not be read is None.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Facts {
    /// Release, such as `6.12.1-amd64`.
    pub kernel: String,
    /// Bytes of a page.
    pub page_size: usize,
    /// userfaultfd.
    pub uffd: Uffd,
    /// Bytes that this process may lock in memory; None is no limit.
    pub memory_lock: Option<u64>,
    /// Bytes of addresses that this process may have, of writable memory or of all (`ulimit -d`, `-v`); None: no limit.
    pub addresses: Option<u64>,
    /// Bytes of DRAM.
    pub memory: Option<u64>,
    /// Bytes that the cgroups above this process allow; None is no limit.
    pub memory_limit: Option<u64>,
    /// Bytes of swap.
    pub swap: Option<u64>,
    /// The cgroup version that has the memory controller.
    pub cgroup: Option<u8>,
    /// Why no cgroup can be created here.
    pub cgroup_refusal: Option<String>,
    /// `vm.overcommit_memory`.
    pub overcommit: Option<u64>,
    /// The chosen mode of transparent huge pages.
    pub huge_pages: Option<String>,
    /// Whether the kernel has zram.
    pub zram: bool,
    /// `kernel.io_uring_disabled`; None before Linux 6.6.
    pub io_uring_disabled: Option<u64>,
    /// Whether this process runs as root.
    pub root: bool,
    /// Where the ZTera JDK is.
    pub jdk: Option<String>,
}

impl Facts {
    /// Looks at this machine, as this process sees it. Creates a cgroup and removes it again.
    pub fn gather(jdk: Option<&Path>) -> Facts {
        let groups = group::own();
        Facts {
            kernel: rustix::system::uname().release().to_string_lossy().into_owned(),
            page_size: rustix::param::page_size(),
            uffd: uffd::probe(),
            memory_lock: rustix::process::getrlimit(Resource::Memlock).current,
            addresses: [Resource::As, Resource::Data]
                .iter()
                .filter_map(|&kind| rustix::process::getrlimit(kind).current)
                .min(),
            memory: meminfo("MemTotal"),
            memory_limit: cgroup_limit(&groups),
            swap: meminfo("SwapTotal"),
            cgroup: groups.first().map(|group| if group.version == Version::V1 { 1 } else { 2 }),
            cgroup_refusal: Cgroup::create("doctor").err().map(|error| error.to_string()),
            overcommit: number("/proc/sys/vm/overcommit_memory"),
            huge_pages: text("/sys/kernel/mm/transparent_hugepage/enabled").as_deref().and_then(chosen),
            zram: Path::new("/sys/class/zram-control").exists() || module_exists("zram"),
            io_uring_disabled: number("/proc/sys/kernel/io_uring_disabled"),
            root: rustix::process::geteuid().is_root(),
            jdk: Jdk::view(jdk).ok().map(|jdk| jdk.home().display().to_string()),
        }
    }
}

fn module_exists(name: &str) -> bool {
    let modules =
        Path::new("/lib/modules").join(rustix::system::uname().release().to_string_lossy().as_ref());
    let dep = fs::read_to_string(modules.join("modules.dep")).unwrap_or_default();
    dep.lines().any(|line| line.split(':').next().is_some_and(|file| file.contains(&format!("/{name}.ko"))))
}

fn text(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok()
}

fn number(path: &str) -> Option<u64> {
    text(path)?.trim().parse().ok()
}

/// The word in brackets.
fn chosen(choices: &str) -> Option<String> {
    let (_, rest) = choices.split_once('[')?;
    rest.split_once(']').map(|(word, _)| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_word_is_in_brackets() {
        assert_eq!(chosen("always [madvise] never\n").as_deref(), Some("madvise"));
        assert_eq!(chosen("none"), None);
    }
}
