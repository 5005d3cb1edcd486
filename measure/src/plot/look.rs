// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Sizes, colours and fonts. All lengths are pixels.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Of all plots.
pub const WIDTH: i32 = 860;
/// Around everything.
pub const MARGIN: i32 = 16;
/// Of one line of text.
pub const LINE: i32 = 18;
/// Of the title.
pub const TITLE: i32 = 26;
/// Of one bar or one row of dots.
pub const LANE: i32 = 16;
/// From one dot of a row to the next.
pub const APART: i32 = 5;
/// Between two rows.
pub const GAP: i32 = 7;
/// The axis with its values.
pub const AXIS: i32 = 22;
/// Letters of a note that fit in a line.
pub const LETTERS: usize = 120;
/// Letters that fit beside a name.
pub const REASON: usize = 95;
/// Lines that a note may take.
pub const NOTE_LINES: usize = 3;

/// From dark to light, so that they differ without colours too, and to those who see fewer of them.
const COLOURS: [RGBColor; 4] =
    [RGBColor(49, 54, 149), RGBColor(33, 145, 140), RGBColor(253, 190, 50), RGBColor(240, 240, 200)];

/// Of a series.
pub fn colour(series: usize) -> RGBColor {
    COLOURS[series % COLOURS.len()]
}

/// Of a field of a heat map, from 0 to 1: between the lightest and the darkest.
pub fn heat(share: f64) -> RGBColor {
    let ([dark, .., light], mix) = (COLOURS, |dark: u8, light: u8| {
        (f64::from(light) + share * (f64::from(dark) - f64::from(light))) as u8
    });
    RGBColor(mix(dark.0, light.0), mix(dark.1, light.1), mix(dark.2, light.2))
}

/// How long a text is, roughly: the width of letters is the viewer's affair.
pub fn width(text: &str) -> i32 {
    text.chars().count() as i32 * 7
}

fn text(size: f64, at: HPos) -> TextStyle<'static> {
    // The crate divides sizes by 1.24.
    ("sans-serif", size * 1.24).into_font().color(&BLACK).pos(Pos::new(at, VPos::Center))
}

/// Titles.
pub fn title() -> TextStyle<'static> {
    let mut style = text(16.0, HPos::Left);
    style.font = style.font.style(FontStyle::Bold);
    style
}

/// The title above a group.
pub fn group() -> TextStyle<'static> {
    let mut style = text(12.5, HPos::Left);
    style.font = style.font.style(FontStyle::Bold);
    style
}

/// All else that begins somewhere.
pub fn left() -> TextStyle<'static> {
    text(12.0, HPos::Left)
}

/// A text that ends somewhere.
pub fn right() -> TextStyle<'static> {
    text(12.0, HPos::Right)
}

/// The label below a place.
pub fn centred() -> TextStyle<'static> {
    text(12.0, HPos::Center)
}
