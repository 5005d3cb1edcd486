// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run of a Java program in a cgroup, watched to its end, and the report that it prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use serde::Deserialize;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::child;
use ztera_machine::units::show_duration;

use super::ending::{self, Ending, Evidence};
use super::gclog;
use super::h2_stats::{H2Info, H2Stats};
use super::json_lines;
use super::progress::Progress;
use super::run::ProgramRun;
use super::storage::{ProcessIo, Storage};
use super::swap::Swapped;

/// The output of a workload. See `org.ztera.demo.tiers.BenchTiers`, and `org.ztera.lab.spark.Run`, where names differ.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Program {
    /// Building the data, and moving it to H2.
    #[serde(alias = "loadSeconds")]
    pub load_seconds: f64,
    /// All operations.
    #[serde(alias = "computeSeconds")]
    pub query_seconds: f64,
    /// How many; Spark's programs do not count.
    #[serde(default)]
    pub operations: u64,
    /// Of all that was found.
    #[serde(alias = "answer")]
    pub checksum: String,
    /// At the end.
    #[serde(alias = "io")]
    pub io_after_queries: ProcessIo,
    /// The second heap at the end; nothing where there is none.
    #[serde(alias = "h2", default)]
    pub h2_after_queries: H2Stats,
    /// The same by the VM's own command; nothing of programs that do not ask for it.
    pub h2_info_after_queries: Option<H2Info>,
    /// The time to ask for that.
    #[serde(default)]
    pub h2_info_seconds: f64,
    /// The most that Spark had in its cache, if the program is one of Spark's.
    #[serde(rename = "cachedBytes")]
    pub cached_bytes: Option<u64>,
}

/// A program that is to run on an arm.
pub struct Launch<'a> {
    /// The arm's name.
    pub name: &'a str,
    /// As of [`command`], with the program.
    pub command: Command,
    /// The cgroup that it runs in.
    pub cgroup: &'a Cgroup,
    /// The storage below it.
    pub storage: &'a Storage,
    /// As of [`command`].
    pub scratch: &'a Path,
    /// It is stopped after that.
    pub time_limit: Duration,
}

/// A run that ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// How it went.
    pub run: ProgramRun,
    /// The program's output, if it finished.
    pub program: Option<Program>,
}

/// A JVM with its logs in the folder `scratch`: a command that lacks the main class.
pub fn command(java: &Path, flags: &[String], scratch: &Path, jar: &Path) -> Command {
    let mut command = Command::new(java);
    command
        .args(flags)
        .arg(format!("-Xlog:gc:file={}", gc_log(scratch).display()))
        .arg(format!("-XX:ErrorFile={}", scratch.join("hs_err.log").display()))
        .args(["-XX:-CreateCoredumpOnCrash", "-cp"])
        .arg(jar);
    command
}

/// The collector's log of the last run with that folder.
pub fn gc_log(scratch: &Path) -> PathBuf {
    scratch.join("gc.log")
}

impl Launch<'_> {
    /// Runs it to its end, and shows how far it is.
    pub fn run(self) -> Result<Ended> {
        let mut progress = Progress::new(self.name, "");
        let before = Swapped::now();
        let run = child::supervise(self.command, Some(self.cgroup), Some(self.time_limit), &mut |line| {
            progress.line(line);
        })?;
        let swapped = Swapped::now().since(before);
        let reached = progress.reached();
        progress.end(&format!("ended after {}", show_duration(run.took)));
        let evidence = Evidence {
            end: &run.end,
            tail: &run.tail,
            oom_kills: self.cgroup.oom_kills().unwrap_or(0),
            took: run.took,
            reached: reached.as_deref(),
        };
        let (ending, words, program) = judge(&evidence, self.storage.refused_writes(), &run.stdout);
        let log = fs::read_to_string(gc_log(self.scratch)).unwrap_or_default();
        let of_program = program.as_ref();
        // A program that was stopped has not said what it moved.
        let io = of_program.map(|program| program.io_after_queries).or(run.disk_io.map(ProcessIo::from));
        let ssd = io.and_then(|io| self.storage.ssd_bytes(io, swapped));
        let run = ProgramRun {
            ending,
            words,
            seconds: seconds(run.took, of_program),
            load_seconds: of_program.map(|program| program.load_seconds),
            query_seconds: of_program.map(|program| program.query_seconds),
            answer: of_program.map(|program| program.checksum.clone()),
            cgroup_peak_bytes: self.cgroup.peak(),
            zram_peak_bytes: self.storage.uncounted_peak(self.cgroup),
            ssd_read_bytes: ssd.map(|(read, _)| read),
            ssd_written_bytes: ssd.map(|(_, written)| written),
            pauses: Some(gclog::summary(&gclog::pauses(&log))),
        };
        Ok(Ended { run, program })
    }
}

/// The whole run. Arms without H2 have nothing to ask for, so the time to ask counts in none.
fn seconds(took: Duration, program: Option<&Program>) -> f64 {
    took.as_secs_f64() - program.map_or(0.0, |program| program.h2_info_seconds)
}

/// The ending, with more in words, and the output of a program that finished.
fn judge(evidence: &Evidence, refused: u64, stdout: &str) -> (Ending, String, Option<Program>) {
    match (ending::judge(evidence, refused), json_lines::last(stdout)) {
        ((Ending::Finished, words), Ok(program)) => (Ending::Finished, words, Some(program)),
        ((Ending::Finished, _), Err(error)) => {
            (Ending::Failed, format!("{error:#}{}", last_words(evidence.tail)), None)
        }
        ((Ending::Failed, words), _) => (Ending::Failed, words + &last_words(evidence.tail), None),
        ((ending, words), _) => (ending, words, None),
    }
}

/// The program's output before it failed, without its progress.
fn last_words(tail: &[String]) -> String {
    let said: Vec<&str> = tail.iter().map(String::as_str).filter(|line| !line.contains("% ")).collect();
    let first = said.len().saturating_sub(3);
    said[first..].iter().map(|line| format!("; {}", line.trim())).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;
    use ztera_machine::child::End;

    /// The output of a workload.
    const REPORT: &str = concat!(
        r#"{"load_seconds":2.5,"io_after_load":{"read_bytes":1,"write_bytes":2},"query_seconds":1.25,"#,
        r#""operations":7,"checksum":"abc","io_after_queries":{"read_bytes":3,"write_bytes":4},"#,
        r#""h2_after_queries":{"faultCount":5,"newerField":6},"used_bytes":9,"#,
        r#""h2_info_after_queries":{"enabled":true,"shape_bytes":8,"decisions":[]},"h2_info_seconds":0.25}"#
    );

    #[test]
    fn a_program_without_a_report_has_failed() {
        let (end, tail) =
            (End::Exited(ExitStatus::from_raw(0)), ["load 50% x", "no such file"].map(str::to_owned));
        let evidence =
            Evidence { end: &end, tail: &tail, oom_kills: 0, took: Duration::from_secs(9), reached: None };
        let (ending, words, program) = judge(&evidence, 0, "");
        assert_eq!((ending, program), (Ending::Failed, None));
        assert_eq!(words, "the program printed no report; no such file");
        assert_eq!(judge(&evidence, 0, REPORT).0, Ending::Finished);
        assert_eq!(judge(&evidence, 7, REPORT).0, Ending::DoesNotFit);
    }

    #[test]
    fn the_report_is_found_below_what_the_jvm_says() {
        let program: Program = json_lines::last(&format!("a warning\n{REPORT}\n")).unwrap();
        assert_eq!((program.operations, program.io_after_queries.read_bytes), (7, 3));
        assert_eq!(program.h2_after_queries.fault_count, 5);
        assert_eq!(program.h2_info_after_queries.map(|info| info.shape_bytes), Some(8));
        assert!(json_lines::last::<Program>("nothing").is_err());
    }

    #[test]
    fn asking_for_the_second_heap_takes_no_time_of_the_run() {
        let program: Program = json_lines::last(REPORT).unwrap();
        let took = Duration::from_secs(9);
        assert_eq!(seconds(took, Some(&program)), 8.75);
        assert_eq!(seconds(took, None), 9.0);
    }

    #[test]
    fn programs_of_spark_have_their_own_names() {
        let line = concat!(
            r#"{"workload":"SQL","answer":"7","cachedBytes":9,"loadSeconds":2.5,"computeSeconds":1.25,"#,
            r#""loadGc":{"PS Scavenge":0.5},"io":{"read_bytes":3,"write_bytes":4}}"#
        );
        let program: Program = json_lines::last(line).unwrap();
        assert_eq!(
            (program.query_seconds, program.checksum.as_str(), program.cached_bytes),
            (1.25, "7", Some(9))
        );
        assert_eq!(program.h2_after_queries, H2Stats::default());
        assert_eq!(program.h2_info_after_queries, None);
    }
}
