// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How heaps of programs compress, as chapter 4.3 of the ZTera thesis asks, and whether long-lived data compress less.
//!
//! ```text
//!  programs -> running: a JVM, stopped at moments -> dumps -> pages: a sample -> pack: our codecs -> found: Program
//!                                                    heap: addresses             zram: the kernel's     -> claims
//!                                                                                                       -> view
//! ```

mod claims;
mod dumps;
mod found;
mod heap;
mod pack;
mod pages;
mod plots;
mod programs;
mod running;
mod tables;
mod view;
mod zram;

use std::thread;
use std::time::Duration;

use anyhow::Result;
use ztera_codec::CodecKind;

use crate::frame::claim::Claim;
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Minutes, Question};
use crate::frame::need::Need;
use crate::frame::presentation::Presentation;
use crate::frame::sample::Sample;
use crate::frame::steps::Steps;
use crate::kit::data::Data;
use crate::kit::zram::codecs;
use dumps::Plan;
use programs::{Program, Start};
use running::Moment;
use zram::Effort;

/// The key of a step.
const SSD: &str = "the SSD";

/// The experiment.
pub struct HeapCompressibility;

impl Experiment for HeapCompressibility {
    fn question(&self) -> Question {
        Question {
            name: "heap-compressibility",
            about: "How much smaller do heaps of other people's programs become, and long-lived data among them?",
            source: "ZTera thesis, chapter 4.3, figures 4.12 to 4.17, table 4.8; chapter 6",
            minutes: Minutes { quick: 2, full: 35 },
        }
    }

    fn needs(&self) -> Vec<Need> {
        let jar = Need::Built("ztera-defaults.jar", "make build/ztera-defaults.jar");
        vec![Need::Built("jdk/bin/java", "make jdk"), jar]
    }

    fn uses_ssd(&self) -> bool {
        true
    }

    fn claims(&self) -> Vec<Claim> {
        claims::all()
    }

    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()> {
        let plan = plan(context.scale);
        let programs = programs(context.scale);
        let grouped: Vec<&Program> =
            programs.iter().filter(|program| matches!(program.start, Start::Library)).collect();
        let names = programs.iter().map(|program| program.name.to_owned());
        let second = |program: &&Program| format!("{}, H2", program.name);
        steps.plan([SSD.to_owned()].into_iter().chain(names).chain(grouped.iter().map(second)))?;
        steps.take(SSD, || zram::ssd(&context.ssd, &Data::synthetic(0.25, plan.sample, 1)?, plan.effort))?;
        for program in &programs {
            steps.take(program.name, || dumps::take(program, &plan))?;
        }
        grouped.iter().try_for_each(|program| steps.take(&second(program), || dumps::take_h2(program, &plan)))
    }

    fn present(&self, samples: &[Sample]) -> Presentation {
        view::present(samples)
    }
}

/// Tests take one. Programs for Spark take their time.
fn programs(scale: Scale) -> Vec<Program> {
    match scale {
        Scale::Tiny => programs::ALL[..1].to_vec(),
        Scale::Quick => programs::ALL.to_vec(),
        Scale::Full => [programs::ALL.to_vec(), programs::for_spark()].concat(),
    }
}

fn plan(scale: Scale) -> Plan {
    let (load, query) = (|percent| Moment::Progress("load", percent), Moment::Progress("query", 50));
    let after = |seconds| Moment::After(Duration::from_secs_f64(seconds));
    let (live_mib, heap_mib, sample, milliseconds) = match scale {
        Scale::Tiny => (16, 256, 1 << 20, 1),
        Scale::Quick => (96, 512, 4 << 20, 20),
        Scale::Full => (384, 2048, 16 << 20, 200),
    };
    let (progress, times) = match scale {
        Scale::Tiny => (vec![load(95)], vec![after(1.5)]),
        Scale::Quick => (vec![load(50), load(95)], vec![after(1.5), after(3.0)]),
        Scale::Full => (vec![load(50), load(95), query], [2.0, 5.0, 10.0, 20.0].map(after).into()),
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let both = vec![CodecKind::Lz4, CodecKind::Zstd];
    Plan {
        progress,
        times,
        spark_times: [15.0, 30.0, 60.0].map(after).into(),
        live_mib,
        heap_mib,
        sample,
        codecs: if scale == Scale::Full { CodecKind::ALL.into() } else { both },
        // Without root, dumps are compressed by our codecs alone, and claims say what is missing.
        zram: codecs().unwrap_or_default(),
        effort: Effort { threads, time: Duration::from_millis(milliseconds) },
    }
}

#[cfg(test)]
mod tests {
    use super::found::tests::program;
    use super::found::{Speed, Ssd, Zram};
    use super::*;
    use crate::frame::sample::tests::sample;

    /// `lab list` counts claims, and nothing said that the quick form takes what each needs.
    #[test]
    fn every_claim_follows_from_the_quick_plan() {
        let plan = plan(Scale::Quick);
        let of = |number: usize, own: &Program| {
            let by = 2.0 + number as f64;
            let mut found = program(own.name, by);
            for dump in &mut found.dumps {
                dump.ours.retain(|it| plan.codecs.iter().any(|codec| codec.name() == it.codec));
                let [lz4] = &dump.zram[..] else { panic!("one codec") };
                let with = |codec: &str| Zram { codec: codec.to_owned(), same_filled: by, ..lz4.clone() };
                let mut all = ["lz4", "lzo", "zstd"].map(with);
                all.iter_mut().for_each(|zram| zram.all.read *= by);
                dump.zram = all.into();
            }
            sample(own.name, found)
        };
        let mut samples: Vec<Sample> =
            programs(Scale::Quick).iter().enumerate().map(|(number, own)| of(number, own)).collect();
        let speed = Speed { write: 1.0, read: 1.0 };
        samples.push(sample(SSD, Ssd { ssd_one: speed, ssd_all: speed }));
        for claim in claims::all() {
            let value = (claim.measure)(&samples);
            assert!(value.is_ok(), "{}: {value:?}", claim.claim);
        }
    }
}
