// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The choice and its reasons, as JSON and as a table.

use serde::Serialize;
use ztera_machine::units::show_seconds;
use ztera_measure::tuning::{Formula, Measured, Scored, Target, Weights, name};

use super::advice::Setting;
use ztera_measure::table::{boxed, right_aligned};

/// Everything that is known about a choice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuneReport {
    /// Where pages are compressed.
    pub target: Target,
    /// The data, in words.
    pub data: String,
    /// How much each quality counts.
    pub weights: Weights,
    /// How they are brought to one scale.
    pub formula: Formula,
    /// The time of a read of the disk, measured or assumed.
    pub disk_ns: f64,
    /// Whether it was measured.
    pub disk_measured: bool,
    /// In the order in which they were measured; `--measured` reads them again.
    pub measured: Vec<Measured>,
    /// The best first.
    pub ranked: Vec<Scored>,
    /// Why it is the best.
    pub reasons: Vec<String>,
    /// The settings that follow.
    pub files: Vec<Setting>,
    /// Where they were written, if they were.
    pub applied_below: Option<String>,
}

/// A table, the reasons and the files.
pub fn render(report: &TuneReport) -> String {
    let titles = ["codec", "page-cluster", "MiB/s", "IOPS", "mean", "99 %", "ratio", "score"];
    let mut table = boxed(titles);
    table.add_rows(report.ranked.iter().map(row));
    let weights = report.weights;
    let mut text = format!(
        "{}\nData: {}. Weights: throughput {:.2}, iops {:.2}, latency {:.2}, ratio {:.2}.\n",
        right_aligned(table, 1),
        report.data,
        weights.throughput,
        weights.iops,
        weights.latency,
        weights.ratio
    );
    if let Some(best) = report.ranked.first() {
        text += &format!("\nBest: {}.\n", name(&best.measured));
    }
    report.reasons.iter().for_each(|reason| text += &format!("- {reason}\n"));
    if report.target == Target::Zram {
        let how = if report.disk_measured { "was measured" } else { "is assumed: --disk DIR measures it" };
        text += &format!("- A read of the disk by {} {how}.\n", show_seconds(report.disk_ns / 1e9));
    }
    for file in &report.files {
        let path = match &report.applied_below {
            Some(root) => format!("Wrote {root}/{}", file.path.display()),
            None => format!("To be written with --apply: /{}", file.path.display()),
        };
        text += &format!("\n{path}\nTakes effect with: {}\n\n{}", file.effect, file.text);
    }
    text
}

fn row(scored: &Scored) -> [String; 8] {
    let it = &scored.measured;
    [
        it.codec.clone(),
        it.page_cluster.to_string(),
        format!("{:.0}", it.mib_per_second),
        format!("{:.0}", it.iops),
        show_seconds(it.mean_ns / 1e9),
        show_seconds(it.p99_ns / 1e9),
        format!("{:.2}", it.ratio),
        format!("{:.3}", scored.score),
    ]
}
