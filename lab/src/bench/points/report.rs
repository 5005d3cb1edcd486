// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Everything that was found, as JSON and for people.

use serde::Serialize;
use ztera_machine::units::{show_seconds, show_size};

use super::child::Measured;
use super::values::Choice;
use crate::frame::figure::Reached;
use crate::frame::figure_table::{COMPARED, figures};
use crate::kit::table::{boxed, right_aligned, with_notes};

/// How much of the values memory has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fit {
    /// All but a little.
    Nearly,
    /// Three fifths.
    Tight,
}

impl Fit {
    /// Both.
    pub const ALL: [Fit; 2] = [Fit::Nearly, Fit::Tight];

    /// Of so many bytes of values.
    pub fn dram(self, data: u64) -> u64 {
        match self {
            Fit::Nearly => data / 100 * 98,
            Fit::Tight => data / 10 * 6,
        }
    }

    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            Fit::Nearly => "nearly fitting",
            Fit::Tight => "tight",
        }
    }
}

/// The findings of one arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// As of [`Arm`](super::arm::Arm).
    pub arm: &'static str,
    /// How much fits.
    pub fit: Fit,
    /// The order of reads.
    pub choice: Choice,
    /// DRAM that it took, all in all.
    pub dram_bytes: Option<u64>,
    /// For each number of threads.
    pub by_threads: Vec<Measured>,
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointsReport {
    /// Bytes of values.
    pub bytes: u64,
    /// CPUs.
    pub cpus: usize,
    /// The part of a byte that zram takes.
    pub zram_ratio: Option<f64>,
    /// Their values and targets.
    pub figures: Vec<Reached>,
    /// All arms.
    pub results: Vec<Found>,
    /// Why arms are missing.
    pub notes: Vec<String>,
}

/// The report for people.
pub fn render(report: &PointsReport) -> String {
    let mut text = format!("{}\n\n", figures(&report.figures, &COMPARED));
    for fit in Fit::ALL {
        let rows: Vec<&Found> = report.results.iter().filter(|found| found.fit == fit).collect();
        if !rows.is_empty() {
            text.push_str(&table(fit, &rows));
        }
    }
    let size = show_size(report.bytes);
    text.push_str(&format!("{size} of values of 1 KiB, SYNTHETIC words, on {} CPUs.", report.cpus));
    with_notes(text, &report.notes)
}

fn table(fit: Fit, rows: &[&Found]) -> String {
    let titles = [fit.name(), "order", "threads", "reads/s", "CPU/read", "p50", "p99", "p99.9", "DRAM"];
    let mut table = boxed(titles);
    for found in rows {
        for one in &found.by_threads {
            table.add_row([
                found.arm.to_owned(),
                found.choice.name().to_owned(),
                one.threads.to_string(),
                format!("{:.0}", one.reads_per_second),
                show_seconds(one.cpu_seconds_per_read),
                show_seconds(one.p50),
                show_seconds(one.p99),
                show_seconds(one.p999),
                found.dram_bytes.map_or_else(|| "-".to_owned(), show_size),
            ]);
        }
    }
    format!("{}\n", right_aligned(table, 2))
}

#[cfg(test)]
pub mod tests {
    use super::super::arm::Arm;
    use super::*;

    /// An arm with so many reads per second for so many threads, and as many nanoseconds each.
    pub fn found(arm: Arm, fit: Fit, reads: &[(usize, f64)]) -> Found {
        let measured = |&(threads, reads_per_second): &(usize, f64)| {
            let time = 1e-3 / reads_per_second;
            let cpu_seconds_per_read = time;
            Measured { threads, reads_per_second, cpu_seconds_per_read, p50: time, p99: time, p999: time }
        };
        let by_threads = reads.iter().map(measured).collect();
        Found { arm: arm.name(), fit, choice: Choice::Uniform, dram_bytes: Some(1 << 20), by_threads }
    }

    #[test]
    fn every_number_of_threads_has_a_line() {
        let report = PointsReport {
            bytes: 1 << 28,
            cpus: 2,
            zram_ratio: Some(0.5),
            figures: vec![],
            results: vec![found(Arm::Engine, Fit::Tight, &[(1, 1e6), (8, 2e6)])],
            notes: vec!["swap-zram is left out: no root".to_owned()],
        };
        let text = render(&report);
        for words in ["tight", "1000000", "2000000", "256 MiB of values", "- swap-zram is left out"] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
        assert!(!text.contains("nearly fitting"), "{text}");
    }

    #[test]
    fn memory_is_a_part_of_the_values() {
        assert_eq!(Fit::ALL.map(|fit| fit.dram(1000)), [980, 600]);
    }
}
