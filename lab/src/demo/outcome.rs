// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How an arm ended, from what can be seen of it.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use ztera_machine::child::End;
use ztera_machine::units::show_duration;

/// The knowledge of a run that ended.
#[derive(Debug)]
pub struct Evidence<'a> {
    /// How its process ended.
    pub end: &'a End,
    /// The last lines of its standard error.
    pub tail: &'a [String],
    /// How many processes the kernel killed in its cgroup.
    pub oom_kills: u64,
    /// How long it ran.
    pub took: Duration,
    /// How far it was, such as `load 37%`.
    pub reached: Option<&'a str>,
}

/// How an arm ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It did all its work.
    Finished,
    /// Something else, in words.
    Failed(String),
}

/// The outcome that the evidence speaks for.
pub fn judge(evidence: &Evidence) -> Outcome {
    let after = format!(
        "after {}{}",
        show_duration(evidence.took),
        evidence.reached.map_or(String::new(), |reached| format!(", at {reached}"))
    );
    let failed = |what: String| Outcome::Failed(format!("{what} {after}"));
    match evidence.end {
        End::TimedOut => failed("thrashing: stopped".to_owned()),
        End::Exited(status) if status.success() => Outcome::Finished,
        // SIGKILL without a count is still the kernel's doing: nobody else sends one.
        End::Exited(status) if killed(*status) || evidence.oom_kills > 0 => {
            failed("killed by the kernel, out of memory,".to_owned())
        }
        End::Exited(status) => match java_oom(evidence.tail) {
            Some(message) => failed(message),
            None => failed(format!("failed ({status})")),
        },
    }
}

fn killed(status: ExitStatus) -> bool {
    status.signal() == Some(9)
}

/// `OutOfMemoryError: Java heap space`, if that is what was thrown.
fn java_oom(tail: &[String]) -> Option<String> {
    let line = tail.iter().find(|line| line.contains("OutOfMemoryError"))?;
    Some(line[line.find("OutOfMemoryError")?..].trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(end: End, tail: &[&str], oom_kills: u64) -> String {
        let tail: Vec<String> = tail.iter().map(|line| (*line).to_owned()).collect();
        let took = Duration::from_secs(12);
        match judge(&Evidence { end: &end, tail: &tail, oom_kills, took, reached: Some("load 37%") }) {
            Outcome::Finished => "finished".to_owned(),
            Outcome::Failed(what) => what,
        }
    }

    fn exit(code: i32) -> End {
        End::Exited(ExitStatus::from_raw(code << 8))
    }

    #[test]
    fn every_way_to_end_has_its_words() {
        let oom = "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space";
        let signal_9 = || End::Exited(ExitStatus::from_raw(9));
        assert_eq!(outcome(exit(0), &[], 0), "finished");
        assert_eq!(
            outcome(exit(1), &["load 37%", oom, "\tat x"], 0),
            "OutOfMemoryError: Java heap space after 12.0 s, at load 37%"
        );
        assert_eq!(
            outcome(signal_9(), &[], 1),
            "killed by the kernel, out of memory, after 12.0 s, at load 37%"
        );
        assert_eq!(outcome(signal_9(), &[], 0), outcome(signal_9(), &[], 1));
        assert_eq!(outcome(End::TimedOut, &[], 0), "thrashing: stopped after 12.0 s, at load 37%");
        assert_eq!(outcome(exit(2), &["usage"], 0), "failed (exit status: 2) after 12.0 s, at load 37%");
    }
}
