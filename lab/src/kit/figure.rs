// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A figure: one number that says how an experiment came out. An experiment defines each of its figures once.

use std::collections::BTreeMap;

use serde::Serialize;

/// The side of its target on which a figure has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Less is better.
    AtMost,
    /// More is better.
    AtLeast,
}

/// The definition of a figure over what an experiment found.
pub struct Figure<Found: ?Sized> {
    /// Its name.
    pub name: &'static str,
    /// Of its value.
    pub unit: &'static str,
    /// The values that are good.
    pub direction: Direction,
    /// The value that is wanted.
    pub target: f64,
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

/// A figure with its value, as a report has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// As of [`Figure`].
    pub name: &'static str,
    /// None if an arm that it takes did not run. JSON has no infinity: null then, too.
    pub value: Option<f64>,
    /// As of [`Figure`].
    pub unit: &'static str,
    /// As of [`Figure`].
    pub direction: Direction,
    /// As of [`Figure`].
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

impl Verdict {
    /// 1 is as wanted, more is better. Where less is better, nothing or less is infinitely good.
    pub fn times_better(&self) -> Option<f64> {
        self.value.map(|value| match self.direction {
            Direction::AtLeast => value / self.target,
            Direction::AtMost if value > 0.0 => self.target / value,
            Direction::AtMost => f64::INFINITY,
        })
    }
}

impl<Found: ?Sized> Figure<Found> {
    /// Its value, and whether that is as wanted.
    pub fn judge(&self, found: &Found) -> Verdict {
        let Outcome { value, arm, against } = (self.formula)(found);
        let met = value.map(|value| match self.direction {
            Direction::AtMost => value <= self.target,
            Direction::AtLeast => value >= self.target,
        });
        Verdict {
            name: self.name,
            value,
            unit: self.unit,
            direction: self.direction,
            target: self.target,
            met,
            meaning: self.meaning,
            arm,
            against,
        }
    }
}

/// All of an experiment's figures, in their order.
pub fn judge<Found: ?Sized>(figures: &[Figure<Found>], found: &Found) -> Vec<Verdict> {
    figures.iter().map(|figure| figure.judge(found)).collect()
}

/// The values alone, by name.
pub fn values(verdicts: &[Verdict]) -> BTreeMap<&'static str, Option<f64>> {
    verdicts.iter().map(|verdict| (verdict.name, verdict.value)).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A figure of that name and value.
    pub fn verdict(name: &'static str, value: Option<f64>, direction: Direction, target: f64) -> Verdict {
        let figure: Figure<Option<f64>> = Figure {
            name,
            unit: "times",
            direction,
            target,
            meaning: "a number",
            formula: |value| Outcome { value: *value, arm: Some("tier".to_owned()), against: None },
        };
        figure.judge(&value)
    }

    #[test]
    fn targets_are_upper_or_lower_bounds() {
        let met = |value, direction| verdict("density", value, direction, 0.7).met;
        assert_eq!(met(Some(0.7), Direction::AtMost), Some(true));
        assert_eq!(met(Some(0.71), Direction::AtMost), Some(false));
        assert_eq!(met(Some(0.7), Direction::AtLeast), Some(true));
        assert_eq!(met(Some(0.69), Direction::AtLeast), Some(false));
        assert_eq!(met(None, Direction::AtLeast), None);
    }

    #[test]
    fn better_is_more_or_less() {
        let better = |value, direction| verdict("density", value, direction, 2.0).times_better();
        assert_eq!(better(Some(4.0), Direction::AtLeast), Some(2.0));
        assert_eq!(better(Some(4.0), Direction::AtMost), Some(0.5));
        assert_eq!(better(Some(-0.1), Direction::AtMost), Some(f64::INFINITY));
        assert_eq!(better(None, Direction::AtLeast), None);
    }
}
