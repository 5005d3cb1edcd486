// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A claim of a source, and the verdict on it.

use serde::{Deserialize, Serialize};

use super::sample::Sample;

/// The values that confirm a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
    /// This.
    About(f64),
}

/// A measured value, or the reason why there is none here.
pub type Measured = Result<f64, String>;

/// How a value follows from samples.
pub type Formula = Box<dyn Fn(&[Sample]) -> Measured>;

/// One statement of a source that a number can confirm or refute.
pub struct Claim {
    /// In a sentence.
    pub claim: String,
    /// The seed and the place in it.
    pub source: &'static str,
    /// Of the value.
    pub unit: &'static str,
    /// The values that confirm it.
    pub expected: Expected,
    /// The share of the expected value by which a measured one may be worse, from 0 on.
    pub tolerance: f64,
    /// How the value follows from samples.
    pub measure: Formula,
}

/// How the sources expect a value to be.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// As of [`Expected`].
    AtLeast,
    /// As of [`Expected`].
    AtMost,
    /// As of [`Expected`].
    About,
}

impl Relation {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Relation::AtLeast => "at least",
            Relation::AtMost => "at most",
            Relation::About => "about",
        }
    }
}

/// The outcome of a claim.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// The value is as expected.
    Confirmed,
    /// It is not.
    Refuted,
    /// The experiment ran, or cannot run here, and there is no value.
    NotTestableHere,
    /// The experiment could run here and has not, or not to its end. This is no verdict yet.
    NotMeasured,
}

impl Judgement {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Judgement::Confirmed => "confirmed",
            Judgement::Refuted => "refuted",
            Judgement::NotTestableHere => "not testable here",
            Judgement::NotMeasured => "not measured",
        }
    }
}

/// A claim with its value, as `verdicts.json` has it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Verdict {
    /// The experiment's name.
    pub experiment: String,
    /// As of [`Claim`].
    pub claim: String,
    /// As of [`Claim`].
    pub source: String,
    /// The expected value.
    pub expected: f64,
    /// On which side of it values are good.
    pub relation: Relation,
    /// Null if there is no value. JSON has no infinity: null then, too.
    pub measured: Option<f64>,
    /// As of [`Claim`].
    pub unit: String,
    /// As of [`Claim`].
    pub tolerance: f64,
    /// The outcome.
    pub verdict: Judgement,
    /// Why there is no value; else nothing.
    pub reason: Option<String>,
}

impl Expected {
    fn parts(self) -> (Relation, f64) {
        match self {
            Expected::AtLeast(value) => (Relation::AtLeast, value),
            Expected::AtMost(value) => (Relation::AtMost, value),
            Expected::About(value) => (Relation::About, value),
        }
    }

    fn holds(self, measured: f64, tolerance: f64) -> bool {
        let (relation, value) = self.parts();
        let room = value.abs() * tolerance;
        match relation {
            Relation::AtLeast => measured >= value - room,
            Relation::AtMost => measured <= value + room,
            Relation::About => (measured - value).abs() <= room,
        }
    }
}

impl Claim {
    /// The verdict of these samples.
    pub fn judge(&self, experiment: &str, samples: &[Sample]) -> Verdict {
        let measured = (self.measure)(samples);
        let verdict = match &measured {
            Ok(value) if self.expected.holds(*value, self.tolerance) => Judgement::Confirmed,
            Ok(_) => Judgement::Refuted,
            Err(_) => Judgement::NotTestableHere,
        };
        let (relation, expected) = self.expected.parts();
        Verdict {
            experiment: experiment.to_owned(),
            claim: self.claim.clone(),
            source: self.source.to_owned(),
            expected,
            relation,
            measured: measured.as_ref().ok().copied(),
            unit: self.unit.to_owned(),
            tolerance: self.tolerance,
            verdict,
            reason: measured.err(),
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The verdict of a toy's claim.
    pub fn judged(expected: Expected, tolerance: f64, measured: Measured) -> Verdict {
        let measure = Box::new(move |_: &[Sample]| measured.clone());
        let claim = Claim {
            claim: "It is so.".to_owned(),
            source: "seed 000, 4.2",
            unit: "times",
            expected,
            tolerance,
            measure,
        };
        claim.judge("toy", &[])
    }

    #[test]
    fn a_value_is_judged_with_its_tolerance() {
        use Judgement::{Confirmed, Refuted};
        let cases = [
            (Expected::AtLeast(2.0), 0.0, 2.0, Confirmed),
            (Expected::AtLeast(2.0), 0.0, 1.9, Refuted),
            (Expected::AtLeast(2.0), 0.1, 1.8, Confirmed),
            (Expected::AtMost(2.0), 0.1, 2.2, Confirmed),
            (Expected::AtMost(2.0), 0.1, 2.3, Refuted),
            (Expected::About(2.0), 0.1, 1.8, Confirmed),
            (Expected::About(2.0), 0.1, 2.3, Refuted),
        ];
        for (expected, tolerance, value, verdict) in cases {
            let found = judged(expected, tolerance, Ok(value));
            assert_eq!((found.verdict, found.measured), (verdict, Some(value)), "{expected:?} {value}");
        }
    }

    #[test]
    fn without_a_value_there_is_a_reason() {
        let found = judged(Expected::AtLeast(2.0), 0.0, Err("no SSD".to_owned()));
        assert_eq!((found.verdict, found.reason.as_deref()), (Judgement::NotTestableHere, Some("no SSD")));
        let json = serde_json::to_value(&found).unwrap();
        assert_eq!(json["verdict"], "not-testable-here");
        for field in ["claim", "source", "expected", "measured", "tolerance"] {
            assert!(json.get(field).is_some(), "{field}");
        }
    }
}
