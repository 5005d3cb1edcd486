// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run: a workload in a fresh JVM on an arm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::arms::{Arm, ArmName, plain_flags};
use super::budget::Budget;
use super::ending::{self, Ending};
use super::swap::Swapped;
use super::workload::Workload;
use crate::bench::filesystem::ReadAhead;
use crate::cgroup::Cgroup;
use crate::child::{self, Run};
use crate::demo::outcome::Evidence;
use crate::demo::progress::Progress;
use crate::demo::report::H2Stats;
use crate::gclog::{self, Pauses};
use crate::jvm_flags::{Codec, value_name};
use crate::units::show_duration;

/// What all runs have in common.
pub struct Job {
    /// The ZTera JDK's `java`.
    pub java: PathBuf,
    /// Jar with the workloads.
    pub jar: PathBuf,
    /// How the DRAM is divided.
    pub budget: Budget,
    /// What compresses pages (tier).
    pub codec: Codec,
    /// More options for the JVM (tier).
    pub jvm_options: Vec<String>,
    /// What the kernel reads ahead in a mapped file, instead of what suits the workload.
    pub read_ahead: Option<u64>,
    /// Of data and questions.
    pub seed: u64,
    /// A run is stopped after it.
    pub time_limit: Duration,
    /// For the JVM's logs.
    pub scratch: PathBuf,
}

/// What a workload prints. See `org.ztera.demo.tiers.BenchTiers`.
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

/// What the process read from disks and wrote to them, as the kernel counts it.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
pub struct ProcessIo {
    /// Read.
    pub read_bytes: u64,
    /// Written, or made dirty in a mapped file.
    pub write_bytes: u64,
}

/// A run after its end.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmRun {
    /// How it ended.
    pub ending: Ending,
    /// The same in words.
    pub words: String,
    /// What it printed, if it finished.
    pub program: Option<Program>,
    /// Of the collector.
    pub pauses: Pauses,
    /// What its cgroup was charged at most.
    pub cgroup_peak: Option<u64>,
    /// What zram used at most, if the arm has zram.
    pub zram_peak: Option<u64>,
    /// SSD bytes read and written, if the arm has an SSD and finished.
    pub ssd: Option<(u64, u64)>,
}

impl ArmRun {
    /// A run that found something else than the reference is wrong, whatever else it did.
    pub fn compare(&mut self, reference: &ArmRun) {
        let checksum = |run: &ArmRun| run.program.as_ref().map(|program| program.checksum.clone());
        if self.ending == Ending::Finished && checksum(self) != checksum(reference) {
            self.ending = Ending::WrongAnswers;
            self.words =
                format!("found {:?} where the reference found {:?}", checksum(self), checksum(reference));
        }
    }
}

impl Job {
    /// A run without H2 and with plenty of memory.
    pub fn run_reference(&self, workload: Workload, input: &Path) -> Result<ArmRun> {
        let cgroup = Cgroup::create("bench-tiers")?;
        let command = self.command(&plain_flags(&self.budget), workload, input);
        let title = format!("{}: the reference", value_name(&workload));
        let run = self.supervise(&title, "reference", command, &cgroup)?;
        let run = self.judge(run, &cgroup, None)?;
        if run.ending != Ending::Finished {
            bail!("the reference of {} did not finish: {}", value_name(&workload), run.words);
        }
        Ok(run)
    }

    /// A run of an arm, which is set up before and undone after it.
    pub fn run(
        &self,
        title: &str,
        name: ArmName,
        ssd: Option<(&Path, &str)>,
        workload: Workload,
        input: &Path,
    ) -> Result<ArmRun> {
        let arm = name.set_up(&self.budget, ssd)?;
        let cgroup = arm.cgroup(&self.budget)?;
        let read_ahead = self.read_ahead.unwrap_or(workload.read_ahead());
        let _read_ahead =
            arm.mapped_disk().map(|disk| ReadAhead::set(&disk, (read_ahead >> 10) as u32)).transpose()?;
        let before = Swapped::now();
        let flags = arm.flags(&self.budget, self.codec, &self.jvm_options);
        let run =
            self.supervise(title, &value_name(&name), self.command(&flags, workload, input), &cgroup)?;
        let swapped = Swapped::now().since(before);
        let mut run = self.judge(run, &cgroup, Some(&arm))?;
        run.ssd = run.program.as_ref().filter(|_| arm.uses_ssd()).map(|program| {
            let io = program.io_after_queries;
            // The kernel counts pages that are swapped in as read by the process, those swapped out as nobody's.
            (io.read_bytes, io.write_bytes + if arm.swaps_to_ssd() { swapped.written } else { 0 })
        });
        Ok(run)
    }

    fn command(&self, flags: &[String], workload: Workload, input: &Path) -> Command {
        let mut command = Command::new(&self.java);
        command
            .arg("-XX:+UseParallelGC")
            .args(flags)
            .arg(format!("-Xlog:gc:file={}", self.gc_log().display()))
            .arg(format!("-XX:ErrorFile={}", self.scratch.join("hs_err.log").display()))
            .args(["-XX:-CreateCoredumpOnCrash", "-cp"])
            .arg(&self.jar)
            .args(["org.ztera.demo.tiers.BenchTiers", &value_name(&workload)])
            .args([self.budget.live.to_string(), self.seed.to_string()])
            .arg(input);
        command
    }

    fn gc_log(&self) -> PathBuf {
        self.scratch.join("gc.log")
    }

    fn supervise(
        &self,
        title: &str,
        name: &str,
        command: Command,
        cgroup: &Cgroup,
    ) -> Result<(Run, Option<String>)> {
        let mut progress = Progress::new(name, title);
        let run =
            child::supervise(command, Some(cgroup), Some(self.time_limit), &mut |line| progress.line(line))?;
        let reached = progress.reached();
        progress.end(&format!("ended after {}", show_duration(run.took)));
        Ok((run, reached))
    }

    fn judge(&self, run: (Run, Option<String>), cgroup: &Cgroup, arm: Option<&Arm>) -> Result<ArmRun> {
        let (run, reached) = run;
        let evidence = Evidence {
            end: &run.end,
            tail: &run.tail,
            oom_kills: cgroup.oom_kills().unwrap_or(0),
            took: run.took,
            reached: reached.as_deref(),
        };
        let zram = arm.and_then(Arm::zram);
        let (ending, words) = ending::judge(&evidence, zram.map_or(0, |zram| zram.refused_writes()));
        let program = (ending == Ending::Finished).then(|| parse(&run.stdout)).transpose()?;
        let log = fs::read_to_string(self.gc_log()).unwrap_or_default();
        Ok(ArmRun {
            ending,
            words,
            program,
            pauses: gclog::summary(&gclog::pauses(&log)),
            cgroup_peak: cgroup.peak(),
            zram_peak: zram.and_then(|zram| zram.most_memory_used()),
            ssd: None,
        })
    }
}

fn parse(stdout: &str) -> Result<Program> {
    let line =
        stdout.lines().rev().find(|line| line.starts_with('{')).context("the workload printed no report")?;
    serde_json::from_str(line)
        .with_context(|| format!("the workload's report is not what was expected: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"load_seconds":2.5,"io_after_load":{"read_bytes":1,"write_bytes":2},"query_seconds":1.25,
"operations":7,"checksum":"abc","io_after_queries":{"read_bytes":3,"write_bytes":4},
"h2_after_queries":{"faultCount":5,"newerField":6},"used_bytes":9}"#;

    fn run(checksum: &str) -> ArmRun {
        let program = parse(&LINE.replace('\n', "").replace("abc", checksum)).unwrap();
        ArmRun {
            ending: Ending::Finished,
            words: String::new(),
            program: Some(program),
            pauses: Pauses::default(),
            cgroup_peak: None,
            zram_peak: None,
            ssd: None,
        }
    }

    #[test]
    fn the_report_is_found_below_what_the_jvm_says() {
        let program = parse(&format!("a warning\n{}\n", LINE.replace('\n', ""))).unwrap();
        assert_eq!((program.operations, program.io_after_queries.read_bytes), (7, 3));
        assert_eq!(program.h2_after_queries.fault_count, 5);
        assert!(parse("nothing").is_err());
    }

    #[test]
    fn other_answers_are_an_error() {
        let (mut right, mut wrong) = (run("abc"), run("abd"));
        right.compare(&run("abc"));
        wrong.compare(&run("abc"));
        assert_eq!((right.ending, wrong.ending), (Ending::Finished, Ending::WrongAnswers));
    }
}
