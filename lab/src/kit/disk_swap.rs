// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Swap on our block device: `ztera disk serve --swap` shows a file by FUSE, and a loop device makes a disk of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::data::pages::PAGE;
use super::disk_server::DiskServer;
use super::swap::Swap;
use super::tool;

/// Such swap. Dropping it undoes all: the fields are dropped in their order.
pub struct DiskSwap {
    _swap: Swap,
    _disk: Loop,
    server: DiskServer,
}

impl DiskSwap {
    /// Swap of `bytes` that uses at most `limit` of DRAM, and takes it at once, with more options of the command. Takes
    /// root, FUSE, and that this process is the command `ztera`.
    pub fn create(bytes: u64, limit: u64, options: &[&str]) -> Result<DiskSwap> {
        let [bytes, limit] = [bytes, limit].map(|bytes| bytes.next_multiple_of(PAGE as u64));
        let swap = ["--swap", "--memory-limit", &limit.to_string()];
        let server = DiskServer::in_folder(bytes, &[&swap[..], options].concat())?;
        let disk = Loop::attach(&server.file())?;
        Ok(DiskSwap { _swap: Swap::on(&disk.0)?, _disk: disk, server })
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

/// A loop device. Dropping it detaches it.
struct Loop(PathBuf);

impl Loop {
    fn attach(file: &Path) -> Result<Loop> {
        let mut command = Command::new("losetup");
        command.args(["--find", "--show", "--direct-io=on"]).arg(file);
        Ok(Loop(tool::output(&mut command, "mount")?.trim().into()))
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let done = Command::new("losetup").arg("--detach").arg(&self.0).status();
        if !done.is_ok_and(|status| status.success()) {
            eprintln!("ztera: {} stays attached: `losetup --detach` it by hand", self.0.display());
        }
    }
}
