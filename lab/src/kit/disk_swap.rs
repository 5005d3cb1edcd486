// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Swap on our block device: `ztera disk serve --swap` shows a file by FUSE, and loop devices make disks of its parts.

use anyhow::Result;
use ztera_machine::units::MIB;

use super::data::pages::PAGE;
use super::disk_server::DiskServer;
use super::loop_device::Loop;
use super::setting::Setting;
use super::swap::{Swap, first_of_all};

/// The kernel fills parts of the device one after the other. It does not say which pages became free, so those of the
/// part that it fills stay; in the parts before, it puts others in their places first. It takes fewer than 24 swaps.
const MOST_PARTS: u64 = 16;
const LEAST_PART: u64 = 8 * MIB;

/// The kernel reads 2^page-cluster pages at once, but for swap on zram: there it reads one. With 0 both kinds of swap
/// are read alike, and no page is decompressed in vain.
const READ_AHEAD: &str = "/proc/sys/vm/page-cluster";

/// Such swap. Dropping it undoes all: the fields are dropped in their order.
pub struct DiskSwap {
    _parts: Vec<Part>,
    server: DiskServer,
    _one_page: Setting,
}

struct Part {
    _swap: Swap,
    _disk: Loop,
}

impl DiskSwap {
    /// Swap of `bytes` that uses at most `limit` of DRAM, and takes it at once, with more options of the command. Takes
    /// root, FUSE, and that this process is the command `ztera`.
    pub fn create(bytes: u64, limit: u64, options: &[&str]) -> Result<DiskSwap> {
        let parts = (bytes / LEAST_PART).clamp(1, MOST_PARTS);
        let bytes = bytes.next_multiple_of(parts * PAGE as u64);
        let limit = limit.next_multiple_of(PAGE as u64);
        let swap = ["--swap", "--memory-limit", &limit.to_string()];
        let server = DiskServer::in_folder(bytes, &[&swap[..], options].concat())?;
        let part = |number| {
            let disk = Loop::attach_part(&server.file(), number * bytes / parts, bytes / parts)?;
            Ok(Part { _swap: Swap::with_priority(disk.node(), parts - number)?, _disk: disk })
        };
        first_of_all()?;
        let one_page = Setting::change(READ_AHEAD.into(), "0")?;
        let parts = (0..parts).map(part).collect::<Result<_>>()?;
        Ok(DiskSwap { _parts: parts, server, _one_page: one_page })
    }

    /// DRAM that the device uses now, with its tables.
    pub fn used(&self) -> Option<u64> {
        self.server.stats().ok().map(|stats| stats.mm_stat.mem_used_total + stats.more.table_bytes)
    }

    /// DRAM of the server beside its limit and tables: code, stacks and buffers.
    pub fn fixed(&self) -> Option<u64> {
        let stats = self.server.stats().ok()?;
        let resident = self.server.resident_bytes().ok()?;
        Some(resident.saturating_sub(stats.mm_stat.mem_limit + stats.more.table_bytes))
    }
}
