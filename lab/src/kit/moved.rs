// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The result of collections that move data to H2, as the reports of benchmarks have it.

use serde::{Deserialize, Serialize};

use super::gclog::Phase;
use super::move_run::Measured;
use super::samples::Samples;

/// A part of a pause.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct PhaseResult {
    /// The name in the collector's log.
    pub name: String,
    /// Of all runs.
    pub seconds: Samples,
}

/// The one of that name.
pub fn phase<'a>(phases: &'a [PhaseResult], name: &str) -> Option<&'a Samples> {
    phases.iter().find(|phase| phase.name == name).map(|phase| &phase.seconds)
}

/// Runs together, in the order of the first.
pub fn phases_of(runs: &[Vec<Phase>]) -> Vec<PhaseResult> {
    let names = runs.first().into_iter().flatten().map(|(name, _)| name);
    let seconds = |wanted: &String| {
        let of = |run: &Vec<Phase>| run.iter().find(|(name, _)| name == wanted).map(|(_, seconds)| *seconds);
        Samples::of(runs.iter().filter_map(of).collect())
    };
    names.filter_map(|name| Some(PhaseResult { name: name.clone(), seconds: seconds(name)? })).collect()
}

/// All moves of one arm.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct MoveResult {
    /// Its name.
    pub arm: String,
    /// How much was moved, the median of the runs.
    pub moved_bytes: u64,
    /// The full collection that moved the data.
    pub pause_seconds: Samples,
    /// The parts of that.
    pub phases: Vec<PhaseResult>,
    /// A full collection just before, which moved nothing.
    pub plain_pause_seconds: Samples,
    /// From the end of the pause until all was compressed (tier), or written (file).
    pub settle_seconds: Samples,
    /// DRAM that the moved data uses outside of the first heap then.
    pub memory_bytes: Samples,
}

impl MoveResult {
    /// None if there was no run.
    pub fn of(arm: &str, runs: &[Measured]) -> Option<MoveResult> {
        let all = |value: fn(&Measured) -> f64| Samples::of(runs.iter().map(value).collect());
        let phases: Vec<Vec<Phase>> = runs.iter().map(|run| run.phases.clone()).collect();
        Some(MoveResult {
            arm: arm.to_owned(),
            moved_bytes: all(|run| run.moved_bytes as f64)?.median as u64,
            pause_seconds: all(|run| run.move_pause)?,
            phases: phases_of(&phases),
            plain_pause_seconds: all(|run| run.plain_pause)?,
            settle_seconds: all(|run| run.settle)?,
            memory_bytes: all(|run| run.memory as f64)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_of_runs_come_together_by_name() {
        let run = |mark: f64, copy: f64| vec![("Mark".to_owned(), mark), ("Copy".to_owned(), copy)];
        let phases = phases_of(&[run(1.0, 10.0), run(3.0, 30.0), vec![("Mark".to_owned(), 2.0)]]);
        let medians: Vec<_> =
            phases.iter().map(|phase| (phase.name.as_str(), phase.seconds.median)).collect();
        assert_eq!(medians, [("Mark", 2.0), ("Copy", 20.0)]);
        assert_eq!(phases_of(&[]), []);
    }

    #[test]
    fn runs_become_medians() {
        let run = |move_pause, memory| Measured { move_pause, memory, ..Measured::default() };
        let result = MoveResult::of("tier", &[run(1.0, 10), run(3.0, 30), run(2.0, 20)]).unwrap();
        assert_eq!((result.pause_seconds.median, result.memory_bytes.median), (2.0, 20.0));
        assert_eq!(MoveResult::of("tier", &[]), None);
    }
}
