// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The figures that say at a glance how it does beside what it is compared with, and their targets.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

/// One figure, and what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// `None` if an arm that it takes did not run.
    pub value: Option<f64>,
    /// The engine's arm.
    pub engine: Option<String>,
    /// The arm that it is compared with; `None` if the figure is the engine's alone.
    pub against: Option<String>,
    /// Whether more is better.
    pub more_is_better: bool,
}

impl Ratio {
    /// Whether it is as wanted.
    pub fn meets(&self, target: f64) -> Option<bool> {
        self.value.map(|value| if self.more_is_better { value >= target } else { value <= target })
    }

    /// 1 is as wanted, more is better. Where less is better, nothing or less is infinitely good.
    pub fn times_better_than(&self, target: f64) -> Option<f64> {
        self.value.map(|value| match value {
            value if self.more_is_better => value / target,
            value if value > 0.0 => target / value,
            _ => f64::INFINITY,
        })
    }
}

/// By name.
pub type Ratios = BTreeMap<&'static str, Ratio>;

/// All names, in the order in which they are shown, with what is wanted: at most or at least, as
/// [`Ratio::more_is_better`] says.
pub const TARGETS: [(&str, f64); 13] = [
    ("fault_random_p50", 0.7),
    ("fault_random_p99", 1.0),
    ("scan_sequential", 1.5),
    ("store_one_writer", 1.8),
    ("store_all_cores", 1.3),
    ("density", 0.7),
    ("vectors_3_decimals", 2.5),
    ("move_pause_vs_zram_file", 0.4),
    ("move_pause_vs_ssd_file", 0.6),
    ("young_pause_clean_h2_ms", 1.0),
    ("full_pause_with_h2", 1.1),
    ("metadata_bytes_per_page", 16.0),
    ("pool_fragmentation", 0.05),
];

/// The values alone.
pub fn values(ratios: &Ratios) -> BTreeMap<&'static str, Option<f64>> {
    ratios.iter().map(|(name, ratio)| (*name, ratio.value)).collect()
}

/// A table in Markdown of those that are there.
pub fn markdown(ratios: &Ratios) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN);
    table.set_header(["figure", "value", "target", "met", "arm", "against"]);
    for (name, target) in TARGETS {
        if let Some(ratio) = ratios.get(name) {
            table.add_row(row(name, target, ratio));
        }
    }
    table
        .column_iter_mut()
        .skip(1)
        .take(2)
        .for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn row(name: &str, target: f64, ratio: &Ratio) -> [String; 6] {
    let bound = if ratio.more_is_better { ">=" } else { "<=" };
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    [
        format!("`{name}`"),
        or_dash(ratio.value.map(|value| format!("{value:.3}"))),
        format!("{bound} {target}"),
        or_dash(ratio.meets(target).map(|met| if met { "yes" } else { "no" }.to_owned())),
        or_dash(ratio.engine.clone()),
        or_dash(ratio.against.clone()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(value: Option<f64>, more_is_better: bool) -> Ratio {
        Ratio { value, engine: Some("tier".to_owned()), against: None, more_is_better }
    }

    #[test]
    fn targets_are_upper_or_lower_bounds() {
        let ratios = BTreeMap::from([
            ("density", ratio(Some(0.6999), false)),
            ("full_pause_with_h2", ratio(Some(1.2), false)),
            ("scan_sequential", ratio(Some(1.4), true)),
            ("store_one_writer", ratio(Some(1.8), true)),
            ("pool_fragmentation", ratio(None, false)),
        ]);
        let table = markdown(&ratios).to_string();
        let cells = |name: &str| -> Vec<String> {
            let line = table
                .lines()
                .find(|line| line.contains(name))
                .unwrap_or_else(|| panic!("{name} in\n{table}"));
            line.split('|').map(|cell| cell.trim().to_owned()).collect()
        };
        assert_eq!(cells("density")[1..7], ["`density`", "0.700", "<= 0.7", "yes", "tier", "-"]);
        assert_eq!(cells("full_pause_with_h2")[3..5], ["<= 1.1", "no"]);
        assert_eq!(cells("scan_sequential")[3..5], [">= 1.5", "no"]);
        assert_eq!(cells("store_one_writer")[3..5], [">= 1.8", "yes"]);
        assert_eq!(cells("pool_fragmentation")[2..5], ["-", "<= 0.05", "-"]);
        assert!(!table.contains("fault_random_p50"), "a row without a figure in\n{table}");
    }

    #[test]
    fn better_is_more_or_less() {
        let better = |value: f64, more: bool| ratio(Some(value), more).times_better_than(2.0);
        assert_eq!((better(4.0, true), better(4.0, false)), (Some(2.0), Some(0.5)));
        assert_eq!(better(-0.1, false), Some(f64::INFINITY));
        assert_eq!(ratio(None, true).times_better_than(2.0), None);
    }
}
