// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A file system on a zram device of its own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use tempfile::TempDir;

use super::tool;
use super::zram::{CODEC, Device};

/// An ext4 file system on a zram device of its own, mounted in a temporary directory. Dropping it undoes all of
/// that. The fields are dropped in their order: first unmounted, then removed.
pub struct ZramFs {
    mounted: Mounted,
    device: Device,
    _dir: TempDir,
}

impl ZramFs {
    /// One with room for a file of an H2 of so many bytes: twice that, for what ext4 needs and keeps free. It uses no
    /// more than `limit` bytes of DRAM.
    pub fn for_h2(h2: u64, limit: Option<u64>) -> Result<ZramFs> {
        ZramFs::create(h2 * 2, CODEC, limit)
    }

    /// Sets it up. Without a journal, which would write everything twice, and with discard, so that freed blocks
    /// are freed in zram too.
    pub fn create(bytes: u64, algorithm: &str, limit: Option<u64>) -> Result<ZramFs> {
        let device = Device::create(bytes, algorithm, limit)?;
        mkfs(&device.node())?;
        let dir = tempfile::Builder::new().prefix("ztera-zram-").tempdir()?;
        let flags = MountFlags::NOATIME | MountFlags::NOSUID | MountFlags::NODEV;
        mount(device.node(), dir.path(), "ext4", flags, Some(c"discard"))
            .with_context(|| format!("cannot mount {}", device.node().display()))?;
        Ok(ZramFs { mounted: Mounted(dir.path().to_owned()), device, _dir: dir })
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        &self.mounted.0
    }

    /// The device that it is mounted from.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The device's name, such as `zram1`.
    pub fn disk(&self) -> String {
        self.device.name()
    }

    /// DRAM that the device uses now.
    pub fn memory_used(&self) -> Option<u64> {
        self.device.usage().map(|usage| usage.used)
    }
}

/// Something that is mounted here. Dropping it unmounts it.
pub struct Mounted(pub PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        for _ in 0..100 {
            match unmount(&self.0, UnmountFlags::NOFOLLOW) {
                Ok(()) => return,
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
        eprintln!("ztera: {} is still in use and stays mounted", self.0.display());
    }
}

fn mkfs(device: &Path) -> Result<()> {
    let mut command = Command::new("mkfs.ext4");
    command.args(["-q", "-O", "^has_journal", "-m", "0"]).arg(device);
    tool::output(&mut command, "e2fsprogs").map(drop)
}
