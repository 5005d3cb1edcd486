// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The device as a file, and a file system on it: mkfs and mount by a loop device. Takes root.

mod common;

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use common::{KIB, MIB, are_installed, bytes, config, run, service, skipped};
use ztera_disk::fuse::{FILE, Mount};

/// `None` where FUSE cannot be had, which is said.
fn mounted(at: &Path, size: usize, memory_limit: Option<usize>) -> Option<Mount> {
    let service = service(config(size, 16 * KIB, memory_limit));
    match Mount::new(at, service) {
        Ok(mount) => Some(mount),
        Err(error) => {
            let is_root = rustix::process::geteuid().is_root();
            assert!(!is_root || !Path::new("/dev/fuse").exists(), "root can mount: {error}");
            skipped(&format!("cannot mount by FUSE ({error}): it takes root, or the package fuse3"));
            None
        }
    }
}

#[test]
fn the_file_is_the_device() {
    let dir = tempfile::tempdir().expect("a folder");
    let Some(mut mount) = mounted(dir.path(), 4 * MIB + 512, Some(MIB)) else { return };
    let path = dir.path().join(FILE);
    let names: Vec<_> =
        fs::read_dir(dir.path()).expect("a folder").map(|e| e.expect("a file").path()).collect();
    assert_eq!(names, std::slice::from_ref(&path));
    let file = fs::File::options().read(true).write(true).open(&path).expect("the device");
    let meta = file.metadata().expect("attributes");
    assert_eq!((meta.len(), meta.permissions().mode() & 0o777), ((4 * MIB + 512) as u64, 0o600));

    let data = bytes(3, 300_000, 2);
    file.write_all_at(&data, 12345).expect("there is room");
    file.sync_all().expect("a flush");
    let mut back = vec![1; 300_000 + 2];
    file.read_exact_at(&mut back, 12344).expect("a read");
    assert!(back[0] == 0 && back[300_001] == 0 && back[1..300_001] == data);
    assert_eq!(file.read_at(&mut [0; 10], meta.len() - 3).expect("what there is"), 3);
    let beyond = file.write_all_at(&[1; 10], meta.len()).expect_err("beyond the end");
    assert_eq!(beyond.kind(), ErrorKind::StorageFull);
    let full = file.write_all_at(&bytes(4, 4 * MIB, 8), 0).expect_err("noise does not fit");
    assert_eq!(full.kind(), ErrorKind::StorageFull);
    drop(file);
    mount.unmount().expect("nobody uses it");
    assert!(!path.exists());
}

/// A loop device. Dropping it detaches it.
struct Loop(String);

impl Loop {
    fn new(file: &Path) -> Self {
        let file = file.display().to_string();
        Self(run("losetup", &["--find", "--show", "--direct-io=on", &file]).trim().to_owned())
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["--detach", &self.0]).status();
    }
}

/// A mounted file system. Dropping it unmounts it.
struct Mounted(PathBuf);

impl Mounted {
    fn new(device: &str, at: &Path) -> Self {
        fs::create_dir_all(at).expect("a folder");
        run("mount", &["-o", "discard", device, &at.display().to_string()]);
        Self(at.to_owned())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// How a file system is made on a device, and checked while nobody has it mounted.
struct Kind {
    make: &'static [&'static str],
    check: &'static [&'static str],
    package: &'static str,
}

fn run_on(command: &[&str], device: &Loop) {
    run(command[0], &[&command[1..], &[&device.0]].concat());
}

/// Whether mounts and this kind's programs can be had; else says what is missing.
fn can_be_tried(kind: &Kind) -> bool {
    if !rustix::process::geteuid().is_root() {
        skipped("loop devices and mounts take root");
        return false;
    }
    are_installed(&["losetup", "mount", "umount"], "mount")
        && are_installed(&[kind.make[0], kind.check[0]], kind.package)
}

/// Files come back as they went, after the kernel has forgotten them. `look` sees the file system mounted then.
fn keeps_its_files(kind: &Kind, look: impl Fn(&Path)) {
    if !can_be_tried(kind) {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let [folder, files] = ["fuse", "files"].map(|name| dir.path().join(name));
    fs::create_dir(&folder).expect("a folder");
    let Some(mut mount) = mounted(&folder, 128 * MIB, None) else { return };
    let device = Loop::new(&folder.join(FILE));
    run_on(kind.make, &device);
    let busy = mount.unmount().expect_err("the loop device uses it");
    assert_eq!(busy.kind(), ErrorKind::ResourceBusy);
    let content = |i: u64| bytes(i, 10_000 * i as usize + 1, (i % 9) as usize);
    {
        let mounted = Mounted::new(&device.0, &files);
        for i in 0..60 {
            fs::write(mounted.0.join(format!("{i}")), content(i)).expect("there is room");
        }
        for i in (0..60).step_by(3) {
            fs::remove_file(mounted.0.join(format!("{i}"))).expect("it is there");
        }
    }
    // The kernel's cache is gone, so all is read from the device.
    run_on(kind.check, &device);
    {
        let mounted = Mounted::new(&device.0, &files);
        for i in (0..60).filter(|i| i % 3 > 0) {
            let is = fs::read(mounted.0.join(format!("{i}"))).expect("it is there");
            assert!(is == content(i), "file {i}");
        }
        look(&mounted.0);
    }
    drop(device);
    // The kernel may look at a device that goes away for a moment.
    let gone = (0..500).any(|_| {
        thread::sleep(Duration::from_millis(10));
        mount.unmount().is_ok()
    });
    assert!(gone, "nobody uses it");
}

#[test]
fn ext4_on_it_keeps_its_files() {
    let ext4 = Kind { make: &["mkfs.ext4", "-q"], check: &["fsck.ext4", "-f", "-n"], package: "e2fsprogs" };
    keeps_its_files(&ext4, |_| {});
}

/// btrfs has a checksum of every block, and looks at all of them.
#[test]
fn btrfs_on_it_finds_its_checksums_right() {
    let systems = fs::read_to_string("/proc/filesystems").expect("this kernel lists them");
    if !systems.lines().any(|line| line.trim() == "btrfs") {
        return skipped("this kernel has no btrfs (`modprobe btrfs`)");
    }
    let btrfs = Kind {
        make: &["mkfs.btrfs", "-q", "--csum", "xxhash"],
        check: &["btrfs", "check"],
        package: "btrfs-progs",
    };
    keeps_its_files(&btrfs, |mounted| {
        let report = run("btrfs", &["scrub", "start", "-B", &mounted.display().to_string()]);
        assert!(report.contains("no errors found"), "{report}");
    });
}
