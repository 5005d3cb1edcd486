// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of the benchmark: medians with their spread, as JSON and as a table.

use comfy_table::{Table, presets};
use serde::Serialize;

use super::output::Report;
use super::plot::Plot;
use crate::h2::plots as h2_plots;
use crate::kit::gclog::Phase;
use ztera_machine::units::{show_seconds, show_size};

/// Several measurements of the same thing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Samples {
    /// The middle one.
    pub median: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// All, in the order in which they were taken.
    pub samples: Vec<f64>,
}

impl Samples {
    /// None if there are none.
    pub fn of(samples: Vec<f64>) -> Option<Samples> {
        let mut sorted = samples.clone();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let median =
            if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 };
        Some(Samples { median, min, max, samples })
    }

    /// For people, if they are seconds.
    pub fn show(&self) -> String {
        let [median, min, max] = [self.median, self.min, self.max].map(show_seconds);
        format!("{median} ({min} .. {max})")
    }
}

/// One run of one arm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The full collection that moved the data.
    pub move_pause: f64,
    /// The parts of that.
    pub phases: Vec<Phase>,
    /// A full collection just before, which moved nothing.
    pub plain_pause: f64,
    /// How much was moved.
    pub moved_bytes: u64,
    /// From the end of the pause until all was compressed (tier), or written (file).
    pub settle: f64,
    /// DRAM that the moved data uses outside H1 then.
    pub memory: u64,
    /// Seconds per page.
    pub sequential: Option<f64>,
    /// Seconds per page.
    pub random: Option<f64>,
    /// How many of the sequential reads found the page missing, per page (tier).
    pub sequential_faults: Option<f64>,
    /// The same of the random reads.
    pub random_faults: Option<f64>,
}

/// All runs of one arm with one kind of data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmResult {
    /// `arrays` or `objects`.
    pub data: String,
    /// `tier`, `file-zram` or `file-ssd`.
    pub arm: String,
    /// How much was moved, the median of the runs.
    pub moved_bytes: u64,
    /// The full collection that moved the data.
    pub move_pause_seconds: Samples,
    /// A full collection just before, which moved nothing.
    pub plain_pause_seconds: Samples,
    /// From the end of the pause until all was compressed (tier), or written (file).
    pub settle_seconds: Samples,
    /// DRAM that the moved data uses outside H1 then.
    pub memory_bytes: Samples,
    /// First reads, per page, from first to last.
    pub sequential_read_seconds_per_page: Option<Samples>,
    /// First reads, per page, in random order.
    pub random_read_seconds_per_page: Option<Samples>,
    /// How many of the sequential reads found the page missing, per page, the median of the runs (tier).
    pub sequential_read_faults_per_page: Option<f64>,
    /// The same of the random reads.
    pub random_read_faults_per_page: Option<f64>,
}

impl ArmResult {
    /// None if there was no run.
    pub fn of(data: &str, arm: &str, runs: &[Measured]) -> Option<ArmResult> {
        let all = |value: fn(&Measured) -> f64| Samples::of(runs.iter().map(value).collect());
        let some = |value: fn(&Measured) -> Option<f64>| Samples::of(runs.iter().filter_map(value).collect());
        Some(ArmResult {
            data: data.to_owned(),
            arm: arm.to_owned(),
            moved_bytes: all(|run| run.moved_bytes as f64)?.median as u64,
            move_pause_seconds: all(|run| run.move_pause)?,
            plain_pause_seconds: all(|run| run.plain_pause)?,
            settle_seconds: all(|run| run.settle)?,
            memory_bytes: all(|run| run.memory as f64)?,
            sequential_read_seconds_per_page: some(|run| run.sequential),
            random_read_seconds_per_page: some(|run| run.random),
            sequential_read_faults_per_page: some(|run| run.sequential_faults).map(|samples| samples.median),
            random_read_faults_per_page: some(|run| run.random_faults).map(|samples| samples.median),
        })
    }
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchReport {
    /// How much data was to be moved.
    pub bytes: u64,
    /// How much of it may be uncompressed in memory while it is read.
    pub resident_bytes: u64,
    /// How often each arm ran.
    pub rounds: u32,
    /// CPUs.
    pub cpus: usize,
    /// Why arms are missing, and other things one must know to read the numbers.
    pub notes: Vec<String>,
    /// One entry per kind of data and arm.
    pub results: Vec<ArmResult>,
}

impl Report for BenchReport {
    fn render(&self) -> String {
        render(self)
    }

    fn plots(&self) -> Vec<Plot> {
        h2_plots::plots(self)
    }
}

type Show = fn(&ArmResult) -> Option<String>;

const ROWS: [(&str, Show); 9] = [
    ("moved", |arm| Some(show_size(arm.moved_bytes))),
    ("pause that moves it", |arm| Some(arm.move_pause_seconds.show())),
    ("pause that moves nothing", |arm| Some(arm.plain_pause_seconds.show())),
    ("settled after", |arm| Some(arm.settle_seconds.show())),
    ("memory then", |arm| Some(show_size(arm.memory_bytes.median as u64))),
    ("sequential read, per page", |arm| arm.sequential_read_seconds_per_page.as_ref().map(Samples::show)),
    ("random read, per page", |arm| arm.random_read_seconds_per_page.as_ref().map(Samples::show)),
    ("faults per page, sequential", |arm| {
        arm.sequential_read_faults_per_page.map(|faults| format!("{faults:.2}"))
    }),
    ("faults per page, random", |arm| arm.random_read_faults_per_page.map(|faults| format!("{faults:.2}"))),
];

/// A table per kind of data, and how to read them.
fn render(report: &BenchReport) -> String {
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
    for note in &report.notes {
        text.push_str("\n- ");
        text.push_str(note);
    }
    text
}

fn table(kind: &str, arms: &[&ArmResult]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(std::iter::once(kind).chain(arms.iter().map(|arm| arm.arm.as_str())));
    for (name, show) in ROWS {
        let cells: Vec<Option<String>> = arms.iter().map(|arm| show(arm)).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| "-".to_owned()));
            table.add_row(std::iter::once(name.to_owned()).chain(cells));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert_eq!(Samples::of(vec![3.0, 1.0, 2.0]).unwrap().median, 2.0);
        assert_eq!(Samples::of(vec![4.0, 1.0]).unwrap().median, 2.5);
        assert_eq!(Samples::of(vec![]), None);
    }

    #[test]
    fn samples_keep_their_order() {
        let samples = Samples::of(vec![3.0, 1.0, 2.0]).unwrap();
        assert_eq!((samples.min, samples.max, samples.samples), (1.0, 3.0, vec![3.0, 1.0, 2.0]));
    }

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
