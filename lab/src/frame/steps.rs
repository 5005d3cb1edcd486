// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The steps of an experiment: each is taken once, and kept in the file of samples.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use ztera_machine::interrupt;
use ztera_machine::units::show_duration;
use ztera_measure::locked::Locked;

use super::record::{FILE, Header, UNFINISHED, set_others_aside, set_unplanned_aside};
use super::sample::{Sample, latest};
use crate::kit::json_lines::{self, JsonLines};

/// The steps of a run that came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Taken now, with data or with a reason.
    pub taken: usize,
    /// Done before.
    pub skipped: usize,
    /// Of all that are planned, those without data.
    pub left_out: usize,
}

/// A run, step by step.
pub struct Steps {
    name: String,
    kept: Kept,
    samples: Vec<Sample>,
    planned: Vec<String>,
    taken: usize,
    skipped: usize,
    spent: Duration,
}

/// Where samples are kept.
enum Kept {
    Nowhere,
    /// In a file with samples of other steps, too.
    File(JsonLines),
    /// In the folder of an experiment.
    Folder {
        folder: PathBuf,
        lines: JsonLines,
        _lock: Locked,
    },
}

impl Kept {
    fn lines(&mut self) -> Option<&mut JsonLines> {
        match self {
            Kept::Nowhere => None,
            Kept::File(lines) | Kept::Folder { lines, .. } => Some(lines),
        }
    }
}

impl Steps {
    /// Forgets everything at its end.
    pub fn in_memory(name: &str) -> Steps {
        Steps {
            name: name.to_owned(),
            kept: Kept::Nowhere,
            samples: Vec::new(),
            planned: Vec::new(),
            taken: 0,
            skipped: 0,
            spent: Duration::ZERO,
        }
    }

    /// Goes on with a file, or begins it. Samples of steps that are not planned stay there, too.
    pub fn in_file(name: &str, path: &Path) -> Result<Steps> {
        let (lines, text) = JsonLines::open(path)?;
        let samples = latest(json_lines::values(&text));
        Ok(Steps { kept: Kept::File(lines), samples, ..Steps::in_memory(name) })
    }

    /// Goes on with what is in `folder` if that has a header like this one; else sets it aside. Fails if another run is
    /// under way there.
    pub fn open(name: &str, folder: &Path, header: &Header) -> Result<Steps> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join(FILE);
        let Ok(lock) = Locked::new(File::open(folder)?) else {
            bail!("another run writes to {}", path.display());
        };
        set_others_aside(folder, header)?;
        let (mut lines, text) = JsonLines::open(&path)?;
        if text.is_empty() {
            lines.add(header)?;
        }
        let unfinished = folder.join(UNFINISHED);
        fs::write(&unfinished, "").with_context(|| format!("cannot write {}", unfinished.display()))?;
        let kept = Kept::Folder { folder: folder.to_owned(), lines, _lock: lock };
        Ok(Steps { kept, ..Steps::in_memory(name) })
    }

    /// Says which steps there will be, and finds those that are done. Samples of others, which an older command took,
    /// are set aside.
    pub fn plan(&mut self, steps: impl IntoIterator<Item = String>) -> Result<()> {
        self.planned = steps.into_iter().collect();
        if let Kept::Folder { folder, lines, .. } = &mut self.kept {
            self.samples = set_unplanned_aside(folder, &self.planned)?;
            *lines = JsonLines::open(&folder.join(FILE))?.0;
        }
        self.samples.retain(|sample| self.planned.contains(&sample.step));
        Ok(())
    }

    /// Notes that the run came to its end.
    pub fn finish(self) -> Result<Finished> {
        if let Kept::Folder { folder, .. } = &self.kept {
            let unfinished = folder.join(UNFINISHED);
            fs::remove_file(&unfinished)
                .with_context(|| format!("cannot remove {}", unfinished.display()))?;
        }
        let left_out = self.planned.iter().filter(|step| !self.has(step)).count();
        Ok(Finished { taken: self.taken, skipped: self.skipped, left_out })
    }

    /// Forgets samples with such data, in memory alone, so that their steps are taken again; later lines replace
    /// earlier ones.
    pub fn forget<T: DeserializeOwned>(&mut self, unwanted: impl Fn(&T) -> bool) {
        let data = |sample: &Sample| serde_json::from_value(sample.data.clone()).ok();
        self.samples.retain(|sample| !data(sample).is_some_and(|data| unwanted(&data)));
    }

    /// Does without a step that was planned: what is known already says how it would end.
    pub fn give_up(&mut self, step: &str) {
        self.planned.retain(|planned| planned != step);
    }

    /// Whether the step has data.
    pub fn has(&self, step: &str) -> bool {
        self.samples.iter().any(|sample| sample.step == step && sample.missing.is_none())
    }

    /// Takes a step unless it is done, and keeps what it gives. An error becomes the reason why the step is missing,
    /// and the run goes on; only Ctrl-C ends it.
    pub fn take<T: Serialize>(&mut self, step: &str, work: impl FnOnce() -> Result<T>) -> Result<()> {
        debug_assert!(self.planned.iter().any(|planned| planned == step), "{step} is not planned");
        interrupt::check()?;
        if self.has(step) {
            self.skipped += 1;
            return Ok(());
        }
        eprintln!("{}", self.progress(step));
        let sample = Sample::take(step, work)?;
        if let Some(reason) = &sample.missing {
            eprintln!("{}: {step} is left out: {reason}", self.name);
        }
        self.taken += 1;
        self.spent += Duration::from_secs_f64(sample.seconds);
        self.kept.lines().map_or(Ok(()), |lines| lines.add(&sample))?;
        self.samples.retain(|known| known.step != step);
        self.samples.push(sample);
        Ok(())
    }

    /// All samples so far, those of earlier runs included.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    fn progress(&self, step: &str) -> String {
        let now = self.taken + self.skipped + 1;
        let planned = self.planned.len();
        let left = planned.saturating_sub(now - 1);
        let time = match self.spent.checked_div(self.taken as u32) {
            Some(each) if left > 0 => format!(", about {} left", show_duration(each * left as u32)),
            _ => String::new(),
        };
        format!("{}: step {now} of {planned}{time}: {step}", self.name)
    }
}

#[cfg(test)]
#[path = "steps_test.rs"]
mod tests;
