// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A zram device with a file system on it, for as long as it is needed.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use tempfile::TempDir;

const CONTROL: &str = "/sys/class/zram-control";

/// A new zram device of our own. Dropping it frees its memory and removes it.
struct Device {
    number: u32,
}

impl Device {
    fn add() -> Result<Device> {
        let file = Path::new(CONTROL).join("hot_add");
        let number = fs::read_to_string(&file).with_context(|| {
            format!(
                "cannot add a zram device ({}): it takes root and a kernel with CONFIG_ZRAM",
                file.display()
            )
        })?;
        Ok(Device { number: number.trim().parse().context("zram-control gave no number")? })
    }

    fn node(&self) -> PathBuf {
        format!("/dev/zram{}", self.number).into()
    }

    fn attribute(&self, name: &str) -> PathBuf {
        format!("/sys/block/zram{}/{name}", self.number).into()
    }

    fn set(&self, name: &str, value: &str) -> Result<()> {
        let file = self.attribute(name);
        fs::write(&file, value).with_context(|| format!("cannot write `{value}` to {}", file.display()))
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // The kernel refuses for a moment after an unmount.
        for _ in 0..100 {
            let removed = self.set("reset", "1").is_ok()
                && fs::write(Path::new(CONTROL).join("hot_remove"), self.number.to_string()).is_ok();
            if removed {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        eprintln!("ztera: {} is still in use and stays", self.node().display());
    }
}

/// An ext4 file system on a zram device of its own, mounted in a temporary directory. Dropping it undoes all of
/// that. The fields are dropped in their order: first unmounted, then removed.
pub struct ZramFs {
    mounted: Mounted,
    device: Device,
    _dir: TempDir,
}

impl ZramFs {
    /// Sets it up. Without a journal, which would write everything twice, and with discard, so that freed blocks
    /// are freed in zram too.
    pub fn create(bytes: u64, algorithm: &str) -> Result<ZramFs> {
        let device = Device::add()?;
        device.set("comp_algorithm", algorithm)?;
        device.set("disksize", &bytes.to_string())?;
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

    /// The device's name, such as `zram1`.
    pub fn disk(&self) -> String {
        format!("zram{}", self.device.number)
    }

    /// DRAM that the device uses now.
    pub fn memory_used(&self) -> Option<u64> {
        memory_used(&fs::read_to_string(self.device.attribute("mm_stat")).ok()?)
    }
}

struct Mounted(PathBuf);

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
    let output =
        match Command::new("mkfs.ext4").args(["-q", "-O", "^has_journal", "-m", "0"]).arg(device).output() {
            Err(e) if e.kind() == ErrorKind::NotFound => {
                bail!("mkfs.ext4 is not installed (package e2fsprogs)")
            }
            result => result?,
        };
    if !output.status.success() {
        bail!("mkfs.ext4 failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// The third number of `mm_stat`, mem_used_total.
fn memory_used(mm_stat: &str) -> Option<u64> {
    mm_stat.split_whitespace().nth(2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_used_is_the_third_number() {
        assert_eq!(
            memory_used("  16384     8192    12288        0    12288        0        0        0\n"),
            Some(12288)
        );
        assert_eq!(memory_used(""), None);
    }
}
