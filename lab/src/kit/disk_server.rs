// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera disk serve` in a process of its own. Its options are those of the command; nothing is made denser by itself.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use ztera_disk::control::{Answer, Ask, ask};
use ztera_disk::{Stats, fuse};
use ztera_machine::child::Guarded;
use ztera_machine::interrupt;
use ztera_machine::process::cpu::cpu_time;
use ztera_machine::process::file_of;

use super::own_command;

/// The most that a server takes to start or to end.
const PATIENCE: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(10);

/// The server, which ends with this.
pub struct DiskServer {
    process: Guarded,
    at: PathBuf,
    _dir: TempDir,
}

impl DiskServer {
    /// Serves `bytes` at a socket, for clients that speak NBD, by the codec of the options alone. Takes that this
    /// process is the command `ztera`.
    pub fn at_socket(bytes: u64, options: &[&str]) -> Result<DiskServer> {
        let dir = folder()?;
        let at = dir.path().join("disk.sock");
        let options = [&["--recompress-after", "0"], options].concat();
        DiskServer::start(bytes, &options, ["--socket", "disk.sock"], &at, dir)
    }

    /// Serves a [file](DiskServer::file), with denser codecs, too. Takes root and FUSE as well.
    pub fn in_folder(bytes: u64, options: &[&str]) -> Result<DiskServer> {
        let dir = folder()?;
        let at = dir.path().join("disk");
        fs::create_dir(&at)?;
        DiskServer::start(bytes, options, ["--fuse", "disk"], &at.join(fuse::FILE), dir)
    }

    /// `way` is an option and its place in `dir`. The device is there once `ready` is.
    fn start(bytes: u64, options: &[&str], way: [&str; 2], ready: &Path, dir: TempDir) -> Result<DiskServer> {
        let [option, name] = way;
        let (at, complaints) = (dir.path().join(name), dir.path().join("complaints"));
        let mut command = own_command::ztera()?;
        command.args(["disk", "serve", "--size", &bytes.to_string()]);
        command.args(options).arg(option).arg(&at);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&complaints)?);
        let process = Guarded::spawn(command, None).context("cannot start `ztera disk serve`")?;
        let mut server = DiskServer { process, at, _dir: dir };
        let start = Instant::now();
        while !ready.exists() {
            interrupt::check()?;
            if server.process.has_ended() || start.elapsed() > PATIENCE {
                let why = fs::read_to_string(&complaints).unwrap_or_default();
                bail!("our block device does not start: {}", why.trim());
            }
            thread::sleep(LOOK);
        }
        Ok(server)
    }

    /// Its socket, if it has one.
    pub fn socket(&self) -> &Path {
        &self.at
    }

    /// The device as a file, if it is in a folder.
    pub fn file(&self) -> PathBuf {
        self.at.join(fuse::FILE)
    }

    /// Its statistics now.
    pub fn stats(&self) -> Result<Stats> {
        match ask(&self.at, &Ask::Stat)? {
            Answer::Stat(stats) => Ok(*stats),
            answer => bail!("our block device answers with {answer:?}"),
        }
    }

    /// Its DRAM now.
    pub fn resident_bytes(&self) -> Result<u64> {
        let statm = fs::read_to_string(file_of(self.process.process_id(), "statm"))?;
        let pages: u64 =
            statm.split(' ').nth(1).context("the kernel does not tell what is in memory")?.parse()?;
        Ok(pages * rustix::param::page_size() as u64)
    }

    /// CPU time that it has used so far.
    pub fn cpu_time(&self) -> Result<Duration> {
        cpu_time(self.process.process_id())
    }
}

impl Drop for DiskServer {
    fn drop(&mut self) {
        self.process.end(PATIENCE);
    }
}

fn folder() -> Result<TempDir> {
    Ok(tempfile::Builder::new().prefix("ztera-disk-").tempdir()?)
}
