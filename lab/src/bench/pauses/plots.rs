// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report in pictures.

use ztera_machine::units::{show_seconds, show_size};

use super::report::{CollectionResult, Kind, PausesReport};
use crate::kit::missing::left_out;
use crate::kit::moved::{MoveResult, phase};
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// All of them.
pub fn plots(report: &PausesReport) -> Vec<Plot> {
    vec![moves(report), collections(report)]
}

/// Parts of a pause by their names in the log; what is left is the rest.
const PHASES: [&str; 3] = ["Marking Phase", "H2 Select", "H2 Copy"];

fn moves(report: &PausesReport) -> Plot {
    Plot {
        name: "pauses-move",
        title: "The pause that moves data to H2",
        about: format!(
            "{} ({}); median, least and most of {} rounds on {} CPUs; parts are medians",
            show_size(report.moved_bytes),
            report.moved_data,
            report.rounds,
            report.cpus
        ),
        axis: Axis { label: "time of the pause (less is better)", show: show_seconds, line: None },
        form: Form::Stack,
        series: vec!["marking", "H2 Select", "H2 Copy", "the rest"],
        groups: vec![Group {
            title: "by what holds H2's pages".to_owned(),
            rows: report.found.moves.iter().map(of_move).collect(),
        }],
        notes: left_out(&report.notes),
    }
}

fn of_move(arm: &MoveResult) -> Row {
    let mut parts: Vec<f64> =
        PHASES.map(|name| phase(&arm.phases, name).map_or(0.0, |seconds| seconds.median)).to_vec();
    let pause = &arm.pause_seconds;
    parts.push((pause.median - parts.iter().sum::<f64>()).max(0.0));
    let values = parts.into_iter().map(|part| Some(Spread::exactly(part))).collect();
    Row { sum: Some(pause.into()), ..Row::new(&arm.arm, values) }
}

fn collections(report: &PausesReport) -> Plot {
    let group = |kind: Kind, title: &str| {
        let arms = report.found.collections.iter().filter(|arm| arm.kind == kind);
        let row = |arm: &CollectionResult| Row::new(&arm.arm, vec![Some((&arm.pause_seconds).into())]);
        Group { title: title.to_owned(), rows: arms.map(row).collect() }
    };
    Plot {
        name: "pauses-collections",
        title: "Pauses with data in H2 and without H2",
        about: format!(
            "{} live in the first heap, {} in H2; median, least and most of all in {} rounds on {} CPUs",
            show_size(report.h1_bytes),
            show_size(report.h2_bytes),
            report.rounds,
            report.cpus
        ),
        axis: Axis { label: "time of a pause (logarithmic; less is better)", show: show_seconds, line: None },
        form: Form::Dots,
        series: Vec::new(),
        groups: vec![group(Kind::Young, "young collections"), group(Kind::Full, "full collections")],
        notes: left_out(&report.notes),
    }
}

#[cfg(test)]
#[path = "plots_test.rs"]
mod tests;
