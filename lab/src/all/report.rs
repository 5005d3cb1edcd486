// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Everything that was found, and the figures together.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::plots;
use crate::engine::EngineReport;
use crate::kit::output::Report;
use crate::kit::plot::Plot;
use crate::kit::ratio::{self, Ratios, TARGETS};
use crate::pauses::{self, PausesReport};
use ztera_machine::units::show_duration;

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AllReport {
    /// How long it took.
    pub seconds: f64,
    /// All figures by name; null where an arm that it takes did not run.
    pub ratios: BTreeMap<&'static str, Option<f64>>,
    /// Their samples.
    pub ratios_explained: Ratios,
    /// The target of each: at most, or at least.
    pub targets: BTreeMap<&'static str, f64>,
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
        let mut ratios_explained =
            pauses.as_ref().map_or_else(pauses::no_ratios, |part| part.ratios_explained.clone());
        ratios_explained
            .extend(engine.data.first().map(|data| data.ratios_explained.clone()).unwrap_or_default());
        let missing = ratios_explained.iter().filter(|(_, ratio)| ratio.value.is_none());
        notes.extend(
            missing.map(|(name, _)| format!("{name} has no value: an arm that it takes did not run")),
        );
        AllReport {
            seconds: took.as_secs_f64(),
            ratios: ratio::values(&ratios_explained),
            ratios_explained,
            targets: TARGETS.into(),
            notes,
            pauses,
            engine,
        }
    }
}

impl Report for AllReport {
    /// The figures in Markdown, then the parts.
    fn render(&self) -> String {
        let notes: String = self.notes.iter().map(|note| format!("- {note}\n")).collect();
        let pauses = self.pauses.as_ref().map_or_else(String::new, pauses::tables);
        format!(
            "{}\n\nAll of it took {}.\n{notes}\n{pauses}\n{}",
            ratio::markdown(&self.ratios_explained),
            show_duration(Duration::from_secs_f64(self.seconds)),
            self.engine.render()
        )
    }

    fn plots(&self) -> Vec<Plot> {
        plots::plots(self)
    }
}
