// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The Java programs. See `org.ztera.defaults`.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A program that nobody tuned for a second heap.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// Passes over rows of doubles that no codec makes smaller
    Rows,
    /// Labelled groups that are born and die
    Groups,
    /// Objects that get new neighbours after they moved
    Neighbours,
    /// The demo's index; most questions go to few directories and symbols
    DemoZipf,
    /// The same; all are alike
    DemoUniform,
    /// The rows of numbers of `bench tiers`
    Vectors,
    /// The package dependencies of `bench tiers`
    Graph,
}

/// What a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Nothing: it invents its data.
    Nothing,
    /// A source tree.
    Source,
    /// A list of packages.
    Packages,
}

impl Program {
    /// All of them.
    pub const ALL: [Program; 7] = [
        Program::Rows,
        Program::Groups,
        Program::Neighbours,
        Program::DemoZipf,
        Program::DemoUniform,
        Program::Vectors,
        Program::Graph,
    ];

    /// Those of the quick form.
    pub const QUICK: [Program; 4] = [Program::Rows, Program::Groups, Program::Neighbours, Program::DemoZipf];

    /// What it reads.
    pub fn input(self) -> Input {
        match self {
            Program::DemoZipf | Program::DemoUniform => Input::Source,
            Program::Graph => Input::Packages,
            _ => Input::Nothing,
        }
    }
}
