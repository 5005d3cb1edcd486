// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera tune` on this machine, and the table of the Zram notes, whose text and score disagree.
//!
//! ```text
//!  the notes' table \
//!                     table: Table -> claims
//!  ztera tune       /              -> view: scores, table, reasons, files
//!  on_swap: page faults -----------/
//!  compile: javac on swap --------/
//! ```

mod claims;
mod compile;
mod on_swap;
mod table;
mod view;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use ztera_machine::view::built;

use crate::frame::claim::Claim;
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Minutes, Question};
use crate::frame::lazy::Lazy;
use crate::frame::need::Need;
use crate::frame::presentation::Presentation;
use crate::frame::rounds;
use crate::frame::sample::{Sample, data_of};
use crate::frame::steps::Steps;
use crate::kit::zram::{CODEC, codecs};
use compile::{Compiler, On, Whole};
use table::{Order, Table};
use ztera_measure::tuning::Target;

/// The key of a step.
const NOTES: &str = "the notes' table";

/// The experiment.
pub struct Tune;

impl Experiment for Tune {
    fn question(&self) -> Question {
        Question {
            name: "tune",
            about: "Which codec and page-cluster suit this machine, and does the score of the Zram notes agree with their advice?",
            source: "Zram notes, tables and conclusion",
            minutes: Minutes { quick: 2, full: 12 },
        }
    }

    /// None for all steps: those of the kernel's zram say themselves that they take root.
    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }

    /// For swap.
    fn uses_ssd(&self) -> bool {
        true
    }

    fn claims(&self) -> Vec<Claim> {
        claims::all()
    }

    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()> {
        let (orders, points) = (orders(context.scale), on_swap::points(context.scale));
        let keys = orders.iter().map(Order::step).chain(points.iter().map(on_swap::Point::name));
        let compiles = compiles(context.scale);
        let of_compiles = compiles.iter().map(|(key, _)| key.clone());
        let whole = (!compiles.is_empty()).then(|| WHOLE.to_owned());
        steps.plan([NOTES.to_owned()].into_iter().chain(keys).chain(whole).chain(of_compiles))?;
        steps.take(NOTES, Table::of_notes)?;
        orders.iter().try_for_each(|order| steps.take(&order.step(), || order.measure()))?;
        points
            .iter()
            .try_for_each(|point| steps.take(&point.name(), || on_swap::measure(*point, context)))?;
        compile(&compiles, steps)
    }

    fn present(&self, samples: &[Sample]) -> Presentation {
        view::present(samples)
    }
}

/// The key of a compile without a limit.
const WHOLE: &str = "a compile, no limit";

/// Compiles on swap with their keys, round by round. Tests compile nothing. A kernel without zram gives a reason.
fn compiles(scale: Scale) -> Vec<(String, On)> {
    let (some, rounds): (&[&str], u32) = match scale {
        Scale::Tiny => return Vec::new(),
        Scale::Quick => (&["lz4", "zstd"], 2),
        Scale::Full => (&[], 5),
    };
    let known = codecs().unwrap_or_else(|_| vec![CODEC.to_owned()]);
    let codecs = known.into_iter().filter(|codec| some.is_empty() || some.contains(&codec.as_str()));
    let on = |codec: String| [0, 3].map(|page_cluster| On { codec: codec.clone(), page_cluster });
    let all: Vec<On> = codecs.flat_map(on).collect();
    (1..=rounds)
        .flat_map(|round| all.iter().map(move |on| (rounds::key(&on.name(), round), on.clone())))
        .collect()
}

fn compile(compiles: &[(String, On)], steps: &mut Steps) -> Result<()> {
    if compiles.is_empty() {
        return Ok(());
    }
    let mut compiler = Lazy::default();
    steps.take(WHOLE, || compiler.get(Compiler::set_up)?.whole())?;
    let whole = data_of::<Whole>(steps.samples()).pop();
    compiles.iter().try_for_each(|(key, on)| {
        steps.take(key, || {
            let whole = whole.context("the memory that it takes without a limit is not known")?;
            compiler.get(Compiler::set_up)?.on(on, whole)
        })
    })
}

/// Invented objects, and source text where there is some; both where pages are compressed.
fn orders(scale: Scale) -> Vec<Order> {
    let (size, seconds) = match scale {
        Scale::Tiny => ("1m", "0.001"),
        Scale::Quick => ("16m", "0.2"),
        Scale::Full => ("64m", "2"),
    };
    let text = built("jdk-source").filter(|_| scale != Scale::Tiny);
    let data: Vec<Option<PathBuf>> = [None].into_iter().chain(text.map(Some)).collect();
    let of = |target| {
        data.iter().map(move |directory| Order { target, directory: directory.clone(), size, seconds })
    };
    of(Target::Zram).chain(of(Target::H2)).collect()
}

#[cfg(test)]
mod tests {
    use super::compile::Compiled;
    use super::on_swap::OnSwap;
    use super::table::Whose;
    use super::*;
    use crate::frame::sample::tests::sample;
    use crate::kit::swap_faults::Faults;

    /// All that the quick form measures. Candidates are those of the notes, so a kernel may have fewer codecs.
    fn quick() -> Vec<Sample> {
        let notes = Table::of_notes().unwrap();
        let mut samples = vec![sample(NOTES, &notes)];
        for order in orders(Scale::Quick) {
            let mut here = Table { whose: Whose::Here, target: order.target, ..notes.clone() };
            here.measured.iter_mut().for_each(|it| it.copy_seconds = 1.0);
            (here.files, here.written) = (vec![("a".into(), "b".to_owned())], 1);
            samples.push(sample(&order.step(), here));
        }
        for swap in on_swap::points(Scale::Quick) {
            let faults = Faults { faults: 1, pages_per_fault: 1.0, mean_ns: 1.0, p99_ns: 1.0 };
            samples.push(sample(&swap.name(), OnSwap { swap, faults }));
        }
        for (key, compiled_on) in compiles(Scale::Quick) {
            let run = Compiled { compiled_on, limit_bytes: 1, zram_peak_bytes: 1, seconds: 1.0 };
            samples.push(sample(&key, run));
        }
        samples
    }

    /// `lab list` counts claims, and nothing said that the quick form takes what each needs.
    #[test]
    fn every_claim_follows_from_the_quick_plan() {
        let samples = quick();
        for claim in claims::all() {
            if let Err(reason) = (claim.measure)(&samples) {
                assert!(reason.contains("this kernel's zram has no"), "{}: {reason}", claim.claim);
            }
        }
    }
}
