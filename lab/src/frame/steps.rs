// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The steps of an experiment, and the file that remembers those that are done.
//!
//! `samples.jsonl` begins with the scale and the machine; each line after that is a [`Sample`]. Lines are only
//! appended, each whole, so that a run can be ended at any moment. A later line of the same step replaces an earlier
//! one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use ztera_machine::interrupt;
use ztera_machine::units::show_duration;

use super::context::Scale;
use super::machine::Machine;
use super::sample::Sample;
use crate::kit::json_lines::JsonLines;

/// The file's name in an experiment's folder.
const FILE: &str = "samples.jsonl";
/// A file beside it, where a long step keeps what it has found before it ends.
const RUNS: &str = "runs.jsonl";
/// A file beside it for as long as a run has not come to its end, also if it was killed.
const UNFINISHED: &str = "unfinished";

/// The first line of the file.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Header {
    /// How much was measured.
    pub scale: Scale,
    /// Where.
    pub machine: Machine,
}

/// All that the file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// As of the file.
    pub header: Header,
    /// One per step, in the order in which they were first taken.
    pub samples: Vec<Sample>,
    /// Whether the last run came to its end.
    pub whole: bool,
}

impl Record {
    /// None if there is no file, or none that begins as it should.
    pub fn load(folder: &Path) -> Option<Record> {
        let text = fs::read_to_string(folder.join(FILE)).ok()?;
        let mut lines = text.lines();
        let header = serde_json::from_str(lines.next()?).ok()?;
        let mut samples: Vec<Sample> = Vec::new();
        // A last line that is not whole is of a run that was killed.
        for sample in lines.filter_map(|line| serde_json::from_str::<Sample>(line).ok()) {
            match samples.iter_mut().find(|known| known.step == sample.step) {
                Some(known) => *known = sample,
                None => samples.push(sample),
            }
        }
        Some(Record { header, samples, whole: !folder.join(UNFINISHED).exists() })
    }
}

/// Removes all samples in a folder.
pub fn forget(folder: &Path) -> Result<()> {
    for path in [FILE, RUNS].map(|file| folder.join(file)).iter().filter(|path| path.exists()) {
        fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    Ok(())
}

/// A run, step by step.
pub struct Steps {
    name: String,
    runs: PathBuf,
    unfinished: PathBuf,
    lines: JsonLines,
    _lock: File,
    samples: Vec<Sample>,
    planned: usize,
    taken: usize,
    skipped: usize,
    spent: Duration,
}

impl Steps {
    /// Goes on with what is in `folder` if that is of this scale and of a machine like this one; else sets it aside.
    /// Fails if another run is under way there.
    pub fn open(name: &str, folder: &Path, scale: Scale) -> Result<Steps> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join(FILE);
        let header = Header { scale, machine: Machine::here() };
        let lock = File::open(folder)?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            bail!("another run writes to {}", path.display());
        }
        set_aside(folder, &header)?;
        let (mut lines, text) = JsonLines::open(&path)?;
        if text.is_empty() {
            lines.add(&header)?;
        }
        let samples = Record::load(folder).map(|record| record.samples).unwrap_or_default();
        let unfinished = folder.join(UNFINISHED);
        fs::write(&unfinished, "").with_context(|| format!("cannot write {}", unfinished.display()))?;
        Ok(Steps {
            name: name.to_owned(),
            runs: folder.join(RUNS),
            unfinished,
            lines,
            _lock: lock,
            samples,
            planned: 0,
            taken: 0,
            skipped: 0,
            spent: Duration::ZERO,
        })
    }

    /// Notes that all steps are done. Returns how many were taken now, and how many were done before
    pub fn finish(self) -> Result<(usize, usize)> {
        fs::remove_file(&self.unfinished)
            .with_context(|| format!("cannot remove {}", self.unfinished.display()))?;
        Ok((self.taken, self.skipped))
    }

    /// A file for what a long step has found so far. If the run is interrupted, the next one finds it there.
    pub fn runs(&self) -> PathBuf {
        self.runs.clone()
    }

    /// Says how many steps there will be, which progress lines tell.
    pub fn plan(&mut self, steps: usize) {
        self.planned = steps;
    }

    /// Whether the step has data.
    pub fn has(&self, step: &str) -> bool {
        self.samples.iter().any(|sample| sample.step == step && sample.missing.is_none())
    }

    /// Takes a step unless it is done, and keeps what it gives. An error becomes the reason why the step is missing,
    /// and the run goes on; only Ctrl-C ends it.
    pub fn take<T: Serialize>(&mut self, step: &str, work: impl FnOnce() -> Result<T>) -> Result<()> {
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
        self.lines.add(&sample)?;
        self.samples.push(sample);
        Ok(())
    }

    /// All samples so far, those of earlier runs included.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    fn progress(&self, step: &str) -> String {
        let now = self.taken + self.skipped + 1;
        let left = self.planned.saturating_sub(now - 1);
        let planned = if self.planned == 0 { String::new() } else { format!(" of {}", self.planned) };
        let time = match self.spent.checked_div(self.taken as u32) {
            Some(each) if left > 0 => format!(", about {} left", show_duration(each * left as u32)),
            _ => String::new(),
        };
        format!("{}: step {now}{planned}{time}: {step}", self.name)
    }
}

/// Renames files that this run cannot go on with: they stay beside the new ones.
fn set_aside(folder: &Path, header: &Header) -> Result<()> {
    let Some(old) = Record::load(folder).map(|record| record.header) else { return Ok(()) };
    if old.scale == header.scale && old.machine.is_like(&header.machine) {
        return Ok(());
    }
    for (file, word) in [(FILE, "samples"), (RUNS, "runs")] {
        let (path, aside) = (folder.join(file), folder.join(format!("{word}-{}.jsonl", old.scale.name())));
        if path.exists() {
            eprintln!("{} is of another scale or machine and becomes {}", path.display(), aside.display());
            fs::rename(&path, &aside).with_context(|| format!("cannot set {} aside", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use super::*;
    use anyhow::anyhow;
    use serde_json::Value;
    use ztera_machine::interrupt::Interrupted;

    fn open(folder: &Path, scale: Scale) -> Steps {
        Steps::open("toy", folder, scale).unwrap()
    }

    fn steps_of(folder: &Path) -> Vec<(String, Value)> {
        let samples = Record::load(folder).unwrap().samples;
        samples.into_iter().map(|sample| (sample.step, sample.data)).collect()
    }

    #[test]
    fn a_finished_step_is_not_taken_again() {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path(), Scale::Tiny).take("a", || Ok(1)).unwrap();
        let mut steps = open(folder.path(), Scale::Tiny);
        steps.take("a", || -> Result<i32> { panic!("it is done") }).unwrap();
        steps.take("b", || Ok(2)).unwrap();
        assert_eq!(steps.finish().unwrap(), (1, 1));
        assert_eq!(steps_of(folder.path()), [("a".to_owned(), 1.into()), ("b".to_owned(), 2.into())]);
    }

    #[test]
    fn a_step_that_failed_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path(), Scale::Tiny).take("a", || Err::<i32, _>(anyhow!("no disk"))).unwrap();
        assert_eq!(Record::load(folder.path()).unwrap().samples[0].missing.as_deref(), Some("no disk"));
        open(folder.path(), Scale::Tiny).take("a", || Ok(1)).unwrap();
        assert_eq!(steps_of(folder.path()), [("a".to_owned(), 1.into())]);
    }

    #[test]
    fn an_interrupt_ends_the_run_and_leaves_no_sample() {
        let folder = tempfile::tempdir().unwrap();
        let error = open(folder.path(), Scale::Tiny).take("a", || Err::<i32, _>(Interrupted.into()));
        assert!(error.unwrap_err().is::<Interrupted>());
        assert_eq!(steps_of(folder.path()), []);
    }

    #[test]
    fn a_run_is_whole_once_it_came_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let whole = || Record::load(folder.path()).unwrap().whole;
        let mut steps = open(folder.path(), Scale::Tiny);
        steps.take("a", || Ok(1)).unwrap();
        assert!(!whole());
        drop(steps);
        assert!(!whole());
        open(folder.path(), Scale::Tiny).finish().unwrap();
        assert!(whole());
    }

    #[test]
    fn half_a_line_of_a_killed_run_goes() {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path(), Scale::Tiny).take("a", || Ok(1)).unwrap();
        let mut file = OpenOptions::new().append(true).open(folder.path().join(FILE)).unwrap();
        file.write_all(br#"{"step":"b","seco"#).unwrap();
        drop(file);
        open(folder.path(), Scale::Tiny).take("b", || Ok(2)).unwrap();
        assert_eq!(steps_of(folder.path()), [("a".to_owned(), 1.into()), ("b".to_owned(), 2.into())]);
    }

    #[test]
    fn samples_of_another_scale_are_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let mut tiny = open(folder.path(), Scale::Tiny);
        tiny.take("a", || Ok(1)).unwrap();
        fs::write(tiny.runs(), "{}\n").unwrap();
        drop(tiny);
        let mut quick = open(folder.path(), Scale::Quick);
        quick.take("a", || Ok(2)).unwrap();
        assert!(!quick.runs().exists());
        assert_eq!(steps_of(folder.path()), [("a".to_owned(), 2.into())]);
        assert!(
            ["samples-tiny.jsonl", "runs-tiny.jsonl"].iter().all(|file| folder.path().join(file).exists())
        );
    }

    #[test]
    fn what_is_forgotten_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let mut steps = open(folder.path(), Scale::Tiny);
        steps.take("a", || Ok(1)).unwrap();
        fs::write(steps.runs(), "{}\n").unwrap();
        drop(steps);
        forget(folder.path()).unwrap();
        assert!(Record::load(folder.path()).is_none());
        assert!(!open(folder.path(), Scale::Tiny).runs().exists());
        forget(Path::new("/nowhere")).unwrap();
    }

    #[test]
    fn two_runs_do_not_write_to_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let first = open(folder.path(), Scale::Tiny);
        assert!(Steps::open("toy", folder.path(), Scale::Tiny).is_err());
        drop(first);
        // A process that another test is just starting may have the lock until its exec.
        let opens = |_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            Steps::open("toy", folder.path(), Scale::Tiny).is_ok()
        };
        assert!((0..500).any(opens));
    }
}
