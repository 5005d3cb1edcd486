// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The form of an experiment.

use anyhow::Result;
use serde::Serialize;

use super::claim::{Claim, Verdict};
use super::context::Context;
use super::need::Need;
use super::presentation::Presentation;
use super::sample::Sample;
use super::steps::Steps;

/// Minutes that an experiment takes on two cores, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Minutes {
    /// Of [`Scale::Quick`].
    pub quick: u32,
    /// Of [`Scale::Full`].
    pub full: u32,
}

/// The question that an experiment answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Question {
    /// A word for commands and folders.
    pub name: &'static str,
    /// The question, in a sentence.
    pub about: &'static str,
    /// The source by its name in docs/sources.md, and its table, figure or chapter.
    pub source: &'static str,
    /// How long it takes.
    pub minutes: Minutes,
}

/// One table or figure of a source, measured here.
pub trait Experiment: Sync {
    /// Its question, and where that is from.
    fn question(&self) -> Question;

    /// Its name.
    fn name(&self) -> &'static str {
        self.question().name
    }

    /// Without these it cannot run. They are looked at before anything is measured.
    fn needs(&self) -> Vec<Need>;

    /// Whether files that it measures lie in the directory of `--ssd`. Then samples of another disk are no part of its
    /// run.
    fn uses_ssd(&self) -> bool {
        self.needs().contains(&Need::Ssd)
    }

    /// All that it judges. An expected value stands here and nowhere else.
    fn claims(&self) -> Vec<Claim>;

    /// Plans all steps, then takes one after the other. A step that is in the file already is skipped. Ctrl-C ends it
    /// between two steps, and dropping its devices and settings undoes them.
    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()>;

    /// Tables, plots and losing cases. Pure.
    fn present(&self, samples: &[Sample]) -> Presentation;

    /// One verdict per claim. Pure.
    fn judge(&self, samples: &[Sample]) -> Vec<Verdict> {
        self.claims().iter().map(|claim| claim.judge(self.name(), samples)).collect()
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The question of a toy.
    pub fn toy() -> Question {
        Question {
            name: "toy",
            about: "Does it work?",
            source: "ZTera thesis, 4.2",
            minutes: Minutes { quick: 1, full: 2 },
        }
    }
}
