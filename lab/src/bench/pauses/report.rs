// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Everything that was found.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::frame::figure::Reached;
use crate::kit::gclog::Phase;
use crate::kit::moved::{MoveResult, PhaseResult, phases_of};
use crate::kit::samples::Samples;

/// A kind of collection.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Of the young generation.
    Young,
    /// Of the whole first heap.
    Full,
}

/// All collections of one kind and arm.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
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

/// All pauses.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
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
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
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
    #[serde(skip_deserializing)]
    pub ratios: BTreeMap<&'static str, Option<f64>>,
    /// The same with their targets, and the arms that they are made of.
    #[serde(skip_deserializing)]
    pub figures: Vec<Reached>,
    /// All pauses that they are made of.
    #[serde(flatten)]
    pub found: Found,
}
