// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Shows on standard error how far an arm is: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The progress of one arm, from the lines that the program prints.
pub struct Progress {
    name: String,
    bar: Option<ProgressBar>,
    reached: Option<Step>,
}

/// `load 37%`
#[derive(Clone, Debug, PartialEq)]
struct Step {
    phase: String,
    percent: u64,
}

/// Between two plain lines.
const PLAIN_STEP: u64 = 20;

impl Progress {
    /// Starts to show, below a title if there is one.
    pub fn new(name: &str, title: &str) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| bar(title));
        if bar.is_none() && !title.is_empty() {
            eprintln!("{title}");
        }
        Progress { name: name.to_owned(), bar, reached: None }
    }

    /// Takes a line of the program's standard error.
    pub fn line(&mut self, line: &str) {
        let Some((step, detail)) = parse(line) else { return };
        if let Some(bar) = &self.bar {
            bar.set_position(step.percent);
            bar.set_message(format!("{} {detail}", step.phase));
        }
        if self.bar.is_none() && is_due(self.reached.as_ref(), &step) {
            eprintln!("  {}: {} {}%", self.name, step.phase, step.percent);
        }
        self.reached = Some(step);
    }

    /// How far it got, in words.
    pub fn reached(&self) -> Option<String> {
        self.reached.as_ref().map(|step| format!("{} {}%", step.phase, step.percent))
    }

    /// Leaves one line that says how it ended.
    pub fn end(self, outcome: &str) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        eprintln!("  {}: {outcome}", self.name);
    }
}

fn bar(title: &str) -> ProgressBar {
    let above = if title.is_empty() { "" } else { "{prefix}\n" };
    let line = "  {spinner} [{bar:30}] {pos:>3}% {elapsed} {wide_msg}";
    let style = ProgressStyle::with_template(&format!("{above}{line}"));
    let bar = ProgressBar::new(100).with_prefix(title.to_owned());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn is_due(last: Option<&Step>, now: &Step) -> bool {
    last.is_none_or(|last| last.phase != now.phase || last.percent / PLAIN_STEP != now.percent / PLAIN_STEP)
}

/// `load 37% src/java.base`
fn parse(line: &str) -> Option<(Step, &str)> {
    let (phase, rest) = line.split_once(' ')?;
    let (percent, detail) = rest.split_once("% ")?;
    let known = ["load", "query", "reindex", "requery"].contains(&phase);
    let percent = percent.parse().ok().filter(|percent| known && *percent <= 100)?;
    Some((Step { phase: phase.to_owned(), percent }, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(phase: &str, percent: u64) -> Step {
        Step { phase: phase.to_owned(), percent }
    }

    #[test]
    fn progress_lines_are_told_from_others() {
        assert_eq!(parse("load 37% src/java.base"), Some((step("load", 37), "src/java.base")));
        for other in ["", "load", "load x% y", "load 101% y", "Exception in thread main", "about 5% more"] {
            assert_eq!(parse(other), None, "{other}");
        }
    }

    #[test]
    fn plain_lines_are_few() {
        assert!(is_due(None, &step("load", 0)));
        assert!(!is_due(Some(&step("load", 1)), &step("load", 19)));
        assert!(is_due(Some(&step("load", 19)), &step("load", 20)));
        assert!(is_due(Some(&step("load", 100)), &step("query", 100)));
    }
}
