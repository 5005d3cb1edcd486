// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The file of samples of a benchmark: one line per run, written as soon as it ended. So a benchmark that was
//! interrupted goes on.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ztera_machine::interrupt::Interrupted;

use super::json_lines::{self, JsonLines};
use super::patience::Patience;
use super::run::ProgramRun;

/// A run after its end, as the file keeps it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Sample<Key, Details = ()> {
    /// All that was chosen for the run, but its round.
    #[serde(flatten)]
    pub key: Key,
    /// From 1.
    pub round: u32,
    /// Facts that only this benchmark looks at.
    #[serde(flatten)]
    pub details: Details,
    /// How it went.
    #[serde(flatten)]
    pub run: ProgramRun,
}

/// Such a file, and all samples so far.
pub struct SampleFile<Key, Details = ()> {
    lines: JsonLines,
    samples: Vec<Sample<Key, Details>>,
}

impl<Key, Details> SampleFile<Key, Details>
where
    Key: Copy + PartialEq + Serialize + DeserializeOwned,
    Details: Serialize + DeserializeOwned,
{
    /// Goes on with a file, or begins it. Of two samples of the same run the later one counts. Lines of another form
    /// are skipped. Returns the file, and the text that is in it
    pub fn open(path: &Path) -> Result<(Self, String)> {
        let (lines, text) = JsonLines::open(path)?;
        let mut samples: Vec<Sample<Key, Details>> = Vec::new();
        for sample in json_lines::values::<Sample<Key, Details>>(&text) {
            samples.retain(|other| (other.key, other.round) != (sample.key, sample.round));
            samples.push(sample);
        }
        Ok((Self { lines, samples }, text))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// All samples, in their order.
    pub fn samples(&self) -> &[Sample<Key, Details>] {
        &self.samples
    }

    /// Whether that run is still to be made. One that did not finish in an earlier round is not tried again.
    pub fn lacks(&self, key: Key, round: u32) -> bool {
        let settles = |sample: &Sample<Key, Details>| {
            sample.round == round || sample.round < round && !sample.run.finished()
        };
        !self.samples.iter().any(|sample| sample.key == key && settles(sample))
    }

    /// The first run with that key that finished.
    pub fn finished(&self, key: Key) -> Option<&Sample<Key, Details>> {
        self.samples.iter().find(|sample| sample.key == key && sample.run.finished())
    }

    /// Makes a run of `arm`, and keeps it. The reference's run says after what time it is stopped, and what it has to
    /// find. `make` gives none if the arm cannot be set up.
    pub fn take(
        &mut self,
        arm: &str,
        reference: Key,
        patience: Patience,
        make: impl FnOnce(Duration) -> Result<Option<Sample<Key, Details>>>,
    ) -> Result<()> {
        let reference = self.finished(reference).map(|sample| &sample.run);
        let time_limit = patience.beside(reference.map(|run| run.seconds));
        let Some(mut sample) = make(time_limit)? else { return Ok(()) };
        let run = &mut sample.run;
        run.compare(reference.and_then(|run| run.answer.as_deref()));
        if !run.finished() {
            eprintln!("  {arm}: {}: {}", run.ending.word(), run.words);
        }
        self.add(sample)
    }

    /// Forgets samples, in memory alone, so that their runs are made again; the newer ones are read first.
    pub fn forget(&mut self, unwanted: impl Fn(&Key) -> bool) {
        self.samples.retain(|sample| !unwanted(&sample.key));
    }

    /// Keeps a sample.
    pub fn add(&mut self, sample: Sample<Key, Details>) -> Result<()> {
        self.lines.add(&sample)?;
        self.samples.push(sample);
        Ok(())
    }

    /// Keeps a line of another form.
    pub fn add_other(&mut self, line: &impl Serialize) -> Result<()> {
        self.lines.add(line)
    }
}

/// The file to go on with; or a new one in `folder` with the next free number, and says how to go on with that.
pub fn path(resume: Option<&Path>, folder: &str) -> Result<PathBuf> {
    if let Some(path) = resume {
        return Ok(path.to_owned());
    }
    let path = json_lines::next_free(folder)?;
    eprintln!("samples: {}; go on with --resume and this file", path.display());
    Ok(path)
}

/// Whether all runs were made, and not interrupted. Says where those are that ended.
pub fn is_whole(result: Result<()>, path: &Path) -> Result<bool> {
    match result {
        Err(error) if error.is::<Interrupted>() => {
            eprintln!("ztera: {error}; the runs that ended are in {}", path.display());
            Ok(false)
        }
        result => result.map(|()| true),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::kit::ending::Ending;
    use crate::kit::run::tests as run;

    #[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
    struct Name {
        arm: char,
    }

    fn sample(arm: char, round: u32, seconds: f64) -> Sample<Name> {
        Sample { key: Name { arm }, round, details: (), run: run::finished(seconds) }
    }

    fn failed(arm: char, round: u32) -> Sample<Name> {
        Sample { run: run::ended(Ending::DoesNotFit), ..sample(arm, round, 60.0) }
    }

    fn open(path: &Path) -> SampleFile<Name> {
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
        assert!(!again.lacks(three.key, 1) && again.lacks(three.key, 2));
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
        file.forget(|key| key.arm == '2');
        assert_eq!(file.samples(), []);
        file.add(sample('2', 1, 4.0)).unwrap();
        assert_eq!(open(&path).samples(), [sample('2', 1, 4.0)]);
    }

    #[test]
    fn a_run_that_did_not_finish_is_not_tried_again() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = open(&dir.path().join("samples.jsonl"));
        file.add(failed('2', 1)).unwrap();
        file.add(sample('3', 1, 3.0)).unwrap();
        assert!(!file.lacks(Name { arm: '2' }, 1) && !file.lacks(Name { arm: '2' }, 2));
        assert!(file.lacks(Name { arm: '3' }, 2));
    }

    #[test]
    fn a_run_has_as_long_as_the_reference_allows_and_must_find_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = open(&dir.path().join("samples.jsonl"));
        let patience = Patience { alone_seconds: 300.0, least_seconds: 1.0, times: 8.0 };
        let reference = Name { arm: 'r' };
        let mut take = |sample: Sample<Name>, seconds: u64| {
            let make = |limit: Duration| {
                assert_eq!(limit, Duration::from_secs(seconds));
                Ok(Some(sample))
            };
            file.take("arm", reference, patience, make).unwrap();
        };
        take(failed('r', 1), 300);
        take(sample('r', 2, 2.0), 300);
        let other = run::finished(1.0);
        let other = ProgramRun { answer: Some("other".to_owned()), ..other };
        take(Sample { run: other, ..sample('2', 1, 1.0) }, 16);
        take(sample('3', 1, 1.0), 16);
        file.take("arm", reference, patience, |_| Ok(None)).unwrap();
        let endings: Vec<Ending> = file.samples().iter().map(|sample| sample.run.ending).collect();
        let expected = [Ending::DoesNotFit, Ending::Finished, Ending::WrongAnswers, Ending::Finished];
        assert_eq!(endings, expected);
    }
}
