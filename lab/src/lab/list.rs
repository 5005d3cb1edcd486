// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera lab list`

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;

use super::common::Common;
use crate::experiments::ALL;
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Question};
use crate::frame::need;
use crate::kit::output::print;
use crate::kit::table::boxed;

/// List the experiments, how long they take, and what they lack here
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct Entry {
    #[serde(flatten)]
    question: Question,
    claims: usize,
    missing: Vec<String>,
}

impl Entry {
    fn of(experiment: &dyn Experiment, context: &Context) -> Entry {
        Entry {
            question: experiment.question(),
            claims: experiment.claims().len(),
            missing: need::missing(&experiment.needs(), context),
        }
    }
}

/// Prints them.
pub fn run(args: &Args) -> Result<ExitCode> {
    let context = Context::of(Scale::Quick, &args.common.ssd);
    let entries: Vec<Entry> = ALL.iter().map(|experiment| Entry::of(*experiment, &context)).collect();
    print(&entries, args.common.json, |entries| render(entries))?;
    Ok(ExitCode::SUCCESS)
}

fn render(entries: &[Entry]) -> String {
    let mut table = boxed(["experiment", "question", "source", "claims", "minutes, quick and full"]);
    table.add_rows(entries.iter().map(|entry| {
        let Question { name, about, source, minutes } = entry.question;
        let minutes = format!("{}, {}", minutes.quick, minutes.full);
        [name, about, source, &entry.claims.to_string(), &minutes].map(str::to_owned)
    }));
    let missing =
        entries.iter().flat_map(|entry| entry.missing.iter().map(move |line| (entry.question.name, line)));
    let missing: String = missing.map(|(name, line)| format!("\n{name}: {line}")).collect();
    format!("{table}{missing}")
}
