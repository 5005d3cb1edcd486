// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera lab report`

use std::process::ExitCode;

use anyhow::Result;

use super::common::Common;
use crate::experiments::ALL;
use crate::frame::claim::{Judgement, Verdict};
use crate::frame::context::{Context, Scale};
use crate::frame::findings::Findings;
use crate::frame::number::{expected, measured};
use crate::frame::page;
use crate::kit::output::print;
use crate::kit::table::boxed;
use crate::kit::whole_file;

/// Make the report and the verdicts anew, of the samples that there are
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    common: Common,
}

/// Makes it.
pub fn run(args: &Args) -> Result<ExitCode> {
    make(&args.common)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes report and verdicts, and prints the verdicts on what was run.
pub fn make(common: &Common) -> Result<()> {
    let context = Context::of(Scale::Quick, &common.ssd);
    let all: Vec<Findings> = ALL
        .iter()
        .map(|experiment| Findings::of(*experiment, &common.out.join(experiment.name()), &context))
        .collect();
    let verdicts: Vec<&Verdict> = all.iter().flat_map(|findings| &findings.verdicts).collect();
    let write = |name: &str, text: String| {
        let file = common.out.join(name);
        whole_file::write(&file, &text)?;
        eprintln!("wrote {}", file.display());
        anyhow::Ok(())
    };
    write("report.html", page::render(&all)?)?;
    write("verdicts.json", serde_json::to_string_pretty(&verdicts)? + "\n")?;
    print(&verdicts, common.json, |_| render(&all))
}

/// The verdicts of experiments that have run, and the names of the others.
fn render(all: &[Findings]) -> String {
    let (run, others): (Vec<&Findings>, Vec<&Findings>) =
        all.iter().partition(|findings| findings.record.is_some());
    let mut table = boxed(["experiment", "claim", "expected", "measured", "verdict"]);
    table.add_rows(run.iter().flat_map(|findings| &findings.verdicts).map(|verdict| {
        let words = verdict.verdict.words().to_owned();
        [verdict.experiment.clone(), verdict.claim.clone(), expected(verdict), measured(verdict), words]
    }));
    let count = |wanted| run.iter().map(|findings| findings.count(wanted)).sum::<usize>();
    let open = match count(Judgement::NotMeasured) {
        0 => String::new(),
        open => format!(" {open} more are not measured, as a run ended early."),
    };
    let others: Vec<&str> = others.iter().map(|findings| findings.question.name).collect();
    format!(
        "{table}\n{} claims are confirmed, {} refuted, {} too noisy to say, {} not testable here.{open}{}",
        count(Judgement::Confirmed),
        count(Judgement::Refuted),
        count(Judgement::TooNoisy),
        count(Judgement::NotTestableHere),
        if others.is_empty() { String::new() } else { format!(" Not run yet: {}.", others.join(", ")) }
    )
}
