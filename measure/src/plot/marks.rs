// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The marks of a value: dots, bars and whiskers, in pixels.

use std::ops::Range;

use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;

use super::look::{self, APART, GAP, LANE};
use super::{Form, Plot, Row, Spread};

/// All of it.
pub type Page<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Text at a place.
pub fn write(page: &Page, text: &str, at: (i32, i32), style: TextStyle) -> Result<()> {
    page.draw(&Text::new(text, at, style))?;
    Ok(())
}

/// All values of a row whose middle is at `y`; `x` says where a value is.
pub fn row(page: &Page, plot: &Plot, row: &Row, y: i32, x: impl Fn(f64) -> i32) -> Result<()> {
    let known = row.values.iter().enumerate().filter_map(|(series, value)| Some((series, (*value)?)));
    match plot.form {
        Form::Dots => {
            // One a little below the other, so that spreads are told apart.
            let known: Vec<_> = known.collect();
            let mut y = y - APART * (known.len() as i32 - 1) / 2;
            for (series, value) in known {
                whisker(page, value, y, &x)?;
                dot(page, (x(value.median), y), series)?;
                y += APART;
            }
        }
        Form::Heat => {}
        Form::Bars => {
            let first = y - LANE * (row.values.len() as i32 - 1) / 2;
            for (series, value) in known {
                let y = first + LANE * series as i32;
                bar(page, y, x(0.0)..x(value.median), series)?;
                measured(page, plot, value, y, &x)?;
            }
        }
        Form::Stack => {
            let mut end = 0.0;
            for (series, value) in known {
                bar(page, y, x(end)..x(end + value.median), series)?;
                end += value.median;
            }
            if let Some(sum) = row.sum {
                measured(page, plot, sum, y, &x)?;
            }
        }
    }
    Ok(())
}

/// The spread of a bar that ends at the median, and the median in words.
fn measured(page: &Page, plot: &Plot, value: Spread, y: i32, x: impl Fn(f64) -> i32) -> Result<()> {
    whisker(page, value, y, &x)?;
    write(page, &(plot.axis.show)(value.median), (x(value.most) + GAP, y), look::left())
}

/// Nothing if all that was measured is the same.
fn whisker(page: &Page, value: Spread, y: i32, x: impl Fn(f64) -> i32) -> Result<()> {
    if value.least == value.most {
        return Ok(());
    }
    let (least, most) = (x(value.least), x(value.most));
    let lines = [[(least, y), (most, y)], [(least, y - 3), (least, y + 3)], [(most, y - 3), (most, y + 3)]];
    // Also to be seen on what is dark.
    for style in [WHITE.stroke_width(3), BLACK.stroke_width(1)] {
        for line in lines {
            page.draw(&PathElement::new(line, style))?;
        }
    }
    Ok(())
}

/// With another shape per series, as colours are not for everybody.
pub fn dot(page: &Page, at: (i32, i32), series: usize) -> Result<()> {
    let filled = look::colour(series).filled();
    match series {
        0 => page.draw(&Circle::new(at, 5, filled))?,
        1 => page.draw(&TriangleMarker::new(at, 7, filled))?,
        _ => page.draw(&Cross::new(at, 5, BLACK.stroke_width(2)))?,
    }
    Ok(())
}

/// With its colour's lightness and an outline per series.
pub fn bar(page: &Page, y: i32, x: Range<i32>, series: usize) -> Result<()> {
    let corners = [(x.start, y - LANE / 2 + 2), (x.end, y + LANE / 2 - 2)];
    page.draw(&Rectangle::new(corners, look::colour(series).filled()))?;
    page.draw(&Rectangle::new(corners, BLACK))?;
    Ok(())
}
