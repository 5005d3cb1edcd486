// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Everything that was found.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::kit::arms::Measured;
use crate::kit::figure::Verdict;
use crate::kit::gclog::Phase;
use crate::kit::samples::Samples;

/// A part of a pause.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// All moves of one arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// A kind of collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Of the young generation.
    Young,
    /// Of the whole first heap.
    Full,
}

/// All collections of one kind and arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CollectionResult {
    /// Which.
    pub kind: Kind,
    /// Its name.
    pub arm: String,
    /// The pauses.
    pub pause_seconds: Samples,
    /// The parts of the last one of each run (full collections).
    pub phases: Vec<PhaseResult>,
    /// DRAM for H2 before them.
    pub memory_bytes: Samples,
}

impl CollectionResult {
    /// None if there was no collection. `phases` and `memory` are per run.
    pub fn of(
        kind: Kind,
        arm: &str,
        pauses: Vec<f64>,
        phases: &[Vec<Phase>],
        memory: Vec<f64>,
    ) -> Option<CollectionResult> {
        Some(CollectionResult {
            kind,
            arm: arm.to_owned(),
            pause_seconds: Samples::of(pauses)?,
            phases: phases_of(phases),
            memory_bytes: Samples::of(memory)?,
        })
    }
}

/// Runs together, in the order of the first.
fn phases_of(runs: &[Vec<Phase>]) -> Vec<PhaseResult> {
    let names = runs.first().into_iter().flatten().map(|(name, _)| name);
    let seconds = |wanted: &String| {
        let of = |run: &Vec<Phase>| run.iter().find(|(name, _)| name == wanted).map(|(_, seconds)| *seconds);
        Samples::of(runs.iter().filter_map(of).collect())
    };
    names.filter_map(|name| Some(PhaseResult { name: name.clone(), seconds: seconds(name)? })).collect()
}

/// All pauses.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Found {
    /// One entry per arm.
    pub moves: Vec<MoveResult>,
    /// One entry per kind and arm.
    pub collections: Vec<CollectionResult>,
}

impl Found {
    /// The median pause of an arm that moved data, in seconds.
    pub fn moved(&self, arm: &str) -> Option<f64> {
        self.moves.iter().find(|result| result.arm == arm).map(|result| result.pause_seconds.median)
    }

    /// The median pause of a kind of collection, in seconds.
    pub fn collection(&self, kind: Kind, arm: &str) -> Option<f64> {
        let result = self.collections.iter().find(|result| result.kind == kind && result.arm == arm);
        result.map(|result| result.pause_seconds.median)
    }
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PausesReport {
    /// How much data was to be moved.
    pub moved_bytes: u64,
    /// Of what kind: `arrays`, `objects` or `mixed`.
    pub moved_data: String,
    /// How much lay in H2 when collections were measured.
    pub h2_bytes: u64,
    /// Live data in the first heap meanwhile.
    pub h1_bytes: u64,
    /// How often each arm had its turn.
    pub rounds: u32,
    /// CPUs.
    pub cpus: usize,
    /// Why arms are missing.
    pub notes: Vec<String>,
    /// Values of the figures, by name.
    pub ratios: BTreeMap<&'static str, Option<f64>>,
    /// The same with their targets, and the arms that they are made of.
    pub figures: Vec<Verdict>,
    /// All pauses that they are made of.
    #[serde(flatten)]
    pub found: Found,
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
}
