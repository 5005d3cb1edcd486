// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera lab verdicts`

mod kept;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use self::kept::{Kept, MEASURED};
use crate::experiments::ALL;
use crate::frame::claim::{Judgement, Verdict};
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Question};
use crate::frame::findings::Findings;
use crate::frame::number::{expected, measured};

/// Print all claims with their verdicts as a document, of the samples that there are
///
/// It is docs/verdicts.md: for each claim its source, the value that the source gives, the one that was measured, and
/// the verdict; for each experiment the machine. An experiment without samples has claims that are not measured, unless
/// --keep names a document that has them.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of samples
    #[arg(long, default_value = "out/lab", value_name = "DIR")]
    out: PathBuf,
    /// A document of this command: experiments without samples keep what it says of their claims
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
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
    let read =
        |file: &PathBuf| fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()));
    let text = args.keep.as_ref().map(read).transpose()?.unwrap_or_default();
    let kept = Kept::of(&text);
    let section = |experiment: &&dyn Experiment| {
        let findings = Findings::of(*experiment, &args.out.join(experiment.name()), &context);
        Section::of(&findings, &kept)
    };
    let all: Vec<Section> = ALL.iter().map(section).collect();
    print!("{}", document(&all));
    Ok(ExitCode::SUCCESS)
}

/// The part of the document on an experiment.
struct Section {
    name: &'static str,
    about: &'static str,
    source: &'static str,
    /// A line that begins with `Measured` or with `Not measured`.
    measured: String,
    /// Claim, source, expected and measured value, verdict.
    rows: Vec<[String; 5]>,
}

impl Section {
    fn of(findings: &Findings, kept: &Kept) -> Section {
        let Findings { question: Question { name, about, source, .. }, record, verdicts, .. } = findings;
        let mut rows: Vec<[String; 5]> = verdicts.iter().map(cells).collect();
        let measured = match (record, kept.measured(name)) {
            (None, Some(line)) => {
                rows.iter_mut().for_each(|row| kept.fill(name, row));
                line.to_owned()
            }
            _ => measured_on(findings),
        };
        Section { name, about, source, measured, rows }
    }

    fn count(&self, judgement: Judgement) -> usize {
        self.rows.iter().filter(|row| row[4] == judgement.words()).count()
    }

    fn render(&self) -> String {
        let head = ["claim", "source", "expected", "measured", "verdict"];
        let rows: String = self.rows.iter().map(|cells| row(cells)).collect();
        let Section { name, about, source, measured, .. } = self;
        let rule = "---|".repeat(head.len());
        format!(
            "## {name}\n\n{about} Source: {source}.\n\n{measured}\n\n{PRINTED_BY}\n{}|{rule}\n{rows}",
            row(&head)
        )
    }
}

fn document(all: &[Section]) -> String {
    let sections: Vec<String> = all.iter().map(Section::render).collect();
    format!("{HEAD}\n{}\n{}", summary(all), sections.join("\n"))
}

fn summary(all: &[Section]) -> String {
    let head = [&["experiment"][..], &Judgement::ALL.map(Judgement::words)].concat();
    let mut text = format!("{PRINTED_BY}\n{}|{}\n", row(&head), "---|".repeat(head.len()));
    for section in all {
        let counts = Judgement::ALL.map(|judgement| section.count(judgement).to_string());
        let name = format!("[{0}](#{0})", section.name);
        text += &row(&[&[name][..], &counts].concat());
    }
    text
}

/// One line of it that begins with `Measured` or with `Not measured`.
fn measured_on(findings: &Findings) -> String {
    let Some(record) = &findings.record else { return "Not measured yet.".to_owned() };
    let machine = &record.header.machine;
    let known = FACTS.iter().filter_map(|name| Some(format!("{name} {}", machine.fact(name)?)));
    let facts: Vec<String> = known.map(|fact| without_build(&fact)).collect();
    format!("{MEASURED}the scale {}, on: {}.", record.header.scale.name(), facts.join(", "))
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

/// No cell has a bar of its own: readers divide rows at bars.
fn row(cells: &[impl AsRef<str>]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.as_ref().replace('|', "/")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::claim::Expected;
    use crate::frame::claim::tests::judged;
    use crate::frame::experiment::tests::toy as question;
    use crate::frame::presentation::Presentation;

    #[test]
    fn a_kernel_is_named_without_its_build() {
        assert_eq!(without_build("kernel 6.12.3-amd64"), "kernel 6.12.3");
        assert_eq!(without_build("CPU a-b"), "CPU a-b");
    }

    fn toy() -> Findings {
        Findings {
            question: question(),
            record: None,
            verdicts: vec![
                judged(Expected::AtLeast(2.0), 0.1, Ok(3.0)),
                judged(Expected::AtMost(2.0), 0.0, Err("no SSD".to_owned())),
            ],
            presentation: Presentation::default(),
        }
    }

    #[test]
    fn a_claim_is_a_row_and_an_experiment_a_section() {
        let text = document(&[Section::of(&toy(), &Kept::default())]);
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

    /// A run of three experiments printed that nothing was known of the eleven others.
    #[test]
    fn what_a_document_says_is_kept_where_there_are_no_samples() {
        let other = "## toy\n\nDoes it work?\n\nMeasured at the scale full, on: CPUs 8.\n\n\
            | It is so. | ZTera thesis, 4.2 | at most 2 times | 7 | refuted |\n\
            | It was so. | ZTera thesis, 4.2 | at most 2 times | 1 | confirmed |\n";
        let text = document(&[Section::of(&toy(), &Kept::of(other))]);
        for line in [
            "| [toy](#toy) | 0 | 1 | 0 | 0 | 1 |",
            "Measured at the scale full, on: CPUs 8.",
            "| It is so. | ZTera thesis, 4.2 | at least 2 times, but for 10 % |  | not measured |",
            "| It is so. | ZTera thesis, 4.2 | at most 2 times | 7 | refuted |",
        ] {
            assert!(text.lines().any(|it| it == line), "{line} is not in\n{text}");
        }
        assert!(!text.contains("It was so."), "{text}");
    }
}
