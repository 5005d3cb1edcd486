// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings as a picture.

use ztera_machine::units::show_size;
use ztera_measure::plot::{Axis, Form, Group, Plot, Row, Spread};

use super::report::Report;
use super::split::Sum;

/// A bar per area that uses memory: its kinds one after the other.
pub fn plot(report: &Report) -> Plot {
    let used = report.areas.iter().filter(|row| row.sum.resident_bytes + row.sum.swapped_bytes > 0);
    Plot {
        name: "map",
        title: "Memory by area",
        about: format!(
            "Process {}: {} resident, {} swapped",
            report.pid,
            show_size(report.total.resident_bytes),
            show_size(report.total.swapped_bytes)
        ),
        axis: Axis { label: "bytes", show: |bytes| show_size(bytes as u64), line: None },
        form: Form::Stack,
        series: vec!["anonymous", "file, clean", "file, dirty", "swapped"],
        groups: vec![Group { title: String::new(), rows: used.map(|row| bar(row.area, &row.sum)).collect() }],
        notes: report.h2.iter().map(|h2| h2.line()).chain(report.notes.iter().cloned()).collect(),
    }
}

fn bar(name: &str, sum: &Sum) -> Row {
    let parts = [sum.anonymous_bytes, sum.file_clean_bytes, sum.file_dirty_bytes, sum.swapped_bytes];
    let value = |bytes: u64| Spread::exactly(bytes as f64);
    let values = parts.map(|bytes| (bytes > 0).then(|| value(bytes)));
    Row { sum: Some(value(parts.iter().sum())), ..Row::new(name, values.to_vec()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::report::tests::example;

    #[test]
    fn each_area_in_use_has_a_bar() {
        let plot = plot(&example());
        let rows = &plot.groups[0].rows;
        assert_eq!(rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["young", "jars"]);
        assert_eq!(rows[0].sum, Some(Spread::exactly(f64::from(10 << 20))));
        assert_eq!(rows[1].values[0], None);
    }
}
