//! Memory that this process shares with others, as Linux tells: its cgroups', version 1 or 2, and the machine's.

use std::fs::read_to_string;

use ztera_cgroup::files::{STATISTICS, field, number, parse_limit};
use ztera_cgroup::{Group, group};
use ztera_policy::sharing::Place;

/// Where it is told.
#[derive(Debug)]
pub(crate) struct Neighbours {
    /// This process's cgroup and those above it, as far as they are visible.
    groups: Vec<Group>,
}

impl Neighbours {
    /// Those of this process as it is placed now.
    pub fn find() -> Self {
        Self { groups: group::own() }
    }

    /// The state now of each memory that has a limit. The kernel reads some counters for that, and walks nothing.
    pub fn look(&self) -> Vec<Place> {
        let read = |file| read_to_string(file).unwrap_or_default();
        let own = own_bytes(&read("/proc/self/status"));
        let groups = self.groups.iter().filter_map(|group| place(group, own));
        groups.chain(machine(&read("/proc/meminfo"), own)).collect()
    }
}

/// `None` without a limit, or if the kernel does not tell.
fn place(Group { dir, version }: &Group, own: u64) -> Option<Place> {
    let names = version.names();
    let limit = |name: &&str| parse_limit(&read_to_string(dir.join(name)).ok()?);
    let limit = names.limits.iter().filter_map(limit).min()?;
    let usage = number(&dir.join(names.usage))?;
    let stat = read_to_string(dir.join(STATISTICS)).ok()?;
    let sum = |names: &[&str]| names.iter().filter_map(|name| field(&stat, name)).sum::<u64>();
    let reclaimable = sum(&names.files);
    let files = sum(&[names.cache]).saturating_sub(sum(&names.own[1..])).min(reclaimable);
    let spare_files = files.saturating_sub(sum(&[names.mapped]));
    Some(Place {
        limit,
        available: (limit.saturating_sub(usage) + spare_files).min(limit),
        lingering: reclaimable - files,
        others: sum(&names.own).saturating_sub(own),
    })
}

/// Memory of this process that only swap could free, of its `/proc/self/status`.
fn own_bytes(status: &str) -> u64 {
    ["RssAnon:", "RssShmem:"].iter().filter_map(|name| field(status, name)).sum::<u64>() << 10
}

/// Lingering pages that the kernel has taken so far, of any process; `None` if it does not tell.
pub(crate) fn taken_pages() -> Option<u64> {
    field(&read_to_string("/proc/vmstat").ok()?, "pglazyfreed")
}

fn machine(meminfo: &str, own: u64) -> Option<Place> {
    let bytes = |name: &str| Some(field(meminfo, name)? << 10);
    let (limit, reclaimable) = (bytes("MemTotal:")?, bytes("MemAvailable:")?);
    let sum = |names: &[&str]| names.iter().filter_map(|name| bytes(name)).sum::<u64>();
    let files = sum(&["Buffers:", "Cached:"]).saturating_sub(sum(&["Shmem:"]));
    let lingering = sum(&["Active(file):", "Inactive(file):"]).saturating_sub(files);
    let available = reclaimable.saturating_sub(lingering);
    Some(Place { limit, available, lingering, others: limit.saturating_sub(available).saturating_sub(own) })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ztera_cgroup::Version::{self, V1, V2};

    use super::*;

    fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
        let group = tempfile::tempdir().expect("a directory");
        files.iter().for_each(|(name, text)| fs::write(group.path().join(name), text).expect("a file"));
        group
    }

    fn place_of(version: Version, files: &[(&str, &str)], own: u64) -> Option<Place> {
        let group = written(files);
        place(&Group { dir: group.path().to_owned(), version }, own)
    }

    #[test]
    fn a_group_of_version_1_is_read() {
        let stat = "rss 7\ntotal_rss 600\ntotal_shmem 50\ntotal_mapped_file 30\ntotal_cache 130\ntotal_inactive_file 80\ntotal_active_file 40\n";
        let files =
            [("memory.limit_in_bytes", "1000\n"), ("memory.usage_in_bytes", "800\n"), ("memory.stat", stat)];
        let place = place_of(V1, &files, 400);
        assert_eq!(place, Some(Place { limit: 1000, available: 200 + 50, lingering: 40, others: 250 }));
        let unlimited = [("memory.limit_in_bytes", "9223372036854771712\n"), files[1], files[2]];
        assert_eq!(place_of(V1, &unlimited, 400), None);
        assert_eq!(place_of(V1, &files[..2], 400), None, "it is not told");
    }

    #[test]
    fn a_group_of_version_2_is_read() {
        let stat = "anon 600\nfile 300\nshmem 0\nfile_mapped 200\ninactive_file 60\nactive_file 40\n";
        let files = |max, high| {
            [("memory.max", max), ("memory.high", high), ("memory.current", "800\n"), ("memory.stat", stat)]
        };
        let place = |max, high| place_of(V2, &files(max, high), 900);
        let expected = Place { limit: 1000, available: 200, lingering: 0, others: 0 };
        assert_eq!(place("1000\n", "max\n"), Some(expected), "all files are mapped, all memory is ours");
        assert_eq!(place("max\n", "700\n"), Some(Place { limit: 700, available: 0, ..expected }));
        assert_eq!(place("max\n", "max\n"), None);
    }

    #[test]
    fn the_machine_is_read() {
        let meminfo = "MemTotal:  8000 kB\nMemFree: 5 kB\nMemAvailable:   3000 kB\n";
        let others = 1000 << 10;
        let expected = Place { limit: 8000 << 10, available: 3000 << 10, lingering: 0, others };
        let own = own_bytes("Name:\tjava\nRssAnon:\t    3900 kB\nRssFile:\t 77 kB\nRssShmem:\t   100 kB\n");
        assert_eq!(machine(meminfo, own), Some(expected));
        assert_eq!(machine("MemTotal: 8000 kB\n", own), None);
        let lists =
            "Buffers: 10 kB\nCached: 500 kB\nShmem: 10 kB\nActive(file): 300 kB\nInactive(file): 900 kB\n";
        let lingering = 700 << 10;
        let expected = Place {
            available: expected.available - lingering,
            lingering,
            others: others + lingering,
            ..expected
        };
        assert_eq!(
            machine(&format!("{meminfo}{lists}"), own),
            Some(expected),
            "some was offered to the kernel"
        );
    }

    #[test]
    fn this_machine_tells() {
        let places = Neighbours::find().look();
        let machine = places.last().expect("the machine has memory");
        assert!(machine.available < machine.limit && machine.others < machine.limit, "{places:?}");
    }
}
