// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera doctor`: can this machine run the compressed tier, and what would a JVM do with these flags?

mod facts;
mod finding;
mod options;
mod rules;
mod start;
mod start_log;
mod uffd;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;
use ztera_machine::view::Jdk;

use facts::Facts;

/// Say what this machine lacks for a second heap, or what a JVM would make of its flags
///
/// Without flags: looks at what the kernel offers and permits to this process, and at the tools that demo and
/// benchmarks use. Changes nothing. Exits with 0 if the compressed tier can work, with 1 if not.
///
/// With flags: starts a JVM with them, without the program, in the cgroup of this process. Shows the limit that it
/// finds, how it divides that, and which flags do not fit.
///
/// Agents and all else that the flags ask for at start are part of that. Exits with 0 if the JVM starts, with 1 if not.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The ZTera JDK [default: the one that `make` built, or $ZTERA_HOME/jdk]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// Print JSON: the facts, the findings, and whether the tier works or the JVM starts
    #[arg(long)]
    json: bool,
    /// The arguments for `java`, of which the program and its own are left out
    #[arg(last = true, value_name = "JAVA ARGUMENTS")]
    java: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  ztera doctor                                        # can this machine, or container, do it?
  ztera doctor -- -XX:H2Size=8g -Xmx1g -jar app.jar   # what would these flags come to?";

/// Looks, judges, prints.
pub fn run(args: &Args) -> Result<ExitCode> {
    let good = match args.java.as_slice() {
        [] => machine(args.jdk.as_deref(), args.json)?,
        words => flags(&Jdk::view(args.jdk.as_deref())?, words, args.json)?,
    };
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether the compressed tier can work here.
fn machine(jdk: Option<&Path>, json: bool) -> Result<bool> {
    let facts = Facts::gather(jdk);
    let findings = rules::judge(&facts);
    let works = rules::tier_works(&findings);
    if json {
        let all = json!({"tier_works": works, "facts": facts, "findings": findings});
        println!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(works);
    }
    findings.iter().for_each(finding::Finding::print);
    let can = if works { "can" } else { "cannot" };
    println!("\nThe compressed tier {can} work here.");
    Ok(works)
}

/// Whether a JVM starts with these arguments.
fn flags(jdk: &Jdk, words: &[OsString], json: bool) -> Result<bool> {
    let options = options::of_jvm(words);
    let start = start::try_out(jdk, &options)?;
    let findings = start_log::judge(&start);
    let starts = start_log::starts(&findings);
    if json {
        let options: Vec<_> = options.iter().map(|option| option.to_string_lossy()).collect();
        let all = json!({"starts": starts, "jdk": jdk.home(), "options": options, "findings": findings});
        println!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(starts);
    }
    findings.iter().for_each(finding::Finding::print);
    println!("\nThe JVM {} with these flags.", if starts { "starts" } else { "does not start" });
    Ok(starts)
}
