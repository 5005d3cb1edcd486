// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report for people: a table per kind of data, with a column per arm.

use comfy_table::Table;
use ztera_machine::units::show_size;

use super::report::{ArmResult, BenchReport};
use crate::kit::samples::Samples;
use crate::kit::table::{boxed, or_dash, with_notes};

type Show = fn(&ArmResult) -> Option<String>;

const ROWS: [(&str, Show); 9] = [
    ("moved", |arm| Some(show_size(arm.moved.moved_bytes))),
    ("pause that moves it", |arm| Some(arm.moved.pause_seconds.show())),
    ("pause that moves nothing", |arm| Some(arm.moved.plain_pause_seconds.show())),
    ("settled after", |arm| Some(arm.moved.settle_seconds.show())),
    ("memory then", |arm| Some(show_size(arm.moved.memory_bytes.median as u64))),
    ("sequential read, per page", |arm| arm.sequential_read_seconds_per_page.as_ref().map(Samples::show)),
    ("random read, per page", |arm| arm.random_read_seconds_per_page.as_ref().map(Samples::show)),
    ("faults per page, sequential", |arm| {
        arm.sequential_read_faults_per_page.map(|faults| format!("{faults:.2}"))
    }),
    ("faults per page, random", |arm| arm.random_read_faults_per_page.map(|faults| format!("{faults:.2}"))),
];

/// A table per kind of data, and how to read them.
pub fn render(report: &BenchReport) -> String {
    let mut kinds: Vec<&str> = report.results.iter().map(|result| result.data.as_str()).collect();
    kinds.dedup();
    let mut text = String::new();
    for kind in kinds {
        let arms: Vec<&ArmResult> = report.results.iter().filter(|result| result.data == kind).collect();
        text.push_str(&format!("{}\n", table(kind, &arms)));
    }
    text.push_str(&format!(
        "Median (least .. most) of {} runs on {} CPUs; arms took turns. A page is 4 KiB and is read for the first time, \
         with at most {} of the data in memory uncompressed.",
        report.rounds,
        report.cpus,
        show_size(report.resident_bytes)
    ));
    with_notes(text, &report.notes)
}

fn table(kind: &str, arms: &[&ArmResult]) -> Table {
    let mut table = boxed(std::iter::once(kind).chain(arms.iter().map(|arm| arm.moved.arm.as_str())));
    for (name, show) in ROWS {
        let cells: Vec<Option<String>> = arms.iter().map(|arm| show(arm)).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(or_dash);
            table.add_row(std::iter::once(name.to_owned()).chain(cells));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::move_run::Measured;

    #[test]
    fn the_table_shows_what_was_measured() {
        let run = Measured {
            move_pause: 0.5,
            plain_pause: 0.1,
            moved_bytes: 1 << 30,
            settle: 2.0,
            memory: 300 << 20,
            sequential: Some(1.5e-6),
            ..Measured::default()
        };
        let report = BenchReport {
            bytes: 1 << 30,
            resident_bytes: 64 << 20,
            rounds: 1,
            cpus: 2,
            notes: vec!["no zram".to_owned()],
            results: ArmResult::of("arrays", "tier", &[run]).into_iter().collect(),
        };
        let text = render(&report);
        for words in ["500.0 ms (500.0 ms .. 500.0 ms)", "1.50 us", "1.00 GiB", "300 MiB", "- no zram"] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
        assert!(!text.contains("random read"), "a row without a value in\n{text}");
        assert_eq!(ArmResult::of("arrays", "tier", &[]), None);
    }
}
