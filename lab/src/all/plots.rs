// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report in pictures: the figures at a glance, and those of the parts.

use super::report::AllReport;
use crate::kit::missing::left_out;
use crate::kit::output::Report;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};
use crate::kit::ratio::{Ratio, TARGETS};

/// All of them.
pub fn plots(report: &AllReport) -> Vec<Plot> {
    let pauses = report.pauses.as_ref().map(Report::plots).unwrap_or_default();
    [vec![at_a_glance(report)], pauses, report.engine.plots()].concat()
}

fn at_a_glance(report: &AllReport) -> Plot {
    let known = TARGETS
        .into_iter()
        .filter_map(|(name, target)| Some(row(name, target, report.ratios_explained.get(name)?)));
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
        groups: vec![Group { title: "figure: value, target".to_owned(), rows: known.collect() }],
        notes: left_out(&report.notes),
    }
}

fn row(name: &str, target: f64, ratio: &Ratio) -> Row {
    let bound = if ratio.more_is_better { "at least" } else { "at most" };
    let value = ratio.value.map_or_else(String::new, |value| format!("{value:.3}, "));
    let better = ratio.times_better_than(target).map(|times| Spread::exactly(times.clamp(0.1, 10.0)));
    let met = ratio.meets(target) == Some(true);
    let values = if met { vec![better, None] } else { vec![None, better] };
    Row::new(&format!("{name}: {value}{bound} {target}"), values)
}

#[cfg(test)]
#[path = "plots_test.rs"]
mod tests;
