// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A benchmark in the form of an experiment.

use std::ffi::OsString;

use anyhow::Result;
use serde_json::Value;

use super::tables;
use crate::bench;
use crate::frame::claim::{Claim, Judgement};
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Minutes, Question};
use crate::frame::glance::at_a_glance;
use crate::frame::need::Need;
use crate::frame::number::lost;
use crate::frame::presentation::Presentation;
use crate::frame::sample::{Sample, left_out};
use crate::frame::steps::Steps;

/// A benchmark.
pub struct Bench {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) source: &'static str,
    pub(super) minutes: Minutes,
    pub(super) needs: &'static [Need],
    /// Arguments of `ztera bench`.
    pub(super) command: fn(Scale) -> &'static str,
    /// Whether it takes `--ssd`.
    pub(super) takes_ssd: bool,
    pub(super) claims: fn() -> Vec<Claim>,
    /// The part of its report that the tables show.
    pub(super) found: fn(&[Sample]) -> Vec<Value>,
}

/// The reports of a benchmark that has one step.
pub fn reports(samples: &[Sample]) -> Vec<Value> {
    samples.iter().map(|sample| sample.data.clone()).collect()
}

impl Experiment for Bench {
    fn question(&self) -> Question {
        Question { name: self.name, about: self.about, source: self.source, minutes: self.minutes }
    }

    fn needs(&self) -> Vec<Need> {
        self.needs.to_vec()
    }

    fn claims(&self) -> Vec<Claim> {
        (self.claims)()
    }

    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()> {
        let command = (self.command)(context.scale);
        bench::take(&self.words(command, context), command, steps)
    }

    fn present(&self, samples: &[Sample]) -> Presentation {
        let (verdicts, found) = (self.judge(samples), (self.found)(samples));
        let missed = verdicts.iter().filter(|verdict| verdict.verdict == Judgement::Refuted);
        Presentation {
            losing: missed.map(lost).collect(),
            notes: left_out(samples).into_iter().chain(found.iter().flat_map(notes_of)).collect(),
            plots: vec![at_a_glance(
                self.name,
                format!("of the benchmark {}", self.name),
                &verdicts,
                Vec::new(),
            )],
            tables: found.iter().flat_map(|found| tables::of(self.name, found)).collect(),
        }
    }
}

/// The notes of a benchmark's report: arms that are left out, and how to read its numbers.
fn notes_of(report: &Value) -> Vec<String> {
    let notes = report["notes"].as_array().into_iter().flatten();
    notes.filter_map(|note| note.as_str().map(str::to_owned)).collect()
}

impl Bench {
    fn words(&self, command: &str, context: &Context) -> Vec<OsString> {
        let mut words: Vec<OsString> = command.split(' ').map(Into::into).collect();
        if self.takes_ssd {
            words.extend(["--ssd".into(), context.ssd.clone().into()]);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::DISK;
    use super::*;
    use crate::frame::sample::tests::sample;

    #[test]
    fn notes_of_a_benchmark_are_on_the_page() {
        let samples =
            [sample("all", json!({"notes": ["off-heap is left out: no room"]})), sample("b", json!({}))];
        assert_eq!(DISK.present(&samples).notes, ["off-heap is left out: no room"]);
    }
}
