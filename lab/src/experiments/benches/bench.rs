// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A benchmark in the form of an experiment: it runs `ztera bench` in a process of its own.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::{plot, tables};
use crate::frame::claim::{Claim, Judgement};
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Minutes};
use crate::frame::need::Need;
use crate::frame::presentation::Presentation;
use crate::frame::sample::{Sample, left_out};
use crate::frame::steps::Steps;
use crate::kit::own_command;

/// A benchmark.
pub struct Bench {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) source: &'static str,
    pub(super) minutes: Minutes,
    pub(super) needs: &'static [Need],
    /// Arguments of `ztera bench`, one command per step.
    pub(super) commands: fn(Scale) -> Vec<&'static str>,
    /// Whether it takes `--ssd`.
    pub(super) takes_ssd: bool,
    /// Whether it takes `--resume`, and so goes on where it was interrupted.
    pub(super) resumes: bool,
    pub(super) claims: fn() -> Vec<Claim>,
}

impl Experiment for Bench {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn source(&self) -> &'static str {
        self.source
    }

    fn minutes(&self) -> Minutes {
        self.minutes
    }

    fn needs(&self) -> Vec<Need> {
        self.needs.to_vec()
    }

    fn claims(&self) -> Vec<Claim> {
        (self.claims)()
    }

    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()> {
        let commands = (self.commands)(context.scale);
        steps.plan(commands.iter().map(|&arguments| arguments.to_owned()))?;
        let runs = steps.runs();
        commands
            .iter()
            .try_for_each(|arguments| steps.take(arguments, || self.bench(arguments, context, &runs)))
    }

    fn present(&self, samples: &[Sample]) -> Presentation {
        let verdicts = self.judge(samples);
        let lost = verdicts.iter().filter(|verdict| verdict.verdict == Judgement::Refuted);
        Presentation {
            losing: lost.map(plot::in_words).collect(),
            notes: left_out(samples).into_iter().chain(samples.iter().flat_map(notes_of)).collect(),
            plots: vec![plot::at_a_glance(self.name, &verdicts)],
            tables: samples.iter().flat_map(|sample| tables::of(self.name, &sample.data)).collect(),
        }
    }
}

/// The notes of a benchmark's report: arms that are left out, and how to read its numbers.
fn notes_of(sample: &Sample) -> Vec<String> {
    let notes = sample.data["notes"].as_array().into_iter().flatten();
    notes.filter_map(|note| note.as_str().map(str::to_owned)).collect()
}

impl Bench {
    fn bench(&self, arguments: &str, context: &Context, runs: &Path) -> Result<Value> {
        let mut command = Command::new(env::current_exe()?);
        command.arg("bench").args(arguments.split(' ')).arg("--json");
        if self.takes_ssd {
            command.arg("--ssd").arg(&context.ssd);
        }
        if self.resumes {
            command.arg("--resume").arg(runs);
        }
        let text = own_command::output(command)?;
        serde_json::from_str(&text).context("the benchmark did not print JSON")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::SPARK;
    use super::*;
    use crate::frame::sample::tests::sample;

    #[test]
    fn notes_of_a_benchmark_are_on_the_page() {
        let samples =
            [sample("all", json!({"notes": ["off-heap is left out: no room"]})), sample("b", json!({}))];
        assert_eq!(SPARK.present(&samples).notes, ["off-heap is left out: no room"]);
    }
}
