// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How a run ended, for the figures.

use std::os::unix::process::ExitStatusExt;

use serde::{Deserialize, Serialize};

use crate::demo::outcome::Evidence;
use crate::kit::ending::{self, Ending};
use ztera_machine::child::End;

/// How a run ended.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It did all its work.
    Ok,
    /// It gave up for want of memory.
    Oom,
    /// The kernel killed it.
    Killed,
    /// It took too long and was stopped.
    Timeout,
    /// It gave other answers than the reference.
    Wrong,
    /// Anything else.
    Failed,
}

impl Outcome {
    /// In a table.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Oom => "oom",
            Outcome::Killed => "KILLED",
            Outcome::Timeout => "timeout",
            Outcome::Wrong => "WRONG",
            Outcome::Failed => "FAILED",
        }
    }
}

/// The outcome that the evidence speaks for, with more in words. `refused` is how many writes zram refused.
pub fn judge(evidence: &Evidence, refused: u64) -> (Outcome, String) {
    let (ending, words) = ending::judge(evidence, refused);
    let signal = matches!(evidence.end, End::Exited(status) if status.signal() == Some(9));
    let killed = evidence.oom_kills > 0 || signal;
    let outcome = match ending {
        Ending::Finished => Outcome::Ok,
        Ending::DoesNotFit | Ending::Failed if killed => Outcome::Killed,
        Ending::DoesNotFit => Outcome::Oom,
        Ending::Stopped => Outcome::Timeout,
        Ending::WrongAnswers => Outcome::Wrong,
        Ending::Failed => Outcome::Failed,
    };
    (outcome, words)
}

/// A run that found something else than the reference is wrong, however well it ended.
pub fn compare(outcome: Outcome, found: Option<&str>, wanted: Option<&str>) -> Outcome {
    match (outcome, wanted) {
        (Outcome::Ok, Some(_)) if found != wanted => Outcome::Wrong,
        _ => outcome,
    }
}

#[cfg(test)]
mod tests {
    use std::process::ExitStatus;
    use std::time::Duration;

    use super::*;

    fn outcome(end: End, tail: &str, oom_kills: u64, refused: u64) -> Outcome {
        let tail = [tail.to_owned()];
        let took = Duration::from_secs(9);
        judge(&Evidence { end: &end, tail: &tail, oom_kills, took, reached: None }, refused).0
    }

    fn raw(status: i32) -> End {
        End::Exited(ExitStatus::from_raw(status))
    }

    #[test]
    fn an_error_of_java_is_told_from_a_kill() {
        let oom = "java.lang.OutOfMemoryError: Java heap space";
        assert_eq!(outcome(raw(1 << 8), oom, 0, 0), Outcome::Oom);
        assert_eq!(outcome(raw(9), "", 1, 0), Outcome::Killed);
        assert_eq!(outcome(raw(9), "", 0, 0), Outcome::Killed);
        assert_eq!(outcome(raw(1 << 8), "no such class", 0, 0), Outcome::Failed);
    }

    #[test]
    fn time_and_refused_writes_are_outcomes_too() {
        assert_eq!(outcome(End::TimedOut, "", 0, 0), Outcome::Timeout);
        assert_eq!(outcome(raw(0), "", 0, 3), Outcome::Oom);
        assert_eq!(outcome(raw(0), "", 0, 0), Outcome::Ok);
    }

    #[test]
    fn other_answers_are_wrong() {
        assert_eq!(compare(Outcome::Ok, Some("a"), Some("a")), Outcome::Ok);
        assert_eq!(compare(Outcome::Ok, Some("a"), Some("b")), Outcome::Wrong);
        assert_eq!(compare(Outcome::Ok, None, Some("b")), Outcome::Wrong);
        assert_eq!(compare(Outcome::Oom, None, Some("b")), Outcome::Oom);
    }
}
