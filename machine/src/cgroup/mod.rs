// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Memory cgroups, version 1 and 2: limits what a child may use and tells what it used at most.
//!
//! A [`Cgroup`] is one group, which is removed when it is dropped; [`place`] does both. [`reads`] limits what it reads
//! from a disk, too. [`ztera_cgroup`] knows which groups there are, and how the two versions name things.

pub mod place;
mod reads;

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use reads::DiskGroup;
use rustix::process::{Pid, Signal, kill_process};
pub use ztera_cgroup::{Group, Version, files, group};

/// Why there is no cgroup to use, for people.
#[derive(Debug, thiserror::Error)]
pub enum CgroupError {
    /// The kernel has no memory controller, or it is not mounted.
    #[error("no memory cgroup controller is mounted")]
    NoController,
    /// Nowhere may this process create a group.
    #[error(
        "no memory cgroup can be created (tried {tried}): {source}; run this as root, or delegate a group"
    )]
    Denied {
        /// The last place tried.
        tried: String,
        /// The kernel's answer there.
        source: io::Error,
    },
    /// A control file cannot be written.
    #[error("cannot write `{value}` to {path}: {source}")]
    Write {
        /// The file.
        path: String,
        /// The text that was to be written.
        value: String,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The kernel does not limit what is read from the disk.
    #[error("reads from {disk} cannot be limited: {source}")]
    Reads {
        /// The disk's name.
        disk: String,
        /// Why.
        source: io::Error,
    },
}

/// A memory cgroup that this process created. Dropping it removes it; what still runs in it must be gone by then.
#[derive(Debug)]
pub struct Cgroup {
    dir: PathBuf,
    version: Version,
    /// Where reads are limited apart from memory.
    disks: Option<DiskGroup>,
}

impl Cgroup {
    /// Creates `ztera-<pid>-<name>`, without a limit.
    pub fn create(name: &str) -> Result<Cgroup, CgroupError> {
        let mut failure = CgroupError::NoController;
        for above in group::own() {
            place::sweep(&above.dir);
            let dir = above.dir.join(format!("{}{}-{name}", place::PREFIX, std::process::id()));
            match place::create(&above, &dir) {
                Ok(()) => return Ok(Cgroup { dir, version: above.version, disks: None }),
                Err(source) => failure = CgroupError::Denied { tried: dir.display().to_string(), source },
            }
        }
        Err(failure)
    }

    /// Limits memory to `bytes`, and allows no swap on top of it.
    pub fn set_limit(&self, bytes: u64) -> Result<(), CgroupError> {
        self.write_all(files::limit(self.version, bytes))
    }

    /// Limits memory to `bytes`, and lets the kernel swap out what is above.
    pub fn set_limit_with_swap(&self, bytes: u64) -> Result<(), CgroupError> {
        self.write_all(files::limit_with_swap(self.version, bytes))
    }

    /// Changes the limit and nothing else. Fails where the kernel cannot bring the group below it.
    pub fn change_limit(&self, bytes: u64) -> Result<(), CgroupError> {
        self.write(&self.dir.join(files::limit_file(self.version)), &bytes.to_string())
    }

    /// Lets what starts in the group from now on read no more than so many bytes a second from a disk, given by its
    /// name, such as `nvme0n1`.
    pub fn limit_reads(&mut self, disk: &str, bytes_per_second: u64) -> Result<(), CgroupError> {
        let failed = |source| CgroupError::Reads { disk: disk.to_owned(), source };
        let numbers = reads::numbers(disk).map_err(failed)?;
        match self.version {
            Version::V1 => {
                let name = self.dir.file_name().unwrap_or_default();
                let disks = DiskGroup::create(Path::new(name)).map_err(failed)?;
                let file = disks.dir.join(reads::LIMIT);
                fs::write(file, format!("{numbers} {bytes_per_second}")).map_err(failed)?;
                self.disks = Some(disks);
                Ok(())
            }
            Version::V2 => {
                let above = self.dir.parent().unwrap_or(&self.dir);
                fs::write(above.join("cgroup.subtree_control"), "+io").map_err(failed)?;
                let limit = format!("{numbers} rbps={bytes_per_second}");
                fs::write(self.dir.join("io.max"), limit).map_err(failed)
            }
        }
    }

    /// The file with the group's swappiness, from 0 to 200. Version 2 has none, so there it is the system's.
    pub fn swappiness(&self) -> PathBuf {
        match self.version {
            Version::V1 => self.dir.join("memory.swappiness"),
            Version::V2 => "/proc/sys/vm/swappiness".into(),
        }
    }

    /// All of `memory.stat`, in lines "key value".
    pub fn statistics(&self) -> Option<String> {
        self.read(files::STATISTICS)
    }

    fn write_all(&self, values: Vec<(files::ControlFile, String)>) -> Result<(), CgroupError> {
        for (file, value) in values {
            let path = self.dir.join(file.name);
            if file.required || path.exists() {
                self.write(&path, &value)?;
            }
        }
        Ok(())
    }

    /// The files that a process enters the group by: writing `0` to each moves the writer.
    pub fn entrances(&self) -> io::Result<Vec<File>> {
        self.doors().map(|door| OpenOptions::new().write(true).open(door)).collect()
    }

    fn doors(&self) -> impl Iterator<Item = PathBuf> {
        let dirs = [Some(&self.dir), self.disks.as_ref().map(|disks| &disks.dir)];
        dirs.into_iter().flatten().map(|dir| dir.join("cgroup.procs"))
    }

    /// Whether pages that zswap holds for the group count against its limit: in version 1 they are nobody's.
    pub fn counts_zswap(&self) -> bool {
        self.version == Version::V2
    }

    /// Moves a running process, with all its threads. Memory that it already uses stays charged where it was.
    pub fn adopt(&self, pid: u32) -> Result<(), CgroupError> {
        self.doors().try_for_each(|door| self.write(&door, &pid.to_string()))
    }

    /// The most that was charged to the group at any time, file cache included. None where the kernel does not
    /// keep it (version 2 before Linux 5.19).
    pub fn peak(&self) -> Option<u64> {
        files::number(&self.dir.join(files::peak(self.version)))
    }

    /// Memory of the group's processes themselves, without file cache, at this moment.
    pub fn anonymous(&self) -> Option<u64> {
        files::field(&self.read(files::STATISTICS)?, files::anonymous(self.version))
    }

    /// Kills all processes that are in it now.
    pub fn kill(&self) {
        let processes = self.read("cgroup.procs").unwrap_or_default();
        let ids = processes.lines().filter_map(|id| Pid::from_raw(id.parse().ok()?));
        for id in ids {
            // One that has ended meanwhile is as good.
            let _ = kill_process(id, Signal::KILL);
        }
    }

    /// How many processes the kernel killed for want of memory.
    pub fn oom_kills(&self) -> Option<u64> {
        files::field(&self.read(files::events(self.version))?, "oom_kill")
    }

    /// Asks the kernel to take back whatever it can, which without swap is file cache, mapped pages included.
    pub fn reclaim(&self) -> Result<(), CgroupError> {
        let (file, value) = files::reclaim(self.version);
        let path = self.dir.join(file);
        match self.write(&path, value) {
            // "Not as much as asked for": expected, since everything is asked for.
            Err(CgroupError::Write { source, .. }) if source.kind() == io::ErrorKind::WouldBlock => Ok(()),
            result => result,
        }
    }

    fn read(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.dir.join(file)).ok()
    }

    fn write(&self, path: &Path, value: &str) -> Result<(), CgroupError> {
        fs::write(path, value).map_err(|source| CgroupError::Write {
            path: path.display().to_string(),
            value: value.to_owned(),
            source,
        })
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        place::remove(&self.dir);
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::child::{Guarded, lines};

    #[test]
    fn a_limit_is_changed_and_nothing_else() {
        let Ok(cgroup) = Cgroup::create("change") else {
            eprintln!("SKIPPED, not tested: no memory cgroup can be created here");
            return;
        };
        cgroup.set_limit_with_swap(64 << 20).unwrap();
        let before = fs::read_to_string(cgroup.swappiness()).unwrap();
        cgroup.change_limit(32 << 20).unwrap();
        let limit = fs::read_to_string(cgroup.dir.join(files::limit_file(cgroup.version))).unwrap();
        assert_eq!(files::parse_limit(&limit), Some(32 << 20));
        assert_eq!(fs::read_to_string(cgroup.swappiness()).unwrap(), before);
        let statistics = cgroup.statistics().unwrap();
        assert!(files::field(&statistics, "pgmajfault").is_some(), "{statistics}");
    }

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
        let disks = fs::read_dir("/sys/block").into_iter().flatten().flatten();
        let disk =
            disks.filter(|disk| disk.path().join("device").exists()).map(|disk| disk.file_name()).next();
        let (Some(disk), Ok(mut cgroup)) = (disk, Cgroup::create("reads")) else {
            eprintln!("SKIPPED, not tested: no disk, or no memory cgroup can be created here");
            return;
        };
        let disk = disk.to_string_lossy();
        if let Err(error) = cgroup.limit_reads(&disk, 1 << 20) {
            assert!(DiskGroup::create(Path::new("ztera-0-try")).is_err(), "{error}");
            eprintln!("SKIPPED, not tested: {error}");
            return;
        }
        let dir = cgroup.disks.as_ref().map_or(&cgroup.dir, |disks| &disks.dir);
        let limits =
            fs::read_to_string(dir.join(reads::LIMIT)).or_else(|_| fs::read_to_string(dir.join("io.max")));
        let (limits, numbers) = (limits.unwrap(), reads::numbers(&disk).unwrap());
        assert!(limits.starts_with(&numbers) && limits.contains("1048576"), "{limits}");
        let name = dir.file_name().unwrap().to_string_lossy().into_owned();
        let mut command = Command::new("cat");
        command.arg("/proc/self/cgroup").stdout(Stdio::piped());
        let mut child = Guarded::spawn(command, Some(&cgroup)).unwrap();
        let groups: Vec<String> = lines(child.process().stdout.take().unwrap()).iter().collect();
        let limited = |line: &&String| line.contains("blkio") || line.starts_with("0::");
        assert!(groups.iter().filter(limited).any(|line| line.ends_with(&name)), "{groups:?}");
    }
}
