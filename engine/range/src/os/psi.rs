//! How long threads wait for memory, where that is a matter of this process.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use ztera_cgroup::files::{field, number};
use ztera_cgroup::{Group, group, stall};
use ztera_policy::stalls::{Memory, are_ours};

/// Where it is told.
#[derive(Debug, PartialEq)]
pub(crate) enum Psi {
    /// Of this process's own group.
    Own(PathBuf),
    /// Of the system: it counts as [`are_ours`] says. With this process's own group.
    System(Option<Group>),
}

impl Psi {
    /// `None` if the kernel does not tell.
    pub fn find() -> Option<Self> {
        Self::of(group::own(), Path::new(stall::SYSTEM))
    }

    fn of(groups: Vec<Group>, system: &Path) -> Option<Self> {
        let own = groups.into_iter().next();
        let file = own.as_ref().map(|own| own.dir.join(stall::OF_GROUP));
        let file = file.filter(|file| stall::read(file).is_some());
        file.map(Self::Own).or_else(|| stall::read(system).map(|_| Self::System(own)))
    }

    /// Share of the last ten seconds in which some thread waited for memory, in hundredths of a percent.
    pub fn read(&self) -> Option<u32> {
        match self {
            Self::Own(file) => stall::read(file),
            Self::System(group) if are_ours(of_system(), group.as_ref().and_then(of_group)) => {
                stall::read(Path::new(stall::SYSTEM))
            }
            Self::System(_) => Some(0),
        }
    }
}

fn of_system() -> Option<Memory> {
    let text = read_to_string("/proc/meminfo").ok()?;
    Some(Memory { limit: field(&text, "MemTotal:")?, left: field(&text, "MemAvailable:")? })
}

/// Without a limit that is a number, as in version 2, it is never short.
fn of_group(Group { dir, version }: &Group) -> Option<Memory> {
    let names = version.names();
    let (limit, usage) = (number(&dir.join(names.limits[0]))?, number(&dir.join(names.usage))?);
    Some(Memory { limit, left: limit.saturating_sub(usage) })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ztera_cgroup::Version;

    use super::*;

    const STALL: &str = "some avg10=1.00 avg60=0.00 avg300=0.00 total=1\n";

    /// In a container without a cgroup namespace, `/proc/self/cgroup` has the path as the machine sees it, and a part of
    /// the hierarchy is mounted. The path was looked for below the mount, where it is not. So the stalls of the
    /// whole system took the place of the container's.
    #[test]
    fn a_container_finds_its_own_group() {
        let mounted = tempfile::tempdir().expect("a directory");
        let file = mounted.path().join("memory.pressure");
        fs::write(&file, STALL).expect("it is ours");
        let mounts = format!("25 20 0:23 /docker/abc {} ro - cgroup2 cgroup2 rw", mounted.path().display());
        let groups = group::parse(&mounts, "0::/docker/abc\n", group::MEMORY);
        let psi = Psi::of(groups, &file).expect("it is told");
        assert_eq!(psi.read(), Some(100));
        assert_eq!(psi, Psi::Own(file));
    }

    #[test]
    fn a_process_has_its_own_group_or_the_system() {
        let dir = tempfile::tempdir().expect("a directory");
        let (system, none) = (dir.path().join("system"), dir.path().join("none"));
        fs::write(&system, STALL).expect("it is ours");
        let group = Group { dir: dir.path().to_owned(), version: Version::V1 };
        assert_eq!(Psi::of(vec![group.clone()], &system), Some(Psi::System(Some(group.clone()))));
        assert_eq!(Psi::of(Vec::new(), &system), Some(Psi::System(None)));
        assert_eq!(Psi::of(vec![group], &none), None, "the kernel does not tell");
    }

    #[test]
    fn what_a_group_has_left_is_read() {
        let dir = tempfile::tempdir().expect("a directory");
        let group = Group { dir: dir.path().to_owned(), version: Version::V1 };
        let set = |name: &str, value: u64| fs::write(dir.path().join(name), format!("{value}\n"));
        assert_eq!(of_group(&group), None, "nothing is known");
        set("memory.limit_in_bytes", 1600).expect("it is ours");
        set("memory.usage_in_bytes", 1500).expect("it is ours");
        assert_eq!(of_group(&group), Some(Memory { limit: 1600, left: 100 }));
    }
}
