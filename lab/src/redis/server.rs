// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A Redis server that keeps nothing on disks, on a CPU of its own.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use ztera_machine::cgroup::Cgroup;
use ztera_machine::child::Guarded;
use ztera_machine::interrupt;

/// The most that a server takes to start.
const PATIENCE: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(10);

/// A server in a cgroup. Dropping it ends it.
pub struct Server {
    socket: PathBuf,
    process: Guarded,
}

impl Server {
    /// Starts the server of a CPU, and waits until it takes connections at a socket in `folder`.
    pub fn start(cpu: usize, folder: &Path, cgroup: &Cgroup) -> Result<Server> {
        let socket = folder.join(format!("redis-{cpu}.sock"));
        let mut command = Command::new("redis-server");
        command.args(["--port", "0", "--save", "", "--appendonly", "no", "--daemonize", "no"]);
        command.args(["--server_cpulist", &cpu.to_string(), "--loglevel", "warning"]);
        command.arg("--dir").arg(folder).arg("--unixsocket").arg(&socket);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = Guarded::spawn(command, Some(cgroup)).context("cannot start redis-server")?;
        let mut server = Server { socket, process };
        let start = Instant::now();
        while UnixStream::connect(&server.socket).is_err() {
            interrupt::check()?;
            if server.has_ended() || start.elapsed() > PATIENCE {
                bail!("redis-server does not start");
            }
            thread::sleep(LOOK);
        }
        Ok(server)
    }

    /// Where it takes connections.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Whether it is gone.
    pub fn has_ended(&mut self) -> bool {
        self.process.has_ended()
    }
}
