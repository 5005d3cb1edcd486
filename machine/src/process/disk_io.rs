// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The transfers of a process to and from disks.

use std::fs;

use super::file_of;

/// Bytes of all disks, as the kernel counts them for a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskIo {
    /// Read.
    pub read_bytes: u64,
    /// Written, or made dirty in a mapped file.
    pub write_bytes: u64,
}

impl DiskIo {
    /// Of process `pid` so far. None if there is none, or it is somebody else's.
    pub fn of(pid: u32) -> Option<DiskIo> {
        DiskIo::parse(&fs::read_to_string(file_of(pid, "io")).ok()?)
    }

    fn parse(text: &str) -> Option<DiskIo> {
        let bytes = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        Some(DiskIo { read_bytes: bytes("read_bytes:")?, write_bytes: bytes("write_bytes:")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_reached_a_disk_counts() {
        let text = "rchar: 1\nwchar: 2\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 5\n";
        assert_eq!(DiskIo::parse(text), Some(DiskIo { read_bytes: 4096, write_bytes: 8192 }));
        assert_eq!(DiskIo::parse("rchar: 1\n"), None);
        assert!(DiskIo::of(std::process::id()).is_some() && DiskIo::of(u32::MAX).is_none());
    }
}
