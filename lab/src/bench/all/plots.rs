// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report in pictures: the figures at a glance, and those of the parts.

use super::report::AllReport;
use crate::bench::{engine, pauses};
use crate::kit::figure::{Direction, Verdict};
use crate::kit::missing::left_out;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// All of them.
pub fn plots(report: &AllReport) -> Vec<Plot> {
    let pauses = report.pauses.as_ref().map(pauses::plots).unwrap_or_default();
    [vec![at_a_glance(report)], pauses, engine::plots(&report.engine)].concat()
}

fn at_a_glance(report: &AllReport) -> Plot {
    Plot {
        name: "figures",
        title: "Figures and their targets",
        about: format!(
            "of medians of {} rounds on {} CPUs; docs/performance.md says what is divided by what",
            report.engine.rounds, report.engine.cpus
        ),
        axis: Axis {
            label: "times better than the target (logarithmic; 0.1 and 10 stand for all beyond)",
            show: |times| format!("{times}"),
            line: Some(1.0),
        },
        form: Form::Dots,
        series: vec!["met", "missed"],
        groups: vec![Group {
            title: "figure: value, target".to_owned(),
            rows: report.figures.iter().map(row).collect(),
        }],
        notes: left_out(&report.notes),
    }
}

fn row(figure: &Verdict) -> Row {
    let bound = if figure.direction == Direction::AtLeast { "at least" } else { "at most" };
    let value = figure.value.map_or_else(String::new, |value| format!("{value:.3}, "));
    let better = figure.times_better().map(|times| Spread::exactly(times.clamp(0.1, 10.0)));
    let values = if figure.met == Some(true) { vec![better, None] } else { vec![None, better] };
    Row::new(&format!("{}: {value}{bound} {}", figure.name, figure.target), values)
}

#[cfg(test)]
#[path = "plots_test.rs"]
mod tests;
