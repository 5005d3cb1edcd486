// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Waiting for the end of a process.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::missing;
use crate::interrupt;

/// A signal that comes just before a wait is seen after so long.
const LOOK: Duration = Duration::from_millis(500);

/// Why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The process ended.
    Process,
    /// The time is over.
    Time,
    /// A signal asked for it.
    Signal,
}

/// A process that may end.
pub struct Process(OwnedFd);

impl Process {
    /// Process `pid`, and never another one that gets its number later.
    pub fn open(pid: u32) -> Result<Process> {
        let number = i32::try_from(pid).ok().and_then(Pid::from_raw);
        match number.map(|pid| pidfd_open(pid, PidfdFlags::empty())) {
            None | Some(Err(Errno::SRCH)) => Err(missing(pid)),
            Some(opened) => Ok(Process(opened.with_context(|| format!("cannot watch process {pid}"))?)),
        }
    }

    /// Waits until the process ends, a signal comes, or the time is over.
    pub fn wait(&self, time: Option<Duration>) -> Result<End> {
        let until = time.map(|time| Instant::now() + time);
        loop {
            let left = until.map_or(LOOK, |until| until.saturating_duration_since(Instant::now()));
            if interrupt::came() {
                return Ok(End::Signal);
            }
            let timeout = left.min(LOOK).try_into().context("no such time")?;
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&timeout)) {
                Ok(0) if left.is_zero() => return Ok(End::Time),
                Ok(0) | Err(Errno::INTR) => (),
                Ok(_) => return Ok(End::Process),
                Err(error) => return Err(error).context("cannot wait for the process"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn the_end_of_a_process_is_seen() {
        let mut cat = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let process = Process::open(cat.id()).unwrap();
        assert_eq!(process.wait(Some(Duration::ZERO)).unwrap(), End::Time);
        drop(cat.stdin.take());
        assert_eq!(process.wait(None).unwrap(), End::Process);
        cat.wait().unwrap();
    }

    #[test]
    fn a_process_that_is_not_there_is_named() {
        let error = Process::open(4_194_305).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("there is no process 4194305; `ztera top` lists JVMs"));
    }
}
