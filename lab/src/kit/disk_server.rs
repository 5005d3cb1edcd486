// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera disk serve` in a process of its own, at a socket for NBD.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use ztera_disk::Stats;
use ztera_disk::control::{Answer, Ask, ask};
use ztera_machine::child::Guarded;
use ztera_machine::interrupt;
use ztera_machine::process::cpu::cpu_time;

/// The server, which ends with this.
pub struct DiskServer {
    socket: PathBuf,
    process: Guarded,
    _dir: TempDir,
}

impl DiskServer {
    /// Serves `bytes`, with more options of the command. Nothing is made denser by itself. Takes that this process is
    /// the command `ztera`.
    pub fn start(bytes: u64, options: &[&str]) -> Result<DiskServer> {
        let dir = tempfile::Builder::new().prefix("ztera-disk-").tempdir()?;
        let socket = dir.path().join("disk.sock");
        let mut command = Command::new(env::current_exe()?);
        command.args(["disk", "serve", "--recompress-after", "0", "--size", &bytes.to_string()]);
        command.args(options).arg("--socket").arg(&socket).stdin(Stdio::null()).stdout(Stdio::null());
        let mut process = Guarded::spawn(command, None).context("cannot start `ztera disk serve`")?;
        while !fs::exists(&socket)? {
            interrupt::check()?;
            if let Some(status) = process.process().try_wait()? {
                bail!("`ztera disk serve` ended with {status}");
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(DiskServer { socket, process, _dir: dir })
    }

    /// Where it serves.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Its statistics now.
    pub fn stats(&self) -> Result<Stats> {
        match ask(&self.socket, &Ask::Stat)? {
            Answer::Stat(stats) => Ok(*stats),
            answer => bail!("our block device answers with {answer:?}"),
        }
    }

    /// CPU time that it has used so far.
    pub fn cpu_time(&self) -> Result<Duration> {
        cpu_time(self.process.process_id())
    }
}
