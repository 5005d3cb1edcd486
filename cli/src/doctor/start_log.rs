// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The consequences of the start log of a JVM. Pure functions.

use super::finding::Finding;
use super::finding::Status::{Error, Note, Ok, Warning};
use super::start::Start;

/// The subjects of H2's log, their names here, and the consequence of each.
const OF_H2: [(&str, &str, &str); 6] = [
    ("Memory limit", "memory limit", "H1, the pages of H2, and the JVM itself stay within it"),
    ("H1", "H1", "the ordinary heap; it counts with what it holds, not with its maximum"),
    ("H2", "H2", "addresses only, which cost no memory until something moves there"),
    ("H2 memory", "memory of H2", "uncompressed and compressed pages; each collection divides anew"),
    ("Tiers", "tiers", "pages go down in this order when memory is short"),
    ("Oops", "references", ""),
];

/// The same of the log of any heap, which is all there is while H2 is off.
const OF_ANY: [(&str, &str, &str); 3] = [
    ("Memory", "memory limit", "what the JVM takes for the machine's memory"),
    ("Heap Max Capacity", "heap", "the only one"),
    ("Compressed Oops", "compressed references", ""),
];

/// Lines of a JVM that fails which say no more than that.
const EMPTY_WORDS: [&str; 3] = [
    "Error occurred during initialization of VM",
    "Error: Could not create the Java Virtual Machine.",
    "Error: A fatal exception has occurred. Program will exit.",
];

/// Failures first, then the JVM's choices, then its warnings.
pub fn judge(start: &Start) -> Vec<Finding> {
    let lines: Vec<Line> = start.log.lines().filter_map(Line::parse).collect();
    let mut findings: Vec<Finding> = error(start).into_iter().collect();
    let h2 = choices(&lines, "gc,h2", &OF_H2);
    if h2.is_empty() && start.failure.is_none() {
        findings.push(off());
        findings.extend(choices(&lines, "gc,init", &OF_ANY));
    }
    findings.extend(h2.into_iter().map(|finding| if is_file(&lines) { as_file(finding) } else { finding }));
    findings.extend(lines.iter().filter(|line| line.level == "warning").map(|line| warning(line.text)));
    findings.extend(start.said.lines().filter_map(said));
    findings
}

/// Whether the JVM starts.
pub fn starts(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.status != Error)
}

/// A line of the JVM's log.
struct Line<'a> {
    level: &'a str,
    tags: &'a str,
    text: &'a str,
}

impl Line<'_> {
    /// From `[level][tags] text`, with spaces before a closing bracket.
    fn parse(line: &str) -> Option<Line<'_>> {
        let (level, rest) = line.strip_prefix('[')?.split_once("][")?;
        let (tags, text) = rest.split_once("] ")?;
        Some(Line { level: level.trim(), tags: tags.trim(), text })
    }
}

fn choices(lines: &[Line], tags: &str, known: &[(&str, &'static str, &str)]) -> Vec<Finding> {
    let of = |wanted: &str| {
        let mut told = lines.iter().filter(|line| line.level == "info" && line.tags == tags);
        told.find_map(|line| line.text.strip_prefix(wanted)?.strip_prefix(": "))
    };
    let finding = |(name, subject, follows): &(&str, &'static str, &str)| {
        Some(Finding::new(subject, Ok, of(name)?, *follows))
    };
    known.iter().filter_map(finding).collect()
}

/// Whether H2 has become a mapped file. Its line is of the heap as it is, the one of tiers of the flags.
fn is_file(lines: &[Line]) -> bool {
    let of_h2 = |line: &&Line| line.tags == "gc,h2" && line.text.starts_with("H2: ");
    lines.iter().find(of_h2).is_some_and(|line| line.text.ends_with("backing file"))
}

/// The same of a JVM that has no tiers although its flags ask for them.
fn as_file(finding: Finding) -> Finding {
    if finding.subject != "tiers" || !finding.found.starts_with("DRAM") {
        return finding;
    }
    let found = "none: H2 is one mapped file in H2Path, and is not compressed";
    Finding::new("tiers", Warning, found, "the kernel forbids userfaultfd to the JVM: see `ztera doctor`")
}

fn off() -> Finding {
    Finding::new("second heap", Note, "off", "an ordinary JVM, with its one heap")
        .remedy("-XX:H2Size=<capacity>")
}

fn warning(text: &str) -> Finding {
    with_remedy("flags", Warning, text)
}

/// The JVM's messages are of the form "what is wrong; what to do".
fn with_remedy(subject: &'static str, status: super::finding::Status, text: &str) -> Finding {
    match text.rsplit_once("; ") {
        Some((found, remedy)) => Finding::new(subject, status, found, "").remedy(remedy),
        None => Finding::new(subject, status, text, ""),
    }
}

/// Lines that stand on the standard streams only.
fn said(line: &str) -> Option<Finding> {
    if let Some((_, text)) = line.split_once(" VM warning: ") {
        return Some(warning(text));
    }
    let environment = line.strip_prefix("Picked up ").or_else(|| line.strip_prefix("NOTE: Picked up "))?;
    Some(Finding::new("environment", Note, environment, "these flags count too"))
}

fn error(start: &Start) -> Option<Finding> {
    let failure = start.failure.as_ref()?;
    let tells = |line: &&str| {
        let noise = line.is_empty() || line.starts_with('[') || EMPTY_WORDS.contains(line);
        !noise && said(line).is_none()
    };
    let text = start.said.lines().map(str::trim).filter(tells).collect::<Vec<_>>().join(" ");
    let found = if text.is_empty() { format!("the JVM failed: {failure}") } else { text };
    let finding = with_remedy("start", Error, &found);
    let remedy = finding.remedy.clone().or_else(|| remedy_of(&found, failure).map(str::to_owned));
    Some(Finding { remedy, ..finding })
}

/// For messages of the JVM that say no remedy.
fn remedy_of(found: &str, failure: &str) -> Option<&'static str> {
    let flag = ["Unrecognized VM option", "Unrecognized option", "Improperly specified", "Invalid "];
    if flag.iter().any(|beginning| found.contains(beginning)) {
        return Some(
            "correct or drop it; `java -XX:+PrintFlagsFinal -version` lists the flags and their values",
        );
    }
    if found.contains("Could not reserve enough space") {
        return Some("lower -Xmx or H2Size, or raise the limit of `ulimit -v`");
    }
    if failure.contains("signal: 9") {
        return Some(
            "the kernel kills a process that passes the memory limit: drop -XX:+AlwaysPreTouch, lower -Xmx and -Xms",
        );
    }
    failure.starts_with("no end").then_some("drop agents that wait for somebody, such as jdwp with suspend=y")
}

#[cfg(test)]
#[path = "start_log_test.rs"]
mod tests;
