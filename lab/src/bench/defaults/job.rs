// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run: a program in a fresh JVM on an arm.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::jvm_flags::value_name;
use ztera_machine::units::show_size;
use ztera_machine::view::Jdk;

use super::arm::ArmName;
use super::plan::{Hints, Sizes};
use super::program::{Input, Program};
use super::run::{Details, Key, Run};
use super::weight::{self, Weight};
use crate::frame::matrix::Matrix;
use crate::kit::java_run::{self, Ended, Launch};
use crate::kit::run::ProgramRun;
use crate::kit::storage::Storage;

/// The cgroups' name.
const NAME: &str = "bench-defaults";

/// Settings that all runs share.
pub struct Job {
    /// The ZTera JDK.
    pub view: Jdk,
    /// The JDK of the arms without H2.
    pub stock: Jdk,
    /// The programs.
    pub jar: PathBuf,
    /// A source tree, and a list of packages, for the programs that read them.
    pub inputs: Inputs,
    /// A directory on the SSD, and the disk's name.
    pub ssd: Option<(PathBuf, String)>,
    /// More options for the JVM of `two` and `three`.
    pub jvm_options: Vec<String>,
    /// For the JVM's logs.
    pub scratch: PathBuf,
}

/// Files that programs read.
#[derive(Default)]
pub struct Inputs {
    /// A source tree.
    pub source: PathBuf,
    /// A list of packages.
    pub packages: PathBuf,
}

impl Matrix for Job {
    type Key = Key;
    type Details = Details;

    fn name(&self, key: Key) -> String {
        let seed = if key.seed == 1 { String::new() } else { format!(", seed {}", key.seed) };
        format!("{} in {}, {}{seed}", key.cell.title(), show_size(key.limit_bytes), value_name(&key.arm))
    }

    fn reference(&self, key: Key) -> Key {
        Key { arm: ArmName::None, ..key }
    }

    fn run(&self, key: Key, _: Option<&Run>, time_limit: Duration) -> Result<(Details, ProgramRun)> {
        let sizes = Sizes::plan(key.limit_bytes, key.cell.factor);
        let storage = key.arm.set_up(&sizes, self.ssd())?;
        let limit = (key.arm != ArmName::None).then_some(sizes.limit);
        let cgroup = storage.cgroup(NAME, limit, key.arm.zram(&sizes))?;
        let command = self.command(key, &sizes, &storage);
        let ended = self.launch(&value_name(&key.arm), command, &cgroup, &storage, time_limit)?;
        let h2 = ended.program.and_then(|program| program.h2_info_after_queries);
        Ok((Details { h2 }, ended.run))
    }
}

impl Job {
    /// Finds out how small a program's data become. A run that does not finish leaves that open.
    pub fn weigh(&self, program: Program, seed: u64, time_limit: Duration) -> Result<Weight> {
        let cgroup = Cgroup::create(NAME)?;
        let mut command = self.java(&self.view, &weight::flags(), program, weight::LIVE, seed);
        command.arg("load");
        let ended = self.launch("weight", command, &cgroup, &Storage::Memory, time_limit)?;
        let weight = Weight::of(program, ended.program.as_ref().map(|program| &program.h2_after_queries));
        match weight.compressed_to {
            Some(ratio) => eprintln!("  weight: {:.0} % when compressed", ratio * 100.0),
            None => eprintln!("  weight: not found out; {}", ended.run.words),
        }
        Ok(weight)
    }

    fn launch(
        &self,
        name: &str,
        command: Command,
        cgroup: &Cgroup,
        storage: &Storage,
        time_limit: Duration,
    ) -> Result<Ended> {
        Launch { name, command, cgroup, storage, scratch: &self.scratch, time_limit }.run()
    }

    /// The SSD, if there is one.
    pub fn ssd(&self) -> Option<(&Path, &str)> {
        self.ssd.as_ref().map(|(dir, disk)| (dir.as_path(), disk.as_str()))
    }

    fn command(&self, key: Key, sizes: &Sizes, storage: &Storage) -> Command {
        let jdk = if key.arm.has_h2() { &self.view } else { &self.stock };
        let mut flags = key.arm.flags(sizes, key.cell.heap, storage);
        if key.arm.has_tiers() {
            flags.extend(self.jvm_options.iter().cloned());
        }
        let mut command = self.java(jdk, &flags, key.cell.program, sizes.live, key.seed);
        if key.cell.hints == Hints::None {
            command.arg("plain");
        }
        command
    }

    fn java(&self, jdk: &Jdk, flags: &[String], program: Program, live: u64, seed: u64) -> Command {
        let input = match program.input() {
            Input::Nothing => &self.scratch,
            Input::Source => &self.inputs.source,
            Input::Packages => &self.inputs.packages,
        };
        let mut command = java_run::command(&jdk.tool("java"), flags, &self.scratch, &self.jar);
        command
            .args(["org.ztera.defaults.Defaults", &value_name(&program)])
            .args([(live >> 20).to_string(), seed.to_string()])
            .arg(input);
        command
    }
}
