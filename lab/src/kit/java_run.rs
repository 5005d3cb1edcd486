// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run of a Java program in a cgroup, watched to its end, and the report that it prints.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::demo::outcome::Evidence;
use crate::demo::progress::Progress;
use crate::demo::report::H2Stats;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::child::{self, Run};
use ztera_machine::units::show_duration;

/// The output of a workload. See `org.ztera.demo.tiers.BenchTiers`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Program {
    /// Building the data, and moving it to H2.
    pub load_seconds: f64,
    /// All operations.
    pub query_seconds: f64,
    /// How many.
    pub operations: u64,
    /// Of all that was found.
    pub checksum: String,
    /// At the end.
    pub io_after_queries: ProcessIo,
    /// The second heap at the end.
    pub h2_after_queries: H2Stats,
}

/// The bytes that the process read from disks and wrote to them, as the kernel counts it.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
pub struct ProcessIo {
    /// Read.
    pub read_bytes: u64,
    /// Written, or made dirty in a mapped file.
    pub write_bytes: u64,
}

impl Program {
    /// The last line that is a report.
    pub fn parse(stdout: &str) -> Result<Program> {
        let line = stdout
            .lines()
            .rev()
            .find(|line| line.starts_with('{'))
            .context("the workload printed no report")?;
        serde_json::from_str(line)
            .with_context(|| format!("the workload's report is not what was expected: {line}"))
    }
}

/// A run that ended, and how far it had got.
pub struct Watched {
    /// The process.
    pub run: Run,
    /// Such as `load 37%`.
    pub reached: Option<String>,
}

impl Watched {
    /// The evidence by which an ending is judged.
    pub fn evidence(&self, cgroup: &Cgroup) -> Evidence<'_> {
        Evidence {
            end: &self.run.end,
            tail: &self.run.tail,
            oom_kills: cgroup.oom_kills().unwrap_or(0),
            took: self.run.took,
            reached: self.reached.as_deref(),
        }
    }
}

/// Runs a program to its end, and shows how far it is.
pub fn supervise(
    title: &str,
    name: &str,
    command: Command,
    cgroup: &Cgroup,
    time_limit: Duration,
) -> Result<Watched> {
    let mut progress = Progress::new(name, title);
    let run = child::supervise(command, Some(cgroup), Some(time_limit), &mut |line| progress.line(line))?;
    let reached = progress.reached();
    progress.end(&format!("ended after {}", show_duration(run.took)));
    Ok(Watched { run, reached })
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The output of a workload.
    pub const REPORT: &str = concat!(
        r#"{"load_seconds":2.5,"io_after_load":{"read_bytes":1,"write_bytes":2},"query_seconds":1.25,"#,
        r#""operations":7,"checksum":"abc","io_after_queries":{"read_bytes":3,"write_bytes":4},"#,
        r#""h2_after_queries":{"faultCount":5,"newerField":6},"used_bytes":9}"#
    );

    #[test]
    fn the_report_is_found_below_what_the_jvm_says() {
        let program = Program::parse(&format!("a warning\n{REPORT}\n")).unwrap();
        assert_eq!((program.operations, program.io_after_queries.read_bytes), (7, 3));
        assert_eq!(program.h2_after_queries.fault_count, 5);
        assert!(Program::parse("nothing").is_err());
    }
}
