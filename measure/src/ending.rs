// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How a run ended, from what can be seen of it. An arm whose DRAM is used up has an ending that is a result of the
//! measurement, not an error.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use ztera_machine::child::End;
use ztera_machine::units::show_duration;

/// How a run ended. Files of samples have other names of earlier versions.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It did all its work.
    #[serde(alias = "ok")]
    Finished,
    /// Its memory, or zram's, was used up.
    #[serde(alias = "oom")]
    DoesNotFit,
    /// The kernel killed it for want of memory.
    Killed,
    /// It took too long.
    #[serde(alias = "timeout")]
    Stopped,
    /// It finished, with other answers than the reference.
    #[serde(alias = "wrong")]
    WrongAnswers,
    /// Anything else.
    Failed,
}

impl Ending {
    /// For people, after the arm's name.
    pub fn words(self) -> &'static str {
        match self {
            Ending::Finished => "finished",
            Ending::DoesNotFit => "does not fit",
            Ending::Killed => "was killed",
            Ending::Stopped => "was stopped",
            Ending::WrongAnswers => "gave WRONG ANSWERS",
            Ending::Failed => "FAILED",
        }
    }

    /// In a column of a table.
    pub fn word(self) -> &'static str {
        match self {
            Ending::Finished => "ok",
            Ending::DoesNotFit => "oom",
            Ending::Killed => "KILLED",
            Ending::Stopped => "timeout",
            Ending::WrongAnswers => "WRONG",
            Ending::Failed => "FAILED",
        }
    }
}

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

/// The ending that the evidence speaks for, with more in words. `refused` is how many writes zram refused. Data in a
/// file whose pages could not be written are lost, so the program did not fit, even if it says that it finished.
pub fn judge(evidence: &Evidence, refused: u64) -> (Ending, String) {
    let (ending, words) = of_process(evidence);
    if refused == 0 {
        return (ending, words);
    }
    let refusal = format!("zram was full and refused {refused} writes");
    match ending {
        Ending::Finished => (Ending::DoesNotFit, refusal),
        Ending::Killed => (Ending::Killed, format!("{words}; {refusal}")),
        _ => (Ending::DoesNotFit, format!("{words}; {refusal}")),
    }
}

fn of_process(evidence: &Evidence) -> (Ending, String) {
    let (ending, what) = match evidence.end {
        End::TimedOut if evidence.oom_kills > 0 => (Ending::Killed, "thrashing: stopped".to_owned()),
        End::TimedOut => (Ending::Stopped, "thrashing: stopped".to_owned()),
        End::Exited(status) if status.success() => return (Ending::Finished, "finished".to_owned()),
        // SIGKILL without a count is still the kernel's doing: nobody else sends one.
        End::Exited(status) if killed(*status) || evidence.oom_kills > 0 => {
            (Ending::Killed, "killed by the kernel, out of memory,".to_owned())
        }
        End::Exited(status) => match java_oom(evidence.tail) {
            Some(message) => (Ending::DoesNotFit, message),
            None => (Ending::Failed, format!("failed ({status})")),
        },
    };
    let reached = evidence.reached.map_or(String::new(), |reached| format!(", at {reached}"));
    (ending, format!("{what} after {}{reached}", show_duration(evidence.took)))
}

fn killed(status: ExitStatus) -> bool {
    status.signal() == Some(9)
}

/// `OutOfMemoryError: Java heap space`, if that is what was thrown; or the words of a program that caught it.
fn java_oom(tail: &[String]) -> Option<String> {
    let words = |of: &str| tail.iter().find_map(|line| line.find(of).map(|at| line[at..].trim().to_owned()));
    words("OutOfMemoryError").or_else(|| words("Out of memory"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(end: End, tail: &[&str], oom_kills: u64, refused: u64) -> (Ending, String) {
        let tail: Vec<String> = tail.iter().map(|line| (*line).to_owned()).collect();
        let took = Duration::from_secs(12);
        judge(&Evidence { end: &end, tail: &tail, oom_kills, took, reached: Some("load 37%") }, refused)
    }

    fn raw(status: i32) -> End {
        End::Exited(ExitStatus::from_raw(status))
    }

    #[test]
    fn every_way_to_end_has_its_words() {
        let cases = [
            (raw(0), &[][..], 0, Ending::Finished, "finished"),
            (
                raw(1 << 8),
                &[
                    "load 37%",
                    "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space",
                    "\tat x",
                ],
                0,
                Ending::DoesNotFit,
                "OutOfMemoryError: Java heap space after 12.0 s, at load 37%",
            ),
            (
                raw(1 << 8),
                &["org.h2.jdbc.JdbcSQLException: Out of memory. [90108-240]", "\tat x"],
                0,
                Ending::DoesNotFit,
                "Out of memory. [90108-240] after 12.0 s, at load 37%",
            ),
            (
                raw(9),
                &[],
                1,
                Ending::Killed,
                "killed by the kernel, out of memory, after 12.0 s, at load 37%",
            ),
            (
                raw(9),
                &[],
                0,
                Ending::Killed,
                "killed by the kernel, out of memory, after 12.0 s, at load 37%",
            ),
            (End::TimedOut, &[], 0, Ending::Stopped, "thrashing: stopped after 12.0 s, at load 37%"),
            (raw(2 << 8), &["usage"], 0, Ending::Failed, "failed (exit status: 2) after 12.0 s, at load 37%"),
        ];
        for (end, tail, oom_kills, expected, words) in cases {
            assert_eq!(ending(end, tail, oom_kills, 0), (expected, words.to_owned()));
        }
    }

    #[test]
    fn what_zram_refused_is_lost_whatever_the_program_says() {
        let refused = |end| ending(end, &[], 0, 7);
        assert_eq!(refused(raw(0)), (Ending::DoesNotFit, "zram was full and refused 7 writes".to_owned()));
        assert_eq!(refused(raw(1 << 8)).0, Ending::DoesNotFit);
        assert_eq!(refused(End::TimedOut).0, Ending::DoesNotFit);
        assert_eq!(refused(raw(9)).0, Ending::Killed);
    }

    #[test]
    fn files_of_earlier_versions_can_be_read() {
        let endings: Vec<Ending> =
            serde_json::from_str(r#"["ok", "oom", "killed", "timeout", "wrong", "failed"]"#).unwrap();
        assert_eq!(endings[..4], [Ending::Finished, Ending::DoesNotFit, Ending::Killed, Ending::Stopped]);
        assert_eq!(endings[4..], [Ending::WrongAnswers, Ending::Failed]);
    }
}
