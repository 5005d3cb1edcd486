// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The machine on which samples were taken, as far as it matters to them.

use std::fs;
use std::path::{self, Path};
use std::thread;

use serde::{Deserialize, Serialize};
use ztera_machine::memory::{meminfo, memory_limit};
use ztera_machine::units::show_size;

use crate::kit::filesystem::disk;

/// Facts that are the same where measurements may stand side by side.
const ALIKE: [&str; 5] = ["kernel", "CPU", "CPUs", "memory limit", "disk"];

/// Names and values, for people.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Machine(pub Vec<(String, String)>);

impl Machine {
    /// This one, now.
    pub fn here() -> Machine {
        let size = |bytes: Option<u64>| bytes.map_or_else(unknown, show_size);
        let facts = [
            ("kernel", first_line("/proc/sys/kernel/osrelease")),
            ("CPU", cpu_model(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())),
            ("CPUs", thread::available_parallelism().map_or_else(|_| unknown(), |cpus| cpus.to_string())),
            ("memory", size(meminfo("MemTotal"))),
            ("memory limit", size(memory_limit())),
            ("swap", size(meminfo("SwapTotal"))),
            ("swappiness", first_line("/proc/sys/vm/swappiness")),
            ("page-cluster", first_line("/proc/sys/vm/page-cluster")),
            ("huge pages", chosen(&first_line("/sys/kernel/mm/transparent_hugepage/enabled"))),
            ("hypervisor", first_line("/sys/hypervisor/type")),
        ];
        let known = facts.into_iter().filter(|(_, value)| !value.is_empty() && *value != unknown());
        Machine(known.map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// The same with the disk below a directory, if it lies on one. A directory that is not there yet lies where the
    /// nearest one above it does.
    pub fn with_disk(mut self, dir: &Path) -> Machine {
        let dir = path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        let disk = dir.ancestors().find(|dir| dir.exists()).and_then(|dir| disk(dir).ok());
        self.0.extend(disk.map(|disk| ("disk".to_owned(), disk.name)));
        self
    }

    /// A value by name.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The first fact for which measurements of both must not stand side by side: `disk vda, not vdb`.
    pub fn difference(&self, other: &Machine) -> Option<String> {
        let name = ALIKE.into_iter().find(|name| self.fact(name) != other.fact(name))?;
        let [own, others] = [self, other].map(|machine| machine.fact(name).unwrap_or("unknown"));
        Some(format!("{name} {own}, not {others}"))
    }
}

fn unknown() -> String {
    "unknown".to_owned()
}

fn first_line(file: &str) -> String {
    fs::read_to_string(file)
        .map_or_else(|_| unknown(), |text| text.lines().next().unwrap_or_default().to_owned())
}

fn cpu_model(cpuinfo: &str) -> String {
    let line = cpuinfo.lines().find_map(|line| line.strip_prefix("model name"));
    line.and_then(|line| line.split_once(':')).map_or_else(unknown, |(_, model)| model.trim().to_owned())
}

/// `madvise` of `always [madvise] never`.
pub fn chosen(choices: &str) -> String {
    let inner = choices.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inner.map_or_else(|| choices.to_owned(), |(choice, _)| choice.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_known_and_like_itself() {
        let here = Machine::here();
        assert!(here.fact("kernel").is_some_and(|kernel| !kernel.is_empty()), "{here:?}");
        assert_eq!(here.difference(&Machine::here()), None);
        let words = Machine::default().difference(&here);
        assert_eq!(words, here.fact("kernel").map(|kernel| format!("kernel unknown, not {kernel}")));
    }

    #[test]
    fn the_disk_is_that_of_the_directory() {
        let of = |dir: &str| Machine::default().with_disk(Path::new(dir)).fact("disk").map(str::to_owned);
        assert_eq!(of("."), disk(Path::new(".")).ok().map(|disk| disk.name));
        assert_eq!(of("no-such/folder"), of("."));
        assert_eq!(of("/dev/shm"), None, "memory is no disk");
    }

    #[test]
    fn the_choice_stands_in_brackets() {
        assert_eq!(chosen("always [madvise] never"), "madvise");
        assert_eq!(chosen("unknown"), "unknown");
        assert_eq!(cpu_model("processor : 0\nmodel name\t: A CPU @ 2 GHz\n"), "A CPU @ 2 GHz");
    }
}
