// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report for people: the figures in Markdown, then the parts.

use std::time::Duration;

use ztera_machine::units::show_duration;

use super::report::AllReport;
use crate::bench::{engine, pauses};
use crate::frame::figure_table::{COMPARED, figures};

/// All of it.
pub fn render(report: &AllReport) -> String {
    let notes: String = report.notes.iter().map(|note| format!("- {note}\n")).collect();
    let pauses = report.pauses.as_ref().map_or_else(String::new, pauses::tables);
    format!(
        "{}\n\nAll of it took {}.\n{notes}\n{pauses}\n{}",
        figures(&report.figures, &COMPARED),
        show_duration(Duration::from_secs_f64(report.seconds)),
        engine::render(&report.engine)
    )
}
