//! Memory that this process shares with others, as Linux tells: its cgroups', version 1 or 2, and the machine's.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use ztera_policy::sharing::Place;

/// Where it is told.
#[derive(Debug)]
pub(crate) struct Neighbours {
    /// This process's cgroup and those above it, as far as they are visible.
    groups: Vec<PathBuf>,
    names: &'static Names,
}

/// What a version of cgroups calls things. Groups below are counted, too.
#[derive(Debug, PartialEq)]
struct Names {
    limits: &'static [&'static str],
    usage: &'static str,
    /// Memory that only swap could free.
    own: [&'static str; 2],
    files: [&'static str; 2],
    /// All pages of files and of shared memory. What `files` has beyond the former is lists of anonymous pages that were
    /// offered to the kernel (`MADV_FREE`).
    cache: &'static str,
    /// Of those, what programs have mapped: the kernel could take it, but they would miss it.
    mapped: &'static str,
}

const VERSION_1: Names = Names {
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    own: ["total_rss", "total_shmem"],
    files: ["total_inactive_file", "total_active_file"],
    cache: "total_cache",
    mapped: "total_mapped_file",
};

const VERSION_2: Names = Names {
    // Beyond the second, the kernel makes programs wait.
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    own: ["anon", "shmem"],
    files: ["inactive_file", "active_file"],
    cache: "file",
    mapped: "file_mapped",
};

impl Neighbours {
    /// Those of this process as it is placed now.
    pub fn find() -> Self {
        let read = |file| read_to_string(file).unwrap_or_default();
        Self::of(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"))
    }

    fn of(mounts: &str, groups: &str) -> Self {
        let found = Mount::of_memory(mounts).map(|mount| (mount.groups(groups), mount.names));
        let (groups, names) = found.unwrap_or((Vec::new(), &VERSION_2));
        Self { groups, names }
    }

    /// The process's groups, the own one first.
    pub fn groups(&self) -> &[PathBuf] {
        &self.groups
    }

    /// What there is now of each memory that has a limit. The kernel reads some counters for that, and walks nothing.
    pub fn look(&self) -> Vec<Place> {
        let read = |file| read_to_string(file).unwrap_or_default();
        let own = own_bytes(&read("/proc/self/status"));
        let groups = self.groups.iter().filter_map(|group| self.names.place(group, own));
        groups.chain(machine(&read("/proc/meminfo"), own)).collect()
    }
}

impl Names {
    /// `None` without a limit, or if the kernel does not tell.
    fn place(&self, group: &Path, own: u64) -> Option<Place> {
        let number = |name: &&str| read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
        let limit = self.limits.iter().filter_map(number).min().filter(|&limit| limit < NO_LIMIT)?;
        let usage = number(&self.usage)?;
        let stat = read_to_string(group.join("memory.stat")).ok()?;
        let sum = |names: &[&str]| names.iter().filter_map(|name| field(&stat, name)).sum::<u64>();
        let reclaimable = sum(&self.files);
        let files = sum(&[self.cache]).saturating_sub(sum(&self.own[1..])).min(reclaimable);
        let spare_files = files.saturating_sub(sum(&[self.mapped]));
        Some(Place {
            limit,
            available: (limit.saturating_sub(usage) + spare_files).min(limit),
            lingering: reclaimable - files,
            others: sum(&self.own).saturating_sub(own),
        })
    }
}

/// Version 1 says so by the largest number of whole pages.
const NO_LIMIT: u64 = i64::MAX as u64 - 65535;

/// Where the memory controller is mounted, and the part of the hierarchy that is visible there.
#[derive(Debug)]
struct Mount<'t> {
    root: &'t str,
    point: &'t Path,
    names: &'static Names,
}

impl<'t> Mount<'t> {
    /// Version 1 where both are mounted: the controller belongs to one of them, and only version 1 says that it has it.
    fn of_memory(mounts: &'t str) -> Option<Self> {
        let all = || mounts.lines().filter_map(Self::parse);
        all().find(|mount| mount.names == &VERSION_1).or_else(|| all().next())
    }

    /// `36 25 0:31 /root /point rw,nosuid shared:9 - cgroup cgroup rw,memory`
    fn parse(line: &'t str) -> Option<Self> {
        let (place, kind) = line.split_once(" - ")?;
        let (mut place, mut kind) = (place.split(' ').skip(3), kind.split(' '));
        let names = match kind.next()? {
            "cgroup" if kind.nth(1)?.split(',').any(|option| option == "memory") => &VERSION_1,
            "cgroup2" => &VERSION_2,
            _ => return None,
        };
        Some(Self { root: place.next()?, point: Path::new(place.next()?), names })
    }

    /// The process's own group, of a line `9:memory:/path` (version 1) or `0::/path`, and those above it.
    fn groups(&self, groups: &str) -> Vec<PathBuf> {
        let own = groups.lines().find_map(|line| {
            let (number, rest) = line.split_once(':')?;
            let (controllers, path) = rest.split_once(':')?;
            let is_it = if self.names == &VERSION_1 {
                controllers.split(',').any(|name| name == "memory")
            } else {
                number == "0"
            };
            is_it.then_some(path)
        });
        let inside = Path::new(own.unwrap_or_default()).strip_prefix(self.root).unwrap_or(Path::new(""));
        let own: PathBuf = self.point.components().chain(inside.components()).collect();
        own.ancestors().take_while(|group| group.starts_with(self.point)).map(Path::to_owned).collect()
    }
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

/// The number that follows a name in a text of lines like `name 123` or `Name:   123 kB`.
fn field(text: &str, name: &str) -> Option<u64> {
    let mut found = text.lines().filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        (words.next() == Some(name)).then(|| words.next()?.parse().ok())?
    });
    found.next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const HYBRID: &str = "\
31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
33 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate
32 30 0:28 / /sys/fs/cgroup/memory rw shared:3 - cgroup cgroup rw,memory";
    const UNIFIED: &str = "25 20 0:23 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw";

    fn groups(mounts: &str, groups: &str) -> Vec<String> {
        Neighbours::of(mounts, groups).groups.iter().map(|group| group.display().to_string()).collect()
    }

    #[test]
    fn a_process_has_its_group_and_those_above() {
        let own = "4:memory:/app/one\n0::/other\n";
        let below = ["/app/one", "/app", ""].map(|path| format!("/sys/fs/cgroup/memory{path}"));
        assert_eq!(groups(HYBRID, own), below);
        assert_eq!(Neighbours::of(HYBRID, own).names, &VERSION_1);
        assert_eq!(groups(UNIFIED, "0::/a.slice\n"), ["/sys/fs/cgroup/a.slice", "/sys/fs/cgroup"]);
        assert_eq!(Neighbours::of(UNIFIED, "0::/a.slice\n").names, &VERSION_2);
        assert!(groups("31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu", own).is_empty());
    }

    #[test]
    fn a_container_sees_its_own_part_as_the_root() {
        let mounts = "25 20 0:23 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory";
        assert_eq!(groups(mounts, "4:memory:/docker/abc\n"), ["/sys/fs/cgroup/memory"]);
        assert_eq!(groups(mounts, "4:memory:/elsewhere\n"), ["/sys/fs/cgroup/memory"]);
    }

    fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
        let group = tempfile::tempdir().expect("a directory");
        files.iter().for_each(|(name, text)| fs::write(group.path().join(name), text).expect("a file"));
        group
    }

    #[test]
    fn a_group_of_version_1_is_read() {
        let stat = "rss 7\ntotal_rss 600\ntotal_shmem 50\ntotal_mapped_file 30\ntotal_cache 130\ntotal_inactive_file 80\ntotal_active_file 40\n";
        let files =
            [("memory.limit_in_bytes", "1000\n"), ("memory.usage_in_bytes", "800\n"), ("memory.stat", stat)];
        let place = VERSION_1.place(written(&files).path(), 400);
        assert_eq!(place, Some(Place { limit: 1000, available: 200 + 50, lingering: 40, others: 250 }));
        let unlimited = [("memory.limit_in_bytes", "9223372036854771712\n"), files[1], files[2]];
        assert_eq!(VERSION_1.place(written(&unlimited).path(), 400), None);
        assert_eq!(VERSION_1.place(written(&files[..2]).path(), 400), None, "it is not told");
    }

    #[test]
    fn a_group_of_version_2_is_read() {
        let stat = "anon 600\nfile 300\nshmem 0\nfile_mapped 200\ninactive_file 60\nactive_file 40\n";
        let files = |max, high| {
            [("memory.max", max), ("memory.high", high), ("memory.current", "800\n"), ("memory.stat", stat)]
        };
        let place = |max, high| VERSION_2.place(written(&files(max, high)).path(), 900);
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
