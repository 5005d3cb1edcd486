// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera doctor`: can this machine run the compressed tier, and what would make it better?

pub mod facts;
mod rules;
mod uffd;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use facts::Facts;
pub use facts::memory_limit;
use rules::{Finding, Status};

/// Say whether this machine can run the second heap, and what is missing
///
/// Looks at what the kernel offers and permits to this process: userfaultfd, limits, cgroups, and the tools that the
/// demo and the benchmark use. Changes nothing. Exits with 0 if the compressed tier can work, with 1 if not.
#[derive(clap::Args)]
pub struct Args {
    /// The ZTera JDK [default: the one that `make` built, or $ZTERA_HOME/jdk]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// Print JSON: the facts, the findings, and whether the tier works
    #[arg(long)]
    json: bool,
}

/// Looks, judges, prints.
pub fn run(args: &Args) -> Result<ExitCode> {
    let facts = Facts::gather(args.jdk.as_deref());
    let findings = rules::judge(&facts);
    let works = rules::tier_works(&findings);
    if args.json {
        let all = json!({"tier_works": works, "facts": facts, "findings": findings});
        println!("{}", serde_json::to_string_pretty(&all)?);
    } else {
        findings.iter().for_each(print);
        println!(
            "\n{}",
            if works {
                "The compressed tier can work here."
            } else {
                "The compressed tier cannot work here."
            }
        );
    }
    Ok(if works { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(finding: &Finding) {
    let mark = match finding.status {
        Status::Ok => "ok     ",
        Status::Note => "note   ",
        Status::Missing => "MISSING",
    };
    println!("{mark} {:<22} {}", finding.subject, finding.found);
    println!("        {:<22} {}", "", finding.follows);
    if let Some(remedy) = &finding.remedy {
        println!("        {:<22} -> {remedy}", "");
    }
}
