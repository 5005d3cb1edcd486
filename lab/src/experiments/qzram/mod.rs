// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! QZRAM's evaluation: compressed devices with and without an accelerator, and Redis on swap.
//!
//! ```text
//!  corpus -+-> by_calls: our device in process, and zram, by one driver (laps) \
//!          |   by_fio: our device by NBD, and zram, with invented data          > Outcome -> claims, view
//!          |-> redis: servers in a cgroup, on swap or none ------------------- > Curve   -/
//!          \-> in_guest: the same in a virtual machine ----------------------- > InGuest -/
//! ```
//!
//! [`arm`] has the devices, and [`plan`] says which is measured how. No accelerator is needed: an arm with `model` in
//! its name uses a model of one, and its figures are the model's.

mod arm;
mod by_calls;
mod by_fio;
mod claims;
mod corpus;
mod found;
mod in_guest;
mod plan;
mod point;
mod view;

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Result;
use ztera_machine::units::MIB;

use crate::frame::claim::Claim;
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Minutes, Question};
use crate::frame::lazy::Lazy;
use crate::frame::need::Need;
use crate::frame::presentation::Presentation;
use crate::frame::rounds;
use crate::frame::sample::Sample;
use crate::frame::steps::Steps;
use crate::kit::data::Data;
use crate::redis::{self, Arm, Setting};
use corpus::{CALGARY, CONTENTS, Corpus};
use point::Way;

/// The experiment.
pub struct Qzram;

impl Experiment for Qzram {
    fn question(&self) -> Question {
        Question {
            name: "qzram",
            about: "What does an accelerator gain for compressed devices, and for Redis on swap?",
            source: "QZRAM, tables 1 and 2, figures 7 to 11",
            minutes: Minutes { quick: 5, full: 30 },
        }
    }

    fn needs(&self) -> Vec<Need> {
        let programs = [("fio", "fio"), ("redis-server", "redis-server")];
        let programs = programs.map(|(program, package)| Need::Program(program, package));
        let others = [Need::Root, Need::Zram, Need::Cgroup, Need::Data(CALGARY, CONTENTS)];
        others.into_iter().chain(programs).collect()
    }

    fn claims(&self) -> Vec<Claim> {
        claims::all()
    }

    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()> {
        let scale = context.scale;
        let points = [Way::Calls, Way::Fio].into_iter().flat_map(|way| plan::points(scale, way));
        let of_redis = |arm: &Arm| format!("redis, {}", arm.name());
        let rounds = in_rounds(scale);
        // Tests do not boot a guest.
        let boots = scale != Scale::Tiny;
        let last = boots.then(|| in_guest::STEP.to_owned());
        let keys = points.map(|(_, point)| point.key()).chain(Arm::of(scale).iter().map(of_redis));
        steps.plan(keys.chain(rounds.iter().map(|(key, _)| key.clone())).chain(last))?;
        let corpus = Corpus::of(scale)?;
        by_calls(scale, &corpus, steps)?;
        by_fio(scale, steps)?;
        Arm::of(scale).iter().try_for_each(|arm| {
            let run = || redis::run(*arm, Setting::of(scale), corpus.bytes());
            steps.take(&of_redis(arm), run)
        })?;
        rounds.iter().try_for_each(|(key, arm)| {
            steps.take(key, || redis::run(*arm, Setting::gets_follow(scale, *arm), corpus.bytes()))
        })?;
        if boots {
            steps.take(in_guest::STEP, in_guest::measure)?;
        }
        Ok(())
    }

    fn present(&self, samples: &[Sample]) -> Presentation {
        view::present(samples)
    }
}

/// Rounds of Redis in which GET follows all SETs, with their keys. Arms take turns.
fn in_rounds(scale: Scale) -> Vec<(String, Arm)> {
    let of =
        |round| Arm::of(scale).iter().map(move |arm| (rounds::key(&redis::gets_follow(*arm), round), *arm));
    (1..=redis::ROUNDS).flat_map(of).collect()
}

/// Devices by arm. They stay, as arms take turns.
type Devices<D> = HashMap<&'static str, Lazy<D>>;

fn by_calls(scale: Scale, corpus: &Corpus, steps: &mut Steps) -> Result<()> {
    let data = Arc::new(Data::of_pages(corpus.pages(), plan::size(scale))?);
    let mut devices = Devices::new();
    for (arm, point) in plan::points(scale, Way::Calls) {
        steps.take(&point.key(), || {
            let device = devices.entry(arm.name).or_default().get(|| by_calls::Device::create(arm, &data))?;
            by_calls::measure(device, &point, plan::time(scale))
        })?;
    }
    Ok(())
}

fn by_fio(scale: Scale, steps: &mut Steps) -> Result<()> {
    // Each of sixteen processes has room for a request of 4 MiB.
    let bytes = (plan::size(scale) as u64).max(64 * MIB);
    let mut devices = Devices::new();
    for (arm, point) in plan::points(scale, Way::Fio) {
        steps.take(&point.key(), || {
            let medium = devices.entry(arm.name).or_default().get(|| by_fio::Medium::create(arm, bytes))?;
            by_fio::measure(medium, &point, bytes, plan::time(scale))
        })?;
    }
    Ok(())
}
