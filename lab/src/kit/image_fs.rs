// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A file system in a file: on a loop device that reads past the page cache, so that its disk answers.

use std::ffi::CString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use rustix::fs::statvfs;
use rustix::mount::{MountFlags, mount};
use tempfile::TempDir;

use super::loop_device::Loop;
use super::tool;
use super::zram_fs::Mounted;

/// A kind of file system, and how it compresses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    /// Its name here.
    pub name: &'static str,
    /// Its name in `/proc/filesystems`.
    pub driver: &'static str,
    options: &'static str,
    /// The program that makes one, its options, and the package that has it.
    mkfs: (&'static str, &'static [&'static str], &'static str),
    /// Whether it is made of a folder at once, and never written to.
    pub is_packed: bool,
}

/// Those that there are, the one that does not compress first.
pub const KINDS: [Kind; 4] = [
    Kind {
        name: "ext4",
        driver: "ext4",
        options: "",
        mkfs: ("mkfs.ext4", &["-q", "-O", "^has_journal", "-m", "0"], "e2fsprogs"),
        is_packed: false,
    },
    btrfs("btrfs-lzo", "compress-force=lzo"),
    btrfs("btrfs-zstd", "compress-force=zstd"),
    Kind {
        name: "erofs-lz4",
        driver: "erofs",
        options: "",
        mkfs: ("mkfs.erofs", &["-zlz4"], "erofs-utils"),
        is_packed: true,
    },
];

const fn btrfs(name: &'static str, options: &'static str) -> Kind {
    let mkfs: (_, &[&str], _) = ("mkfs.btrfs", &["-q", "-m", "single"], "btrfs-progs");
    Kind { name, driver: "btrfs", options, mkfs, is_packed: false }
}

/// Those of them that the kernel has.
pub fn of_this_kernel() -> Vec<Kind> {
    let list = fs::read_to_string("/proc/filesystems").unwrap_or_default();
    let drivers: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().last()).collect();
    KINDS.into_iter().filter(|kind| drivers.contains(&kind.driver)).collect()
}

/// The file, and what is mounted from it. Dropping it undoes all: the fields are dropped in their order.
pub struct ImageFs {
    mounted: Mounted,
    device: Loop,
    kind: Kind,
    _point: TempDir,
}

impl ImageFs {
    /// An empty one with room for `bytes`, in a new file in `folder`.
    pub fn create(kind: Kind, folder: &Path, bytes: u64) -> Result<ImageFs> {
        let image = folder.join(kind.name);
        File::create(&image)?.set_len((bytes * 2).max(LEAST))?;
        let (program, options, package) = kind.mkfs;
        tool::output(Command::new(program).args(options).arg(&image), package)?;
        ImageFs::mount(kind, &image)
    }

    /// One that has the files of the folder `files`, made of them at once.
    pub fn pack(kind: Kind, folder: &Path, files: &Path) -> Result<ImageFs> {
        let image = folder.join(kind.name);
        let (program, options, package) = kind.mkfs;
        tool::output(Command::new(program).args(options).arg(&image).arg(files), package)?;
        ImageFs::mount(kind, &image)
    }

    fn mount(kind: Kind, image: &Path) -> Result<ImageFs> {
        let device = Loop::attach(image)?;
        let point = tempfile::Builder::new().prefix("ztera-image-").tempdir()?;
        let mounted = Mounted(point.path().to_owned());
        mount_at(kind, device.node(), point.path())?;
        Ok(ImageFs { mounted, device, kind, _point: point })
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        &self.mounted.0
    }

    /// Unmounts and mounts it, so that nothing of it is in memory.
    pub fn forget(&self) -> Result<()> {
        rustix::mount::unmount(self.path(), rustix::mount::UnmountFlags::NOFOLLOW)?;
        mount_at(self.kind, self.device.node(), self.path())
    }

    /// Bytes of it that are not free.
    pub fn used(&self) -> Result<u64> {
        let all = statvfs(self.path())?;
        Ok((all.f_blocks - all.f_bfree) * all.f_frsize)
    }
}

/// Less has no room for the tables of each kind.
const LEAST: u64 = 256 << 20;

fn mount_at(kind: Kind, node: &Path, at: &Path) -> Result<()> {
    let read_only = if kind.is_packed { MountFlags::RDONLY } else { MountFlags::empty() };
    let flags = MountFlags::NOATIME | MountFlags::NOSUID | MountFlags::NODEV | read_only;
    let options = CString::new(kind.options)?;
    mount(node, at, kind.driver, flags, Some(options.as_c_str()))
        .with_context(|| format!("cannot mount {} as {}", node.display(), kind.driver))
}

/// The files of a folder, and where they are.
pub fn file_in(folder: &Path) -> PathBuf {
    folder.join("data")
}
