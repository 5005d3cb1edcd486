// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings, as JSON and as a table.

use serde::Serialize;
use ztera_machine::units::show_size;

use super::arm::Turn;
use crate::kit::samples::Samples;
use crate::kit::table::{boxed, right_aligned};

/// The figures of one way to compress units of one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// `CPU` or `device`.
    pub by: &'static str,
    /// Bytes that are compressed as one.
    pub unit_bytes: usize,
    /// Null if it was not measured.
    pub figures: Option<Figures>,
}

/// Measured values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Of uncompressed data, all threads together.
    pub mib_per_second: Samples,
    /// Seconds of all CPUs for a GiB.
    pub cpu_seconds_per_gib: Samples,
    /// How many times smaller the data became.
    pub smaller_by: f64,
    /// Units that the device did, from 0 to 1.
    pub device_share: f64,
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AcceleratorReport {
    /// How many bytes of data.
    pub bytes: usize,
    /// Units that a thread offers at a time.
    pub batch: u16,
    /// How often each had its turn.
    pub rounds: u32,
    /// Threads.
    pub cpus: usize,
    /// Why there is no device.
    pub missing: Option<String>,
    /// Two for each size.
    pub rows: Vec<Row>,
}

impl Row {
    /// Of all turns; there may be none.
    pub fn of(by: &'static str, unit: usize, bytes: usize, turns: &[Turn]) -> Row {
        let samples = |of: &dyn Fn(&Turn) -> f64| Samples::of(turns.iter().map(of).collect());
        let figures = turns.last().zip(samples(&|turn| turn.spent.mib_per_second(bytes)));
        let figures = figures.zip(samples(&|turn| turn.spent.cpu_per_gib(bytes)));
        let figures = figures.map(|((last, mib_per_second), cpu_seconds_per_gib)| Figures {
            mib_per_second,
            cpu_seconds_per_gib,
            smaller_by: bytes as f64 / last.made.stored.max(1) as f64,
            device_share: last.made.by_device as f64 / last.made.units.max(1) as f64,
        });
        Row { by, unit_bytes: unit, figures }
    }
}

/// A table, and how to read it.
pub fn render(report: &AcceleratorReport) -> String {
    let mut table = boxed(["unit", "by", "MiB/s", "CPU s/GiB", "smaller by", "by the device"]);
    table.add_rows(report.rows.iter().map(cells));
    let table = right_aligned(table, 2);
    let missing = report
        .missing
        .as_ref()
        .map_or_else(String::new, |why| format!("\nThe device is not measured: {why}."));
    format!(
        "{table}\n{} by {} threads, in batches of {} units. Medians of {} rounds; the two took turns.{missing}",
        show_size(report.bytes as u64),
        report.cpus,
        report.batch,
        report.rounds
    )
}

fn cells(row: &Row) -> [String; 6] {
    let (unit, by) = (show_size(row.unit_bytes as u64), row.by.to_owned());
    let Some(figures) = &row.figures else {
        return [unit, by, "not measured".to_owned(), String::new(), String::new(), String::new()];
    };
    let [speed, cpu] = [&figures.mib_per_second, &figures.cpu_seconds_per_gib].map(|samples| samples.median);
    [
        unit,
        by,
        format!("{speed:.0}"),
        format!("{cpu:.2}"),
        format!("{:.2}", figures.smaller_by),
        format!("{:.0} %", 100.0 * figures.device_share),
    ]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench::accelerator::arm::Sum;
    use crate::kit::clock::Spent;

    #[test]
    fn a_device_that_is_missing_is_said_to_be_not_measured() {
        let turn = Turn {
            spent: Spent { wall: Duration::from_secs(1), cpu: Duration::from_secs(2) },
            made: Sum { stored: 1 << 20, by_device: 0, units: 1024 },
        };
        let report = AcceleratorReport {
            bytes: 4 << 20,
            batch: 64,
            rounds: 1,
            cpus: 2,
            missing: Some("no GPU".to_owned()),
            rows: vec![Row::of("CPU", 4096, 4 << 20, &[turn]), Row::of("device", 4096, 4 << 20, &[])],
        };
        let text = render(&report);
        for words in
            ["4.00", "512.00", "not measured", "The device is not measured: no GPU.", "batches of 64"]
        {
            assert!(text.contains(words), "{words} in\n{text}");
        }
    }
}
