// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run: a program in a fresh JVM on an arm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::arm::ArmName;
use super::outcome::{self, Outcome};
use super::plan::Sizes;
use super::program::{Input, Program};
use super::sample::{Key, Sample};
use super::weight::{self, Weight};
use crate::kit::gclog;
use crate::kit::java_run::{self, Program as Report, Watched};
use crate::kit::storage::Storage;
use crate::kit::swap::Swapped;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::jvm_flags::value_name;
use ztera_machine::view::Jdk;

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

impl Job {
    /// Sets the arm up, runs the program to its end, and undoes what was set up. None, and why, if it cannot be set up.
    pub fn run(&self, key: Key, title: &str, time_limit: Duration) -> Result<Option<Sample>> {
        let sizes = Sizes::plan(key.limit_bytes, key.cell.factor);
        let storage = match key.arm.set_up(&sizes, self.ssd()) {
            Ok(storage) => storage,
            Err(error) => {
                eprintln!("{title} cannot be set up: {error:#}");
                return Ok(None);
            }
        };
        let cgroup = cgroup(key.arm, &storage, &sizes)?;
        let log = self.scratch.join("gc.log");
        let before = Swapped::now();
        let command = self.command(key, &sizes, &storage, &log);
        let run = java_run::supervise(title, &value_name(&key.arm), command, &cgroup, time_limit)?;
        let swapped = Swapped::now().since(before);
        let log = fs::read_to_string(&log).unwrap_or_default();
        Ok(Some(sample(key, &run, &cgroup, &storage, swapped, &log)))
    }

    /// Finds out how small a program's data become. A run that does not finish leaves that open.
    pub fn weigh(&self, program: Program, seed: u64, time_limit: Duration) -> Result<Weight> {
        let cgroup = Cgroup::create(NAME)?;
        let log = self.scratch.join("gc.log");
        let mut command = self.java(&self.view, &weight::flags(), &log, program, weight::LIVE, seed);
        command.arg("load");
        let title = format!("{}: how small its data become", value_name(&program));
        let run = java_run::supervise(&title, "weight", command, &cgroup, time_limit)?;
        let report = Report::parse(&run.run.stdout).ok();
        let weight = Weight::of(program, report.as_ref().map(|report| &report.h2_after_queries));
        match weight.compressed_to {
            Some(ratio) => eprintln!("  weight: {:.0} % when compressed", ratio * 100.0),
            None => eprintln!("  weight: not found out{}", last_words(&run.run.tail)),
        }
        Ok(weight)
    }

    /// The SSD, if there is one.
    pub fn ssd(&self) -> Option<(&Path, &str)> {
        self.ssd.as_ref().map(|(dir, disk)| (dir.as_path(), disk.as_str()))
    }

    fn command(&self, key: Key, sizes: &Sizes, storage: &Storage, log: &Path) -> Command {
        let jdk = if key.arm.has_h2() { &self.view } else { &self.stock };
        let mut flags = key.arm.flags(sizes, key.cell.heap, storage);
        if matches!(key.arm, ArmName::Two | ArmName::Three) {
            flags.extend(self.jvm_options.iter().cloned());
        }
        self.java(jdk, &flags, log, key.cell.program, sizes.live, key.seed)
    }

    fn java(
        &self,
        jdk: &Jdk,
        flags: &[String],
        log: &Path,
        program: Program,
        live: u64,
        seed: u64,
    ) -> Command {
        let input = match program.input() {
            Input::Nothing => &self.scratch,
            Input::Source => &self.inputs.source,
            Input::Packages => &self.inputs.packages,
        };
        let mut command = Command::new(jdk.tool("java"));
        command
            .args(flags)
            .arg(format!("-Xlog:gc:file={}", log.display()))
            .arg(format!("-XX:ErrorFile={}", self.scratch.join("hs_err.log").display()))
            .args(["-XX:-CreateCoredumpOnCrash", "-cp"])
            .arg(&self.jar)
            .args(["org.ztera.defaults.Defaults", &value_name(&program)])
            .args([(live >> 20).to_string(), seed.to_string()])
            .arg(input);
        command
    }
}

/// The reference has no limit, but a cgroup: that is what counts its memory.
fn cgroup(arm: ArmName, storage: &Storage, sizes: &Sizes) -> Result<Cgroup> {
    Ok(match arm {
        ArmName::None => Cgroup::create(NAME)?,
        _ => storage.cgroup(NAME, sizes.limit, sizes.limit - arm.zram(sizes))?,
    })
}

fn sample(
    key: Key,
    run: &Watched,
    cgroup: &Cgroup,
    storage: &Storage,
    swapped: Swapped,
    log: &str,
) -> Sample {
    let (mut outcome, mut words) = outcome::judge(&run.evidence(cgroup), storage.refused_writes());
    let program = match Report::parse(&run.run.stdout) {
        Ok(program) if outcome == Outcome::Ok => Some(program),
        Err(error) if outcome == Outcome::Ok => {
            (outcome, words) = (Outcome::Failed, error.to_string());
            None
        }
        _ => None,
    };
    if outcome == Outcome::Failed {
        words.push_str(&last_words(&run.run.tail));
    }
    let program = program.as_ref();
    let ssd = program.and_then(|program| storage.ssd_bytes(program.io_after_queries, swapped));
    let pauses = gclog::summary(&gclog::pauses(log));
    Sample {
        key,
        outcome,
        words,
        seconds: run.run.took.as_secs_f64(),
        load_seconds: program.map(|program| program.load_seconds),
        query_seconds: program.map(|program| program.query_seconds),
        answer: program.map(|program| program.checksum.clone()),
        cgroup_peak_bytes: cgroup.peak(),
        zram_peak_bytes: storage.uncounted_peak(cgroup),
        ssd_read_bytes: ssd.map(|(read, _)| read),
        ssd_written_bytes: ssd.map(|(_, written)| written),
        full_collections: pauses.full,
        pause_seconds: pauses.total_seconds,
    }
}

/// The program's output before it failed, without its progress.
fn last_words(tail: &[String]) -> String {
    let said: Vec<&str> = tail.iter().map(String::as_str).filter(|line| !line.contains("% ")).collect();
    let first = said.len().saturating_sub(3);
    said[first..].iter().map(|line| format!("; {}", line.trim())).collect()
}
