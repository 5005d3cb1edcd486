// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The storage below a JVM in a limited cgroup: memory alone, an SSD, zram, swap. Dropping it undoes what was set up.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use ztera_machine::cgroup::{Cgroup, CgroupError};
use ztera_machine::process::disk_io::DiskIo;

use super::swap::{FileSwap, Swapped, ZramSwap};
use super::zram::Device;
use super::zram_fs::ZramFs;
use super::zswap::Zswap;

/// The bytes that the process read from disks and wrote to them, as the kernel counts it.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct ProcessIo {
    /// Read.
    pub read_bytes: u64,
    /// Written, or made dirty in a mapped file.
    pub write_bytes: u64,
}

impl From<DiskIo> for ProcessIo {
    fn from(io: DiskIo) -> ProcessIo {
        ProcessIo { read_bytes: io.read_bytes, write_bytes: io.write_bytes }
    }
}

/// The storage below.
pub enum Storage {
    /// Only what the JVM itself allocates.
    Memory,
    /// A directory on a disk, with the disk's name.
    Ssd(PathBuf, String),
    /// A file system on zram.
    ZramFs(ZramFs),
    /// Swap on zram.
    ZramSwap(ZramSwap),
    /// Swap in a file on an SSD, switched on for as long as this lives.
    SsdSwap(#[expect(dead_code, reason = "dropping it switches it off")] FileSwap),
    /// The same with zswap before it.
    Zswap(Zswap),
}

impl Storage {
    /// A cgroup that counts memory, with `limit` bytes of DRAM if there is a limit. Of these `zram` are zram's, which
    /// a cgroup does not count.
    pub fn cgroup(&self, name: &str, limit: Option<u64>, zram: u64) -> Result<Cgroup, CgroupError> {
        let cgroup = Cgroup::create(name)?;
        let Some(limit) = limit else { return Ok(cgroup) };
        match self {
            Storage::Memory | Storage::Ssd(..) => cgroup.set_limit(limit)?,
            Storage::ZramFs(_) => cgroup.set_limit(limit - zram)?,
            Storage::ZramSwap(_) => cgroup.set_limit_with_swap(limit - zram)?,
            Storage::SsdSwap(_) => cgroup.set_limit_with_swap(limit)?,
            Storage::Zswap(_) if cgroup.counts_zswap() => cgroup.set_limit_with_swap(limit)?,
            Storage::Zswap(zswap) => cgroup.set_limit_with_swap(limit - zswap.limit())?,
        }
        Ok(cgroup)
    }

    /// The directory for files of H2, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Storage::Ssd(dir, _) => Some(dir),
            Storage::ZramFs(fs) => Some(fs.path()),
            _ => None,
        }
    }

    /// The zram device, if there is one.
    pub fn zram(&self) -> Option<&Device> {
        match self {
            Storage::ZramFs(fs) => Some(fs.device()),
            Storage::ZramSwap(swap) => Some(swap.device()),
            _ => None,
        }
    }

    /// How many writes zram refused.
    pub fn refused_writes(&self) -> u64 {
        self.zram().map_or(0, Device::refused_writes)
    }

    /// The highest use of zram or zswap that the cgroup does not count.
    pub fn uncounted_peak(&self, cgroup: &Cgroup) -> Option<u64> {
        match self {
            Storage::Zswap(zswap) => (!cgroup.counts_zswap()).then(|| zswap.peak()),
            _ => self.zram().and_then(Device::most_memory_used),
        }
    }

    /// SSD bytes read and written, if there is an SSD: of what the process did itself, and of what the system swapped
    /// meanwhile.
    pub fn ssd_bytes(&self, io: ProcessIo, swapped: Swapped) -> Option<(u64, u64)> {
        match self {
            Storage::Ssd(..) => Some((io.read_bytes, io.write_bytes)),
            // The kernel counts pages that are swapped in as read by the process, those swapped out as nobody's.
            Storage::SsdSwap(_) | Storage::Zswap(_) => {
                Some((io.read_bytes, io.write_bytes + swapped.written))
            }
            Storage::Memory | Storage::ZramFs(_) | Storage::ZramSwap(_) => None,
        }
    }
}
