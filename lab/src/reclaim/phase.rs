// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Some passes of the program, and what the kernel did meanwhile.

use serde::{Deserialize, Serialize};
use ztera_machine::cgroup::files::field;

/// How the kernel keeps pages in the order in which it reclaims them.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lists {
    /// An active list and an inactive one, of pages of files and of others.
    Two,
    /// By generations: MGLRU.
    Generations,
}

impl Lists {
    /// In the order of tables.
    pub const BOTH: [Lists; 2] = [Lists::Two, Lists::Generations];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Lists::Two => "two lists",
            Lists::Generations => "MGLRU",
        }
    }

    /// For the kernel's switch.
    pub fn switch(self) -> &'static str {
        match self {
            Lists::Two => "n",
            Lists::Generations => "y",
        }
    }
}

/// The pages that each pass touches. The others are cold.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hot {
    /// Of a file that is mapped.
    Files,
    /// Of no file.
    Others,
}

impl Hot {
    /// In the order of tables.
    pub const BOTH: [Hot; 2] = [Hot::Files, Hot::Others];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Hot::Files => "hot files",
            Hot::Others => "cold files",
        }
    }
}

/// One phase.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Phase {
    /// How pages are kept.
    pub lists: Lists,
    /// How eagerly the kernel swaps, from 0 to 200.
    pub swappiness: u32,
    /// The pages that are needed all the time.
    pub hot: Hot,
    /// Memory of the program, with the pages of its file.
    pub limit_bytes: u64,
    /// Passes over all hot pages.
    pub passes: u64,
    /// Events meanwhile.
    #[serde(flatten)]
    pub counts: Counts,
}

/// Events, in pages; faults are as many as they are.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Counts {
    /// Of files, reclaimed.
    pub files_evicted: u64,
    /// Of files, read again after that.
    pub files_back: u64,
    /// Of no file, reclaimed.
    pub others_evicted: u64,
    /// Of no file, needed again after that.
    pub others_back: u64,
    /// Read from swap.
    pub swapped_in: u64,
    /// Written to swap.
    pub swapped_out: u64,
    /// Faults that waited for a device.
    pub major_faults: u64,
}

impl Counts {
    /// Until now, of a group's `memory.stat` and the system's `vmstat`. Nothing else may reclaim or swap.
    pub fn of(statistics: &str, vmstat: &str) -> Counts {
        let group = |name| field(statistics, name).unwrap_or(0);
        let system = |name| field(vmstat, name).unwrap_or(0);
        Counts {
            files_evicted: system("pgsteal_file"),
            files_back: group("workingset_refault_file"),
            others_evicted: system("pgsteal_anon"),
            others_back: group("workingset_refault_anon"),
            swapped_in: system("pswpin"),
            swapped_out: system("pswpout"),
            major_faults: group("pgmajfault"),
        }
    }

    /// Since then.
    pub fn since(&self, before: &Counts) -> Counts {
        Counts {
            files_evicted: self.files_evicted - before.files_evicted,
            files_back: self.files_back - before.files_back,
            others_evicted: self.others_evicted - before.others_evicted,
            others_back: self.others_back - before.others_back,
            swapped_in: self.swapped_in - before.swapped_in,
            swapped_out: self.swapped_out - before.swapped_out,
            major_faults: self.major_faults - before.major_faults,
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A phase with events that are not all alike.
    pub fn phase(lists: Lists, swappiness: u32, passes: u64, files_back: u64, swapped: u64) -> Phase {
        let counts = Counts {
            files_evicted: 2 * files_back,
            files_back,
            swapped_in: swapped / 2,
            swapped_out: swapped - swapped / 2,
            ..Counts::default()
        };
        Phase { lists, swappiness, hot: Hot::Files, limit_bytes: 48 << 20, passes, counts }
    }

    #[test]
    fn the_kernels_files_are_understood() {
        let statistics = "anon 9\nworkingset_refault_anon 3\nworkingset_refault_file 5\npgmajfault 7\n";
        let vmstat = "pswpin 11\npswpout 13\npgsteal_anon 17\npgsteal_file 19\n";
        let counts = Counts::of(statistics, vmstat);
        let expected = Counts {
            files_evicted: 19,
            files_back: 5,
            others_evicted: 17,
            others_back: 3,
            swapped_in: 11,
            swapped_out: 13,
            major_faults: 7,
        };
        assert_eq!(counts, expected);
        let half = Counts { files_evicted: 9, swapped_out: 6, ..Counts::default() };
        assert_eq!(counts.since(&half), Counts { files_evicted: 10, swapped_out: 7, ..expected });
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let phase = phase(Lists::Generations, 60, 10, 4, 3);
        let line = serde_json::to_string(&phase).unwrap();
        assert!(line.starts_with(r#"{"lists":"generations","swappiness":60,"#), "{line}");
        assert_eq!(serde_json::from_str::<Phase>(&line).unwrap(), phase);
        assert!(serde_json::from_str::<Phase>(r#"{"lists":"two","swappiness":60}"#).is_err());
    }
}
