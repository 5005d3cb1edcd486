// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where this process may create cgroups.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::files::Version;

/// How the names of all our groups begin; the creator's process id follows.
pub const PREFIX: &str = "ztera-";

/// A group below which others may be created.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its directory.
    pub dir: PathBuf,
    /// Its interface.
    pub version: Version,
}

/// Controllers, by their names in version 1.
pub const MEMORY: &str = "memory";
/// Reads and writes of disks; version 2 calls it `io`.
pub const DISKS: &str = "blkio";

/// The mount point of a controller, and the part of the hierarchy that is visible there.
#[derive(Clone, Debug, PartialEq)]
struct Mount {
    point: PathBuf,
    root: String,
    version: Version,
}

/// All places worth trying for memory: this process's own group, then those above it.
pub fn places() -> Vec<Place> {
    places_of("self")
}

/// The own group of a process, given as its folder of `/proc`, then those above it, as this process sees them.
pub fn places_of(process: &str) -> Vec<Place> {
    places_for(MEMORY, process)
}

/// The same for a controller of version 1, or for version 2 where that has all.
pub fn places_for(controller: &str, process: &str) -> Vec<Place> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let groups = fs::read_to_string(Path::new("/proc").join(process).join("cgroup")).unwrap_or_default();
    match controller_mount(&mounts, controller) {
        Some(mount) => places_below(&mount, &groups, controller),
        None => Vec::new(),
    }
}

/// Creates a group, and sees to it that it has the memory controller.
pub fn create(place: &Place, dir: &Path) -> io::Result<()> {
    if place.version == Version::V2 && !lists_memory(&place.dir.join("cgroup.subtree_control")) {
        fs::write(place.dir.join("cgroup.subtree_control"), "+memory")?;
    }
    fs::create_dir(dir)
}

/// Removes groups whose creator is gone: it was killed and could not clean up itself.
pub fn sweep(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if creator(&name.to_string_lossy()).is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            // One that is still in use refuses, which is right.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Removes a group. A process that just ended may hold it for a moment longer.
pub fn remove(dir: &Path) {
    for _ in 0..100 {
        match fs::remove_dir(dir) {
            Err(e) if e.kind() == io::ErrorKind::ResourceBusy => thread::sleep(Duration::from_millis(20)),
            _ => return,
        }
    }
    eprintln!("ztera: the cgroup {} is still in use and stays", dir.display());
}

fn creator(name: &str) -> Option<&str> {
    let (pid, _) = name.strip_prefix(PREFIX)?.split_once('-')?;
    pid.bytes().all(|b| b.is_ascii_digit()).then_some(pid)
}

fn lists_memory(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.split_whitespace().any(|name| name == "memory"))
}

/// Version 1 wins where both are mounted. A controller belongs to one of them only, and a version 1 mount of it proves
/// to which.
fn controller_mount(mountinfo: &str, controller: &str) -> Option<Mount> {
    let mounts: Vec<Mount> = mountinfo.lines().filter_map(|line| mount(line, controller)).collect();
    let with = |version| mounts.iter().find(|mount| mount.version == version).cloned();
    with(Version::V1).or_else(|| with(Version::V2))
}

/// `36 25 0:31 /root /point rw,nosuid shared:9 - cgroup cgroup rw,memory`
fn mount(line: &str, controller: &str) -> Option<Mount> {
    let (head, tail) = line.split_once(" - ")?;
    let mut head = head.split(' ').skip(3);
    let (root, point) = (head.next()?, head.next()?);
    let mut tail = tail.split(' ');
    let (kind, options) = (tail.next()?, tail.nth(1)?);
    let version = match kind {
        "cgroup" if options.split(',').any(|option| option == controller) => Version::V1,
        "cgroup2" => Version::V2,
        _ => return None,
    };
    Some(Mount { point: point.into(), root: root.to_owned(), version })
}

fn places_below(mount: &Mount, groups: &str, controller: &str) -> Vec<Place> {
    let own = own_group(mount.version, groups, controller).unwrap_or("/");
    let inside = own.strip_prefix(mount.root.trim_end_matches('/')).unwrap_or("/");
    let own: PathBuf =
        mount.point.components().chain(Path::new(inside.trim_start_matches('/')).components()).collect();
    let place = |dir: &Path| Place { dir: dir.to_owned(), version: mount.version };
    own.ancestors().take_while(|dir| dir.starts_with(&mount.point)).map(place).collect()
}

/// The path in `9:memory:/path` (version 1) or `0::/path` (version 2).
fn own_group<'g>(version: Version, groups: &'g str, controller: &str) -> Option<&'g str> {
    groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let fits = match version {
            Version::V1 => controllers.split(',').any(|name| name == controller),
            Version::V2 => number == "0",
        };
        fits.then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYBRID: &str = "\
30 24 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
32 30 0:28 / /sys/fs/cgroup/memory rw shared:3 - cgroup cgroup rw,memory
33 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate";
    const UNIFIED: &str = "25 20 0:23 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw";

    fn dirs(mountinfo: &str, groups: &str) -> Vec<String> {
        let mount = controller_mount(mountinfo, MEMORY).expect("a mount");
        places_below(&mount, groups, MEMORY).iter().map(|place| place.dir.display().to_string()).collect()
    }

    #[test]
    fn version_1_is_preferred_where_it_has_the_controller() {
        let groups = "4:memory:/app/one\n0::/other\n";
        let expected =
            ["/sys/fs/cgroup/memory/app/one", "/sys/fs/cgroup/memory/app", "/sys/fs/cgroup/memory"];
        assert_eq!(dirs(HYBRID, groups), expected);
    }

    #[test]
    fn version_2_goes_from_the_own_group_up() {
        let groups = "0::/user.slice/session.scope\n";
        let expected =
            ["/sys/fs/cgroup/user.slice/session.scope", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"];
        assert_eq!(dirs(UNIFIED, groups), expected);
    }

    #[test]
    fn a_container_sees_its_own_part_as_the_root() {
        let mountinfo = "25 20 0:23 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory";
        assert_eq!(dirs(mountinfo, "4:memory:/docker/abc\n"), ["/sys/fs/cgroup/memory"]);
    }

    #[test]
    fn no_controller_no_place() {
        let cpu = "31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu";
        assert_eq!(controller_mount(cpu, MEMORY), None);
        assert_eq!(controller_mount("nonsense", MEMORY), None);
        assert!(controller_mount(cpu, "cpu").is_some());
    }

    #[test]
    fn our_groups_are_known_by_their_names() {
        assert_eq!(creator("ztera-123-demo"), Some("123"));
        for foreign in ["ztera-demo", "ztera-x1-demo", "user.slice", "other-1-demo"] {
            assert_eq!(creator(foreign), None, "{foreign}");
        }
    }
}
