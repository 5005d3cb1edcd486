// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report for people.

use comfy_table::Table;
use ztera_machine::units::{show_seconds, show_size};

use super::report::{CollectionResult, Kind, PausesReport};
use crate::frame::figure_table::{COMPARED, figures};
use crate::kit::moved::{self, MoveResult, PhaseResult};
use crate::kit::table::{markdown, or_dash, right_aligned};

/// The figures, and how they came about.
pub fn render(report: &PausesReport) -> String {
    format!("{}\n\n{}", figures(&report.figures, &COMPARED), tables(report))
}

/// A table of moves, one of collections, and how to read them.
pub fn tables(report: &PausesReport) -> String {
    let notes: String = report.notes.iter().map(|note| format!("- {note}\n")).collect();
    format!(
        "Full collections that move {} ({}) to H2\n\n{}\n\n\
         Collections with {} live in the first heap, and {} in H2\n\n{}\n\n\
         Median (least .. most) of all collections in {} rounds on {} CPUs; arms took turns. Phases are medians.\n{notes}",
        show_size(report.moved_bytes),
        report.moved_data,
        moves(&report.found.moves),
        show_size(report.h1_bytes),
        show_size(report.h2_bytes),
        collections(&report.found.collections),
        report.rounds,
        report.cpus
    )
}

fn moves(moves: &[MoveResult]) -> Table {
    let mut table = markdown([
        "move",
        "pause",
        "marking",
        "H2 Select",
        "H2 Copy",
        "without a move",
        "settled after",
        "memory then",
    ]);
    for arm in moves {
        table.add_row([
            arm.arm.clone(),
            arm.pause_seconds.show(),
            phase(&arm.phases, "Marking Phase"),
            phase(&arm.phases, "H2 Select"),
            phase(&arm.phases, "H2 Copy"),
            show_seconds(arm.plain_pause_seconds.median),
            show_seconds(arm.settle_seconds.median),
            show_size(arm.memory_bytes.median as u64),
        ]);
    }
    right_aligned(table, 1)
}

fn collections(collections: &[CollectionResult]) -> Table {
    let mut table = markdown(["collection", "pause", "marking", "adjusting", "memory of H2"]);
    for kind in [Kind::Young, Kind::Full] {
        for arm in collections.iter().filter(|arm| arm.kind == kind) {
            let name = if kind == Kind::Young { "young" } else { "full" };
            table.add_row([
                format!("{name}, {}", arm.arm),
                arm.pause_seconds.show(),
                phase(&arm.phases, "Marking Phase"),
                phase(&arm.phases, "Adjust Pointers"),
                show_size(arm.memory_bytes.median as u64),
            ]);
        }
    }
    right_aligned(table, 1)
}

fn phase(phases: &[PhaseResult], name: &str) -> String {
    or_dash(moved::phase(phases, name).map(|phase| show_seconds(phase.median)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::bench::pauses::report::Found;
    use crate::kit::move_run::Measured;

    #[test]
    fn all_arms_are_shown_with_their_phases() {
        let run = Measured {
            move_pause: 2.0,
            phases: vec![("H2 Copy".to_owned(), 1.5)],
            memory: 300 << 20,
            ..Measured::default()
        };
        let full = [vec![("Marking Phase".to_owned(), 0.1)]];
        let report = PausesReport {
            moved_bytes: 1 << 30,
            moved_data: "mixed".to_owned(),
            h2_bytes: 8 << 30,
            h1_bytes: 256 << 20,
            rounds: 1,
            cpus: 2,
            notes: vec!["no zram".to_owned()],
            ratios: BTreeMap::new(),
            figures: Vec::new(),
            found: Found {
                moves: MoveResult::of("tier", &[run]).into_iter().collect(),
                collections: [
                    CollectionResult::of(Kind::Full, "no-h2", vec![0.25], &full, vec![0.0]),
                    CollectionResult::of(Kind::Young, "h2-clean", vec![0.002, 0.004], &[], vec![2e9]),
                ]
                .into_iter()
                .flatten()
                .collect(),
            },
        };
        let text = render(&report);
        for words in [
            "2.0 s (2.0 s .. 2.0 s)",
            "1.5 s",
            "300 MiB",
            "3.0 ms (2.0 ms .. 4.0 ms)",
            "100.0 ms",
            "8.00 GiB in H2",
            "- no zram",
        ] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
        assert!(text.find("young, h2-clean") < text.find("full, no-h2"), "{text}");
    }
}
