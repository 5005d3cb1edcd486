// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The Java programs. See `org.ztera.defaults`.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A program that nobody tuned for a second heap.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// Lucene's index in the heap, under queries
    TextIndex,
    /// The H2 database in memory
    Sql,
    /// Road maps in JGraphT
    Roads,
    /// Caffeine's cache of profiles of about 900 bytes
    Profiles,
    /// Documents as Jackson's trees
    Documents,
    /// A map of Hazelcast with one member
    Grid,
    /// RDF4J's store of triples in memory, asked in SPARQL
    Triples,
    /// A session of Drools, whose rules join customers and orders
    Rules,
    /// A map of small records
    Records,
    /// Values of 900 bytes by a text
    Values,
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

/// The input of a program.
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
    /// All of them, those on other people's libraries first.
    pub const ALL: [Program; 17] = [
        Program::Documents,
        Program::Grid,
        Program::Triples,
        Program::Rules,
        Program::TextIndex,
        Program::Sql,
        Program::Roads,
        Program::Profiles,
        Program::Records,
        Program::Values,
        Program::Rows,
        Program::Groups,
        Program::Neighbours,
        Program::DemoZipf,
        Program::DemoUniform,
        Program::Vectors,
        Program::Graph,
    ];

    /// Those of the quick form: six of ten are on other people's libraries.
    pub fn quick() -> &'static [Program] {
        const QUICK: [Program; 10] = [
            Program::Triples,
            Program::Rules,
            Program::TextIndex,
            Program::Sql,
            Program::Roads,
            Program::Profiles,
            Program::Rows,
            Program::Groups,
            Program::Neighbours,
            Program::DemoZipf,
        ];
        &QUICK
    }

    /// Those on other people's libraries, and two maps as anybody has them.
    pub fn others() -> &'static [Program] {
        &Self::ALL[..10]
    }

    /// Those that may know nothing of a second heap: all with an input that everybody has.
    pub fn plain() -> &'static [Program] {
        &Self::ALL[..15]
    }

    /// The input.
    pub fn input(self) -> Input {
        match self {
            Program::DemoZipf | Program::DemoUniform => Input::Source,
            Program::Graph => Input::Packages,
            _ => Input::Nothing,
        }
    }
}
