// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How heaps of programs compress, as chapter 4.3 of seed 000 asks: dumps at several moments, codecs, sizes of units.
//!
//! ```text
//!  program: a JVM, GC.heap_dump at moments -> ztera analyze --json -> moment: Program -> claims, view
//! ```

mod claims;
mod dumps;
mod moment;
mod view;

use anyhow::Result;
use ztera_machine::jvm_flags::value_name;

use crate::defaults::{Input, Program};
use crate::frame::claim::Claim;
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Minutes};
use crate::frame::need::Need;
use crate::frame::presentation::Presentation;
use crate::frame::sample::Sample;
use crate::frame::steps::Steps;

/// The experiment.
pub struct HeapCompressibility;

impl Experiment for HeapCompressibility {
    fn name(&self) -> &'static str {
        "heap-compressibility"
    }

    fn about(&self) -> &'static str {
        "How much smaller do the heaps of Java programs become, by codec and size of unit?"
    }

    fn source(&self) -> &'static str {
        "seed 000, chapter 4.3, figures 4.12, 4.13 and 4.16, table 4.8"
    }

    fn minutes(&self) -> Minutes {
        Minutes { quick: 3, full: 15 }
    }

    fn needs(&self) -> Vec<Need> {
        let jar = Need::Built("ztera-defaults.jar", "make build/ztera-defaults.jar");
        vec![Need::Built("jdk/bin/java", "make jdk"), jar]
    }

    fn claims(&self) -> Vec<Claim> {
        claims::all()
    }

    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()> {
        let programs = programs(context.scale);
        steps.plan(programs.len());
        let live = live_mib(context.scale);
        for program in programs {
            let name = value_name(&program);
            steps.take(&format!("{name}, {live} MiB live"), || dumps::take(&name, live))?;
        }
        Ok(())
    }

    fn present(&self, samples: &[Sample]) -> Presentation {
        view::present(samples)
    }
}

/// Those that invent their data.
fn programs(scale: Scale) -> Vec<Program> {
    let all = Program::ALL.into_iter().filter(|program| program.input() == Input::Nothing);
    all.take(if scale == Scale::Tiny { 1 } else { usize::MAX }).collect()
}

/// Of each program.
fn live_mib(scale: Scale) -> u32 {
    match scale {
        Scale::Tiny => 16,
        Scale::Quick => 96,
        Scale::Full => 512,
    }
}
