// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings, as JSON and as a table.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use ztera_machine::units::show_size;

use super::area::Area;
use super::h2::H2;
use super::split::Sum;

/// One area.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its name.
    pub area: &'static str,
    /// Its memory.
    #[serde(flatten)]
    pub sum: Sum,
}

/// A process's memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The process.
    pub pid: u32,
    /// Whether it is a JVM.
    pub jvm: bool,
    /// The diagnostic command that most areas come from, if the JVM answered.
    pub told_by: Option<&'static str>,
    /// The sums over all areas, which are those of `/proc/PID/smaps`.
    pub total: Sum,
    /// Areas that have addresses.
    pub areas: Vec<Row>,
    /// The second heap's data, wherever it is. Pages in its pool are in the areas too.
    pub h2: Option<H2>,
    /// Why some areas could not be told apart.
    pub notes: Vec<String>,
}

/// Rows and their sum.
pub fn rows(sums: BTreeMap<Area, Sum>) -> (Vec<Row>, Sum) {
    let mut total = Sum::default();
    sums.values().for_each(|sum| total += *sum);
    (sums.into_iter().map(|(area, sum)| Row { area: area.name(), sum }).collect(), total)
}

/// A table, and what is to be known about it.
pub fn render(report: &Report) -> String {
    let titles = ["area", "mapped", "resident", "anonymous", "file, clean", "file, dirty", "swapped"];
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED).set_header(titles);
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let used = report.areas.iter().filter(|row| row.sum.resident_bytes + row.sum.swapped_bytes > 0);
    table.add_rows(used.map(|row| cells(row.area, &row.sum)));
    table.add_row(cells("all", &report.total));
    let second = report.h2.iter().map(H2::line);
    let lines = second.chain(report.notes.iter().cloned());
    lines.fold(table.to_string(), |text, line| text + "\n" + &line)
}

fn cells(name: &str, sum: &Sum) -> [String; 7] {
    let size = |bytes| if bytes == 0 { "-".to_owned() } else { show_size(bytes) };
    [
        name.to_owned(),
        size(sum.mapped_bytes),
        size(sum.resident_bytes),
        size(sum.anonymous_bytes),
        size(sum.file_clean_bytes),
        size(sum.file_dirty_bytes),
        size(sum.swapped_bytes),
    ]
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A JVM of two areas in use.
    pub fn example() -> Report {
        let young = Sum {
            mapped_bytes: 64 << 20,
            resident_bytes: 8 << 20,
            anonymous_bytes: 8 << 20,
            swapped_bytes: 2 << 20,
            ..Sum::default()
        };
        let jars = Sum {
            mapped_bytes: 4 << 20,
            resident_bytes: 1 << 20,
            file_clean_bytes: 1 << 20,
            ..Sum::default()
        };
        let unused = Sum { mapped_bytes: 1 << 30, ..Sum::default() };
        let sums = [(Area::Young, young), (Area::Jars, jars), (Area::Reserved, unused)];
        let (areas, total) = rows(BTreeMap::from(sums));
        let notes = vec!["A note.".to_owned()];
        Report { pid: 7, jvm: true, told_by: Some("VM.info"), total, areas, h2: Some(H2::default()), notes }
    }

    #[test]
    fn areas_in_use_are_shown_and_summed() {
        let text = render(&example());
        for words in ["young", "8.00 MiB", "2.00 MiB", "jars", "9.00 MiB", "Second heap", "A note."] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
        assert!(!text.contains("reserved"), "{text}");
    }

    #[test]
    fn json_has_all_areas() {
        let json = serde_json::to_value(example()).unwrap();
        assert_eq!(json["areas"][2]["area"], "reserved");
        assert_eq!(json["total"]["resident_bytes"], 9 << 20);
        assert_eq!(json["h2"]["ssd_bytes"], 0);
    }
}
