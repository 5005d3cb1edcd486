// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The device as a file, and a file system on it: mkfs and mount by a loop device. Takes root.

mod common;

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use common::{KIB, MIB, are_installed, bytes, config, run, service, skipped};
use ztera_disk::Service;
use ztera_disk::fuse::{FILE, Mount};

/// Unmounts what nobody uses. The kernel may look at a loop device that goes away for a moment. The child of another
/// test has all files that are open until it runs its program.
fn unmount(mount: &mut Mount) {
    let is_gone = (0..500).any(|_| {
        thread::sleep(Duration::from_millis(10));
        mount.unmount().is_ok()
    });
    assert!(is_gone, "nobody uses it");
}

/// `None` where FUSE cannot be had, which is said.
fn mounted(at: &Path, size: usize, memory_limit: Option<usize>) -> Option<Mount> {
    mounted_with(at, service(config(size, 16 * KIB, memory_limit)))
}

fn mounted_with(at: &Path, service: Arc<Service>) -> Option<Mount> {
    fs::create_dir_all(at).expect("a folder");
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
    unmount(&mut mount);
    assert!(!path.exists());
}

/// ftruncate once said that it had done what it had not. A program that makes the file longer then got errors later on.
#[test]
fn what_cannot_be_changed_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let Some(_mount) = mounted(dir.path(), MIB, None) else { return };
    let path = dir.path().join(FILE);
    let file = fs::File::options().write(true).open(&path).expect("the device");
    for len in [0, MIB as u64 - 1, MIB as u64 + 1] {
        assert_eq!(file.set_len(len).expect_err("it has its size").kind(), ErrorKind::InvalidInput);
    }
    file.set_len(MIB as u64).expect("it is so long");
    let mode = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode));
    assert_eq!(mode(0o644).expect_err("it is the owner's").kind(), ErrorKind::PermissionDenied);
    mode(0o600).expect("it is that");
    assert!(std::os::unix::fs::chown(&path, Some(1), None).is_err());
    // As cp and a shell do, and as a block device lets them.
    file.write_all_at(b"hello", 100).expect("there is room");
    let truncating =
        fs::File::options().write(true).truncate(true).open(&path).expect("a device is not truncated");
    truncating.write_all_at(b"world", 200).expect("there is room");
    assert_eq!(fs::metadata(&path).expect("attributes").len(), MIB as u64);
    let is = fs::read(&path).expect("all of it");
    assert_eq!((is.len(), &is[100..105], &is[200..205]), (MIB, &b"hello"[..], &b"world"[..]));
}

/// A second server on the folder of a first once made the files of the first vanish, and the end of the first was that
/// of the second: it unmounted what lay on top.
#[test]
fn a_folder_that_is_not_free_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let [folder, link] = ["folder", "link"].map(|name| dir.path().join(name));
    fs::create_dir(&folder).expect("a folder");
    std::os::unix::fs::symlink(&folder, &link).expect("a link");
    let new = |at: &Path| Mount::new(at, service(config(MIB, 16 * KIB, None))).map(drop);
    fs::write(folder.join("precious"), "data").expect("a file");
    let Some(mut mount) = mounted(dir.path().join("other").as_path(), MIB, None) else { return };
    let not_empty = new(&folder).expect_err("there is a file");
    assert!(not_empty.to_string().contains("`precious`"), "{not_empty}");
    assert_eq!(fs::read(folder.join("precious")).expect("still there"), b"data");
    fs::remove_file(folder.join("precious")).expect("a file");
    let first = Mount::new(&folder, service(config(MIB, 16 * KIB, None))).expect("it is free");
    for at in [&folder, &link] {
        let mounted = new(at).expect_err("the first is there");
        assert_eq!(
            (mounted.kind(), mounted.to_string().contains("ztera is mounted")),
            (ErrorKind::AddrInUse, true)
        );
    }
    assert!(!first.is_gone());
    drop(first);
    new(&folder).expect("it is free again");
    unmount(&mut mount);
}

/// Something that others mounted over the folder once was unmounted in the device's place.
#[test]
fn only_the_own_mount_is_unmounted() {
    let dir = tempfile::tempdir().expect("a folder");
    let Some(mut mount) = mounted(dir.path(), MIB, None) else { return };
    if !rustix::process::geteuid().is_root() {
        return skipped("mounts take root");
    }
    let over = Mounted::with(&["-t", "tmpfs", "none"], dir.path());
    fs::write(dir.path().join("precious"), "data").expect("a file");
    assert_eq!(mount.unmount().expect_err("something lies over it").kind(), ErrorKind::ResourceBusy);
    assert_eq!(fs::read(dir.path().join("precious")).expect("still there"), b"data");
    drop(over);
    unmount(&mut mount);
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
        Self::with(&["-o", "discard", device], at)
    }

    fn with(arguments: &[&str], at: &Path) -> Self {
        run("mount", &[arguments, &[&at.display().to_string()]].concat());
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
    unmount(&mut mount);
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

/// The story is that of `full.rs`: the journal was aborted, and the file system could not be mounted any more. Nobody
/// could delete a file.
#[test]
fn a_full_ext4_can_be_mounted_again_and_files_deleted() {
    let ext4 = Kind {
        make: &["mkfs.ext4", "-q", "-J", "size=8"],
        check: &["fsck.ext4", "-f", "-n"],
        package: "e2fsprogs",
    };
    if !can_be_tried(&ext4) {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let [folder, files] = ["fuse", "files"].map(|name| dir.path().join(name));
    let service = service(config(128 * MIB, 16 * KIB, Some(16 * MIB)));
    let Some(_mount) = mounted_with(&folder, service.clone()) else { return };
    let device = Loop::new(&folder.join(FILE));
    run_on(ext4.make, &device);
    {
        let mounted = Mounted::new(&device.0, &files);
        let at = |name: &str| mounted.0.join(name);
        (0..60).for_each(|i| fs::write(at(&format!("small{i}")), "text").expect("there is room"));
        let synced = |name: &str| fs::File::open(at(name)).and_then(|file| file.sync_all());
        synced("small0").expect("there is room");
        let is_full = (0..8).any(|i| {
            let name = format!("noise{i}");
            fs::write(at(&name), bytes(i, 4 * MIB, 8)).and_then(|()| synced(&name)).is_err()
        });
        assert!(is_full, "32 MiB of noise do not fit into 16 MiB");
        let mm = service.device().stats().mm_stat;
        assert!(mm.mem_used_total <= mm.mem_limit && mm.mem_used_total > mm.mem_limit / 32 * 29, "{mm:?}");
        // The journal goes on.
        for round in 0..40 {
            for i in 0..8 {
                let (from, to) = (at(&format!("small{i}")), at("moved"));
                fs::rename(&from, &to).and_then(|()| fs::rename(&to, &from)).expect("the file system lives");
            }
            synced(&format!("small{}", round % 60)).expect("the journal has room");
        }
    }
    {
        let mounted = Mounted::with(&[&device.0], &files);
        (1..8).for_each(|i| drop(fs::remove_file(mounted.0.join(format!("noise{i}")))));
        // Blocks are free once the journal says so.
        let small = fs::File::open(mounted.0.join("small0")).expect("it is there");
        small.sync_all().expect("the journal has room");
        run("fstrim", &[&mounted.0.display().to_string()]);
        let again = mounted.0.join("again");
        fs::write(&again, bytes(99, 4 * MIB, 8)).expect("there is room again");
        fs::File::open(&again).and_then(|file| file.sync_all()).expect("there is room again");
    }
    run_on(ext4.check, &device);
}
