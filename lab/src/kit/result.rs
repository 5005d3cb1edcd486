// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All runs of a program on an arm, in short.

use serde::Serialize;

use super::ending::Ending;
use super::run::ProgramRun;
use super::samples::Samples;

/// Times and bytes are those of the runs that finished, peaks those of all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProgramResult {
    /// How the last run ended: an arm that did not finish once is not run again.
    pub ending: Ending,
    /// The same in words.
    pub words: String,
    /// The whole run.
    pub seconds: Option<Samples>,
    /// Building the data, and moving it to H2.
    pub load_seconds: Option<Samples>,
    /// All operations.
    pub query_seconds: Option<Samples>,
    /// The collector's longest pause.
    pub longest_pause_seconds: Option<Samples>,
    /// All its pauses.
    pub pauses_seconds: Option<Samples>,
    /// Read from the SSD.
    pub ssd_read_bytes: Option<Samples>,
    /// Written to it.
    pub ssd_written_bytes: Option<Samples>,
    /// The highest charge of the cgroup.
    pub cgroup_peak_bytes: Option<Samples>,
    /// The highest use of zram.
    pub zram_peak_bytes: Option<Samples>,
    /// The sum of both.
    pub dram_peak_bytes: Option<Samples>,
}

impl ProgramResult {
    /// None if there was no run.
    pub fn of(runs: &[&ProgramRun]) -> Option<ProgramResult> {
        let last = runs.last()?;
        let all = |value: fn(&ProgramRun) -> Option<u64>| {
            Samples::of(runs.iter().filter_map(|run| value(run)).map(|bytes| bytes as f64).collect())
        };
        let finished = |value: fn(&ProgramRun) -> Option<f64>| {
            Samples::of(runs.iter().filter(|run| run.finished()).filter_map(|run| value(run)).collect())
        };
        Some(ProgramResult {
            ending: last.ending,
            words: last.words.clone(),
            seconds: finished(|run| Some(run.seconds)),
            load_seconds: finished(|run| run.load_seconds),
            query_seconds: finished(|run| run.query_seconds),
            longest_pause_seconds: finished(|run| Some(run.pauses?.max_seconds)),
            pauses_seconds: finished(|run| Some(run.pauses?.total_seconds)),
            ssd_read_bytes: finished(|run| run.ssd_read_bytes.map(|bytes| bytes as f64)),
            ssd_written_bytes: finished(|run| run.ssd_written_bytes.map(|bytes| bytes as f64)),
            cgroup_peak_bytes: all(|run| run.cgroup_peak_bytes),
            zram_peak_bytes: all(|run| run.zram_peak_bytes),
            dram_peak_bytes: all(ProgramRun::dram_peak),
        })
    }

    /// Whether the last run did all its work.
    pub fn finished(&self) -> bool {
        self.ending == Ending::Finished
    }

    /// How the last run ended if it did not finish; else nothing.
    pub fn unfinished(&self) -> String {
        if self.finished() { String::new() } else { format!("{}: {}", self.ending.words(), self.words) }
    }

    /// The median time in seconds, if every run finished.
    pub fn median(&self) -> Option<f64> {
        self.seconds.as_ref().filter(|_| self.finished()).map(|seconds| seconds.median)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::run::tests::{ended, finished};

    #[test]
    fn runs_that_did_not_finish_have_peaks_and_no_times() {
        let runs = [finished(4.0), finished(2.0), ended(Ending::Killed)];
        let result = ProgramResult::of(&runs.iter().collect::<Vec<_>>()).unwrap();
        let samples = |samples: &Option<Samples>| samples.as_ref().map_or(0, |samples| samples.samples.len());
        assert_eq!((samples(&result.seconds), samples(&result.dram_peak_bytes)), (2, 3));
        assert_eq!((result.ending, result.median()), (Ending::Killed, None));
        let result = ProgramResult::of(&runs[..2].iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(result.median(), Some(3.0));
        assert_eq!(ProgramResult::of(&[]), None);
    }
}
