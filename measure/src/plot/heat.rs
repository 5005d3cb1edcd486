// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The fields of a heat map.

use std::ops::Range;

use anyhow::Result;
use plotters::prelude::*;

use super::look::{self, GAP, MARGIN, WIDTH};
use super::marks::{Page, write};
use super::{Group, Plot, Row, axis};

/// The width of a field that has room for it.
const FIELD: i32 = 96;

/// Draws the rows of a group; their names end at `left`.
pub fn fields(page: &Page, plot: &Plot, group: &Group, left: i32, height: i32) -> Result<()> {
    let columns = group.rows.iter().map(|row| row.values.len().max(row.words.len())).max().unwrap_or(0);
    let width = FIELD.min((WIDTH - left - MARGIN) / columns.max(1) as i32);
    let range = axis::range(plot);
    for (index, row) in group.rows.iter().enumerate() {
        let top = index as i32 * height;
        write(page, &row.name, (left - GAP, top + height / 2), look::right())?;
        for column in 0..columns {
            let x = left + column as i32 * width;
            field(page, plot, row, column, [(x, top), (x + width, top + height)], &range)?;
        }
    }
    Ok(())
}

fn field(
    page: &Page,
    plot: &Plot,
    row: &Row,
    column: usize,
    corners: [(i32, i32); 2],
    range: &Range<f64>,
) -> Result<()> {
    let middle = ((corners[0].0 + corners[1].0) / 2, (corners[0].1 + corners[1].1) / 2);
    if let Some(value) = row.values.get(column).copied().flatten() {
        let heat = heat(value.median, range);
        page.draw(&Rectangle::new(corners, look::heat(heat).filled()))?;
        page.draw(&Rectangle::new(corners, BLACK))?;
        let ink = if heat > 0.5 { &WHITE } else { &BLACK };
        return write(page, &(plot.axis.show)(value.median), middle, look::centred().color(ink));
    }
    if !row.values.is_empty() {
        page.draw(&Rectangle::new(corners, BLACK))?;
    }
    let word = row.words.get(column).map_or("", String::as_str);
    write(page, word, middle, look::centred())
}

/// From 0 for the least to 1 for the most, by quotients.
fn heat(value: f64, range: &Range<f64>) -> f64 {
    let whole = (range.end / range.start).ln();
    if whole > 0.0 && whole.is_finite() { ((value / range.start).ln() / whole).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::heat;

    #[test]
    fn heat_is_of_quotients() {
        assert_eq!([1.0, 10.0, 100.0].map(|value| heat(value, &(1.0..100.0))), [0.0, 0.5, 1.0]);
        assert_eq!([heat(2.0, &(2.0..2.0)), heat(0.0, &(1.0..2.0)), heat(1.0, &(0.0..2.0))], [0.0; 3]);
    }
}
