// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Limits on what a group reads from a disk: a model of a slower one.
//!
//! The kernel spreads reads over time, those of the page cache's misses and of direct I/O alike. Writes keep the disk's
//! speed: most of them go through the page cache, and version 1 does not know whose they are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::files::Version;
use super::place;

/// A group of version 1, which has a hierarchy of its own for disks. Dropping it removes it.
#[derive(Debug)]
pub(super) struct DiskGroup {
    /// Its directory.
    pub dir: PathBuf,
}

impl DiskGroup {
    /// Creates one, which is called `name`.
    pub fn create(name: &Path) -> io::Result<Self> {
        let places = place::places_for(place::DISKS, "self");
        let mut result = Err(io::Error::other("no blkio cgroup controller is mounted"));
        for place in places.iter().filter(|place| place.version == Version::V1) {
            place::sweep(&place.dir);
            let dir = place.dir.join(name);
            result = fs::create_dir(&dir).map(|()| Self { dir });
            if result.is_ok() {
                break;
            }
        }
        result
    }
}

impl Drop for DiskGroup {
    fn drop(&mut self) {
        super::remove(&self.dir);
    }
}

/// The numbers of the disk that is called `disk`, such as `254:0`.
pub(super) fn numbers(disk: &str) -> io::Result<String> {
    Ok(fs::read_to_string(Path::new("/sys/block").join(disk).join("dev"))?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::super::Cgroup;
    use crate::child::{Guarded, lines};

    #[test]
    fn a_disk_that_is_not_there_is_named() {
        let Ok(mut cgroup) = Cgroup::create("no-disk") else {
            eprintln!("SKIPPED, not tested: no memory cgroup can be created here");
            return;
        };
        let error = cgroup.limit_reads("no-such-disk", 1).unwrap_err().to_string();
        assert!(error.starts_with("reads from no-such-disk cannot be limited"), "{error}");
    }

    #[test]
    fn a_child_starts_where_its_reads_are_limited() {
        let disks = std::fs::read_dir("/sys/block").into_iter().flatten().flatten();
        let disk =
            disks.filter(|disk| disk.path().join("device").exists()).map(|disk| disk.file_name()).next();
        let (Some(disk), Ok(mut cgroup)) = (disk, Cgroup::create("reads")) else {
            eprintln!("SKIPPED, not tested: no disk, or no memory cgroup can be created here");
            return;
        };
        if let Err(error) = cgroup.limit_reads(&disk.to_string_lossy(), 1 << 20) {
            eprintln!("SKIPPED, not tested: {error}");
            return;
        }
        let name = cgroup.dir.file_name().unwrap().to_string_lossy().into_owned();
        let mut command = Command::new("cat");
        command.arg("/proc/self/cgroup").stdout(Stdio::piped());
        let mut child = Guarded::spawn(command, Some(&cgroup)).unwrap();
        let groups: Vec<String> = lines(child.process().stdout.take().unwrap()).iter().collect();
        let limited = |line: &&String| line.contains("blkio") || line.starts_with("0::");
        assert!(groups.iter().filter(limited).any(|line| line.ends_with(&name)), "{groups:?}");
    }
}
