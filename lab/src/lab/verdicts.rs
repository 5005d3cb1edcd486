// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera lab verdicts`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::experiments::ALL;
use crate::frame::claim::{Judgement, Verdict};
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Question};
use crate::frame::findings::Findings;
use crate::frame::number::{expected, measured};

/// Print all claims with their verdicts as a document, of the samples that there are
///
/// It is docs/verdicts.md: for each claim its source, the value that the source gives, the one that was measured, and
/// the verdict; for each experiment the machine. An experiment without samples has claims that are not measured.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of samples
    #[arg(long, default_value = "out/lab", value_name = "DIR")]
    out: PathBuf,
}

/// Above each table.
const PRINTED_BY: &str = "<!-- printed by: build/ztera lab verdicts -->";
const HEAD: &str = "# Verdicts\n\n\
    These are all claims of the [sources](sources.md), and what the laboratory found on one machine. [laboratory.md](laboratory.md)\n\
    says how they are judged. `ztera lab report` adds reasons, losing cases, plots and raw numbers. Values in brackets are the\n\
    least and the most of several rounds.\n";

/// Prints it.
pub fn run(args: &Args) -> Result<ExitCode> {
    let context = Context::of(Scale::Quick, ".");
    let found =
        |experiment: &&dyn Experiment| Findings::of(*experiment, &args.out.join(experiment.name()), &context);
    let all: Vec<Findings> = ALL.iter().map(found).collect();
    print!("{}", document(&all));
    Ok(ExitCode::SUCCESS)
}

fn document(all: &[Findings]) -> String {
    let sections: Vec<String> = all.iter().map(section).collect();
    format!("{HEAD}\n{}\n{}", summary(all), sections.join("\n"))
}

fn summary(all: &[Findings]) -> String {
    let head = [&["experiment"][..], &Judgement::ALL.map(Judgement::words)].concat();
    let mut text = format!("{PRINTED_BY}\n{}|{}\n", row(&head), "---|".repeat(head.len()));
    for findings in all {
        let counts = Judgement::ALL.map(|judgement| findings.count(judgement).to_string());
        let name = format!("[{0}](#{0})", findings.question.name);
        text += &row(&[&[name][..], &counts].concat());
    }
    text
}

fn section(findings: &Findings) -> String {
    let Findings { question: Question { name, about, source, .. }, verdicts, .. } = findings;
    let head = ["claim", "source", "expected", "measured", "verdict"];
    let mut text =
        format!("## {name}\n\n{about} Source: {source}.\n\n{}\n\n{PRINTED_BY}\n", measured_on(findings));
    _ = writeln!(text, "{}|{}", row(&head), "---|".repeat(head.len()));
    verdicts.iter().for_each(|verdict| text += &row(&cells(verdict)));
    text
}

/// One line of it that begins with `Measured` or with `Not measured`.
fn measured_on(findings: &Findings) -> String {
    let Some(record) = &findings.record else { return "Not measured yet.".to_owned() };
    let machine = &record.header.machine;
    let known = FACTS.iter().filter_map(|name| Some(format!("{name} {}", machine.fact(name)?)));
    let facts: Vec<String> = known.map(|fact| without_build(&fact)).collect();
    format!("Measured at the scale {}, on: {}.", record.header.scale.name(), facts.join(", "))
}

/// Facts of a machine that say most about its times.
const FACTS: [&str; 7] = ["kernel", "CPU", "CPUs", "memory", "swappiness", "huge pages", "disk"];

/// `kernel 6.12.3` of `kernel 6.12.3-amd64`: others have no use for the name of a build.
fn without_build(fact: &str) -> String {
    match fact.strip_prefix("kernel ").and_then(|release| release.split('-').next()) {
        Some(release) => format!("kernel {release}"),
        None => fact.to_owned(),
    }
}

fn cells(verdict: &Verdict) -> [String; 5] {
    let words = verdict.verdict.words().to_owned();
    [verdict.claim.clone(), verdict.source.clone(), expected(verdict), measured(verdict), words]
}

fn row(cells: &[impl AsRef<str>]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.as_ref().replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::claim::Expected;
    use crate::frame::claim::tests::judged;
    use crate::frame::experiment::tests::toy;
    use crate::frame::presentation::Presentation;

    #[test]
    fn a_kernel_is_named_without_its_build() {
        assert_eq!(without_build("kernel 6.12.3-amd64"), "kernel 6.12.3");
        assert_eq!(without_build("CPU a-b"), "CPU a-b");
    }

    #[test]
    fn a_claim_is_a_row_and_an_experiment_a_section() {
        let findings = Findings {
            question: toy(),
            record: None,
            verdicts: vec![
                judged(Expected::AtLeast(2.0), 0.1, Ok(3.0)),
                judged(Expected::AtMost(2.0), 0.0, Err("no SSD".to_owned())),
            ],
            presentation: Presentation::default(),
        };
        let text = document(&[findings]);
        let lines: Vec<&str> = text.lines().collect();
        for line in [
            "| [toy](#toy) | 1 | 0 | 0 | 1 | 0 |",
            "## toy",
            "Does it work? Source: ZTera thesis, 4.2.",
            "Not measured yet.",
            "| It is so. | ZTera thesis, 4.2 | at least 2 times, but for 10 % | 3 | confirmed |",
            "| It is so. | ZTera thesis, 4.2 | at most 2 times |  | not testable here |",
        ] {
            assert!(lines.contains(&line), "{line} is not in\n{text}");
        }
        assert!(text.ends_with("|\n") && !text.contains("\n\n\n"), "{text}");
    }
}
