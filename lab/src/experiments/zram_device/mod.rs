// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The zram device by itself, as chapter 4.2 of the ZTera thesis measures it, beside SSD, tmpfs, our device, and
//! the memory that our engine serves.
//!
//! ```text
//!  plan: points -> medium: a folder or a socket -> fio: one write and one read job -> Outcome
//!              |-> range: memory of our engine ------------------------------------|
//!              \-> files: a file system in a file on the SSD ----------------------/
//!                                            Outcomes -> found -> claims
//!                                                     \-> view
//! ```

mod claims;
mod files;
mod fio;
mod found;
mod medium;
mod plan;
mod point;
mod range;
mod view;

use anyhow::Result;

use crate::frame::claim::Claim;
use crate::frame::context::Context;
use crate::frame::experiment::{Experiment, Minutes, Question};
use crate::frame::lazy::Lazy;
use crate::frame::need::Need;
use crate::frame::presentation::Presentation;
use crate::frame::sample::Sample;
use crate::frame::steps::Steps;
use crate::kit::zram::codecs;
use medium::Medium;

/// The experiment.
pub struct ZramDevice;

impl Experiment for ZramDevice {
    fn question(&self) -> Question {
        Question {
            name: "zram-device",
            about: "When is a zram device faster than an SSD, and what bounds it?",
            source: "ZTera thesis, chapter 4.2, figures 4.1 to 4.11 and tables 4.5 to 4.7",
            minutes: Minutes { quick: 3, full: 60 },
        }
    }

    fn needs(&self) -> Vec<Need> {
        let tools = [("fio", "fio"), ("mkfs.ext4", "e2fsprogs")];
        let tools = tools.map(|(program, package)| Need::Program(program, package));
        [Need::Root, Need::Zram, Need::Ssd, Need::Space(plan::gib(plan::cpus()))]
            .into_iter()
            .chain(tools)
            .collect()
    }

    fn claims(&self) -> Vec<Claim> {
        claims::all()
    }

    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()> {
        let (size, cpus) = (plan::size(context.scale), plan::cpus());
        let mut plan = plan::all(context.scale, &codecs()?, cpus, context.raid.is_some());
        plan.extend(files::media().into_iter().map(|medium| plan::of_files(context.scale, medium)));
        let keys = plan.iter().flat_map(|(_, points)| plan::turns(context.scale, points));
        steps.plan(keys.map(|(key, _)| key))?;
        for (name, points) in &plan {
            let mut medium = Lazy::default();
            for (key, point) in plan::turns(context.scale, points) {
                steps.take(&key, || {
                    let time = plan::time(context.scale);
                    if let Some(engine) = range::engine(name) {
                        return range::measure(&engine, point, size, time);
                    }
                    let folder = &context.ssd;
                    if let Some(kind) = files::kind(name) {
                        return files::measure(kind, point, size, folder);
                    }
                    let medium = medium.get(|| Medium::create(name, context, plan::capacity(size, cpus)))?;
                    fio::measure(medium, point, size, time)
                })?;
            }
        }
        Ok(())
    }

    fn present(&self, samples: &[Sample]) -> Presentation {
        view::present(samples)
    }
}
