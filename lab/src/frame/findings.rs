// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All that is known of an experiment once its samples are read.

use std::path::Path;

use super::claim::{Judgement, Verdict};
use super::context::Context;
use super::experiment::{Experiment, Question};
use super::need;
use super::presentation::Presentation;
use super::record::Record;

/// An experiment's part of the report.
pub struct Findings {
    /// Its question, and where that is from.
    pub question: Question,
    /// Its samples, if it ever ran.
    pub record: Option<Record>,
    /// Of each claim.
    pub verdicts: Vec<Verdict>,
    /// Nothing if it never ran.
    pub presentation: Presentation,
}

impl Findings {
    /// Reads the samples in `folder` and judges them.
    pub fn of(experiment: &dyn Experiment, folder: &Path, context: &Context) -> Findings {
        let record = Record::load(folder);
        let samples = record.as_ref().map_or(&[][..], |record| &record.samples);
        let mut verdicts = experiment.judge(samples);
        match &record {
            None => {
                let missing = need::missing(&experiment.needs(), context);
                verdicts.iter_mut().for_each(|verdict| without_samples(verdict, &missing));
            }
            Some(record) if !record.whole => verdicts.iter_mut().for_each(of_part),
            Some(_) => {}
        }
        Findings {
            question: experiment.question(),
            presentation: record.as_ref().map_or_else(Presentation::default, |_| experiment.present(samples)),
            verdicts,
            record,
        }
    }

    /// How many claims have this verdict.
    pub fn count(&self, judgement: Judgement) -> usize {
        self.verdicts.iter().filter(|verdict| verdict.verdict == judgement).count()
    }
}

/// An experiment that lacks something cannot test its claims here; another one has not been run yet.
fn without_samples(verdict: &mut Verdict, missing: &[String]) {
    (verdict.measured, verdict.bar) = (None, None);
    (verdict.verdict, verdict.reason) = if missing.is_empty() {
        let command = format!("`ztera lab run {}` measures it", verdict.experiment);
        (Judgement::NotMeasured, Some(command))
    } else {
        (Judgement::NotTestableHere, Some(missing.join("; ")))
    };
}

/// A run that did not come to its end leaves open what it would have found.
fn of_part(verdict: &mut Verdict) {
    if verdict.verdict == Judgement::NotTestableHere {
        let why = verdict.reason.take().unwrap_or_default();
        let reason =
            format!("its run ended early, and `ztera lab run {}` goes on: {why}", verdict.experiment);
        (verdict.verdict, verdict.reason) = (Judgement::NotMeasured, Some(reason));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::claim::Expected;
    use crate::frame::claim::tests::judged;

    fn verdict(missing: &[&str]) -> Verdict {
        let mut verdict = judged(Expected::AtLeast(2.0), 0.0, Ok(3.0));
        let missing: Vec<String> = missing.iter().map(|&line| line.to_owned()).collect();
        without_samples(&mut verdict, &missing);
        assert_eq!(verdict.measured, None);
        verdict
    }

    #[test]
    fn an_experiment_that_was_not_run_has_no_verdict_but_a_reason() {
        let found = verdict(&[]);
        assert_eq!(found.verdict, Judgement::NotMeasured);
        assert_eq!(found.reason.as_deref(), Some("`ztera lab run toy` measures it"));
        assert_eq!(serde_json::to_value(found).unwrap()["verdict"], "not-measured");
    }

    #[test]
    fn a_run_that_ended_early_leaves_open_what_it_did_not_find() {
        let mut open = judged(Expected::AtLeast(2.0), 0.0, Err("no sample of zram".to_owned()));
        of_part(&mut open);
        assert_eq!(open.verdict, Judgement::NotMeasured);
        let words = "its run ended early, and `ztera lab run toy` goes on: no sample of zram";
        assert_eq!(open.reason.as_deref(), Some(words));
        let found = judged(Expected::AtLeast(2.0), 0.0, Ok(3.0));
        let mut same = found.clone();
        of_part(&mut same);
        assert_eq!(same, found);
    }

    #[test]
    fn an_experiment_that_lacks_something_is_not_testable_here() {
        let found = verdict(&["fio is missing", "root is needed"]);
        assert_eq!(found.verdict, Judgement::NotTestableHere);
        assert_eq!(found.reason.as_deref(), Some("fio is missing; root is needed"));
    }
}
