// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The claims of benchmarks whose runs are kept in a file of their own: the values of their figures are in the report.

use serde::Deserialize;

use crate::frame::claim::Claim;
use crate::frame::draft::Draft;
use crate::frame::figure::Figure;
use crate::frame::sample::first;

#[derive(Deserialize)]
struct Report {
    figures: Vec<Value>,
    #[serde(default)]
    claims: Vec<Value>,
}

#[derive(Deserialize)]
struct Value {
    name: String,
    value: Option<f64>,
}

/// One per figure, with the figure's target. The benchmark has done the formula.
pub fn of_figures<Found: ?Sized>(figures: &[Figure<Found>], source: &'static str) -> Vec<Claim> {
    let claim = |figure: &Figure<Found>| {
        let name = figure.name;
        let words = format!("{name}: {}", figure.meaning);
        let draft = Draft::new(&words, source, first::<Report>).in_unit(figure.unit);
        draft.expect_in(figure.expected, move |report| {
            let mut values = report.figures.iter().chain(&report.claims);
            values.find(|value| value.name == name)?.value
        })
    };
    figures.iter().map(claim).collect()
}
