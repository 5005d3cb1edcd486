// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Limits on what a group reads from a disk: a model of a slower one.
//!
//! The kernel spreads reads over time, those of the page cache's misses and of direct I/O alike. Writes keep the disk's
//! speed: most of them go through the page cache, and version 1 does not know whose they are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ztera_cgroup::Version;
use ztera_cgroup::group::{DISKS, of_controller};

use super::place;

/// The file of version 1 with the limits.
pub(super) const LIMIT: &str = "blkio.throttle.read_bps_device";

/// A group of version 1, which has a hierarchy of its own for disks. Dropping it removes it.
#[derive(Debug)]
pub(super) struct DiskGroup {
    /// Its directory.
    pub dir: PathBuf,
}

impl DiskGroup {
    /// Creates one, which is called `name`.
    pub fn create(name: &Path) -> io::Result<Self> {
        let mut result = Err(io::Error::other("no blkio cgroup controller is mounted"));
        let all = of_controller(DISKS, "self");
        for above in all.iter().filter(|above| above.version == Version::V1) {
            place::sweep(&above.dir);
            let dir = above.dir.join(name);
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
        place::remove(&self.dir);
    }
}

/// The numbers of the disk that is called `disk`, such as `254:0`.
pub(super) fn numbers(disk: &str) -> io::Result<String> {
    Ok(fs::read_to_string(Path::new("/sys/block").join(disk).join("dev"))?.trim().to_owned())
}
