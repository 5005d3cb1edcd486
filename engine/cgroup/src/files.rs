//! The control files of the two cgroup versions, and their formats.

use std::fs::read_to_string;
use std::path::Path;

/// The interface of a memory controller, one of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// A hierarchy per controller.
    V1,
    /// One unified hierarchy.
    V2,
}

/// A file to write, and whether every kernel has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlFile {
    /// Its name in the group's directory.
    pub name: &'static str,
    /// False if it is missing on kernels without swap accounting, where it is not needed either.
    pub required: bool,
}

/// The writes that, in this order, limit memory to `bytes` without swap on top.
pub fn limit(version: Version, bytes: u64) -> Vec<(ControlFile, String)> {
    let file = |name, required| ControlFile { name, required };
    match version {
        Version::V1 => vec![
            (file("memory.swappiness", false), "0".to_owned()),
            (file("memory.limit_in_bytes", true), bytes.to_string()),
            (file("memory.memsw.limit_in_bytes", false), bytes.to_string()),
        ],
        Version::V2 => vec![
            (file("memory.swap.max", false), "0".to_owned()),
            (file("memory.max", true), bytes.to_string()),
        ],
    }
}

/// The writes that limit memory to `bytes`, with as much swap on top as there is. The swappiness is Linux's default.
pub fn limit_with_swap(version: Version, bytes: u64) -> Vec<(ControlFile, String)> {
    let file = |name, required| ControlFile { name, required };
    match version {
        Version::V1 => vec![
            (file("memory.swappiness", false), "60".to_owned()),
            (file("memory.limit_in_bytes", true), bytes.to_string()),
        ],
        Version::V2 => vec![
            (file("memory.swap.max", true), "max".to_owned()),
            (file("memory.max", true), bytes.to_string()),
        ],
    }
}

/// The file with the highest charge so far.
pub fn peak(version: Version) -> &'static str {
    match version {
        Version::V1 => "memory.max_usage_in_bytes",
        Version::V2 => "memory.peak",
    }
}

/// The file that counts OOM kills under `oom_kill`.
pub fn events(version: Version) -> &'static str {
    match version {
        Version::V1 => "memory.oom_control",
        Version::V2 => "memory.events",
    }
}

/// The entry of `memory.stat` with the memory that is not file cache.
pub fn anonymous(version: Version) -> &'static str {
    match version {
        Version::V1 => "rss",
        Version::V2 => "anon",
    }
}

/// The file, and what to write to it, to have everything reclaimed that can be.
pub fn reclaim(version: Version) -> (&'static str, &'static str) {
    match version {
        Version::V1 => ("memory.force_empty", "1"),
        Version::V2 => ("memory.reclaim", "1T"),
    }
}

/// The file with the limit of a group.
pub fn limit_file(version: Version) -> &'static str {
    version.names().limits[0]
}

/// Names that a version gives to the numbers of a group. Groups below are counted, too.
#[derive(Debug, PartialEq, Eq)]
pub struct Names {
    /// Files with limits; the first kills.
    pub limits: &'static [&'static str],
    /// The file with all that is charged to it.
    pub usage: &'static str,
    /// Entries of `memory.stat`: memory that only swap could free.
    pub own: [&'static str; 2],
    /// Its lists of pages that the kernel can reclaim.
    pub files: [&'static str; 2],
    /// All pages of files and of shared memory. Beyond the former, `files` has lists of anonymous pages that were
    /// offered to the kernel (`MADV_FREE`).
    pub cache: &'static str,
    /// Of those, what programs have mapped: the kernel could take it, but they would miss it.
    pub mapped: &'static str,
    /// How many pages of files were read back after the kernel had taken them for want of memory.
    pub refaults: &'static str,
}

const VERSION_1: Names = Names {
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    own: ["total_rss", "total_shmem"],
    files: ["total_inactive_file", "total_active_file"],
    cache: "total_cache",
    mapped: "total_mapped_file",
    refaults: "total_workingset_refault_file",
};

const VERSION_2: Names = Names {
    // Beyond the second, the kernel makes programs wait.
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    own: ["anon", "shmem"],
    files: ["inactive_file", "active_file"],
    cache: "file",
    mapped: "file_mapped",
    refaults: "workingset_refault_file",
};

impl Version {
    /// Its names.
    pub fn names(self) -> &'static Names {
        match self {
            Self::V1 => &VERSION_1,
            Self::V2 => &VERSION_2,
        }
    }
}

/// The file with all other numbers of a group.
pub const STATISTICS: &str = "memory.stat";

/// The file of version 1 that asks for events.
pub const EVENT_CONTROL: &str = "cgroup.event_control";

/// The file of version 1 whose event is that the kernel reclaims.
pub const PRESSURE_LEVEL: &str = "memory.pressure_level";

/// The number in a file that has no other. `None` if it cannot be read.
pub fn number(file: &Path) -> Option<u64> {
    read_to_string(file).ok()?.trim().parse().ok()
}

/// A limit as the kernel writes it; `None`: there is none.
pub fn parse_limit(text: &str) -> Option<u64> {
    /// Version 1 says "no limit" by the largest number of whole pages.
    const NO_LIMIT: u64 = i64::MAX as u64 - 65535;
    text.trim().parse().ok().filter(|&limit| limit < NO_LIMIT)
}

/// The number that follows a name in a text of lines like `name 123` or `Name:   123 kB`.
pub fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let mut words = line.split_ascii_whitespace();
        (words.next() == Some(name)).then(|| words.next()?.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_whole_name() {
        let stat = "cache 4096\nrss_huge 7\nrss 12288\ntotal_rss 99\n";
        assert_eq!(field(stat, "rss"), Some(12288));
        assert_eq!(field(stat, "anon"), None);
        assert_eq!(field("oom 1\noom_kill 2\n", "oom_kill"), Some(2));
        assert_eq!(field("MemTotalX: 1 kB\nMemTotal:   8000 kB\n", "MemTotal:"), Some(8000));
    }

    #[test]
    fn no_limit_has_two_spellings() {
        assert_eq!(parse_limit("9223372036854771712\n"), None);
        assert_eq!(parse_limit("max\n"), None);
        assert_eq!(parse_limit("1048576\n"), Some(1 << 20));
    }

    #[test]
    fn the_limit_is_set_before_the_one_that_must_not_be_below_it() {
        let names: Vec<&str> = limit(Version::V1, 1).iter().map(|(file, _)| file.name).collect();
        assert_eq!(names, ["memory.swappiness", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"]);
    }
}
