// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run: a workload in a fresh JVM on an arm.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};
use ztera_machine::cgroup::Cgroup;
use ztera_machine::jvm_flags::{Codec, value_name};

use super::arms::{ArmName, plain_flags};
use super::budget::Budget;
use super::workload::Workload;
use crate::kit::filesystem;
use crate::kit::java_run::{self, Ended, Launch};
use crate::kit::storage::Storage;

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

impl Job {
    /// A run without H2 and with plenty of memory.
    pub fn run_reference(&self, workload: Workload, input: &Path) -> Result<Ended> {
        let cgroup = Cgroup::create("bench-tiers")?;
        let command = self.command(&plain_flags(&self.budget), workload, input);
        let title = format!("{}: the reference", value_name(&workload));
        let ended = self.launch(&title, "reference", command, &cgroup, &Storage::Memory)?;
        if !ended.run.finished() {
            bail!("the reference of {} did not finish: {}", value_name(&workload), ended.run.words);
        }
        Ok(ended)
    }

    /// A run of an arm, which is set up before and undone after it.
    pub fn run(
        &self,
        title: &str,
        name: ArmName,
        ssd: Option<(&Path, &str)>,
        workload: Workload,
        input: &Path,
    ) -> Result<Ended> {
        let arm = name.set_up(&self.budget, ssd)?;
        let cgroup = arm.cgroup(&self.budget)?;
        let read_ahead = self.read_ahead.unwrap_or(workload.read_ahead());
        let _read_ahead = arm
            .mapped_disk()
            .map(|disk| filesystem::read_ahead(&disk, (read_ahead >> 10) as u32))
            .transpose()?;
        let flags = arm.flags(&self.budget, self.codec, &self.jvm_options);
        let command = self.command(&flags, workload, input);
        self.launch(title, &value_name(&name), command, &cgroup, arm.storage())
    }

    fn launch(
        &self,
        title: &str,
        name: &str,
        command: Command,
        cgroup: &Cgroup,
        storage: &Storage,
    ) -> Result<Ended> {
        let (scratch, time_limit) = (self.scratch.as_path(), self.time_limit);
        Launch { title, name, command, cgroup, storage, scratch, time_limit }.run()
    }

    fn command(&self, flags: &[String], workload: Workload, input: &Path) -> Command {
        let mut command = java_run::command(&self.java, flags, &self.scratch, &self.jar);
        command
            .args(["org.ztera.demo.tiers.BenchTiers", &value_name(&workload)])
            .args([self.budget.live.to_string(), self.seed.to_string()])
            .arg(input);
        command
    }
}
