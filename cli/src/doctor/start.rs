// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Starts a JVM with the flags in question and writes down what it says. Judging that is up to [`super::start_log`].

use std::ffi::OsString;
use std::fs;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use ztera_machine::child::{self, End};
use ztera_machine::view::Jdk;

/// A JVM that takes longer waits for something.
const PATIENCE: Duration = Duration::from_secs(60);

/// How it went.
#[derive(Debug, Default)]
pub struct Start {
    /// Its log: what it chose for its heaps, and all warnings. Lines of the form `[level][tags] text`.
    pub log: String,
    /// The output on its standard streams.
    pub said: String,
    /// How it failed, in words; None if it ended well.
    pub failure: Option<String>,
}

/// Starts `java -version` with these options, in the cgroup of this process, and waits for its end.
pub fn try_out(jdk: &Jdk, options: &[OsString]) -> Result<Start> {
    let folder = tempfile::tempdir().context("no folder for the JVM's log")?;
    let log = folder.path().join("start.log");
    let switch = format!("-Xlog:all=warning,gc+init,gc+h2*:file=\"{}\":level,tags", log.display());
    let mut command = Command::new(jdk.tool("java"));
    // The log is asked for twice. -Xlog:disable would switch the first off. The second does not count behind a file of
    // arguments that names a program, which --dry-run does not run.
    command.args(["--dry-run", &switch]).args(options).args([&switch, "-version"]);
    let mut errors = String::new();
    let run =
        child::supervise(command, None, Some(PATIENCE), &mut |line| errors = format!("{errors}{line}\n"))
            .with_context(|| format!("cannot run {}", jdk.tool("java").display()))?;
    let failure = match run.end {
        End::Exited(status) if status.success() => None,
        End::Exited(status) => Some(status.to_string()),
        End::TimedOut => Some(format!("no end within {} s", PATIENCE.as_secs())),
    };
    // Without a log there is no JVM, and what it said tells why.
    Ok(Start {
        log: fs::read_to_string(log).unwrap_or_default(),
        said: format!("{}\n{errors}", run.stdout),
        failure,
    })
}
