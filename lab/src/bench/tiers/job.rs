// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run: a workload in a fresh JVM on an arm.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};
use ztera_machine::cgroup::Cgroup;
use ztera_machine::jvm_flags::{Codec, value_name};
use ztera_machine::units::show_size;

use super::arms::{ArmName, plain_flags};
use super::budget::Budget;
use super::run::{Details, Key, Run};
use super::workload::Workload;
use crate::frame::matrix::Matrix;
use crate::kit::filesystem;
use crate::kit::java_run::{self, Ended, Launch};
use crate::kit::run::ProgramRun;
use crate::kit::storage::Storage;

/// The cgroups' name.
const NAME: &str = "bench-tiers";

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
    /// A directory on the SSD, and the disk's name.
    pub ssd: Option<(PathBuf, String)>,
    /// The input of each workload.
    pub inputs: Vec<(Workload, PathBuf)>,
    /// For the JVM's logs.
    pub scratch: PathBuf,
}

impl Matrix for Job {
    type Key = Key;
    type Details = Details;

    fn name(&self, key: Key) -> String {
        let (workload, arm) = (value_name(&key.workload), ArmName::shown(key.arm));
        format!("{workload} in {}, {arm}", show_size(key.limit_bytes))
    }

    fn reference(&self, key: Key) -> Key {
        Key { arm: None, ..key }
    }

    fn run(&self, key: Key, _: Option<&Run>, time_limit: Duration) -> Result<(Details, ProgramRun)> {
        let ended = match key.arm {
            None => {
                let command = self.command(&plain_flags(&self.budget), key.workload)?;
                self.launch(key, command, &Cgroup::create(NAME)?, &Storage::Memory, time_limit)
            }
            Some(arm) => self.run_on(arm, key, time_limit),
        }?;
        let program = ended.program.as_ref();
        let h2 = program.map(|program| program.h2_after_queries).filter(|h2| h2.capacity_bytes > 0);
        let h2 = h2.map(serde_json::to_value).transpose()?;
        Ok((Details { operations: program.map(|program| program.operations), h2 }, ended.run))
    }
}

impl Job {
    fn run_on(&self, arm: ArmName, key: Key, time_limit: Duration) -> Result<Ended> {
        let ssd = self.ssd.as_ref().map(|(dir, disk)| (dir.as_path(), disk.as_str()));
        let ready = arm.set_up(&self.budget, ssd)?;
        let cgroup = ready.cgroup(&self.budget)?;
        let read_ahead = self.read_ahead.unwrap_or(key.workload.read_ahead());
        let _read_ahead = ready
            .mapped_disk()
            .map(|disk| filesystem::read_ahead(&disk, (read_ahead >> 10) as u32))
            .transpose()?;
        let flags = ready.flags(&self.budget, self.codec, &self.jvm_options);
        let command = self.command(&flags, key.workload)?;
        self.launch(key, command, &cgroup, ready.storage(), time_limit)
    }

    fn launch(
        &self,
        key: Key,
        command: Command,
        cgroup: &Cgroup,
        storage: &Storage,
        time_limit: Duration,
    ) -> Result<Ended> {
        let name = &ArmName::shown(key.arm);
        Launch { name, command, cgroup, storage, scratch: &self.scratch, time_limit }.run()
    }

    fn command(&self, flags: &[String], workload: Workload) -> Result<Command> {
        let input = self.inputs.iter().find(|(of, _)| *of == workload);
        let (_, input) = input.context("the workload has no input")?;
        let mut command = java_run::command(&self.java, flags, &self.scratch, &self.jar);
        command
            .args(["org.ztera.demo.tiers.BenchTiers", &value_name(&workload)])
            .args([self.budget.live.to_string(), self.seed.to_string()])
            .arg(input);
        Ok(command)
    }
}
