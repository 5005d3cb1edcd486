// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Swap on our block device: `ztera disk serve --swap` shows a file by FUSE, and a loop device makes a disk of it.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use ztera_disk::Stats;
use ztera_disk::control::{Answer, Ask, ask};
use ztera_machine::child::Guarded;
use ztera_machine::process::file_of;

use super::swap::Swap;

/// The most that a server takes to start or to end.
const PATIENCE: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(20);

/// Such swap. Dropping it undoes all: the fields are dropped in their order.
pub struct DiskSwap {
    _swap: Swap,
    _disk: Loop,
    server: Server,
}

impl DiskSwap {
    /// Swap of `bytes` that uses at most `limit` of DRAM, and takes it at once, with more options of the command. Takes
    /// root, FUSE, and that this process is the command `ztera`.
    pub fn create(bytes: u64, limit: u64, options: &[&str]) -> Result<DiskSwap> {
        let server = Server::start(bytes, limit, options)?;
        let disk = Loop::attach(&server.file())?;
        Ok(DiskSwap { _swap: Swap::on(&disk.0)?, _disk: disk, server })
    }

    /// DRAM that the device uses now, with its tables.
    pub fn used(&self) -> Option<u64> {
        self.stats().map(|stats| stats.mm_stat.mem_used_total + stats.more.table_bytes)
    }

    /// DRAM of the server beside its limit and tables: code, stacks and buffers.
    pub fn fixed(&self) -> Option<u64> {
        let file = file_of(self.server.process.process_id(), "statm");
        let statm = fs::read_to_string(file).ok()?;
        let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
        let stats = self.stats()?;
        let resident = pages * rustix::param::page_size() as u64;
        Some(resident.saturating_sub(stats.mm_stat.mem_limit + stats.more.table_bytes))
    }

    fn stats(&self) -> Option<Box<Stats>> {
        match ask(&self.server.folder(), &Ask::Stat) {
            Ok(Answer::Stat(stats)) => Some(stats),
            _ => None,
        }
    }
}

/// The server. Dropping it asks it to end.
struct Server {
    process: Guarded,
    dir: TempDir,
}

impl Server {
    fn start(bytes: u64, limit: u64, options: &[&str]) -> Result<Server> {
        let dir = tempfile::Builder::new().prefix("ztera-disk-").tempdir()?;
        let folder = dir.path().join("disk");
        fs::create_dir(&folder)?;
        let mut command = Command::new(env::current_exe()?);
        command.args(["disk", "serve", "--swap", "--recompress-after", "0"]);
        let [size, limit] = [bytes, limit].map(|bytes| bytes.next_multiple_of(4096).to_string());
        command.args(["--size", &size, "--memory-limit", &limit]).args(options).arg("--fuse").arg(&folder);
        let complaints = dir.path().join("complaints");
        command.stdout(Stdio::null()).stderr(File::create(&complaints)?);
        let mut server = Server { process: Guarded::spawn(command, None)?, dir };
        let start = Instant::now();
        while !server.file().exists() {
            if server.has_ended() || start.elapsed() > PATIENCE {
                let why = fs::read_to_string(&complaints).unwrap_or_default();
                bail!("our block device does not start: {}", why.trim());
            }
            thread::sleep(LOOK);
        }
        Ok(server)
    }

    fn folder(&self) -> PathBuf {
        self.dir.path().join("disk")
    }

    fn file(&self) -> PathBuf {
        self.folder().join(ztera_disk::fuse::FILE)
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.process.process().try_wait(), Ok(None))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let process = i32::try_from(self.process.process_id()).ok().and_then(Pid::from_raw);
        process.map(|process| kill_process(process, Signal::TERM));
        let start = Instant::now();
        while !self.has_ended() && start.elapsed() < PATIENCE {
            thread::sleep(LOOK);
        }
    }
}

/// A loop device. Dropping it detaches it.
struct Loop(PathBuf);

impl Loop {
    fn attach(file: &Path) -> Result<Loop> {
        let mut command = Command::new("losetup");
        command.args(["--find", "--show", "--direct-io=on"]).arg(file);
        let output = command.output().context("losetup is missing (package mount)")?;
        if !output.status.success() {
            bail!("losetup failed: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(Loop(String::from_utf8_lossy(&output.stdout).trim().into()))
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
