// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of `ztera bench h2`.

use serde::Serialize;

use crate::kit::move_run::Measured;
use crate::kit::moved::MoveResult;
use crate::kit::samples::Samples;

/// All runs of one arm with one kind of data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmResult {
    /// `arrays` or `objects`.
    pub data: String,
    /// The arm and its moves.
    #[serde(flatten)]
    pub moved: MoveResult,
    /// First reads, per page, from first to last.
    pub sequential_read_seconds_per_page: Option<Samples>,
    /// First reads, per page, in random order.
    pub random_read_seconds_per_page: Option<Samples>,
    /// How many of the sequential reads found the page missing, per page, the median of the runs (tier).
    pub sequential_read_faults_per_page: Option<f64>,
    /// The same of the random reads.
    pub random_read_faults_per_page: Option<f64>,
}

impl ArmResult {
    /// None if there was no run.
    pub fn of(data: &str, arm: &str, runs: &[Measured]) -> Option<ArmResult> {
        let some = |value: fn(&Measured) -> Option<f64>| Samples::of(runs.iter().filter_map(value).collect());
        Some(ArmResult {
            data: data.to_owned(),
            moved: MoveResult::of(arm, runs)?,
            sequential_read_seconds_per_page: some(|run| run.sequential),
            random_read_seconds_per_page: some(|run| run.random),
            sequential_read_faults_per_page: some(|run| run.sequential_faults).map(|samples| samples.median),
            random_read_faults_per_page: some(|run| run.random_faults).map(|samples| samples.median),
        })
    }
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchReport {
    /// How much data was to be moved.
    pub bytes: u64,
    /// How much of it may be uncompressed in memory while it is read.
    pub resident_bytes: u64,
    /// How often each arm ran.
    pub rounds: u32,
    /// CPUs.
    pub cpus: usize,
    /// Why arms are missing, and other things one must know to read the numbers.
    pub notes: Vec<String>,
    /// One entry per kind of data and arm.
    pub results: Vec<ArmResult>,
}
