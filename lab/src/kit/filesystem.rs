// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The kind of storage that a directory lies on, and how much of it the kernel reads ahead.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fmt, fs};

use anyhow::{Context, Result, bail};
use rustix::fs::{IFlags, ioctl_getflags, ioctl_setflags, major, minor, stat, statfs, statvfs};
use tempfile::TempDir;
use ztera_machine::units::show_size;

use super::setting::Setting;

const TMPFS: i64 = 0x0102_1994;
const RAMFS: i64 = 0x8584_58f6;

/// The block device below a directory.
#[derive(Clone, Debug, PartialEq)]
pub struct Disk {
    /// Its name, such as `nvme0n1`.
    pub name: String,
    /// Whether the kernel takes it for a spinning disk (as it does some virtual ones).
    pub rotational: bool,
}

impl fmt::Display for Disk {
    /// For people: `vda, which calls itself rotational`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.name)?;
        f.write_str(if self.rotational { ", which calls itself rotational" } else { "" })
    }
}

/// The disk below `dir`. Fails where the directory lies in memory or on no block device.
pub fn disk(dir: &Path) -> Result<Disk> {
    let kind = statfs(dir).with_context(|| format!("cannot look at {}", dir.display()))?.f_type;
    if [TMPFS, RAMFS].contains(&kind) {
        bail!("{} lies in memory, not on a disk", dir.display());
    }
    let device = stat(dir)?.st_dev;
    let link = PathBuf::from(format!("/sys/dev/block/{}:{}", major(device), minor(device)));
    let node =
        fs::canonicalize(&link).with_context(|| format!("{} lies on no block device", dir.display()))?;
    // A partition has no queue of its own; its disk is the folder above.
    let disk = if node.join("queue").exists() { node.as_path() } else { node.parent().unwrap_or(&node) };
    let rotational = fs::read_to_string(disk.join("queue/rotational")).is_ok_and(|text| text.trim() == "1");
    Ok(Disk { name: disk.file_name().unwrap_or_default().to_string_lossy().into_owned(), rotational })
}

/// How many disks a RAID 0 of md or of the device mapper has, by its name in `/sys/block`. Fails for any other disk.
pub fn striped_disks(name: &str) -> Result<u32> {
    let root = Path::new("/sys/block");
    match fs::read_to_string(root.join(name).join("dm/name")) {
        Ok(mapped) => mapped_disks(mapped.trim()),
        Err(_) => striped_below(root, name),
    }
}

fn mapped_disks(name: &str) -> Result<u32> {
    let output = Command::new("dmsetup").args(["table", name]).output().context("cannot start dmsetup")?;
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    stripes(&table).with_context(|| format!("{name} is no RAID 0 of the device mapper (striped)"))
}

/// The disks of `0 SECTORS striped DISKS CHUNK ..`, which is the whole of a table.
fn stripes(table: &str) -> Option<u32> {
    let mut lines = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    match (&lines.next()?[..], lines.next()) {
        (["0", _, "striped", disks, ..], None) => disks.parse().ok(),
        _ => None,
    }
}

fn striped_below(root: &Path, name: &str) -> Result<u32> {
    let md = |file: &str| fs::read_to_string(root.join(name).join("md").join(file)).unwrap_or_default();
    let (level, disks) = (md("level"), md("raid_disks"));
    match (level.trim(), disks.trim().parse()) {
        ("raid0", Ok(disks)) => Ok(disks),
        _ => bail!("{name} is no RAID 0 of the kernel's (md)"),
    }
}

/// Fails if less than so many bytes are free for files in `dir`.
pub fn ensure_free(dir: &Path, bytes: u64) -> Result<()> {
    let all = statvfs(dir).with_context(|| format!("cannot look at {}", dir.display()))?;
    let free = all.f_bavail.saturating_mul(all.f_frsize);
    if free < bytes {
        let [free, bytes] = [free, bytes].map(show_size);
        bail!("{} has {free} free, and {bytes} are needed", dir.display());
    }
    Ok(())
}

/// A folder of our own in `dir`, and the disk that it lies on. It goes when it is dropped.
pub fn folder_on_disk(dir: &Path) -> Result<(TempDir, Disk)> {
    fs::create_dir_all(dir)?;
    let disk = disk(dir)?;
    let folder = tempfile::Builder::new().prefix("ztera-bench-").tempdir_in(dir)?;
    // Other file systems do not have the flag, or do not need it.
    let _ = spread(folder.path());
    Ok((folder, disk))
}

/// Has ext4 put folders made in `dir` far from each other. For some minutes ext4 passes over inodes that were freed,
/// one by one for each file that is made near them. That took up to a fifth of the CPU time of a run with many files.
fn spread(dir: &Path) -> Result<()> {
    let dir = fs::File::open(dir)?;
    ioctl_setflags(&dir, ioctl_getflags(&dir)? | IFlags::TOPDIR)?;
    Ok(())
}

/// Changes the read-ahead of a disk for a while. Takes root.
///
/// A file that is opened meanwhile keeps the setting. With 0 a fault reads its own page only, as it does after
/// `MADV_RANDOM`; Linux's default is 128 KiB.
pub fn read_ahead(disk: &str, kib: u32) -> Result<Setting> {
    Setting::change(format!("/sys/block/{disk}/queue/read_ahead_kb").into(), &kib.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_no_disk() {
        let error = disk(Path::new("/dev/shm")).unwrap_err().to_string();
        assert!(error.contains("/dev/shm"), "{error}");
    }

    #[test]
    fn a_raid_0_says_how_many_disks_it_has() {
        let root = tempfile::tempdir().unwrap();
        for (name, level) in [("md0", "raid0"), ("md1", "raid1")] {
            let md = root.path().join(name).join("md");
            fs::create_dir_all(&md).unwrap();
            fs::write(md.join("level"), format!("{level}\n")).unwrap();
            fs::write(md.join("raid_disks"), "4\n").unwrap();
        }
        let disks = |name| striped_below(root.path(), name).ok();
        assert_eq!([disks("md0"), disks("md1"), disks("vda")], [Some(4), None, None]);
    }

    #[test]
    fn a_striped_target_says_how_many_disks_it_has() {
        assert_eq!(stripes("0 65536 striped 2 128 7:0 0 7:1 0\n"), Some(2));
        for other in ["", "0 8 linear 7:0 0\n", "0 8 striped 2 128 7:0 0 7:1 0\n8 8 linear 7:2 0\n"] {
            assert_eq!(stripes(other), None, "{other}");
        }
    }

    /// Two files as loop devices, striped by the device mapper. A function test: both lie on one disk.
    struct Striped {
        loops: Vec<String>,
        _folder: TempDir,
    }

    const STRIPED: &str = "ztera-striped-test";

    fn say(program: &str, words: &[&str]) -> Option<String> {
        let output = Command::new(program).args(words).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    impl Striped {
        /// None without root, device mapper, or the commands.
        fn create() -> Option<Striped> {
            let mut striped = Striped { loops: Vec::new(), _folder: tempfile::tempdir().unwrap() };
            for name in ["a", "b"] {
                let file = striped._folder.path().join(name);
                fs::File::create(&file).unwrap().set_len(16 << 20).unwrap();
                striped.loops.push(say("losetup", &["--find", "--show", file.to_str().unwrap()])?);
            }
            let [a, b] = &striped.loops[..] else { return None };
            let table = format!("0 65536 striped 2 128 {a} 0 {b} 0");
            say("dmsetup", &["create", STRIPED, "--table", &table]).map(|_| striped)
        }
    }

    impl Drop for Striped {
        fn drop(&mut self) {
            say("dmsetup", &["remove", STRIPED]);
            self.loops.iter().for_each(|device| _ = say("losetup", &["--detach", device]));
        }
    }

    #[test]
    fn loop_devices_are_a_raid_0() {
        let Some(_striped) = Striped::create() else {
            eprintln!(
                "SKIPPED, not tested: a RAID 0 of loop devices takes root, losetup, dmsetup and device mapper"
            );
            return;
        };
        let words = ["info", "--columns", "--noheadings", "--options", "blkdevname", STRIPED];
        let name = say("dmsetup", &words).unwrap();
        assert_eq!(striped_disks(&name).unwrap(), 2);
    }

    #[test]
    #[ignore = "it takes a folder on a RAID 0 of two disks: `make test-guest ONLY=raid` has one"]
    fn a_folder_on_a_raid_0_says_how_many_disks_that_has() {
        let folder = std::env::var("ZTERA_TEST_RAID").expect("the guest names it");
        let disk = disk(Path::new(&folder)).unwrap();
        assert_eq!(striped_disks(&disk.name).unwrap(), 2, "{disk}");
    }

    #[test]
    fn room_is_counted() {
        ensure_free(Path::new("."), 1).unwrap();
        let error = ensure_free(Path::new("."), 1 << 60).unwrap_err().to_string();
        assert!(error.ends_with(" free, and 1048576 TiB are needed"), "{error}");
    }
}
