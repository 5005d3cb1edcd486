// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The form of a benchmark: what it measures becomes a report of its own command, or a sample of an experiment.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use ztera_machine::interrupt;

use crate::frame::steps::Steps;
use crate::kit::output::Output;
use crate::kit::plot::Plot;

/// The document that has the targets of figures: the source of their claims.
pub const DOCUMENT: &str = "docs/performance.md";

/// The options of a benchmark.
pub trait Benchmark {
    /// Its findings. JSON has them all.
    type Report: Serialize;

    /// The report for people.
    const RENDER: fn(&Self::Report) -> String;

    /// The report in pictures.
    const PLOTS: fn(&Self::Report) -> Vec<Plot> = |_| Vec::new();

    /// How the report is to be shown; an error if that cannot be done.
    fn output(&self) -> Result<Output>;

    /// Measures everything.
    fn measure(&self) -> Result<Self::Report>;

    /// Whether all runs that were wanted were made, and found what they should.
    fn is_well(_report: &Self::Report) -> bool {
        true
    }

    /// Measures for an experiment: one step, whose data are the report.
    fn take(&self, step: &str, steps: &mut Steps) -> Result<()> {
        steps.plan([step.to_owned()])?;
        steps.take(step, || self.measure())
    }
}

/// A benchmark, whatever its report.
pub trait AnyBenchmark {
    /// Measures, and shows the report. The exit status says whether all is [well](Benchmark::is_well).
    fn show(&self) -> Result<ExitCode>;

    /// As of [`Benchmark::take`].
    fn take_steps(&self, step: &str, steps: &mut Steps) -> Result<()>;
}

impl<B: Benchmark> AnyBenchmark for B {
    fn show(&self) -> Result<ExitCode> {
        interrupt::watch()?;
        let output = self.output()?;
        let report = self.measure()?;
        output.publish(&report, B::RENDER, B::PLOTS)?;
        Ok(if B::is_well(&report) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn take_steps(&self, step: &str, steps: &mut Steps) -> Result<()> {
        self.take(step, steps)
    }
}
