// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The file of samples of a benchmark: one line per run, written as soon as it ended, so that a benchmark that was
//! interrupted goes on.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;
use ztera_machine::interrupt::Interrupted;

use super::json_lines::{self, JsonLines};
use super::run::ProgramRun;

/// The name of a run: all that tells it from others.
pub trait Key: Copy + PartialEq {
    /// Its round, from 1.
    fn round(&self) -> u32;

    /// The same in another round.
    fn in_round(self, round: u32) -> Self;
}

/// A run after its end, as the file keeps it.
pub trait Kept: Serialize + DeserializeOwned {
    /// The name of a run.
    type Key: Key;

    /// Its name.
    fn key(&self) -> Self::Key;

    /// How it went.
    fn run(&self) -> &ProgramRun;
}

/// Such a file, and all samples so far.
pub struct SampleFile<S> {
    lines: JsonLines,
    samples: Vec<S>,
}

impl<S: Kept> SampleFile<S> {
    /// Goes on with a file, or begins it. Of two samples of the same run the later one counts; lines that are none are
    /// skipped. @return it, and the text that is in it
    pub fn open(path: &Path) -> Result<(Self, String)> {
        let (lines, text) = JsonLines::open(path)?;
        let mut samples: Vec<S> = Vec::new();
        for sample in json_lines::values::<S>(&text) {
            samples.retain(|other| other.key() != sample.key());
            samples.push(sample);
        }
        Ok((Self { lines, samples }, text))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// All samples, in their order.
    pub fn samples(&self) -> &[S] {
        &self.samples
    }

    /// Whether that run was made.
    pub fn has(&self, key: S::Key) -> bool {
        self.samples.iter().any(|sample| sample.key() == key)
    }

    /// Whether that run did not finish in an earlier round: it is not tried again.
    pub fn gave_up(&self, key: S::Key) -> bool {
        self.samples.iter().any(|sample| {
            let round = sample.key().round();
            !sample.run().finished() && round < key.round() && sample.key() == key.in_round(round)
        })
    }

    /// Forgets samples, in memory alone, so that their runs are made again; the newer ones are read first.
    pub fn forget(&mut self, unwanted: impl Fn(&S) -> bool) {
        self.samples.retain(|sample| !unwanted(sample));
    }

    /// Keeps a sample.
    pub fn add(&mut self, sample: S) -> Result<()> {
        self.lines.add(&sample)?;
        self.samples.push(sample);
        Ok(())
    }

    /// Keeps a line of another form.
    pub fn add_other(&mut self, line: &impl Serialize) -> Result<()> {
        self.lines.add(line)
    }
}

/// The file to go on with, or a new one in `folder` with the next free number. Says how to go on later.
pub fn path(resume: Option<&Path>, folder: &str) -> Result<PathBuf> {
    let path = match resume {
        Some(path) => path.to_owned(),
        None => json_lines::next_free(folder)?,
    };
    eprintln!("samples: {}; go on with --resume and this file", path.display());
    Ok(path)
}

/// Whether all runs were made, and not interrupted. Says how to go on.
pub fn is_whole(result: Result<()>, path: &Path) -> Result<bool> {
    match result {
        Err(error) if error.is::<Interrupted>() => {
            eprintln!("ztera: {error}; --resume {} goes on", path.display());
            Ok(false)
        }
        result => result.map(|()| true),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde::Deserialize;

    use super::*;
    use crate::kit::ending::Ending;
    use crate::kit::run::tests as run;

    #[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
    struct Name {
        arm: char,
        round: u32,
    }

    impl Key for Name {
        fn round(&self) -> u32 {
            self.round
        }

        fn in_round(self, round: u32) -> Self {
            Self { round, ..self }
        }
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    struct Sample {
        #[serde(flatten)]
        key: Name,
        #[serde(flatten)]
        run: ProgramRun,
    }

    impl Kept for Sample {
        type Key = Name;

        fn key(&self) -> Name {
            self.key
        }

        fn run(&self) -> &ProgramRun {
            &self.run
        }
    }

    fn sample(arm: char, round: u32, seconds: f64) -> Sample {
        Sample { key: Name { arm, round }, run: run::finished(seconds) }
    }

    fn open(path: &Path) -> SampleFile<Sample> {
        SampleFile::open(path).unwrap().0
    }

    #[test]
    fn what_was_kept_is_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/samples.jsonl");
        let [three, two] = [sample('3', 1, 12.345_678_9), sample('2', 1, 60.0)];
        let mut file = open(&path);
        file.add(three.clone()).unwrap();
        file.add(two.clone()).unwrap();
        let again = open(&path);
        assert_eq!(again.samples(), [three.clone(), two]);
        assert!(again.has(three.key) && !again.has(Name { round: 2, ..three.key }));
    }

    #[test]
    fn a_line_that_was_cut_off_is_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("samples.jsonl");
        let line = serde_json::to_string(&sample('2', 1, 3.0)).unwrap();
        fs::write(&path, format!("{line}\n{}", &line[..40])).unwrap();
        let mut file = open(&path);
        assert_eq!(file.samples().len(), 1);
        file.add(sample('2', 2, 4.0)).unwrap();
        assert_eq!(open(&path).samples().len(), 2);
    }

    #[test]
    fn the_later_of_two_samples_counts() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("samples.jsonl");
        let mut file = open(&path);
        file.add(sample('2', 1, 3.0)).unwrap();
        file.forget(|sample| sample.key.arm == '2');
        assert_eq!(file.samples(), []);
        file.add(sample('2', 1, 4.0)).unwrap();
        assert_eq!(open(&path).samples(), [sample('2', 1, 4.0)]);
    }

    #[test]
    fn a_run_that_did_not_finish_is_not_tried_again() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = open(&dir.path().join("samples.jsonl"));
        let failed = Sample { key: Name { arm: '2', round: 1 }, run: run::ended(Ending::DoesNotFit) };
        file.add(failed).unwrap();
        file.add(sample('3', 1, 3.0)).unwrap();
        assert!(file.gave_up(Name { arm: '2', round: 2 }));
        assert!(!file.gave_up(Name { arm: '2', round: 1 }));
        assert!(!file.gave_up(Name { arm: '3', round: 2 }));
    }
}
