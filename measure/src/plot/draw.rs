// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A plot as SVG.
//!
//! From top to bottom: title, how it was measured, series, groups of rows, label of the axis, notes. Within a group the
//! second coordinate is in pixels, downward.

use anyhow::Result;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

use super::look::{self, AXIS, GAP, LANE, LETTERS, LINE, MARGIN, NOTE_LINES, REASON, TITLE, WIDTH};
use super::marks::{self, Page, write};
use super::{Form, Group, Plot, axis, heat};

/// The whole document.
pub fn svg(plot: &Plot) -> Result<String> {
    let groups: Vec<&Group> = plot.groups.iter().filter(|group| !group.rows.is_empty()).collect();
    let notes: Vec<String> = plot.notes.iter().flat_map(|note| wrapped(note)).collect();
    let heights: i32 = groups.iter().map(|group| height(plot, group)).sum();
    let lines = 2 + i32::from(plot.series.len() > 1) + notes.len() as i32;
    let size = (WIDTH as u32, (2 * MARGIN + TITLE + lines * LINE + heights) as u32);
    let mut text = String::new();
    let page = SVGBackend::with_string(&mut text, size).into_drawing_area();
    page.fill(&WHITE)?;
    let mut top = head(&page, plot)?;
    for group in groups {
        let area = page.clone().shrink((0, top), (WIDTH, height(plot, group)));
        place(&area, &page, plot, group)?;
        top += height(plot, group);
    }
    // A long label may begin below the names.
    let most = WIDTH - MARGIN - look::width(plot.axis.label) / 2;
    let middle = ((names_width(plot) + WIDTH) / 2).min(most);
    write(&page, plot.axis.label, (middle, top + LINE / 2), look::centred())?;
    for note in &notes {
        top += LINE;
        write(&page, note, (MARGIN, top + LINE / 2), look::left())?;
    }
    page.present()?;
    drop(page);
    Ok(text)
}

/// Returns where the rest begins.
fn head(page: &Page, plot: &Plot) -> Result<i32> {
    let mut top = MARGIN;
    write(page, plot.title, (MARGIN, top + TITLE / 2), look::title())?;
    top += TITLE;
    write(page, &plot.about, (MARGIN, top + LINE / 2), look::left())?;
    top += LINE;
    if plot.series.len() > 1 {
        let mut left = MARGIN + 6;
        for (series, name) in plot.series.iter().enumerate() {
            let at = (left, top + LINE / 2);
            match plot.form {
                Form::Dots => marks::dot(page, at, series)?,
                Form::Bars | Form::Stack | Form::Heat => marks::bar(page, at.1, left - 6..left + 6, series)?,
            }
            write(page, name, (left + 12, at.1), look::left())?;
            left += look::width(name) + 40;
        }
        top += LINE;
    }
    Ok(top)
}

/// Room for the longest name.
fn names_width(plot: &Plot) -> i32 {
    let rows = plot.groups.iter().flat_map(|group| &group.rows);
    rows.map(|row| look::width(&row.name)).max().unwrap_or(0) + MARGIN + GAP
}

/// Of one row.
fn row_height(plot: &Plot) -> i32 {
    let lanes = if plot.form == Form::Bars { plot.series.len().max(1) as i32 } else { 1 };
    lanes * LANE + GAP
}

fn height(plot: &Plot, group: &Group) -> i32 {
    let below = if plot.form == Form::Heat { GAP } else { AXIS };
    GAP + LINE + GAP + group.rows.len() as i32 * row_height(plot) + below
}

/// A group with the axis that its form takes.
fn place(area: &Page, page: &Page, plot: &Plot, group: &Group) -> Result<()> {
    let range = axis::range(plot);
    if plot.form == Form::Heat {
        write(area, &group.title, (MARGIN, GAP + LINE / 2), look::group())?;
        let field = area.clone().shrink((0, GAP + LINE + GAP), (WIDTH, height(plot, group)));
        heat::fields(&field, plot, group, names_width(plot), row_height(plot))
    } else if plot.form == Form::Dots {
        let values = axis::logarithmic(&range);
        draw(area, page, plot, group, range.log_scale().with_key_points(values))
    } else {
        draw(area, page, plot, group, range)
    }
}

fn draw<X>(area: &Page, page: &Page, plot: &Plot, group: &Group, axis: X) -> Result<()>
where
    X: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    write(area, &group.title, (MARGIN, GAP + LINE / 2), look::group())?;
    let start = axis::range(plot).start;
    let rows = f64::from(group.rows.len() as i32 * row_height(plot));
    let mut chart = ChartBuilder::on(area)
        .margin_top(GAP + LINE + GAP)
        .margin_right(MARGIN)
        .set_label_area_size(LabelAreaPosition::Left, names_width(plot))
        .set_label_area_size(LabelAreaPosition::Bottom, AXIS)
        .build_cartesian_2d(axis, rows..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(0)
        .x_labels(9)
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .x_label_style(look::centred())
        .x_label_formatter(&|value| axis::short(&(plot.axis.show)(*value)))
        .draw()?;
    let field = chart.plotting_area();
    if let Some(value) = plot.axis.line {
        field.draw(&PathElement::new(vec![(value, 0.0), (value, rows)], BLACK.stroke_width(2)))?;
    }
    for (index, row) in group.rows.iter().enumerate() {
        let (left, top) = field.get_base_pixel();
        let y = top + index as i32 * row_height(plot) + row_height(plot) / 2;
        write(page, &row.name, (left - GAP, y), look::right())?;
        if row.is_missing() {
            let reason: String = row.missing.chars().take(REASON).collect();
            write(page, &reason, (left + GAP, y), look::left())?;
        }
        marks::row(page, plot, row, y, |value| field.map_coordinate(&(value.max(start), 0.0)).0)?;
    }
    Ok(())
}

/// A note in lines that fit, and not in many: the report has all of it.
fn wrapped(note: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in note.split_whitespace() {
        let last = lines.last_mut().filter(|line| line.chars().count() + word.chars().count() < LETTERS);
        match last {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => line.extend([" ", word]),
            None => lines.push(word.to_owned()),
        }
    }
    if lines.len() > NOTE_LINES {
        lines.truncate(NOTE_LINES);
        lines.push("...".to_owned());
    }
    lines
}
