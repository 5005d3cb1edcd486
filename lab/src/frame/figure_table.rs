// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Figures and their targets as a table.

use comfy_table::{CellAlignment, Table};

use super::claim::Relation;
use super::figure::Reached;
use crate::kit::table::{markdown, or_dash};

/// A column of a table of figures.
pub type Column = (&'static str, fn(&Reached) -> String);

/// For figures that compare an arm with another.
pub const COMPARED: [Column; 6] = [
    ("figure", |figure| format!("`{}`", figure.name)),
    ("value", |figure| or_dash(figure.value.map(|value| format!("{value:.3}")))),
    ("target", bound),
    ("met", met),
    ("arm", |figure| or_dash(figure.arm.clone())),
    ("against", |figure| or_dash(figure.against.clone())),
];

/// For figures over many arms.
pub const COUNTED: [Column; 6] = [
    ("figure", |figure| figure.name.to_owned()),
    ("value", |figure| or_dash(figure.value.map(|value| format!("{value:.2}")))),
    ("target", bound),
    ("unit", |figure| figure.unit.to_owned()),
    ("met", met),
    ("meaning", |figure| figure.meaning.to_owned()),
];

/// A table in Markdown of figures and their targets.
pub fn figures(reached: &[Reached], columns: &[Column]) -> Table {
    let mut table = markdown(columns.iter().map(|(title, _)| *title));
    table.add_rows(reached.iter().map(|figure| columns.iter().map(|(_, show)| show(figure))));
    let numbers =
        table.column_iter_mut().zip(columns).filter(|(_, (title, _))| ["value", "target"].contains(title));
    numbers.for_each(|(column, _)| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn bound(figure: &Reached) -> String {
    let sign = if figure.direction == Relation::AtLeast { ">=" } else { "<=" };
    format!("{sign} {}", figure.target)
}

fn met(figure: &Reached) -> String {
    or_dash(figure.met.map(|met| if met { "yes" } else { "no" }.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::claim::Expected::{AtLeast, AtMost};
    use crate::frame::figure::tests::reached;

    #[test]
    fn figures_stand_beside_their_targets() {
        let table = figures(
            &[
                reached("density", Some(0.6999), AtMost(0.7)),
                reached("full_pause_with_h2", Some(1.2), AtMost(1.1)),
                reached("store_one_writer", Some(1.8), AtLeast(1.8)),
                reached("pool_fragmentation", None, AtMost(0.05)),
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
