// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report for people: a table per cell with a row per arm, and one of the figures.

use comfy_table::{CellAlignment, Table, presets};

use super::figures::{Direction, Verdict};
use super::outcome::Outcome;
use super::report::{ArmResult, CellResult, DefaultsReport};
use crate::kit::report::Samples;
use ztera_machine::jvm_flags::value_name;
use ztera_machine::units::{show_seconds, show_size};

/// All cells, the figures, and how to read them.
pub fn render(report: &DefaultsReport) -> String {
    let mut text: String = report.cells.iter().filter(|cell| !cell.arms.is_empty()).map(cell).collect();
    text.push_str(&figures(&report.figures).to_string());
    text.push_str(&format!(
        "\n{} of DRAM. Median (least .. most) of up to {} runs on {} CPUs; arms took turns.",
        show_size(report.limit_bytes),
        report.rounds,
        report.cpus
    ));
    for note in &report.notes {
        text.push_str("\n- ");
        text.push_str(note);
    }
    text
}

fn cell(result: &CellResult) -> String {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header([
        "arm",
        "outcome",
        "seconds",
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
    table.column_iter_mut().skip(2).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let others = result.arms.iter().filter(|arm| arm.outcome != Outcome::Ok);
    let others: String = others.map(|arm| format!("  {}: {}\n", value_name(&arm.arm), arm.words)).collect();
    let two = result.two_tiers_bytes.map_or(String::new(), |bytes| {
        let fits = if bytes <= result.sizes.limit { "fit" } else { "do not fit" };
        format!(", two tiers take {} and {fits}", show_size(bytes))
    });
    format!(
        "{}, live data {} = {} x limit, heap given by {}{two}\n{table}\n{others}\n",
        value_name(&result.cell.program),
        show_size(result.sizes.live),
        result.cell.factor,
        value_name(&result.cell.heap),
    )
}

fn row(cell: &CellResult, arm: &ArmResult) -> [String; 10] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let median = |samples: &Option<Samples>| samples.as_ref().map(|samples| samples.median);
    let time = |samples: &Option<Samples>| or_dash(median(samples).map(show_seconds));
    let size = |samples: &Option<Samples>| or_dash(median(samples).map(|bytes| show_size(bytes as u64)));
    let of_limit = median(&arm.dram_peak_bytes).map(|bytes| bytes / cell.sizes.limit as f64);
    [
        value_name(&arm.arm),
        arm.outcome.word().to_owned(),
        or_dash(arm.seconds.as_ref().map(spread)),
        or_dash(arm.vs_none.map(|ratio| format!("{ratio:.2}"))),
        time(&arm.load_seconds),
        time(&arm.query_seconds),
        size(&arm.dram_peak_bytes),
        or_dash(of_limit.map(|share| format!("{:.0} %", share * 100.0))),
        size(&arm.ssd_read_bytes),
        size(&arm.ssd_written_bytes),
    ]
}

fn spread(samples: &Samples) -> String {
    if samples.samples.len() > 1 { samples.show() } else { show_seconds(samples.median) }
}

fn figures(verdicts: &[Verdict]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN);
    table.set_header(["figure", "value", "target", "unit", "met", "meaning"]);
    for verdict in verdicts {
        let bound = if verdict.direction == Direction::AtLeast { ">=" } else { "<=" };
        let met = verdict.met.map_or("-", |met| if met { "yes" } else { "no" });
        let value = verdict.value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        let target = format!("{bound} {}", verdict.target);
        table.add_row([verdict.name, &value, &target, verdict.unit, met, verdict.meaning]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defaults::report::tests::report;

    #[test]
    fn the_table_shows_outcomes_times_and_verdicts() {
        let text = render(&report(6.0));
        for words in [
            "rows, live data 768 MiB = 1.5 x limit, heap given by xms, two tiers take 474 MiB and fit",
            "9.0 s (8.0 s .. 10.0 s)",
            "480 MiB ┆     94 %",
            "  two: it was so",
            "| three_vs_file_worst  | 0.67",
            "512 MiB of DRAM",
        ] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
    }
}
