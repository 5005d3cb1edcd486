// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Everything that was found, and the figures together.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::bench::engine::EngineReport;
use crate::bench::pauses::{self, PausesReport};
use crate::frame::figure::{self, Reached};

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AllReport {
    /// How long it took.
    pub seconds: f64,
    /// All figures by name; null where an arm that it takes did not run.
    pub ratios: BTreeMap<&'static str, Option<f64>>,
    /// The target of each: at most, or at least.
    pub targets: BTreeMap<&'static str, f64>,
    /// The same with all that belongs to them, and the arms that they are made of.
    pub figures: Vec<Reached>,
    /// The notes on arms that are left out; those of the parts say more.
    pub notes: Vec<String>,
    /// The JVM's part; null where it could not run.
    pub pauses: Option<PausesReport>,
    /// The engine by itself.
    pub engine: EngineReport,
}

impl AllReport {
    /// Puts the parts together.
    pub fn new(
        engine: EngineReport,
        pauses: Option<PausesReport>,
        mut notes: Vec<String>,
        took: Duration,
    ) -> AllReport {
        let mut figures = engine.data.first().map_or_else(Vec::new, |data| data.figures.clone());
        figures.extend(pauses.as_ref().map_or_else(pauses::no_figures, |part| part.figures.clone()));
        let missing = figures.iter().filter(|figure| figure.value.is_none());
        notes.extend(
            missing.map(|figure| format!("{} has no value: an arm that it takes did not run", figure.name)),
        );
        AllReport {
            seconds: took.as_secs_f64(),
            ratios: figure::values(&figures),
            targets: figures.iter().map(|figure| (figure.name, figure.target)).collect(),
            figures,
            notes,
            pauses,
            engine,
        }
    }
}
