// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Everything that was found.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::results::ArmResult;
use crate::frame::figure::{self, Reached};
use crate::kit::data::Origin;

/// One set of pages.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct DataReport {
    /// Where the pages come from.
    pub pages: Origin,
    /// Values of the figures of these pages, by name.
    #[serde(skip_deserializing)]
    pub ratios: BTreeMap<&'static str, Option<f64>>,
    /// The same with their targets, and the arms that they are made of.
    #[serde(skip_deserializing)]
    pub figures: Vec<Reached>,
    /// One entry per measure and arm.
    pub results: Vec<ArmResult>,
}

impl DataReport {
    /// Of what the arms found.
    pub fn new(pages: Origin, figures: Vec<Reached>, results: Vec<ArmResult>) -> Self {
        Self { pages, ratios: figure::values(&figures), figures, results }
    }
}

/// Everything.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct EngineReport {
    /// Where the pages of `ratios` come from: real ones if there are any.
    pub pages: Origin,
    /// The share of random words in the synthetic pages.
    pub synthetic_noise: f64,
    /// How many bytes of pages.
    pub bytes: usize,
    /// How often each arm had its turn.
    pub rounds: u32,
    /// CPUs.
    pub cpus: usize,
    /// Why arms are missing, and other things one must know to read the numbers.
    pub notes: Vec<String>,
    /// The first ones of `data`.
    #[serde(skip_deserializing)]
    pub ratios: BTreeMap<&'static str, Option<f64>>,
    /// Real pages first.
    pub data: Vec<DataReport>,
    /// Of the arrays of doubles, which are synthetic by nature.
    pub vectors: Vec<ArmResult>,
}
