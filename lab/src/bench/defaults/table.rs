// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report for people: per cell a table of its arms and one of where their data lay, then one of the figures.

use ztera_machine::jvm_flags::value_name;
use ztera_machine::units::{show_seconds, show_size};

use super::arm::ArmName;
use super::cell::{ArmResult, CellResult};
use super::held::{self, Held};
use super::plan::Hints;
use super::report::DefaultsReport;
use crate::frame::figure_table::{COUNTED, figures};
use crate::kit::samples::Samples;
use crate::kit::ssd_speed::{SsdAlone, SsdSpeed};
use crate::kit::table::{boxed, median_seconds, median_size, or_dash, right_aligned, with_notes};

/// All cells, the figures, and how to read them.
pub fn render(report: &DefaultsReport) -> String {
    let mut text: String = report.cells.iter().filter(|cell| !cell.arms.is_empty()).map(cell).collect();
    text.push_str(&figures(&report.figures, &COUNTED).to_string());
    text.push_str(&format!(
        "\n{} of DRAM. Median (least .. most) of up to {} runs on {} CPUs; arms took turns.",
        show_size(report.limit_bytes),
        report.rounds,
        report.cpus
    ));
    let speed = report.ssd.as_ref().map(SsdSpeed::words);
    with_notes(text, speed.iter().chain(&report.notes))
}

fn from_to(alone: SsdAlone) -> String {
    [alone.sequential_seconds, alone.random_seconds].map(show_seconds).join(" .. ")
}

fn cell(result: &CellResult) -> String {
    let mut table = boxed([
        "arm",
        "outcome",
        "seconds",
        "SSD alone",
        "vs none",
        "load",
        "queries",
        "peak DRAM",
        "of limit",
        "SSD read",
        "written",
    ]);
    for arm in &result.arms {
        table.add_row(row(result, arm));
    }
    let table = right_aligned(table, 2);
    let others = result.arms.iter().filter(|arm| !arm.runs.finished());
    let others: String =
        others.map(|arm| format!("  {}: {}\n", value_name(&arm.arm), arm.runs.words)).collect();
    let two = result.two_tiers_bytes.map_or(String::new(), |bytes| {
        let fits = if bytes <= result.sizes.limit { "fit" } else { "do not fit" };
        format!(", two tiers take {} and {fits}", show_size(bytes))
    });
    let plain = if result.cell.hints == Hints::None { " without a word to H2" } else { "" };
    format!(
        "{}{plain}, live data {} = {} x limit, heap given by {}{two}\n{table}\n{others}{}\n",
        value_name(&result.cell.program),
        show_size(result.sizes.live),
        result.cell.factor,
        value_name(&result.cell.heap),
        held::table(&tiers(result), &result.sizes),
    )
}

/// The arms of which one can see how much of their data moved.
fn tiers(result: &CellResult) -> Vec<(ArmName, &Held)> {
    let tiers = result.arms.iter().filter(|arm| arm.arm.has_tiers());
    tiers.filter_map(|arm| Some((arm.arm, arm.held.as_ref()?))).collect()
}

fn row(cell: &CellResult, arm: &ArmResult) -> [String; 11] {
    let runs = &arm.runs;
    let of_limit = runs.dram_peak_bytes.as_ref().map(|bytes| bytes.median / cell.sizes.limit as f64);
    [
        value_name(&arm.arm),
        runs.ending.word().to_owned(),
        or_dash(runs.seconds.as_ref().map(Samples::show_spread)),
        or_dash(arm.ssd_alone.map(from_to)),
        or_dash(arm.vs_none.map(|ratio| format!("{ratio:.2}"))),
        or_dash(median_seconds(&runs.load_seconds)),
        or_dash(median_seconds(&runs.query_seconds)),
        or_dash(median_size(&runs.dram_peak_bytes)),
        or_dash(of_limit.map(|share| format!("{:.0} %", share * 100.0))),
        or_dash(median_size(&runs.ssd_read_bytes)),
        or_dash(median_size(&runs.ssd_written_bytes)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::defaults::report::tests::report;
    use crate::bench::defaults::run::Run;
    use crate::bench::defaults::run::tests::telling;
    use crate::kit::h2_stats::H2Info;
    use ztera_machine::units::MIB;

    #[test]
    fn the_table_shows_outcomes_times_and_verdicts() {
        let text = render(&report(6.0));
        for words in [
            "rows, live data 768 MiB = 1.5 x limit, heap given by xms, two tiers take 474 MiB and fit",
            "9.0 s (8.0 s .. 10.0 s)",
            "480 MiB ┆     94 %",
            "  two: it was so",
            "6.0 s ┆ 47.5 ms .. 85.0 ms",
            "SSD alone: the time of the bytes read and written",
            "| three_vs_file_worst  |  0.67",
            "512 MiB of DRAM",
        ] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
        assert!(!text.contains(held::CAPTION), "nobody told of a second heap\n{text}");
    }

    #[test]
    fn only_arms_with_tiers_say_where_their_data_lay() {
        let [two, file] = [ArmName::Two, ArmName::FileSsd]
            .map(|arm| telling(arm, 1, H2Info { used_bytes: 300 * MIB, ..H2Info::default() }));
        let text = |runs: &[&Run]| {
            let cell = CellResult::of(two.key.cell, 512 * MIB, runs, None, None);
            render(&DefaultsReport { cells: vec![cell], ..report(6.0) })
        };
        let both = text(&[&two, &file]);
        assert_eq!((both.matches(held::CAPTION).count(), both.matches("300 MiB").count()), (1, 1), "{both}");
        assert!(!text(&[&file]).contains(held::CAPTION));
    }
}
