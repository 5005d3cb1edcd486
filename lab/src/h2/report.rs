// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of `ztera bench h2`.

use serde::Serialize;

use crate::kit::arms::Measured;
use crate::kit::samples::Samples;

/// All runs of one arm with one kind of data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmResult {
    /// `arrays` or `objects`.
    pub data: String,
    /// `tier`, `file-zram` or `file-ssd`.
    pub arm: String,
    /// How much was moved, the median of the runs.
    pub moved_bytes: u64,
    /// The full collection that moved the data.
    pub move_pause_seconds: Samples,
    /// A full collection just before, which moved nothing.
    pub plain_pause_seconds: Samples,
    /// From the end of the pause until all was compressed (tier), or written (file).
    pub settle_seconds: Samples,
    /// DRAM that the moved data uses outside H1 then.
    pub memory_bytes: Samples,
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
        let all = |value: fn(&Measured) -> f64| Samples::of(runs.iter().map(value).collect());
        let some = |value: fn(&Measured) -> Option<f64>| Samples::of(runs.iter().filter_map(value).collect());
        Some(ArmResult {
            data: data.to_owned(),
            arm: arm.to_owned(),
            moved_bytes: all(|run| run.moved_bytes as f64)?.median as u64,
            move_pause_seconds: all(|run| run.move_pause)?,
            plain_pause_seconds: all(|run| run.plain_pause)?,
            settle_seconds: all(|run| run.settle)?,
            memory_bytes: all(|run| run.memory as f64)?,
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
