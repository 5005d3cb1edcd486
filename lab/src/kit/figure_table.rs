// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Figures and their targets as a table.

use comfy_table::{CellAlignment, Table};

use super::figure::{Direction, Verdict};
use super::table::{markdown, or_dash};

/// A column of a table of figures.
pub type Column = (&'static str, fn(&Verdict) -> String);

/// For figures that compare an arm with another.
pub const COMPARED: [Column; 6] = [
    ("figure", |verdict| format!("`{}`", verdict.name)),
    ("value", |verdict| or_dash(verdict.value.map(|value| format!("{value:.3}")))),
    ("target", bound),
    ("met", met),
    ("arm", |verdict| or_dash(verdict.arm.clone())),
    ("against", |verdict| or_dash(verdict.against.clone())),
];

/// For figures over many arms.
pub const COUNTED: [Column; 6] = [
    ("figure", |verdict| verdict.name.to_owned()),
    ("value", |verdict| or_dash(verdict.value.map(|value| format!("{value:.2}")))),
    ("target", bound),
    ("unit", |verdict| verdict.unit.to_owned()),
    ("met", met),
    ("meaning", |verdict| verdict.meaning.to_owned()),
];

/// A table in Markdown of figures and their targets.
pub fn figures(verdicts: &[Verdict], columns: &[Column]) -> Table {
    let mut table = markdown(columns.iter().map(|(title, _)| *title));
    table.add_rows(verdicts.iter().map(|verdict| columns.iter().map(|(_, show)| show(verdict))));
    let numbers =
        table.column_iter_mut().zip(columns).filter(|(_, (title, _))| ["value", "target"].contains(title));
    numbers.for_each(|(column, _)| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn bound(verdict: &Verdict) -> String {
    let sign = if verdict.direction == Direction::AtLeast { ">=" } else { "<=" };
    format!("{sign} {}", verdict.target)
}

fn met(verdict: &Verdict) -> String {
    or_dash(verdict.met.map(|met| if met { "yes" } else { "no" }.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::figure::tests::verdict;

    #[test]
    fn figures_stand_beside_their_targets() {
        let table = figures(
            &[
                verdict("density", Some(0.6999), Direction::AtMost, 0.7),
                verdict("full_pause_with_h2", Some(1.2), Direction::AtMost, 1.1),
                verdict("store_one_writer", Some(1.8), Direction::AtLeast, 1.8),
                verdict("pool_fragmentation", None, Direction::AtMost, 0.05),
            ],
            &COMPARED,
        )
        .to_string();
        let cells = |name: &str| -> Vec<String> {
            let line = table
                .lines()
                .find(|line| line.contains(name))
                .unwrap_or_else(|| panic!("{name} in\n{table}"));
            line.split('|').map(|cell| cell.trim().to_owned()).collect()
        };
        assert_eq!(cells("density")[1..7], ["`density`", "0.700", "<= 0.7", "yes", "tier", "-"]);
        assert_eq!(cells("full_pause_with_h2")[3..5], ["<= 1.1", "no"]);
        assert_eq!(cells("store_one_writer")[3..5], [">= 1.8", "yes"]);
        assert_eq!(cells("pool_fragmentation")[2..5], ["-", "<= 0.05", "-"]);
    }
}
