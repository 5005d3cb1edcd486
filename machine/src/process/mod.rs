// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Another process: its memory, as `/proc/PID` shows it.
//!
//! ```text
//!  maps, smaps -> mapping, smaps: where it lies, and how much of it is where -> files: the kind of a mapped file
//!  pagemap     -> pagemap: which pages of a mapping are resident or swapped
//!  task        -> stacks: where its threads have their stacks
//!  stat        -> cpu: the time that it has used
//!  io          -> disk_io: its transfers to and from disks
//!  a pidfd     -> end: waiting until it ends
//! ```

pub mod cpu;
pub mod disk_io;
pub mod end;
pub mod files;
pub mod mapping;
pub mod pagemap;
pub mod smaps;
pub mod stacks;

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The folder or a file of process `pid` in `/proc`.
pub fn file_of(pid: u32, name: &str) -> PathBuf {
    Path::new("/proc").join(pid.to_string()).join(name)
}

/// Whether there is a process `pid`.
pub fn exists(pid: u32) -> bool {
    file_of(pid, "").exists()
}

/// Reads a process id, as people give it.
pub fn parse_pid(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("`{text}` is no process id: give a number; `jcmd -l` lists JVMs"))
}

/// The error where there is no process `pid`.
pub fn missing(pid: u32) -> anyhow::Error {
    anyhow::anyhow!("there is no process {pid}; `ztera top` lists JVMs")
}

/// Why a file of a process cannot be read, for people.
pub fn unreadable(pid: u32, name: &str, error: io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::NotFound => missing(pid),
        ErrorKind::PermissionDenied => {
            anyhow::anyhow!(
                "not allowed to read /proc/{pid}/{name}: run this as the process's user, or as root"
            )
        }
        _ if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => {
            anyhow::anyhow!("process {pid} has ended")
        }
        _ => anyhow::Error::new(error).context(format!("cannot read /proc/{pid}/{name}")),
    }
}
