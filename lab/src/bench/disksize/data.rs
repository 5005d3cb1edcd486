// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Runs here, and runs of the authors.

use serde::{Deserialize, Serialize};

use super::grid::{Grid, OUT_OF_MEMORY, Run};
use crate::frame::matrix::distinct;
use crate::frame::sample::{Sample, data_of};
use crate::kit::ending::Ending;
use crate::kit::samples::Samples;

/// A run without limit.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Reference {
    /// The program.
    pub program: String,
    /// Memory that it used at most.
    pub footprint_bytes: u64,
    /// How long it ran.
    pub unlimited_seconds: f64,
}

/// A run in a cell.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct CellRun {
    /// The program.
    pub program: String,
    /// The NAS kernel that it is, as of `is`.
    pub kernel: Option<String>,
    /// The kind of swap.
    pub arm: String,
    /// As of [`super::machine::Machine`].
    pub machine: String,
    /// Size of swap.
    pub size_percent: u32,
    /// DRAM for the program and its compressed pages.
    pub limit_bytes: u64,
    /// Size of swap.
    pub swap_bytes: u64,
    /// How it ended.
    pub ending: Ending,
    /// The same in words.
    pub words: String,
    /// How long it ran.
    pub run_seconds: f64,
    /// The highest charge of its cgroup.
    pub cgroup_peak_bytes: Option<u64>,
    /// The most DRAM that swap used.
    pub swap_peak_bytes: u64,
}

/// A run of the authors.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct TheirRun {
    /// `4 GB`.
    pub machine: String,
    /// `is`.
    pub kernel: String,
    /// Size of zram, of the machine's DRAM.
    pub size_percent: u32,
    /// None if it did not finish.
    pub seconds: Option<f64>,
}

/// The authors' runs, as one sample.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Theirs {
    /// All of them.
    pub their_runs: Vec<TheirRun>,
}

/// Everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Data {
    /// One per program and round.
    pub references: Vec<Reference>,
    /// One per cell and round.
    pub cells: Vec<CellRun>,
    /// Empty if their files are not here.
    pub theirs: Vec<TheirRun>,
}

impl CellRun {
    /// The word of a run that did not finish.
    fn word(&self) -> String {
        match self.ending {
            Ending::Killed | Ending::DoesNotFit => OUT_OF_MEMORY.to_owned(),
            Ending::Stopped => "stopped".to_owned(),
            other => other.word().to_owned(),
        }
    }

    /// As a run of the program called `program`.
    fn run(&self, program: &str) -> Run {
        Run {
            machine: self.machine.clone(),
            program: program.to_owned(),
            size: self.size_percent,
            seconds: (self.ending == Ending::Finished).then_some(self.run_seconds),
            word: self.word(),
        }
    }
}

impl Data {
    /// From samples.
    pub fn of(samples: &[Sample]) -> Data {
        let theirs = data_of::<Theirs>(samples).into_iter().flat_map(|theirs| theirs.their_runs);
        Data { references: data_of(samples), cells: data_of(samples), theirs: theirs.collect() }
    }

    /// Arms in the order in which they were measured.
    pub fn arms(&self) -> Vec<&str> {
        distinct(self.cells.iter().map(|cell| cell.arm.as_str()))
    }

    /// The median time of a program without limit, in seconds.
    pub fn unlimited_seconds(&self, program: &str) -> Option<f64> {
        let of_program = self.references.iter().filter(|reference| reference.program == program);
        let seconds = Samples::of(of_program.map(|reference| reference.unlimited_seconds).collect());
        seconds.map(|seconds| seconds.median)
    }

    /// Runs of an arm, by programs.
    pub fn of_arm(&self, arm: &str) -> Grid {
        let cells = self.cells.iter().filter(|cell| cell.arm == arm);
        Grid(cells.map(|cell| cell.run(&cell.program)).collect())
    }

    /// Runs of the study's arm, by kernels.
    pub fn ours(&self) -> Grid {
        let cells = self.cells.iter().filter(|cell| cell.arm == super::arm::OF_STUDY);
        Grid(cells.filter_map(|cell| Some(cell.run(cell.kernel.as_ref()?))).collect())
    }

    /// The authors' runs, by kernels.
    pub fn theirs(&self) -> Grid {
        let run = |run: &TheirRun| Run {
            machine: run.machine.clone(),
            program: run.kernel.clone(),
            size: run.size_percent,
            seconds: run.seconds,
            word: OUT_OF_MEMORY.to_owned(),
        };
        Grid(self.theirs.iter().map(run).collect())
    }
}
