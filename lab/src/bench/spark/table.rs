// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report for people: a table per cell with a row per arm, one of the figures, and one of the thesis's claims.

use ztera_machine::jvm_flags::value_name;
use ztera_machine::units::{show_seconds, show_size};

use super::arm::ArmName;
use super::cell::{ArmResult, CellResult};
use super::claims::Judged;
use super::report::SparkReport;
use crate::frame::claim::Relation;
use crate::frame::figure_table::{COUNTED, figures};
use crate::kit::samples::Samples;
use crate::kit::table::{boxed, markdown, median_size, or_dash, right_aligned, with_notes};

/// All cells, the figures, the claims, and how to read them.
pub fn render(report: &SparkReport) -> String {
    let mut text: String = report.cells.iter().filter(|cell| !cell.arms.is_empty()).map(cell).collect();
    text.push_str(&format!("{}\n\n{}", figures(&report.figures, &COUNTED), claims(&report.claims)));
    text.push_str(&format!(
        "\nSeconds are those to build the data and to compute, without Spark's start. Median (least .. most) of up to {} \
         runs on {} CPUs; arms took turns. DRAM is that of the cached data over the factor, and {} for Spark itself.",
        report.rounds,
        report.cpus,
        show_size(report.scale.own)
    ));
    if let Some(rate) = report.ssd_read {
        text.push_str(&format!(
            " A model of a slower SSD: all arms but `none` read it at {} a second at most.",
            show_size(rate)
        ));
    }
    with_notes(text, &report.notes)
}

const TITLES: [&str; 13] = [
    "arm",
    "outcome",
    "seconds",
    "vs none",
    "vs stock",
    "mutator",
    "minor GC",
    "major GC",
    "moves",
    "compressed",
    "SSD read",
    "written",
    "peak DRAM",
];

fn cell(result: &CellResult) -> String {
    let mut table = boxed(TITLES);
    for arm in &result.arms {
        table.add_row(row(result, arm));
    }
    let table = right_aligned(table, 2);
    let others = result.arms.iter().filter(|arm| !arm.runs.finished());
    let others: String =
        others.map(|arm| format!("  {}: {}\n", value_name(&arm.arm), arm.runs.words)).collect();
    let title = format!("{}, cached data {} x DRAM", value_name(&result.cell.workload), result.cell.factor);
    let sizes = result.sizes.map_or(": no arm ran but the reference".to_owned(), |sizes| {
        let [cached, limit, heap] = [sizes.cached, sizes.limit, sizes.heap].map(show_size);
        format!(": {cached} cached, {limit} in all, heap {heap}")
    });
    format!("{title}{sizes}\n{table}\n{others}\n")
}

fn row(cell: &CellResult, arm: &ArmResult) -> [String; 13] {
    let part = |which: usize| or_dash(arm.split.map(|split| show_seconds(split.parts()[which])));
    let stock = cell.best_stock().zip(arm.median()).filter(|_| arm.arm != ArmName::None);
    [
        value_name(&arm.arm),
        arm.runs.ending.word().to_owned(),
        or_dash(arm.work_seconds.as_ref().map(Samples::show_spread)),
        or_dash(arm.vs_none.map(|ratio| format!("{ratio:.2}"))),
        or_dash(stock.map(|((_, best), seconds)| format!("{:.2}", seconds / best))),
        part(0),
        part(1),
        part(2),
        part(3),
        or_dash(arm.compressed_times.as_ref().map(|times| format!("{:.2}", times.median))),
        or_dash(median_size(&arm.runs.ssd_read_bytes)),
        or_dash(median_size(&arm.runs.ssd_written_bytes)),
        or_dash(median_size(&arm.runs.dram_peak_bytes)),
    ]
}

/// The thesis's chapter 6 side by side with what was found.
fn claims(claims: &[Judged]) -> String {
    let mut table = markdown(["claim", "source", "expected", "measured", "verdict"]);
    for Judged { source, verdict } in claims {
        let sign = if verdict.direction == Relation::AtLeast { ">=" } else { "<=" };
        let word = verdict.met.map_or("not measured", |met| if met { "confirmed" } else { "refuted" });
        table.add_row([
            format!("{}: {}", verdict.name, verdict.meaning),
            (*source).to_owned(),
            format!("{sign} {} {}", verdict.target, verdict.unit),
            or_dash(verdict.value.map(|value| format!("{value:.2}"))),
            word.to_owned(),
        ]);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::spark::report::tests::report;

    #[test]
    fn the_table_shows_outcomes_parts_and_verdicts() {
        let text = render(&report(6.0));
        for words in [
            "page-rank, cached data 2.5 x DRAM: 2.00 GiB cached, 819 MiB in all, heap 520 MiB",
            "6.0 s ┆    1.50 ┆     0.50 ┆   3.0 s ┆ 750.0 ms ┆    1.5 s ┆ 750.0 ms ┆       2.50 ┆",
            "  memory-only: it was so",
            "three_vs_stock_at_2.5 |  2.00 |   >= 1.3",
            "zram_not_faster: in every benchmark",
            "confirmed",
            "not measured",
        ] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
    }

    #[test]
    fn a_slower_ssd_is_called_a_model() {
        let model = "A model of a slower SSD: all arms but `none` read it at 125 MiB a second at most.";
        assert!(!render(&report(6.0)).contains(model));
        let slowed = SparkReport { ssd_read: Some(125 << 20), ..report(6.0) };
        assert!(render(&slowed).contains(model), "{}", render(&slowed));
    }
}
