// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Many JVMs under one limit of memory, as Nakaike et al. measure them: what leaves memory first, and what it costs.
//!
//! ```text
//!  plan: points -> stage: own files, medium, cgroup -> session: servers, load -> Outcome -\
//!                                                        |  load, counters, areas, pin       > claims, view
//!  in_guest: a virtual machine whose kernel has MGLRU, too -----------------------> InGuest -/
//! ```

mod areas;
mod claims;
mod counters;
mod files;
mod footprint;
mod found;
mod in_guest;
mod load;
mod medium;
mod pin;
mod plan;
mod plots;
mod point;
mod server;
mod session;
mod stage;
mod tables;
mod view;

use anyhow::Result;

use crate::frame::claim::Claim;
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Minutes, Question};
use crate::frame::lazy::Lazy;
use crate::frame::need::Need;
use crate::frame::presentation::Presentation;
use crate::frame::sample::Sample;
use crate::frame::steps::Steps;
use plan::Size;
use point::Point;
use stage::Stage;

/// The experiment.
pub struct Oversubscription;

impl Experiment for Oversubscription {
    fn question(&self) -> Question {
        Question {
            name: "oversubscription",
            about: "Many JVMs on too little memory: is it swap or the page cache that slows them, and what helps?",
            source: "Nakaike et al., chapter 5, figures 2 to 9",
            minutes: Minutes { quick: 5, full: 540 },
        }
    }

    fn needs(&self) -> Vec<Need> {
        let built = [
            ("jdk", "make jdk"),
            ("ztera-api.jar", "make java"),
            ("ztera-web-workloads.jar", "make web-workloads"),
        ];
        let built = built.map(|(file, command)| Need::Built(file, command));
        let wrk = Need::Program("wrk", "wrk");
        // For a copy of the JDK, and swap of all JVMs.
        let machine = [Need::Root, Need::Zram, Need::Cgroup, Need::Ssd, Need::Space([3, 12]), wrk];
        machine.into_iter().chain(built).collect()
    }

    fn claims(&self) -> Vec<Claim> {
        claims::all()
    }

    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()> {
        let points = plan::points(context.scale);
        // Tests do not boot a guest.
        let boots = context.scale != Scale::Tiny;
        steps.plan(points.iter().map(Point::key).chain(boots.then(|| in_guest::STEP.to_owned())))?;
        let mut stage = Lazy::default();
        for point in &points {
            steps.take(&point.key(), || {
                stage.get(|| Stage::set_up(context, Size::of(context.scale)))?.measure(point)
            })?;
        }
        if boots {
            steps.take(in_guest::STEP, in_guest::measure)?;
        }
        Ok(())
    }

    fn present(&self, samples: &[Sample]) -> Presentation {
        view::present(samples)
    }
}
