// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A sample: the raw result of one step.

use std::time::Instant;

use anyhow::Result;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ztera_machine::interrupt::{self, Interrupted};

/// One line of `samples.jsonl`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Sample {
    /// The step's key: all that was varied.
    pub step: String,
    /// How long the step took.
    pub seconds: f64,
    /// The reason why the step has no data. A later run tries it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// As the experiment left it; null if it is missing.
    pub data: Value,
}

impl Sample {
    /// Does the work of a step. An error becomes the reason why there is no data; only Ctrl-C is one still.
    pub fn take<T: Serialize>(step: &str, work: impl FnOnce() -> Result<T>) -> Result<Sample> {
        let start = Instant::now();
        let found = work().and_then(|data| Ok(serde_json::to_value(data)?));
        // Ctrl-C in a terminal ends the programs of a step, too, which then look as if they had failed.
        interrupt::check()?;
        let (data, missing) = match found {
            Ok(data) => (data, None),
            Err(error) if error.is::<Interrupted>() => return Err(error),
            Err(error) => (Value::Null, Some(format!("{error:#}"))),
        };
        Ok(Sample { step: step.to_owned(), seconds: start.elapsed().as_secs_f64(), missing, data })
    }
}

/// Of several samples of a step the last one, in the order in which steps were first taken.
pub fn latest(all: impl Iterator<Item = Sample>) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    for sample in all {
        match samples.iter_mut().find(|known| known.step == sample.step) {
            Some(known) => *known = sample,
            None => samples.push(sample),
        }
    }
    samples
}

/// Why steps have no data.
pub struct Reasons(Vec<(String, String)>);

impl Reasons {
    /// Of all steps that have none.
    pub fn of(samples: &[Sample]) -> Reasons {
        Reasons(samples.iter().filter_map(|it| Some((it.step.clone(), it.missing.clone()?))).collect())
    }

    /// The step with its reason, for a verdict.
    pub fn why(&self, step: &str) -> String {
        self.why_or(step, "not measured, or not possible here")
    }

    /// The same, with words for a step that was never tried.
    pub fn why_or(&self, step: &str, untried: &str) -> String {
        let known = self.0.iter().find(|(own, _)| own == step).map(|(_, reason)| reason.as_str());
        format!("{step}: {}", known.unwrap_or(untried))
    }
}

/// The data of all steps that have data of this form.
pub fn data_of<T: DeserializeOwned>(samples: &[Sample]) -> Vec<T> {
    samples.iter().filter_map(|sample| serde_json::from_value(sample.data.clone()).ok()).collect()
}

/// The data of the first step that has data of this form.
pub fn first<T: DeserializeOwned>(samples: &[Sample]) -> Option<T> {
    data_of(samples).into_iter().next()
}

/// A line per reason, with the number of steps that have no data for it.
pub fn left_out(samples: &[Sample]) -> Vec<String> {
    let mut reasons: Vec<(&str, &str, usize)> = Vec::new();
    for sample in samples {
        let Some(reason) = sample.missing.as_deref() else { continue };
        match reasons.iter_mut().find(|(_, known, _)| *known == reason) {
            Some((_, _, times)) => *times += 1,
            None => reasons.push((&sample.step, reason, 1)),
        }
    }
    let line = |(step, reason, times): (&str, &str, usize)| match times {
        1 => format!("{step} is left out: {reason}"),
        _ => format!("{step} and {} more are left out: {reason}", times - 1),
    };
    reasons.into_iter().map(line).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A finished step.
    pub fn sample(step: &str, data: impl Serialize) -> Sample {
        let data = serde_json::to_value(data).unwrap();
        Sample { step: step.to_owned(), seconds: 0.5, missing: None, data }
    }

    #[test]
    fn data_of_another_form_are_passed_over() {
        assert_eq!(data_of::<f64>(&[sample("a", 1.5), sample("b", "words"), sample("c", 2.5)]), [1.5, 2.5]);
    }

    #[test]
    fn a_reason_is_told_once() {
        let missing = |step: &str| Sample { missing: Some("no zram".to_owned()), ..sample(step, ()) };
        assert_eq!(left_out(&[missing("a"), sample("b", 1.0)]), ["a is left out: no zram"]);
        assert_eq!(left_out(&[missing("a"), missing("b")]), ["a and 1 more are left out: no zram"]);
        let reasons = Reasons::of(&[missing("a"), sample("b", 1.0)]);
        assert_eq!(reasons.why("a"), "a: no zram");
        assert_eq!(reasons.why("c"), "c: not measured, or not possible here");
    }
}
