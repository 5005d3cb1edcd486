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
