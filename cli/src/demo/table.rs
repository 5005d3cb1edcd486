// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The demo's report for people.

use ztera_machine::units::{show_seconds, show_size};

use super::report::{ArmReport, DemoReport, arm_named};
use ztera_measure::h2_stats::H2Stats;
use ztera_measure::table::{boxed, or_dash};

type Show = fn(&ArmReport) -> Option<String>;

const ROWS: [(&str, Show); 12] = [
    ("outcome", |arm| Some(arm.outcome.clone())),
    ("answers (checksum)", |arm| arm.checksum.clone()),
    ("memory limit", |arm| arm.limit_bytes.map(show_size)),
    ("live data", |arm| arm.live_bytes.map(show_size)),
    ("DRAM at peak, with file cache", |arm| arm.peak_bytes.map(show_size)),
    ("DRAM at peak, without", |arm| arm.peak_anonymous_bytes.map(show_size)),
    ("time to load", |arm| arm.load_seconds.map(show_seconds)),
    ("time to query", |arm| arm.query_seconds.map(show_seconds)),
    ("GC pauses, total", |arm| {
        Some(format!("{} in {}", show_seconds(arm.pauses.total_seconds), arm.pauses.count))
    }),
    ("GC pause, longest", |arm| Some(show_seconds(arm.pauses.max_seconds))),
    ("compression", |arm| arm.compression_ratio.map(|ratio| format!("{ratio:.2} x"))),
    ("where the pages are", |arm| arm.h2.map(|h2| pages(arm.h1_live_bytes.unwrap_or(0), &h2))),
];

/// One column per arm.
pub fn render(report: &DemoReport) -> String {
    let mut table = boxed(std::iter::once("").chain(report.arms.iter().map(|arm| arm.name)));
    table.set_width(118).set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    for (name, show) in ROWS {
        let cells = report.arms.iter().map(|arm| or_dash(show(arm)));
        table.add_row(std::iter::once(name.to_owned()).chain(cells));
    }
    table.to_string()
}

fn pages(h1_live: u64, h2: &H2Stats) -> String {
    let mut text = format!(
        "H1 {}; H2: {} resident, {} compressed into {}, of which {} pages of one word and {} incompressible; {} staged",
        show_size(h1_live),
        show_size(h2.resident_bytes),
        show_size(h2.compressed_bytes),
        show_size(h2.mem_used_total),
        h2.same_pages,
        h2.huge_pages,
        show_size(h2.staged_bytes)
    );
    if h2.ssd_write_bytes > 0 {
        text += &format!(
            "; {} on SSD in {} ({} written, {} read)",
            show_size(h2.ssd_data_size),
            show_size(h2.ssd_used),
            show_size(h2.ssd_write_bytes),
            show_size(h2.ssd_read_bytes)
        );
    }
    text
}

/// The meaning of the numbers, in sentences.
pub fn meaning(report: &DemoReport) -> String {
    let mut text = Vec::new();
    if let Some(reference) = arm_named(&report.arms, "reference") {
        text.push(scope(report, reference));
    }
    if let Some(stock) = arm_named(&report.arms, "stock") {
        text.push(stock_meaning(stock));
    }
    if let (Some(reference), Some(ztera)) =
        (arm_named(&report.arms, "reference"), arm_named(&report.arms, "ztera"))
    {
        text.push(ztera_meaning(report, reference, ztera));
        text.extend(reindex_meaning(ztera));
    }
    if report.arms.iter().any(|arm| arm.limit_bytes.is_some() && !arm.limited_by_cgroup) {
        text.push(
            "No cgroup could be used: the limit was kept by JVM flags alone, and the peaks are unknown."
                .to_owned(),
        );
    }
    text.join("\n")
}

fn scope(report: &DemoReport, reference: &ArmReport) -> String {
    format!(
        "The program indexed {} files ({}) and kept {} of live objects. The limit, {}, is {:.2} times less.",
        reference.files.unwrap_or(0),
        show_size(reference.source_bytes.unwrap_or(0)),
        show_size(report.live_bytes),
        show_size(report.limit_bytes),
        report.factor
    )
}

fn stock_meaning(stock: &ArmReport) -> String {
    if stock.finished() {
        "The stock JVM finished within the limit: the limit is too high to show anything.".to_owned()
    } else {
        format!("The stock JVM with all of that as heap did not get through: {}.", stock.outcome)
    }
}

fn ztera_meaning(report: &DemoReport, reference: &ArmReport, ztera: &ArmReport) -> String {
    if !ztera.finished() {
        return format!("ZTera did not get through: {}.", ztera.outcome);
    }
    if !report.ok {
        return "ZTera finished, but its answers DIFFER from the reference's.".to_owned();
    }
    let times = |ours: Option<f64>, theirs: Option<f64>| match (ours, theirs) {
        (Some(ours), Some(theirs)) if theirs > 0.0 => format!("{:.2} times", ours / theirs),
        _ => "an unknown multiple of".to_owned(),
    };
    format!(
        "ZTera gave the same answers within the limit. Loading took {} and querying {} what the stock JVM takes with \
         plenty of memory; the collector paused for {} in all (reference: {}), {} at most (reference: {}).",
        times(ztera.load_seconds, reference.load_seconds),
        times(ztera.query_seconds, reference.query_seconds),
        show_seconds(ztera.pauses.total_seconds),
        show_seconds(reference.pauses.total_seconds),
        show_seconds(ztera.pauses.max_seconds),
        show_seconds(reference.pauses.max_seconds)
    )
}

fn reindex_meaning(ztera: &ArmReport) -> Option<String> {
    let reindex = ztera.reindex.as_ref()?;
    let died = match reindex.regions_freed {
        0 => String::new(),
        regions => format!(" {regions} regions of H2 died, {} in all.", show_size(reindex.h2_bytes_freed)),
    };
    Some(format!(
        "{} was dropped and indexed again in {}, and the answers stayed the same.{died}",
        reindex.area,
        show_seconds(reindex.seconds)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::report::tests::arm;
    use ztera_machine::units::GIB;

    fn report(stock: Option<&str>, ztera: Option<&str>) -> DemoReport {
        let arms = vec![arm("reference", Some("a")), arm("stock", stock), arm("ztera", ztera)];
        DemoReport::new(arms, 3 * GIB, GIB, "tree".to_owned())
    }

    #[test]
    fn the_table_has_a_column_per_arm_and_dashes_for_what_is_not_known() {
        let text = render(&report(None, Some("a")));
        for word in ["reference", "stock", "ztera", "OutOfMemoryError", "3.00 GiB", "3.50 x", " - "] {
            assert!(text.contains(word), "{word} in\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 118), "{text}");
    }

    #[test]
    fn the_meaning_follows_the_outcome() {
        let cases = [
            (
                report(None, Some("a")),
                ["did not get through: OutOfMemoryError", "same answers within the limit"],
            ),
            (report(Some("a"), Some("a")), ["the limit is too high", "querying 1.00 times"]),
            (report(None, Some("b")), ["3.00 times less", "answers DIFFER"]),
            (report(None, None), ["586 MiB", "ZTera did not get through"]),
        ];
        for (report, words) in cases {
            let text = meaning(&report);
            assert!(words.iter().all(|word| text.contains(word)), "{words:?} in\n{text}");
        }
    }
}
