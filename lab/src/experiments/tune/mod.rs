// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera tune` on this machine, and the table of seed 003, whose text and score disagree.
//!
//! ```text
//!  the seed's table \
//!                     table: Table -> claims
//!  ztera tune       /              -> view: scores, table, reasons, files
//! ```

mod claims;
mod table;
mod view;

use std::path::PathBuf;

use anyhow::Result;
use ztera_machine::view::built;

use crate::frame::claim::Claim;
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Minutes};
use crate::frame::need::Need;
use crate::frame::presentation::Presentation;
use crate::frame::sample::Sample;
use crate::frame::steps::Steps;
use crate::tune::Target;
use table::{Order, Table};

/// The key of a step.
const SEED: &str = "the seed's table";

/// The experiment.
pub struct Tune;

impl Experiment for Tune {
    fn name(&self) -> &'static str {
        "tune"
    }

    fn about(&self) -> &'static str {
        "Which codec and page-cluster suit this machine, and does the seed's score agree with its advice?"
    }

    fn source(&self) -> &'static str {
        "seed 003, tables and conclusion"
    }

    fn minutes(&self) -> Minutes {
        Minutes { quick: 1, full: 5 }
    }

    /// None for all steps: those of the kernel's zram say themselves that they take root.
    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }

    fn claims(&self) -> Vec<Claim> {
        claims::all()
    }

    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()> {
        let orders = orders(context.scale);
        steps.plan([SEED.to_owned()].into_iter().chain(orders.iter().map(Order::step)))?;
        steps.take(SEED, Table::of_seed)?;
        orders.iter().try_for_each(|order| steps.take(&order.step(), || order.measure()))
    }

    fn present(&self, samples: &[Sample]) -> Presentation {
        view::present(samples)
    }
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
