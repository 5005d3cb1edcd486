// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run: a workload in a fresh JVM on an arm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use super::arms::{Arm, ArmName, plain_flags};
use super::budget::Budget;
use super::workload::Workload;
use crate::kit::ending::{self, Ending};
use crate::kit::filesystem::ReadAhead;
use crate::kit::gclog::{self, Pauses};
use crate::kit::java_run::{self, Program, Watched};
use crate::kit::storage::Storage;
use crate::kit::swap::Swapped;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::jvm_flags::{Codec, value_name};

/// The settings that all runs share.
pub struct Job {
    /// The ZTera JDK's `java`.
    pub java: PathBuf,
    /// Jar with the workloads.
    pub jar: PathBuf,
    /// How the DRAM is divided.
    pub budget: Budget,
    /// The codec of pages (tier).
    pub codec: Codec,
    /// More options for the JVM (tier).
    pub jvm_options: Vec<String>,
    /// The kernel's read-ahead in a mapped file, instead of what suits the workload.
    pub read_ahead: Option<u64>,
    /// Of data and questions.
    pub seed: u64,
    /// A run is stopped after it.
    pub time_limit: Duration,
    /// For the JVM's logs.
    pub scratch: PathBuf,
}

/// A run after its end.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmRun {
    /// How it ended.
    pub ending: Ending,
    /// The same in words.
    pub words: String,
    /// The output, if it finished.
    pub program: Option<Program>,
    /// Of the collector.
    pub pauses: Pauses,
    /// The highest charge of its cgroup.
    pub cgroup_peak: Option<u64>,
    /// The highest use of zram, if the arm has zram.
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
        let run = java_run::supervise(&title, "reference", command, &cgroup, self.time_limit)?;
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
        let command = self.command(&flags, workload, input);
        let run = java_run::supervise(title, &value_name(&name), command, &cgroup, self.time_limit)?;
        let swapped = Swapped::now().since(before);
        let mut run = self.judge(run, &cgroup, Some(&arm))?;
        run.ssd = run
            .program
            .as_ref()
            .and_then(|program| arm.storage().ssd_bytes(program.io_after_queries, swapped));
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

    fn judge(&self, run: Watched, cgroup: &Cgroup, arm: Option<&Arm>) -> Result<ArmRun> {
        let storage = arm.map(Arm::storage);
        let refused = storage.map_or(0, Storage::refused_writes);
        let (ending, words) = ending::judge(&run.evidence(cgroup), refused);
        let program = (ending == Ending::Finished).then(|| Program::parse(&run.run.stdout)).transpose()?;
        let log = fs::read_to_string(self.gc_log()).unwrap_or_default();
        Ok(ArmRun {
            ending,
            words,
            program,
            pauses: gclog::summary(&gclog::pauses(&log)),
            cgroup_peak: cgroup.peak(),
            zram_peak: storage.and_then(|storage| storage.uncounted_peak(cgroup)),
            ssd: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::java_run::tests::REPORT;

    fn run(checksum: &str) -> ArmRun {
        let program = Program { checksum: checksum.to_owned(), ..Program::parse(REPORT).unwrap() };
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
    fn other_answers_are_an_error() {
        let (mut right, mut wrong) = (run("abc"), run("abd"));
        right.compare(&run("abc"));
        wrong.compare(&run("abc"));
        assert_eq!((right.ending, wrong.ending), (Ending::Finished, Ending::WrongAnswers));
    }
}
