// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report for people: a table per workload, with a row per arm.

use ztera_machine::units::{show_seconds, show_size};

use super::report::{ArmResult, TiersReport, WorkloadResult};
use crate::kit::samples::Samples;
use crate::kit::table::{boxed, median_seconds, median_size, or_dash, right_aligned, with_notes};

type Show = fn(&ArmResult) -> Option<String>;

const COLUMNS: [(&str, Show); 11] = [
    ("arm", |arm| Some(arm.arm.clone())),
    ("load", |arm| seconds(&arm.runs.load_seconds)),
    ("vs tiers", |arm| times(arm.load_vs_tiers)),
    ("queries", |arm| seconds(&arm.runs.query_seconds)),
    ("vs tiers", |arm| times(arm.query_vs_tiers)),
    ("longest pause", |arm| median_seconds(&arm.runs.longest_pause_seconds)),
    ("all pauses", |arm| median_seconds(&arm.runs.pauses_seconds)),
    ("SSD read", |arm| median_size(&arm.runs.ssd_read_bytes)),
    ("written", |arm| median_size(&arm.runs.ssd_written_bytes)),
    ("DRAM at peak", |arm| median_size(&arm.runs.dram_peak_bytes)),
    ("of it zram", |arm| median_size(&arm.runs.zram_peak_bytes)),
];

/// All workloads, and how to read them.
pub fn render(report: &TiersReport) -> String {
    let mut text: String = report.workloads.iter().map(workload).collect();
    text.push_str(&format!(
        "{} of live data in {} of DRAM. Median (least .. most) of {} runs on {} CPUs; arms took turns. The reference ran \
         once, without H2 and with plenty of memory. A run was stopped after {}.",
        show_size(report.live_bytes),
        show_size(report.limit_bytes),
        report.rounds,
        report.cpus,
        show_seconds(report.time_limit_seconds),
    ));
    with_notes(text, std::iter::once(&report.budget.in_words()).chain(&report.notes))
}

fn workload(result: &WorkloadResult) -> String {
    let mut table = boxed(COLUMNS.map(|(name, _)| name));
    for arm in result.arms.iter().filter(|arm| arm.runs.load_seconds.is_some()) {
        table.add_row(COLUMNS.map(|(_, show)| or_dash(show(arm))));
    }
    let others = result.arms.iter().filter(|arm| !arm.runs.finished()).map(unfinished);
    format!(
        "{}: {} operations, checksum {}\n{}\n{}\n",
        result.workload,
        result.operations.unwrap_or(0),
        result.checksum.as_deref().unwrap_or("-"),
        right_aligned(table, 1),
        others.collect::<String>()
    )
}

fn unfinished(arm: &ArmResult) -> String {
    format!("  {} {}: {}\n", arm.arm, arm.runs.ending.words(), arm.runs.words)
}

/// The median, and the spread on a line of its own if there is one.
fn seconds(samples: &Option<Samples>) -> Option<String> {
    let samples = samples.as_ref()?;
    let [median, min, max] = [samples.median, samples.min, samples.max].map(show_seconds);
    Some(if samples.samples.len() > 1 { format!("{median}\n{min} .. {max}") } else { median })
}

fn times(ratio: Option<f64>) -> Option<String> {
    ratio.map(|ratio| format!("{ratio:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tiers::report::tests::report;

    #[test]
    fn the_table_shows_what_was_measured_and_who_did_not_finish() {
        let text = render(&report());
        for words in [
            "graph: 99 operations, checksum abc",
            "2.0 s .. 4.0 s",
            "0.50",
            "250.0 ms",
            "5.00 MiB ┆ 7.00 MiB",
            "150 MiB ┆   50.0 MiB",
            "  tier does not fit: OutOfMemoryError",
            "640 MiB of live data in 256 MiB of DRAM",
            "- swap-ssd is left out: no root",
        ] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
        assert!(
            text.lines().filter(|line| line.contains('│')).all(|line| line.chars().count() <= 150),
            "{text}"
        );
    }
}
