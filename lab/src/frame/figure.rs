// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A figure: one number that says how a benchmark came out. A benchmark defines each of its figures once. In the
//! laboratory each is a claim.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::claim::{Claim, Expected, Relation};
use super::draft::Draft;
use super::sample::Sample;

/// The definition of a figure over what a benchmark found.
pub struct Figure<Found: ?Sized> {
    /// Its name.
    pub name: &'static str,
    /// Of its value.
    pub unit: &'static str,
    /// The values that are wanted.
    pub expected: Expected,
    /// In a sentence.
    pub meaning: &'static str,
    /// How it follows from what was found.
    pub formula: fn(&Found) -> Outcome,
}

/// The result of a formula.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// None if an arm that it takes did not run.
    pub value: Option<f64>,
    /// The arm of ours that it is about, if it is about one.
    pub arm: Option<String>,
    /// The arm that this one is compared with.
    pub against: Option<String>,
}

impl From<Option<f64>> for Outcome {
    /// Of many arms together.
    fn from(value: Option<f64>) -> Outcome {
        Outcome { value, ..Outcome::default() }
    }
}

/// A figure with its value, as a benchmark's report has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reached {
    /// As of [`Figure`].
    pub name: &'static str,
    /// None if an arm that it takes did not run. JSON has no infinity: null then, too.
    pub value: Option<f64>,
    /// As of [`Figure`].
    pub unit: &'static str,
    /// On which side of the target values are good.
    pub direction: Relation,
    /// The value that is wanted.
    pub target: f64,
    /// Whether the value is as wanted. None if there is no value.
    pub met: Option<bool>,
    /// As of [`Figure`].
    pub meaning: &'static str,
    /// As of [`Outcome`].
    pub arm: Option<String>,
    /// As of [`Outcome`].
    pub against: Option<String>,
}

impl<Found: ?Sized + 'static> Figure<Found> {
    /// Its value, and whether that is as wanted.
    pub fn judge(&self, found: &Found) -> Reached {
        let Outcome { value, arm, against } = (self.formula)(found);
        let (direction, target) = self.expected.parts();
        Reached {
            name: self.name,
            value,
            unit: self.unit,
            direction,
            target,
            met: value.map(|value| self.expected.is_met(value)),
            meaning: self.meaning,
            arm,
            against,
        }
    }

    /// The claim that its value is as wanted. `found` makes of samples what the formula takes, if they have it.
    pub fn claim<F: Borrow<Found> + 'static>(
        &self,
        source: &'static str,
        found: fn(&[Sample]) -> Option<F>,
    ) -> Claim {
        let (formula, words) = (self.formula, format!("{}: {}", self.name, self.meaning));
        let draft = Draft::new(&words, source, found).in_unit(self.unit);
        draft.expect_in(self.expected, move |found| formula(found.borrow()).value)
    }
}

/// All of a benchmark's figures, in their order.
pub fn judge<Found: ?Sized + 'static>(figures: &[Figure<Found>], found: &Found) -> Vec<Reached> {
    figures.iter().map(|figure| figure.judge(found)).collect()
}

/// The claims that their values are as wanted.
pub fn claims<Found: ?Sized + 'static, F: Borrow<Found> + 'static>(
    figures: &[Figure<Found>],
    source: &'static str,
    found: fn(&[Sample]) -> Option<F>,
) -> Vec<Claim> {
    figures.iter().map(|figure| figure.claim(source, found)).collect()
}

/// The values alone, by name.
pub fn values(figures: &[Reached]) -> BTreeMap<&'static str, Option<f64>> {
    figures.iter().map(|figure| (figure.name, figure.value)).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::frame::claim::Expected::{AtLeast, AtMost};
    use crate::frame::claim::Judgement;
    use crate::frame::draft::NOT_RUN;
    use crate::frame::sample::first;
    use crate::frame::sample::tests::sample;

    fn figure(name: &'static str, expected: Expected) -> Figure<[f64]> {
        Figure {
            name,
            unit: "times",
            expected,
            meaning: "a number",
            formula: |values| Outcome {
                value: values.first().copied(),
                arm: Some("tier".to_owned()),
                against: None,
            },
        }
    }

    /// A figure of that name and value.
    pub fn reached(name: &'static str, value: Option<f64>, expected: Expected) -> Reached {
        figure(name, expected).judge(value.as_slice())
    }

    #[test]
    fn targets_are_upper_or_lower_bounds() {
        let met = |value, expected| reached("density", value, expected).met;
        assert_eq!(met(Some(0.7), AtMost(0.7)), Some(true));
        assert_eq!(met(Some(0.71), AtMost(0.7)), Some(false));
        assert_eq!(met(Some(0.7), AtLeast(0.7)), Some(true));
        assert_eq!(met(Some(0.69), AtLeast(0.7)), Some(false));
        assert_eq!(met(None, AtLeast(0.7)), None);
    }

    #[test]
    fn the_claim_of_a_figure_is_its_target() {
        let claim = figure("density", AtMost(0.7))
            .claim("here", |samples| first(samples).map(|value: f64| vec![value]));
        let found = claim.judge("toy", &[sample("all", 0.5)]);
        assert_eq!((found.claim.as_str(), found.verdict), ("density: a number", Judgement::Confirmed));
        let open = claim.judge("toy", &[sample("all", "no number")]);
        assert_eq!((open.verdict, open.reason.as_deref()), (Judgement::NotTestableHere, Some(NOT_RUN)));
    }
}
