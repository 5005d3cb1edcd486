// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All that is known of an experiment once its samples are read.

use std::path::Path;

use super::claim::{Judgement, Verdict};
use super::context::Context;
use super::experiment::{Experiment, Minutes};
use super::need;
use super::presentation::Presentation;
use super::steps::Record;

/// An experiment's part of the report.
pub struct Findings {
    /// Its name.
    pub name: &'static str,
    /// Its question.
    pub about: &'static str,
    /// Its source.
    pub source: &'static str,
    /// How long it takes.
    pub minutes: Minutes,
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
        if record.is_none() {
            let why = not_run(experiment, context);
            verdicts.iter_mut().for_each(|verdict| without_samples(verdict, &why));
        }
        Findings {
            name: experiment.name(),
            about: experiment.about(),
            source: experiment.source(),
            minutes: experiment.minutes(),
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

fn without_samples(verdict: &mut Verdict, why: &str) {
    verdict.measured = None;
    verdict.verdict = Judgement::NotTestableHere;
    verdict.reason = Some(why.to_owned());
}

fn not_run(experiment: &dyn Experiment, context: &Context) -> String {
    let missing = need::missing(&experiment.needs(), context);
    if missing.is_empty() {
        return format!("it was not run: `ztera lab run {}`", experiment.name());
    }
    missing.join("; ")
}
