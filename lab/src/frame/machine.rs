// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The machine on which samples were taken, as far as it matters to them.

use std::fs;
use std::thread;

use serde::{Deserialize, Serialize};
use ztera_machine::memory::{meminfo, memory_limit};
use ztera_machine::units::show_size;

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

    /// A value by name.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether measurements of both may stand side by side.
    pub fn is_like(&self, other: &Machine) -> bool {
        ["kernel", "CPU", "CPUs", "memory limit"].iter().all(|name| self.fact(name) == other.fact(name))
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
        assert!(here.is_like(&Machine::here()) && !here.is_like(&Machine::default()));
    }

    #[test]
    fn the_choice_stands_in_brackets() {
        assert_eq!(chosen("always [madvise] never"), "madvise");
        assert_eq!(chosen("unknown"), "unknown");
        assert_eq!(cpu_model("processor : 0\nmodel name\t: A CPU @ 2 GHz\n"), "A CPU @ 2 GHz");
    }
}
