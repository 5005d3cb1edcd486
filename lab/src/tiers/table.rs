// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report for people: a table per workload, with a row per arm.

use comfy_table::{CellAlignment, Table, presets};

use super::report::{ArmResult, TiersReport, WorkloadResult};
use super::sizes;
use crate::kit::ending::Ending;
use crate::kit::report::Samples;
use ztera_machine::units::{show_seconds, show_size};

type Show = fn(&ArmResult) -> Option<String>;

const COLUMNS: [(&str, Show); 11] = [
    ("arm", |arm| Some(arm.arm.clone())),
    ("load", |arm| seconds(&arm.load_seconds)),
    ("vs tiers", |arm| times(arm.load_vs_tiers)),
    ("queries", |arm| seconds(&arm.query_seconds)),
    ("vs tiers", |arm| times(arm.query_vs_tiers)),
    ("longest pause", |arm| median(&arm.longest_pause_seconds)),
    ("all pauses", |arm| median(&arm.pauses_seconds)),
    ("SSD read", |arm| size(&arm.ssd_read_bytes)),
    ("written", |arm| size(&arm.ssd_written_bytes)),
    ("DRAM at peak", |arm| size(&arm.dram_peak_bytes)),
    ("of it zram", |arm| size(&arm.zram_peak_bytes)),
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
    for note in std::iter::once(&sizes(&report.budget)).chain(&report.notes) {
        text.push_str("\n- ");
        text.push_str(note);
    }
    text
}

fn workload(result: &WorkloadResult) -> String {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(COLUMNS.map(|(name, _)| name));
    for arm in result.arms.iter().filter(|arm| arm.load_seconds.is_some()) {
        table.add_row(COLUMNS.map(|(_, show)| show(arm).unwrap_or_else(|| "-".to_owned())));
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let others = result.arms.iter().filter(|arm| arm.ending != Ending::Finished).map(unfinished);
    format!(
        "{}: {} operations, checksum {}\n{table}\n{}\n",
        result.workload,
        result.operations.unwrap_or(0),
        result.checksum.as_deref().unwrap_or("-"),
        others.collect::<String>()
    )
}

fn unfinished(arm: &ArmResult) -> String {
    format!("  {} {}: {}\n", arm.arm, arm.ending.words(), arm.outcome)
}

/// The median, and the spread on a line of its own if there is one.
fn seconds(samples: &Option<Samples>) -> Option<String> {
    let samples = samples.as_ref()?;
    let [median, min, max] = [samples.median, samples.min, samples.max].map(show_seconds);
    Some(if samples.samples.len() > 1 { format!("{median}\n{min} .. {max}") } else { median })
}

fn median(samples: &Option<Samples>) -> Option<String> {
    samples.as_ref().map(|samples| show_seconds(samples.median))
}

fn size(samples: &Option<Samples>) -> Option<String> {
    samples.as_ref().map(|samples| show_size(samples.median as u64))
}

fn times(ratio: Option<f64>) -> Option<String> {
    ratio.map(|ratio| format!("{ratio:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiers::report::tests::report;

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
