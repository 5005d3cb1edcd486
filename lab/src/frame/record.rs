// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The file of an experiment's samples, and the files of those that are set aside.
//!
//! `samples.jsonl` begins with the scale, the machine and the disk; each line after that is a [`Sample`]. Lines are
//! appended, each whole, and the file is replaced as a whole, so that a run can be ended at any moment. A later line of
//! the same step replaces an earlier one.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::context::Scale;
use super::machine::Machine;
use super::number::counted;
use super::sample::{Sample, latest};
use crate::kit::whole_file;

/// The file's name in an experiment's folder.
pub const FILE: &str = "samples.jsonl";
/// A file beside it for as long as a run has not come to its end, also if it was killed.
pub const UNFINISHED: &str = "unfinished";

/// The first line of the file.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Header {
    /// How much was measured.
    pub scale: Scale,
    /// Where.
    pub machine: Machine,
}

impl Header {
    /// The first thing for which samples of `self` and of `other` must not stand side by side, with both values.
    fn difference(&self, other: &Header) -> Option<String> {
        if self.scale != other.scale {
            return Some(format!("scale {}, not {}", self.scale.name(), other.scale.name()));
        }
        self.machine.difference(&other.machine)
    }
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
        // A last line that is not whole is of a run that was killed.
        let samples = latest(lines.filter_map(|line| serde_json::from_str(line).ok()));
        Some(Record { header, samples, whole: !folder.join(UNFINISHED).exists() })
    }
}

/// Removes all samples in a folder, but for those that were set aside.
pub fn forget(folder: &Path) -> Result<()> {
    let path = folder.join(FILE);
    if path.exists() {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    Ok(())
}

/// Renames files that a run with this header cannot go on with: they stay beside the new ones.
pub fn set_others_aside(folder: &Path, header: &Header) -> Result<()> {
    let Some(old) = Record::load(folder).map(|record| record.header) else { return Ok(()) };
    let Some(difference) = old.difference(header) else { return Ok(()) };
    let (path, aside) = (folder.join(FILE), free(folder, old.scale.name()));
    eprintln!("{} is of {difference}, and becomes {}", path.display(), aside.display());
    fs::rename(&path, &aside).with_context(|| format!("cannot set {} aside", path.display()))
}

/// Moves samples of steps that are not among `planned` from the file to another one beside it, and returns the rest.
pub fn set_unplanned_aside(folder: &Path, planned: &[String]) -> Result<Vec<Sample>> {
    let Some(Record { header, samples, .. }) = Record::load(folder) else { return Ok(Vec::new()) };
    let (kept, others): (Vec<_>, Vec<_>) =
        samples.into_iter().partition(|sample| planned.contains(&sample.step));
    if !others.is_empty() {
        let (path, aside) = (folder.join(FILE), free(folder, "unplanned"));
        let steps = counted(others.len() as u64, "step");
        eprintln!("{}: {steps} set aside in {}: not planned any more", path.display(), aside.display());
        write(&aside, &header, &others)?;
        write(&path, &header, &kept)?;
    }
    Ok(kept)
}

fn write(path: &Path, header: &Header, samples: &[Sample]) -> Result<()> {
    let samples = samples.iter().map(serde_json::to_string);
    let lines: Vec<String> =
        iter::once(serde_json::to_string(header)).chain(samples).collect::<Result<_, _>>()?;
    whole_file::write(path, &(lines.join("\n") + "\n"))
}

/// The file of samples that are set aside by this name, or `name-2` and so on: the first that is not there.
fn free(folder: &Path, name: &str) -> PathBuf {
    let more = (2..).map(|number| format!("{name}-{number}"));
    let files =
        iter::once(name.to_owned()).chain(more).map(|name| folder.join(format!("samples-{name}.jsonl")));
    files.into_iter().find(|file| !file.exists()).expect("numbers do not end")
}
