// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Runs one arm of the demo.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use ztera_machine::cgroup::{Cgroup, CgroupError};
use ztera_machine::child::{self, Run};
use ztera_machine::units::show_size;

use super::report::{ArmReport, ProgramReport};
use ztera_measure::ending::{self, Ending, Evidence};
use ztera_measure::gclog;
use ztera_measure::json_lines;
use ztera_measure::progress::Progress;

/// One arm: a JVM, its flags, and what it may use.
pub struct Arm {
    /// For people, and for the names of files.
    pub name: &'static str,
    /// The launcher.
    pub java: PathBuf,
    /// The JVM's flags.
    pub flags: Vec<String>,
    /// The program for the JVM.
    pub program: Vec<String>,
    /// Bytes of DRAM for the JVM and all else in its cgroup; None for no limit.
    pub limit: Option<u64>,
    /// Folder for the logs.
    pub out: PathBuf,
}

impl Arm {
    /// Runs it to its end, or until `patience` is at its end.
    pub fn run(&self, patience: Option<Duration>) -> Result<ArmReport> {
        let cgroup = self.cgroup();
        let gc_log = self.out.join(format!("{}-gc.log", self.name));
        let mut command = Command::new(&self.java);
        command.arg(format!("-Xlog:gc:file={}", gc_log.display())).args(&self.flags).args(&self.program);
        let words = words(&command);

        let mut progress = Progress::new(self.name, &self.title(cgroup.is_some()));
        let mut log = String::new();
        let run = child::supervise(command, cgroup.as_ref(), patience, &mut |line| {
            progress.line(line);
            log.push_str(line);
            log.push('\n');
        })?;
        fs::write(self.out.join(format!("{}.log", self.name)), &log).context("cannot write the arm's log")?;

        let reached = progress.reached();
        let oom_kills = cgroup.as_ref().and_then(Cgroup::oom_kills).unwrap_or(0);
        let evidence = Evidence {
            end: &run.end,
            tail: &run.tail,
            oom_kills,
            took: run.took,
            reached: reached.as_deref(),
        };
        let report = self.report(&run, ending::judge(&evidence, 0), cgroup.as_ref(), &gc_log, words)?;
        progress.end(&report.outcome);
        Ok(report)
    }

    fn title(&self, in_cgroup: bool) -> String {
        match self.limit {
            None => format!("{}: plenty of memory", self.name),
            Some(limit) if in_cgroup => format!("{}: a cgroup of {}", self.name, show_size(limit)),
            Some(limit) => format!("{}: {} by JVM flags only, no cgroup", self.name, show_size(limit)),
        }
    }

    /// Without one the arm runs all the same, limited by its flags; the report says so.
    fn cgroup(&self) -> Option<Cgroup> {
        let create = || -> Result<Cgroup, CgroupError> {
            let cgroup = Cgroup::create(&format!("demo-{}", self.name))?;
            if let Some(limit) = self.limit {
                cgroup.set_limit(limit)?;
            }
            Ok(cgroup)
        };
        create().inspect_err(|error| eprintln!("ztera: {error}: the arm runs without a cgroup")).ok()
    }

    fn report(
        &self,
        run: &Run,
        (ending, outcome): (Ending, String),
        cgroup: Option<&Cgroup>,
        gc_log: &Path,
        command: Vec<String>,
    ) -> Result<ArmReport> {
        let program = (ending == Ending::Finished)
            .then(|| json_lines::last::<ProgramReport>(&run.stdout))
            .transpose()?;
        let program = program.as_ref();
        let pauses = gclog::summary(&gclog::pauses(&fs::read_to_string(gc_log).unwrap_or_default()));
        let h2 = program.filter(|p| p.h2_enabled).map(|p| p.h2_after_queries);
        Ok(ArmReport {
            name: self.name,
            outcome,
            checksum: program.map(|p| p.checksum.clone()),
            live_bytes: program.map(|p| p.live_bytes),
            limit_bytes: self.limit,
            limited_by_cgroup: self.limit.is_some() && cgroup.is_some(),
            peak_bytes: cgroup.and_then(Cgroup::peak),
            peak_anonymous_bytes: run.peak_anonymous,
            load_seconds: program.map(|p| p.load_seconds),
            query_seconds: program.map(|p| p.query_seconds),
            pauses_seconds: pauses.total_seconds,
            pauses,
            compression_ratio: h2.and_then(|h2| h2.compression_ratio()),
            wall_seconds: run.took.as_secs_f64(),
            h1_live_bytes: program.map(|p| p.h1_live_bytes),
            queries: program.map(|p| p.queries),
            files: program.map(|p| p.files),
            source_bytes: program.map(|p| p.source_bytes),
            postings: program.map(|p| p.postings),
            h2,
            reindex: program.and_then(|p| p.reindex.clone()),
            command,
        })
    }
}

fn words(command: &Command) -> Vec<String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}
