// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A swap device of our own, switched on for as long as it is needed. Swap belongs to the whole system: it is the
//! cgroup's limit that drives one JVM into it.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::fs::{FallocateFlags, fallocate};
use ztera_measure::lease::{self, Lease, Lent};

use super::tool;
use crate::kit::zram::{self, Device};

/// Swap on a zram device. Dropping it undoes all: the fields are dropped in their order.
pub struct ZramSwap {
    _swap: Swap,
    device: Device,
}

impl ZramSwap {
    /// Swap of `bytes` that uses at most `limit` bytes of DRAM.
    pub fn create(bytes: u64, algorithm: &str, limit: Option<u64>) -> Result<ZramSwap> {
        let device = Device::create(bytes, algorithm, limit)?;
        Ok(ZramSwap { _swap: Swap::on(&device.node())?, device })
    }

    /// The medium that it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }
}

/// Swap in a file. Dropping it undoes all.
pub struct FileSwap {
    _swap: Swap,
    _file: Removed,
}

impl FileSwap {
    /// Swap of `bytes` in a new file in `dir`.
    pub fn create(dir: &Path, bytes: u64) -> Result<FileSwap> {
        let path = dir.join("swap");
        let shown = path.display();
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .with_context(|| format!("cannot create {shown}"))?;
        let removed = Removed(path.clone());
        reserve(&file, bytes).with_context(|| format!("cannot get room for {shown}"))?;
        Ok(FileSwap { _swap: Swap::on(&path)?, _file: removed })
    }
}

fn reserve(file: &File, bytes: u64) -> rustix::io::Result<()> {
    fallocate(file, FallocateFlags::empty(), 0, bytes)
}

/// A file that is removed when this is dropped.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.0) {
            eprintln!("ztera: {} stays: {error}", self.0.display());
        }
    }
}

/// A file or device that the kernel swaps to. Dropping it switches it off.
pub struct Swap {
    path: PathBuf,
    _lease: Lease,
}

impl Swap {
    /// Switches it on, as the only one.
    pub fn on(path: &Path) -> Result<Swap> {
        first_of_all()?;
        Swap::with(path, &[])
    }

    /// Switches it on. The kernel fills the swap of the highest priority first.
    pub fn with_priority(path: &Path, priority: u64) -> Result<Swap> {
        Swap::with(path, &["--discard", "--priority", &priority.to_string()])
    }

    fn with(path: &Path, options: &[&str]) -> Result<Swap> {
        let lease = Lease::take(&Lent::Swap(path.to_owned()))?;
        switch("mkswap", path, &[])?;
        switch("swapon", path, options)?;
        Ok(Swap { path: path.to_owned(), _lease: lease })
    }
}

/// Fails if the system swaps already, but for swap that a killed run left: that is switched off.
pub fn first_of_all() -> Result<()> {
    lease::sweep(undo);
    match first_swap(&fs::read_to_string("/proc/swaps").unwrap_or_default()) {
        None => Ok(()),
        Some(other) => bail!(
            "this system swaps to {other} already, which the arm could use too: switch it off (swapoff) before"
        ),
    }
}

impl Drop for Swap {
    fn drop(&mut self) {
        // A signal that comes meanwhile may end the attempt.
        for _ in 0..20 {
            if switch("swapoff", &self.path, &[]).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
        eprintln!("ztera: the system still swaps to {}: `swapoff` it by hand", self.path.display());
    }
}

/// Undoes what a killed run left.
fn undo(lent: &Lent) -> Result<()> {
    match lent {
        Lent::Swap(path) => {
            if fs::read_to_string("/proc/swaps")?.lines().any(|line| swap_of(line) == path.to_str()) {
                switch("swapoff", path, &[])?;
            }
            if path.is_file() {
                fs::remove_file(path)?;
            }
        }
        Lent::Zram(number) => {
            let node = zram::node(*number);
            if node.exists() {
                // It has no file system but if the run had one.
                let _ = switch("umount", &node, &[]);
                zram::remove(*number);
            }
        }
    }
    Ok(())
}

/// Runs one of the tools for swap.
fn switch(name: &str, path: &Path, options: &[&str]) -> Result<()> {
    tool::output(Command::new(name).args(options).arg(path), "util-linux mount").map(drop)
}

/// The first entry of `/proc/swaps`, which begins with a line of titles.
fn first_swap(swaps: &str) -> Option<&str> {
    swaps.lines().nth(1).and_then(swap_of)
}

/// The file or device of such an entry.
fn swap_of(line: &str) -> Option<&str> {
    line.split_whitespace().next()
}

/// Pages that the system has swapped, in and out, in bytes since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Swapped {
    /// Read back.
    pub read: u64,
    /// Written.
    pub written: u64,
}

impl Swapped {
    /// Until now.
    pub fn now() -> Swapped {
        Swapped::of(&fs::read_to_string("/proc/vmstat").unwrap_or_default())
    }

    fn of(vmstat: &str) -> Swapped {
        let bytes = |name| {
            let pages = ztera_machine::cgroup::files::field(vmstat, name).unwrap_or(0);
            pages * rustix::param::page_size() as u64
        };
        Swapped { read: bytes("pswpin"), written: bytes("pswpout") }
    }

    /// Since then.
    pub fn since(self, before: Swapped) -> Swapped {
        Swapped { read: self.read - before.read, written: self.written - before.written }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_that_is_there_already_is_found() {
        let titles = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";
        assert_eq!(first_swap(titles), None);
        assert_eq!(first_swap(&format!("{titles}/dev/vdb partition 1 0 -2\n")), Some("/dev/vdb"));
        assert_eq!(first_swap(""), None);
    }

    #[test]
    fn pages_become_bytes() {
        let page = rustix::param::page_size() as u64;
        let before = Swapped::of("pgpgin 9\npswpin 3\npswpout 5\n");
        let after = Swapped::of("pswpin 4\npswpout 7\n");
        assert_eq!(after.since(before), Swapped { read: page, written: 2 * page });
    }

    #[test]
    fn a_file_of_swap_that_fails_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        assert!(FileSwap::create(dir.path(), u64::MAX).is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
