// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Claims written down by experiments whose formulas look at what they have found, and not at single samples.

use super::claim::{Claim, Expected, Measured};
use super::sample::Sample;

/// A claim without its formula. Its value is a quotient, unless another unit is named.
pub struct Draft<F> {
    words: String,
    source: &'static str,
    unit: &'static str,
    found: fn(&[Sample]) -> F,
}

impl<F: 'static> Draft<F> {
    /// A claim of `source`, in a sentence; `found` makes of samples what the formula takes.
    pub fn new(words: &str, source: &'static str, found: fn(&[Sample]) -> F) -> Self {
        Self { words: words.to_owned(), source, unit: "times", found }
    }

    /// Another unit of the value.
    pub fn in_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The claim: values that confirm it, the share by which a measured one may be worse, and the formula.
    pub fn expect(
        self,
        expected: Expected,
        tolerance: f64,
        value: impl Fn(&F) -> Measured + 'static,
    ) -> Claim {
        let Self { words, source, unit, found } = self;
        let measure = Box::new(move |samples: &[Sample]| value(&found(samples)));
        Claim { claim: words, source, unit, expected, tolerance, measure, noise: None }
    }
}

/// Why a claim about a benchmark has no value.
pub const NOT_RUN: &str = "an arm that it takes did not run";

impl<F: 'static> Draft<Option<F>> {
    /// The same for a report of a benchmark: if there is none, or an arm of it did not run, there is no value.
    pub fn expect_in(self, expected: Expected, value: impl Fn(&F) -> Option<f64> + 'static) -> Claim {
        let value =
            move |found: &Option<F>| found.as_ref().and_then(&value).ok_or_else(|| NOT_RUN.to_owned());
        self.expect(expected, 0.0, value)
    }
}
