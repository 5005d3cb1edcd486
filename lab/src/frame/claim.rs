// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A claim of a source, and the verdict on it.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::rounds;
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
    /// The source, by its name in docs/sources.md, and the place in it.
    pub source: &'static str,
    /// Of the value.
    pub unit: &'static str,
    /// The values that confirm it.
    pub expected: Expected,
    /// The share of the expected value by which a measured one may be worse, from 0 on.
    pub tolerance: f64,
    /// How the value follows from samples.
    pub measure: Formula,
    /// Where an experiment repeats a baseline: by which share of itself the value may be off.
    pub noise: Option<Formula>,
}

/// Why a value is none to rely on.
const DISAGREE: &str = "rounds, or a repeated baseline, differ by more than the claim allows";

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

    /// With the value.
    pub fn to(self, value: f64) -> Expected {
        match self {
            Relation::AtLeast => Expected::AtLeast(value),
            Relation::AtMost => Expected::AtMost(value),
            Relation::About => Expected::About(value),
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
    /// Some rounds confirm it, and others do not.
    #[serde(rename = "too-noisy-to-say")]
    TooNoisy,
    /// The experiment ran, or cannot run here, and there is no value.
    NotTestableHere,
    /// The experiment could run here and has not, or not to its end. This is no verdict yet.
    NotMeasured,
}

impl Judgement {
    /// All, in the order of summaries.
    pub const ALL: [Self; 5] =
        [Self::Confirmed, Self::Refuted, Self::TooNoisy, Self::NotTestableHere, Self::NotMeasured];

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Judgement::Confirmed => "confirmed",
            Judgement::Refuted => "refuted",
            Judgement::TooNoisy => "too noisy to say",
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
    /// The least and the most of all rounds, or what noise makes of the value; null if it was measured once.
    #[serde(default)]
    pub bar: Option<[f64; 2]>,
    /// As of [`Claim`].
    pub unit: String,
    /// As of [`Claim`].
    pub tolerance: f64,
    /// The outcome.
    pub verdict: Judgement,
    /// Why there is no value, or none to rely on; else nothing.
    pub reason: Option<String>,
}

impl Expected {
    /// The side on which values are good, and the value.
    pub fn parts(self) -> (Relation, f64) {
        match self {
            Expected::AtLeast(value) => (Relation::AtLeast, value),
            Expected::AtMost(value) => (Relation::AtMost, value),
            Expected::About(value) => (Relation::About, value),
        }
    }

    /// Whether a value confirms it.
    pub fn is_met(self, measured: f64) -> bool {
        self.side(measured, 0.0).is_eq()
    }

    /// 1 is as expected, more is better. Where less is better, nothing or less is infinitely good.
    pub fn times_better(self, measured: f64) -> f64 {
        match self {
            Expected::AtMost(_) if measured <= 0.0 => f64::INFINITY,
            Expected::AtMost(value) => value / measured,
            Expected::AtLeast(value) | Expected::About(value) => measured / value,
        }
    }

    /// Below the values that confirm it, among them, or above.
    fn side(self, measured: f64, tolerance: f64) -> Ordering {
        let (relation, value) = self.parts();
        let room = value.abs() * tolerance;
        match relation {
            Relation::AtLeast | Relation::About if measured < value - room => Ordering::Less,
            Relation::AtMost | Relation::About if measured > value + room => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }
}

impl Claim {
    /// The verdict of these samples.
    pub fn judge(&self, experiment: &str, samples: &[Sample]) -> Verdict {
        let measured = (self.measure)(samples);
        let bar = measured.as_ref().ok().and_then(|value| self.bar(*value, samples));
        let side = |value: f64| self.expected.side(value, self.tolerance);
        let (verdict, reason) = match (&measured, bar) {
            (Err(reason), _) => (Judgement::NotTestableHere, Some(reason.clone())),
            (Ok(value), Some([low, high])) if side(low) != side(*value) || side(high) != side(*value) => {
                (Judgement::TooNoisy, Some(DISAGREE.to_owned()))
            }
            (Ok(value), _) if side(*value).is_eq() => (Judgement::Confirmed, None),
            (Ok(_), _) => (Judgement::Refuted, None),
        };
        let (relation, expected) = self.expected.parts();
        Verdict {
            experiment: experiment.to_owned(),
            claim: self.claim.clone(),
            source: self.source.to_owned(),
            expected,
            relation,
            measured: measured.ok(),
            bar,
            unit: self.unit.to_owned(),
            tolerance: self.tolerance,
            verdict,
            reason,
        }
    }

    /// From the least to the most of what each round by itself, and noise, make of the value.
    fn bar(&self, value: f64, samples: &[Sample]) -> Option<[f64; 2]> {
        let by_round = rounds::of(samples).into_iter().filter_map(|round| (self.measure)(&round).ok());
        let noise = self.noise.as_ref().and_then(|noise| noise(samples).ok()).map(|noise| 1.0 + noise.abs());
        let by_noise = noise.into_iter().flat_map(|noise| [value / noise, value * noise]);
        let values: Vec<f64> = by_round.chain(by_noise).collect();
        let pick = |of: fn(f64, f64) -> f64| values.iter().copied().fold(value, of);
        let [low, high] = [pick(f64::min), pick(f64::max)];
        (values.len() > 1 && low < high).then_some([low, high])
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::frame::sample::data_of;
    use crate::frame::sample::tests::sample;
    use crate::kit::samples::Samples;

    /// The verdict of a toy's claim.
    pub fn judged(expected: Expected, tolerance: f64, measured: Measured) -> Verdict {
        let measure = Box::new(move |_: &[Sample]| measured.clone());
        let claim = Claim {
            claim: "It is so.".to_owned(),
            source: "ZTera thesis, 4.2",
            unit: "times",
            expected,
            tolerance,
            measure,
            noise: None,
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
    fn better_is_more_or_less() {
        let better = [Expected::AtLeast, Expected::AtMost].map(|of| of(2.0).times_better(4.0));
        assert_eq!(better, [2.0, 0.5]);
        assert_eq!(Expected::AtMost(2.0).times_better(-0.1), f64::INFINITY);
    }

    fn by_median(expected: Expected, tolerance: f64, values: &[f64]) -> Verdict {
        let measure = |samples: &[Sample]| -> Measured {
            let found = Samples::of(data_of::<f64>(samples));
            found.map(|found| found.median).ok_or_else(|| "nothing".to_owned())
        };
        let claim = Claim {
            claim: "It is so.".to_owned(),
            source: "Silva et al.",
            unit: "speedup",
            expected,
            tolerance,
            measure: Box::new(measure),
            noise: None,
        };
        let step = |(round, value): (usize, &f64)| sample(&format!("a, round {}", round + 1), value);
        claim.judge("toy", &values.iter().enumerate().map(step).collect::<Vec<_>>())
    }

    /// A tolerance of 3 % was judged by the median of two runs, of which one took twice as long as the other.
    #[test]
    fn rounds_that_disagree_are_too_noisy() {
        let found = by_median(Expected::About(1.0), 0.05, &[0.7, 1.3]);
        assert_eq!((found.verdict, found.measured), (Judgement::TooNoisy, Some(1.0)));
        assert_eq!(found.bar, Some([0.7, 1.3]));
        assert_eq!(found.reason.as_deref(), Some(DISAGREE));
        let judged = |expected, values: &[f64]| by_median(expected, 0.05, values).verdict;
        assert_eq!(judged(Expected::About(1.0), &[0.98, 1.0, 1.04]), Judgement::Confirmed);
        assert_eq!(judged(Expected::AtLeast(1.0), &[2.0, 9.0]), Judgement::Confirmed);
        assert_eq!(judged(Expected::AtLeast(1.0), &[0.2, 0.9]), Judgement::Refuted);
        assert_eq!(judged(Expected::AtMost(1.0), &[0.9, 1.2, 0.9]), Judgement::TooNoisy);
        let bar = |values: &[f64]| by_median(Expected::AtMost(1.0), 0.0, values).bar;
        assert_eq!([bar(&[0.9]), bar(&[0.9, 0.9])], [None, None], "nothing varies");
    }

    #[test]
    fn a_baseline_that_varies_makes_a_value_unsure() {
        let judged = |noise: f64| {
            let claim = Claim {
                claim: "It costs nothing.".to_owned(),
                source: "here",
                unit: "times",
                expected: Expected::AtMost(1.0),
                tolerance: 0.02,
                measure: Box::new(|_| Ok(1.01)),
                noise: Some(Box::new(move |_| Ok(noise))),
            };
            claim.judge("toy", &[]).verdict
        };
        assert_eq!(
            [0.0, 0.005, 0.05].map(judged),
            [Judgement::Confirmed, Judgement::Confirmed, Judgement::TooNoisy]
        );
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
