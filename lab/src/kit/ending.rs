// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How a run ended. An arm whose DRAM is used up has an ending that is a result of the measurement, not an error.

use serde::Serialize;

use crate::demo::outcome::{self, Evidence, Outcome};
use ztera_machine::child::End;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It did all its work.
    Finished,
    /// Its memory, or zram's, was used up.
    DoesNotFit,
    /// It took too long.
    Stopped,
    /// It finished, with other answers than the reference.
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
            Ending::Stopped => "was stopped",
            Ending::WrongAnswers => "gave WRONG ANSWERS",
            Ending::Failed => "FAILED",
        }
    }
}

/// The ending that the evidence speaks for, with more in words. `refused` is how many writes zram refused: data in a
/// file whose pages could not be written is lost, so whatever the program says after that, it does not fit.
pub fn judge(evidence: &Evidence, refused: u64) -> (Ending, String) {
    let memory_is_out = |words: &str| {
        evidence.oom_kills > 0 || words.contains("OutOfMemoryError") || words.contains("out of memory")
    };
    let (ending, words) = match outcome::judge(evidence) {
        Outcome::Finished if refused > 0 => (Ending::DoesNotFit, String::new()),
        Outcome::Finished => (Ending::Finished, "finished".to_owned()),
        Outcome::Failed(words) if memory_is_out(&words) || refused > 0 => (Ending::DoesNotFit, words),
        Outcome::Failed(words) if matches!(evidence.end, End::TimedOut) => (Ending::Stopped, words),
        Outcome::Failed(words) => (Ending::Failed, words),
    };
    let refusal = (refused > 0).then(|| format!("zram was full and refused {refused} writes"));
    let parts: Vec<String> = [words].into_iter().filter(|words| !words.is_empty()).chain(refusal).collect();
    (ending, parts.join("; "))
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    use super::*;

    fn ending(end: End, tail: &str, oom_kills: u64, refused: u64) -> (Ending, String) {
        let tail = [tail.to_owned()];
        let took = Duration::from_secs(9);
        judge(&Evidence { end: &end, tail: &tail, oom_kills, took, reached: None }, refused)
    }

    fn raw(status: i32) -> End {
        End::Exited(ExitStatus::from_raw(status))
    }

    #[test]
    fn no_memory_is_no_error() {
        let oom = "java.lang.OutOfMemoryError: Java heap space";
        assert_eq!(ending(raw(1 << 8), oom, 0, 0).0, Ending::DoesNotFit);
        assert_eq!(ending(raw(9), "", 1, 0).0, Ending::DoesNotFit);
        assert_eq!(ending(raw(1 << 8), "Error: no such class", 0, 0).0, Ending::Failed);
    }

    #[test]
    fn what_zram_refused_is_lost_whatever_the_program_says() {
        let (ending, words) = ending(raw(0), "", 0, 7);
        assert_eq!((ending, words.as_str()), (Ending::DoesNotFit, "zram was full and refused 7 writes"));
    }

    #[test]
    fn time_that_is_over_is_an_ending_of_its_own() {
        let (ending, words) = ending(End::TimedOut, "", 0, 0);
        assert_eq!(ending, Ending::Stopped);
        assert!(words.contains("9.0 s"), "{words}");
        assert_eq!(self::ending(raw(0), "", 0, 0).0, Ending::Finished);
    }
}
