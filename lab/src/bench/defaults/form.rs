// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The two forms of the benchmark: programs that tag what they build, and the same and more that know nothing of us.

use super::arm::ArmName;
use super::plan::{Heap, Hints};
use super::program::Program;

/// A form of the benchmark: what it runs where nothing else is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `ztera bench defaults`.
    Defaults,
    /// `ztera bench plain`.
    Plain,
}

impl Form {
    /// The programs.
    pub fn programs(self, quick: bool) -> &'static [Program] {
        match (self, quick) {
            (Form::Defaults, true) => Program::quick(),
            (Form::Defaults, false) => &Program::ALL,
            (Form::Plain, true) => Program::others(),
            (Form::Plain, false) => Program::plain(),
        }
    }

    /// The arms, the reference first.
    pub fn arms(self) -> &'static [ArmName] {
        match self {
            Form::Defaults => &ArmName::ALL,
            Form::Plain => &ArmName::PLAIN,
        }
    }

    /// How the heap is given.
    pub fn heaps(self, quick: bool) -> &'static [Heap] {
        match (self, quick) {
            (Form::Defaults, true) => &[Heap::Xms],
            (Form::Defaults, false) => &[Heap::Xms, Heap::Xmx],
            (Form::Plain, _) => &[Heap::Auto],
        }
    }

    /// Live data over the limit.
    pub fn factors(self, quick: bool) -> &'static [f64] {
        match (self, quick) {
            (_, true) | (Form::Plain, _) => &[1.5, 2.0],
            (Form::Defaults, false) => &[1.25, 1.5, 2.0, 3.0],
        }
    }

    /// The words of the programs for the second heap.
    pub fn hints(self) -> Hints {
        match self {
            Form::Defaults => Hints::Tags,
            Form::Plain => Hints::None,
        }
    }

    /// Where files of samples are made, below the current directory.
    pub fn folder(self) -> &'static str {
        match self {
            Form::Defaults => "out/bench-defaults",
            Form::Plain => "out/bench-plain",
        }
    }
}
