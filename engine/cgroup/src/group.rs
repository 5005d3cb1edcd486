//! The groups of a process.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use crate::files::Version;

/// A group of a controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its directory.
    pub dir: PathBuf,
    /// Its interface.
    pub version: Version,
}

/// Controllers, by their names in version 1.
pub const MEMORY: &str = "memory";
/// Reads and writes of disks; version 2 calls it `io`.
pub const DISKS: &str = "blkio";

/// This process's own memory group as it is placed now, then those above it, as far as they are visible.
pub fn own() -> Vec<Group> {
    of_process("self")
}

/// The same for a process, given as its folder of `/proc`, as this process sees them.
pub fn of_process(process: &str) -> Vec<Group> {
    of_controller(MEMORY, process)
}

/// The same for a controller of version 1, or for version 2 where that has all.
pub fn of_controller(controller: &str, process: &str) -> Vec<Group> {
    let read = |file: &Path| read_to_string(file).unwrap_or_default();
    let mounts = read(Path::new("/proc/self/mountinfo"));
    let groups = read(&Path::new("/proc").join(process).join("cgroup"));
    parse(&mounts, &groups, controller)
}

/// Of the texts of `/proc/self/mountinfo` and `/proc/PID/cgroup`. Empty without the controller.
pub fn parse(mounts: &str, groups: &str, controller: &str) -> Vec<Group> {
    Mount::of(mounts, controller).map_or(Vec::new(), |mount| mount.groups(groups, controller))
}

/// Where a controller is mounted, and the part of the hierarchy that is visible there.
#[derive(Clone, Copy)]
struct Mount<'t> {
    root: &'t str,
    point: &'t Path,
    version: Version,
}

impl<'t> Mount<'t> {
    /// Version 1 where both are mounted: the controller belongs to one of them, and only version 1 says that it has it.
    fn of(mounts: &'t str, controller: &str) -> Option<Self> {
        let all = || mounts.lines().filter_map(|line| Self::parse(line, controller));
        all().find(|mount| mount.version == Version::V1).or_else(|| all().next())
    }

    /// `36 25 0:31 /root /point rw,nosuid shared:9 - cgroup cgroup rw,memory`
    fn parse(line: &'t str, controller: &str) -> Option<Self> {
        let (place, kind) = line.split_once(" - ")?;
        let (mut place, mut kind) = (place.split(' ').skip(3), kind.split(' '));
        let version = match kind.next()? {
            "cgroup" if kind.nth(1)?.split(',').any(|option| option == controller) => Version::V1,
            "cgroup2" => Version::V2,
            _ => return None,
        };
        Some(Self { root: place.next()?, point: Path::new(place.next()?), version })
    }

    /// The group of a line `9:memory:/path` (version 1) or `0::/path`, and those above it. A process that lies outside of
    /// what is visible has the topmost group that is.
    fn groups(self, groups: &str, controller: &str) -> Vec<Group> {
        let own = Path::new(self.path(groups, controller).unwrap_or_default());
        let inside = own.strip_prefix(self.root).unwrap_or(Path::new(""));
        let own: PathBuf = self.point.components().chain(inside.components()).collect();
        let visible = own.ancestors().take_while(|dir| dir.starts_with(self.point));
        visible.map(|dir| Group { dir: dir.to_owned(), version: self.version }).collect()
    }

    fn path<'g>(self, groups: &'g str, controller: &str) -> Option<&'g str> {
        groups.lines().find_map(|line| {
            let (number, rest) = line.split_once(':')?;
            let (controllers, path) = rest.split_once(':')?;
            let fits = match self.version {
                Version::V1 => controllers.split(',').any(|name| name == controller),
                Version::V2 => number == "0",
            };
            fits.then_some(path)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYBRID: &str = "\
30 24 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
33 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate
32 30 0:28 / /sys/fs/cgroup/memory rw shared:3 - cgroup cgroup rw,memory";
    const UNIFIED: &str = "25 20 0:23 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw";

    fn dirs(mounts: &str, groups: &str) -> Vec<String> {
        parse(mounts, groups, MEMORY).iter().map(|group| group.dir.display().to_string()).collect()
    }

    #[test]
    fn version_1_is_preferred_where_it_has_the_controller() {
        let groups = "4:memory:/app/one\n0::/other\n";
        let expected = ["/app/one", "/app", ""].map(|path| format!("/sys/fs/cgroup/memory{path}"));
        assert_eq!(dirs(HYBRID, groups), expected);
        assert_eq!(parse(HYBRID, groups, MEMORY)[0].version, Version::V1);
        assert_eq!(parse(HYBRID, "5:cpu:/a\n", "cpu")[0].dir, Path::new("/sys/fs/cgroup/cpu/a"));
    }

    #[test]
    fn version_2_goes_from_the_own_group_up() {
        let groups = "0::/user.slice/session.scope\n";
        let expected = ["/user.slice/session.scope", "/user.slice", ""];
        assert_eq!(dirs(UNIFIED, groups), expected.map(|path| format!("/sys/fs/cgroup{path}")));
        assert_eq!(parse(UNIFIED, groups, MEMORY)[0].version, Version::V2);
    }

    #[test]
    fn a_container_sees_its_own_part_as_the_root() {
        let mounts = "25 20 0:23 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory";
        assert_eq!(dirs(mounts, "4:memory:/docker/abc\n"), ["/sys/fs/cgroup/memory"]);
        let inside = ["/sys/fs/cgroup/memory/app", "/sys/fs/cgroup/memory"];
        assert_eq!(dirs(mounts, "4:memory:/docker/abc/app\n"), inside);
        assert_eq!(dirs(mounts, "4:memory:/elsewhere\n"), ["/sys/fs/cgroup/memory"]);
    }

    #[test]
    fn a_controller_may_be_mounted_with_others() {
        let mounts = "31 30 0:27 / /sys/fs/cgroup/both rw - cgroup cgroup rw,cpu,memory";
        assert_eq!(dirs(mounts, "4:cpu,memory:/a\n"), ["/sys/fs/cgroup/both/a", "/sys/fs/cgroup/both"]);
    }

    #[test]
    fn no_controller_no_group() {
        let cpu = "31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu";
        assert!(dirs(cpu, "4:memory:/a\n").is_empty() && dirs("nonsense", "").is_empty());
    }
}
