// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Runs by machine, program and size of swap; pure.

use crate::frame::matrix::distinct;
use crate::kit::samples::Samples;

/// The word of a run that did not get the memory that it needs.
pub const OUT_OF_MEMORY: &str = "X";

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The row.
    pub machine: String,
    /// The program, or its kernel.
    pub program: String,
    /// The column: size of swap in percent.
    pub size: u32,
    /// None if it did not finish.
    pub seconds: Option<f64>,
    /// How it ended if it did not.
    pub word: String,
}

/// The result of all runs of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The median of those that finished, if most did.
    Seconds(f64),
    /// How others ended.
    Word(String),
}

/// Runs of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid(pub Vec<Run>);

impl Grid {
    fn cell<'g>(&'g self, machine: &'g str, program: &'g str, size: u32) -> impl Iterator<Item = &'g Run> {
        self.0.iter().filter(move |run| run.machine == machine && run.program == program && run.size == size)
    }

    /// Seconds of the runs of a cell that finished.
    pub fn seconds(&self, machine: &str, program: &str, size: u32) -> Vec<f64> {
        self.cell(machine, program, size).filter_map(|run| run.seconds).collect()
    }

    /// None for a cell without runs.
    pub fn outcome(&self, machine: &str, program: &str, size: u32) -> Option<Outcome> {
        let all = self.cell(machine, program, size).count();
        let seconds = self.seconds(machine, program, size);
        if 2 * seconds.len() > all {
            return Samples::of(seconds).map(|samples| Outcome::Seconds(samples.median));
        }
        let mut unfinished = self.cell(machine, program, size).filter(|run| run.seconds.is_none());
        unfinished.next().map(|run| Outcome::Word(run.word.clone()))
    }

    /// The median of a cell.
    pub fn median(&self, machine: &str, program: &str, size: u32) -> Option<f64> {
        match self.outcome(machine, program, size)? {
            Outcome::Seconds(seconds) => Some(seconds),
            Outcome::Word(_) => None,
        }
    }

    /// Whether a cell is out of memory.
    pub fn is_out(&self, machine: &str, program: &str, size: u32) -> bool {
        self.outcome(machine, program, size) == Some(Outcome::Word(OUT_OF_MEMORY.to_owned()))
    }

    /// How many times faster a cell is than the one without swap, or than that of 25 % if there is none: as the study.
    pub fn speedup(&self, machine: &str, program: &str, size: u32) -> Option<f64> {
        let baseline = self.median(machine, program, 0).or_else(|| self.median(machine, program, 25))?;
        Some(baseline / self.median(machine, program, size)?)
    }

    /// All speedups of a program on a machine, without the cell that others are compared with.
    pub fn speedups(&self, machine: &str, program: &str) -> Vec<f64> {
        let sizes = self.sizes().into_iter().filter(|size| *size > 0);
        sizes.filter_map(|size| self.speedup(machine, program, size)).collect()
    }

    /// Machines in the order in which they were measured.
    pub fn machines(&self) -> Vec<&str> {
        distinct(self.0.iter().map(|run| run.machine.as_str()))
    }

    /// Programs in the order in which they were measured.
    pub fn programs(&self) -> Vec<&str> {
        distinct(self.0.iter().map(|run| run.program.as_str()))
    }

    /// Sizes from the smallest.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes = distinct(self.0.iter().map(|run| run.size));
        sizes.sort_unstable();
        sizes
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Runs of one program on one machine.
    pub fn runs(machine: &str, program: &str, cells: &[(u32, Option<f64>)]) -> Vec<Run> {
        let run = |&(size, seconds): &(u32, Option<f64>)| Run {
            machine: machine.to_owned(),
            program: program.to_owned(),
            size,
            seconds,
            word: OUT_OF_MEMORY.to_owned(),
        };
        cells.iter().map(run).collect()
    }

    #[test]
    fn a_cell_is_finished_if_most_of_its_runs_are() {
        let cells = [(0, Some(2.0)), (0, Some(4.0)), (0, None), (50, None), (50, Some(1.0))];
        let grid = Grid(runs("4 GB", "is", &cells));
        assert_eq!(grid.median("4 GB", "is", 0), Some(3.0));
        assert!(
            grid.is_out("4 GB", "is", 50) && !grid.is_out("4 GB", "is", 0) && !grid.is_out("4 GB", "is", 75)
        );
    }

    #[test]
    fn the_baseline_is_the_smallest_swap_that_the_program_needs() {
        let cells = [(0, None), (25, Some(6.0)), (50, Some(4.0)), (100, None)];
        let grid = Grid(runs("1 GB", "bt", &cells));
        assert_eq!(grid.speedups("1 GB", "bt"), [1.0, 1.5]);
        assert_eq!(grid.speedup("1 GB", "bt", 100), None);
        assert_eq!((grid.machines(), grid.sizes()), (vec!["1 GB"], vec![0, 25, 50, 100]));
    }
}
