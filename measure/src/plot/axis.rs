// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! From where to where an axis goes, and which values stand at it.

use std::ops::Range;

use super::{Form, Plot, Spread};

/// Around all values; a logarithmic one has six powers of ten at most, and what is less is at its beginning.
pub fn range(plot: &Plot) -> Range<f64> {
    let rows = plot.groups.iter().flat_map(|group| &group.rows);
    let values: Vec<Spread> = match plot.form {
        Form::Stack => rows.filter_map(|row| row.sum).collect(),
        Form::Dots | Form::Bars | Form::Heat => {
            rows.flat_map(|row| row.values.iter().copied().flatten()).collect()
        }
    };
    let line = plot.axis.line;
    let least = values.iter().map(|value| value.least).chain(line).fold(f64::INFINITY, f64::min);
    let most = values.iter().map(|value| value.most).chain(line).fold(0.0, f64::max);
    match plot.form {
        _ if most <= 0.0 => 0.5..2.0,
        Form::Heat => least..most,
        Form::Dots => least.max(most / 1e6) / 1.4..most * 1.4,
        // The value stands behind the bar.
        Form::Bars | Form::Stack => 0.0..most * 1.25,
    }
}

/// 1, 2 and 5 of each power of ten; of long axes the powers alone, of short ones more.
pub fn logarithmic(range: &Range<f64>) -> Vec<f64> {
    let steps: &[f64] = match (range.end / range.start).log10() {
        decades if decades > 4.5 => &[1.0],
        decades if decades > 1.2 => &[1.0, 2.0, 5.0],
        decades if decades > 0.5 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
        _ => &[1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
    };
    let powers = range.start.log10().floor() as i32..=range.end.log10().ceil() as i32;
    let values = powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
    values.filter(|value| range.contains(value)).collect()
}

/// A value in words without zeros that say nothing.
pub fn short(shown: &str) -> String {
    let (number, unit) = shown.split_once(' ').unwrap_or((shown, ""));
    let number =
        if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    format!("{number} {unit}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(values: Vec<f64>) -> Vec<f64> {
        values.into_iter().map(|value| (value * 1e9).round() / 1e9).collect()
    }

    #[test]
    fn values_are_as_short_as_they_can_be() {
        let shown = ["10.00 us", "2.50 ms", "100 s", "40.0 %", "1000"].map(short);
        assert_eq!(shown, ["10 us", "2.5 ms", "100 s", "40 %", "1000"]);
    }

    #[test]
    fn values_at_a_logarithmic_axis_are_round() {
        assert_eq!(rounded(logarithmic(&(0.3..6.0))), [0.5, 1.0, 2.0, 5.0]);
        assert_eq!(rounded(logarithmic(&(1.1..6.0))), [1.5, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(rounded(logarithmic(&(0.7..1.3))), [0.7, 0.8, 0.9, 1.0, 1.2]);
        assert_eq!(rounded(logarithmic(&(0.5..20_000.0))), [1.0, 10.0, 100.0, 1000.0, 10_000.0]);
    }
}
