// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Talks to `org.ztera.demo.bench.BenchH2`, the Java side of the benchmark: a command per line, an answer per line.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::child::{Guarded, lines};
use ztera_machine::interrupt;

/// A running driver. It is stopped when this is dropped.
pub struct Driver {
    guarded: Guarded,
    answers: Receiver<String>,
    errors: Receiver<String>,
    /// Lines among the answers that are none: the JVM reports its own troubles on standard output.
    remarks: Vec<String>,
    /// Below `guarded`, since a cgroup can be removed only when its processes are gone.
    cgroup: Option<Cgroup>,
}

/// The answer to `move`.
#[derive(Debug, Deserialize)]
pub struct Moved {
    /// How much was moved.
    pub moved_bytes: u64,
    /// Whether the root is in H2 now.
    pub in_h2: bool,
}

/// The answer to `settle`.
#[derive(Debug, Deserialize)]
pub struct Settled {
    /// How long it took until nothing was left to compress.
    pub seconds: f64,
    /// The second heap then.
    pub h2: SettledH2,
}

/// The part of the second heap's statistics that is of interest.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SettledH2 {
    /// DRAM for compressed pages.
    pub mem_used_total: u64,
    /// DRAM for uncompressed pages.
    pub resident_bytes: u64,
}

/// The answer to `read`.
#[derive(Debug, Deserialize)]
pub struct Read {
    /// How many pages were read.
    pub pages: u64,
    /// How long it took.
    pub seconds: f64,
    /// How many of the reads found the page missing (tier only).
    pub faults: u64,
}

impl Driver {
    /// Starts it.
    pub fn start(mut command: Command, cgroup: Option<&Cgroup>) -> Result<Driver> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = command.get_program().to_string_lossy().into_owned();
        let mut guarded = Guarded::spawn(command, cgroup).with_context(|| format!("cannot run {program}"))?;
        let answers = guarded.process().stdout.take().map(lines).context("no standard output")?;
        let errors = guarded.process().stderr.take().map(lines).context("no standard error")?;
        Ok(Driver { guarded, answers, errors, remarks: Vec::new(), cgroup: None })
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.guarded.process_id()
    }

    /// Moves it to another cgroup. Memory that it already uses stays charged where it was.
    pub fn enter(&mut self, cgroup: Cgroup) -> Result<()> {
        cgroup.adopt(self.pid())?;
        self.cgroup = Some(cgroup);
        Ok(())
    }

    /// Gives a command and waits for the answer. Lines that are no JSON are kept for the message should it end.
    pub fn ask<T: DeserializeOwned>(&mut self, command: &str) -> Result<T> {
        eprintln!("  {command}");
        self.ask_quietly(command)
    }

    /// The same without a word about it, for commands that come by the dozen.
    pub fn ask_quietly<T: DeserializeOwned>(&mut self, command: &str) -> Result<T> {
        let stdin = self.guarded.process().stdin.as_mut().context("no standard input")?;
        // If it has ended, the missing answer says so, with what it printed.
        let _ = writeln!(stdin, "{command}").and_then(|()| stdin.flush());
        loop {
            interrupt::check()?;
            match self.answers.recv_timeout(Duration::from_millis(100)) {
                Ok(line) if line.starts_with('{') => {
                    return serde_json::from_str(&line)
                        .with_context(|| format!("answer to `{command}`: {line}"));
                }
                Ok(line) => self.remarks.push(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("the JVM ended during `{command}`: {}", self.last_words())
                }
            }
        }
    }

    fn last_words(&self) -> String {
        let lines: Vec<String> = self.remarks.iter().cloned().chain(self.errors.iter()).take(20).collect();
        if lines.is_empty() { "it said nothing".to_owned() } else { lines.join("\n  ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Driver {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        Driver::start(command, None).unwrap()
    }

    #[test]
    fn each_command_has_its_answer() {
        let mut driver = shell(
            r#"while read -r a b; do echo "warning: $a"; echo '{"pages":'$b',"seconds":0.5,"faults":1}'; done"#,
        );
        for pages in [3, 4] {
            let read: Read = driver.ask(&format!("read {pages}")).unwrap();
            assert_eq!(read.pages, pages);
        }
    }

    #[test]
    fn a_jvm_that_ends_early_is_quoted() {
        let mut driver =
            shell("read -r a; echo 'H2Path is too small'; echo 'could not create the VM' >&2; exit 1");
        let error = driver.ask::<Moved>("move").unwrap_err().to_string();
        assert!(error.contains("during `move`: H2Path is too small\n  could not create the VM"), "{error}");
    }
}
