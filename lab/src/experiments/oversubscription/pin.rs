// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Files of the JVMs kept in memory, by `ztera pin`.

use std::process::Stdio;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::child::{Guarded, lines};
use ztera_machine::interrupt;

use crate::kit::own_command;

const LOOK: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(60);
/// Not `jars`: of the JDK's modules the JVM maps all, and uses little.
const WHAT: &str = "libjvm,cds,libraries";

/// The files stay in memory until this is dropped.
pub struct Pinned {
    /// How much of them.
    pub bytes: u64,
    _process: Guarded,
}

impl Pinned {
    /// Pins the files of `process`. All JVMs of a point run on the same files. The one that pins is in the cgroup, too,
    /// so that pages which it reads count there.
    pub fn hold(process: u32, cgroup: &Cgroup) -> Result<Pinned> {
        let mut command = own_command::ztera()?;
        command.args(["pin", &process.to_string(), "--json", "--share", "1", "--whole", "--what", WHAT]);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = Guarded::spawn(command, Some(cgroup)).context("cannot start `ztera pin`")?;
        let output = process.process().stdout.take().context("a child without output")?;
        let (lines, start) = (lines(output), Instant::now());
        loop {
            interrupt::check()?;
            match lines.recv_timeout(LOOK) {
                Ok(line) => return Ok(Pinned { bytes: pinned_bytes(&line)?, _process: process }),
                Err(RecvTimeoutError::Timeout) if start.elapsed() < PATIENCE => (),
                Err(_) => bail!("`ztera pin` did not pin the files"),
            }
        }
    }
}

fn pinned_bytes(line: &str) -> Result<u64> {
    let report: Value = serde_json::from_str(line).context("`ztera pin` printed something else")?;
    report["pinned_bytes"].as_u64().context("`ztera pin` did not say how much is pinned")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_in_the_report() {
        assert_eq!(pinned_bytes(r#"{"pid":7,"pinned_bytes":4096,"files":[]}"#).unwrap(), 4096);
        assert!(pinned_bytes("no").is_err() && pinned_bytes("{}").is_err());
    }
}
