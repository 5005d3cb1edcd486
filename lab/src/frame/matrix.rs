// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Runs of programs on arms, in turns: program x arm x factor x round. Each run is a step, so that a benchmark that was
//! interrupted goes on.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ztera_machine::interrupt::Interrupted;

use super::rounds;
use super::sample::data_of;
use super::steps::Steps;
use crate::kit::json_lines;
use crate::kit::run::ProgramRun;

/// A run after its end: the data of a step.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Run<Key, Details = ()> {
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

/// Programs that run on arms.
pub trait Matrix {
    /// All that is chosen for a run, but its round.
    type Key: Copy + PartialEq + Serialize + DeserializeOwned;
    /// Facts of a run that only this benchmark looks at.
    type Details: Clone + Serialize + DeserializeOwned;

    /// The key in words, by which the step is known.
    fn name(&self, key: Self::Key) -> String;

    /// The run that this one is compared with: of the same cell, without a limit. It says what this one has to find.
    fn reference(&self, key: Self::Key) -> Self::Key;

    /// Sets the arm up, runs the program to its end, and undoes what was set up. `reference` has finished, if it ran.
    fn run(
        &self,
        key: Self::Key,
        reference: Option<&Run<Self::Key, Self::Details>>,
        time_limit: Duration,
    ) -> Result<(Self::Details, ProgramRun)>;
}

/// When a run is stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// Of a run that has no reference: seconds.
    pub alone_seconds: f64,
    /// Never earlier.
    pub least_seconds: f64,
    /// So many times what the reference took.
    pub times: f64,
}

impl Patience {
    /// The limit beside a reference that took so long, or beside none yet.
    pub fn beside(self, reference: Option<f64>) -> Duration {
        let seconds =
            reference.map_or(self.alone_seconds, |seconds| (seconds * self.times).max(self.least_seconds));
        Duration::from_secs_f64(seconds)
    }
}

/// A run of a round, from 1 on.
pub type Turn<Key> = (Key, u32);

/// All cells in each round. In each cell the reference is first. Of the other arms, another one begins in each round.
pub fn turns<C: Copy, A: Copy + PartialEq, K: PartialEq>(
    rounds: u32,
    cells: &[C],
    (arms, reference): (&[A], A),
    key: impl Fn(C, A) -> K,
) -> Vec<Turn<K>> {
    let mut others: Vec<A> = arms.iter().copied().filter(|&arm| arm != reference).collect();
    let mut turns = Vec::new();
    for round in 1..=rounds {
        for &cell in cells {
            turns.extend([reference].iter().chain(&others).map(|&arm| (key(cell, arm), round)));
        }
        let next = others.len().min(1);
        others.rotate_left(next);
    }
    distinct(turns)
}

/// Each item once, in order.
pub fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    items.into_iter().fold(Vec::new(), |mut known, item| {
        if !known.contains(&item) {
            known.push(item);
        }
        known
    })
}

/// The steps of these turns.
pub fn steps<M: Matrix>(matrix: &M, turns: &[Turn<M::Key>]) -> Vec<String> {
    turns.iter().map(|&(key, round)| rounds::key(&matrix.name(key), round)).collect()
}

/// Takes all turns that were not taken. Where the reference did not finish, nothing can be compared with it, and the
/// others do not run. A run that did not finish is not tried again in later rounds.
pub fn take<M: Matrix>(
    matrix: &M,
    turns: &[Turn<M::Key>],
    patience: Patience,
    steps: &mut Steps,
) -> Result<()> {
    let mut runs: Vec<Run<M::Key, M::Details>> = data_of(steps.samples());
    for &(key, round) in turns {
        let step = rounds::key(&matrix.name(key), round);
        let reference_key = matrix.reference(key);
        let reference = runs.iter().find(|run| run.key == reference_key && run.run.finished()).cloned();
        if runs.iter().any(|run| run.key == key && run.round < round && !run.run.finished()) {
            steps.give_up(&step);
        } else if key == reference_key || reference.is_some() {
            steps.take(&step, || {
                let wanted = reference.as_ref().map(|reference| &reference.run);
                let time_limit = patience.beside(wanted.map(|run| run.seconds));
                let (details, mut run) = matrix.run(key, reference.as_ref(), time_limit)?;
                run.compare(wanted.and_then(|run| run.answer.as_deref()));
                if !run.finished() {
                    eprintln!("  {step}: {}: {}", run.ending.word(), run.words);
                }
                let run = Run { key, round, details, run };
                runs.push(run.clone());
                Ok(run)
            })?;
        }
    }
    Ok(())
}

/// The file to go on with; or a new one in `folder` with the next free number, and says how to go on with that.
pub fn journal(resume: Option<&Path>, folder: &str) -> Result<PathBuf> {
    if let Some(path) = resume {
        return Ok(path.to_owned());
    }
    let path = json_lines::next_free(folder)?;
    eprintln!("samples: {}; go on with --resume and this file", path.display());
    Ok(path)
}

/// Whether all steps were taken, and not interrupted. Says where those are that ended.
pub fn is_whole(result: Result<()>, journal: &Path) -> Result<bool> {
    match result {
        Err(error) if error.is::<Interrupted>() => {
            eprintln!("ztera: {error}; the runs that ended are in {}", journal.display());
            Ok(false)
        }
        result => result.map(|()| true),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::kit::ending::Ending;
    use crate::kit::run::tests::{ended, finished};

    #[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
    struct Key {
        cell: u32,
        arm: char,
    }

    /// The arm `r` is the reference, which takes 2 s. `f` does not fit, and `w` finds something else.
    #[derive(Default)]
    struct Toy(RefCell<Vec<(String, u64)>>);

    impl Matrix for Toy {
        type Key = Key;
        type Details = ();

        fn name(&self, key: Key) -> String {
            format!("{}{}", key.cell, key.arm)
        }

        fn reference(&self, key: Key) -> Key {
            Key { arm: 'r', ..key }
        }

        fn run(&self, key: Key, _: Option<&Run<Key>>, limit: Duration) -> Result<((), ProgramRun)> {
            self.0.borrow_mut().push((self.name(key), limit.as_secs()));
            let run = match key.arm {
                'f' => ended(Ending::DoesNotFit),
                'w' => ProgramRun { answer: Some("other".to_owned()), ..finished(2.0) },
                _ => finished(2.0),
            };
            Ok(((), run))
        }
    }

    fn toy_turns(rounds: u32, arms: &[char]) -> Vec<Turn<Key>> {
        turns(rounds, &[1, 2], (arms, 'r'), |cell, arm| Key { cell, arm })
    }

    fn take_all(toy: &Toy, turns: &[Turn<Key>], steps: &mut Steps) {
        let patience = Patience { alone_seconds: 300.0, least_seconds: 1.0, times: 8.0 };
        steps.plan(super::steps(toy, turns)).unwrap();
        take(toy, turns, patience, steps).unwrap();
    }

    #[test]
    fn the_reference_begins_and_the_others_take_turns() {
        let toy = Toy::default();
        let all = toy_turns(2, &['a', 'b', 'r']);
        let names = super::steps(&toy, &all).join(" ");
        let expected =
            "1r 1a 1b 2r 2a 2b 1r, round 2 1b, round 2 1a, round 2 2r, round 2 2b, round 2 2a, round 2";
        assert_eq!(names, expected);
        assert_eq!(toy_turns(1, &[]).len(), 2);
    }

    #[test]
    fn patience_grows_with_the_reference() {
        let patience = Patience { alone_seconds: 300.0, least_seconds: 60.0, times: 8.0 };
        assert_eq!(patience.beside(Some(2.0)), Duration::from_secs(60));
        assert_eq!(patience.beside(Some(10.0)), Duration::from_secs(80));
        assert_eq!(patience.beside(None), Duration::from_secs(300));
    }

    #[test]
    fn a_run_has_as_long_as_the_reference_allows_and_must_find_the_same() {
        let (toy, mut steps) = (Toy::default(), Steps::in_memory("toy"));
        take_all(&toy, &toy_turns(2, &['f', 'w', 'a'])[..4], &mut steps);
        let limits: Vec<u64> = toy.0.borrow().iter().map(|(_, limit)| *limit).collect();
        assert_eq!(limits, [300, 16, 16, 16]);
        let runs: Vec<Run<Key>> = data_of(steps.samples());
        let endings: Vec<Ending> = runs.iter().map(|run| run.run.ending).collect();
        let expected = [Ending::Finished, Ending::DoesNotFit, Ending::WrongAnswers, Ending::Finished];
        assert_eq!(endings, expected);
    }

    #[test]
    fn a_run_that_did_not_finish_is_not_tried_again() {
        let (toy, mut steps) = (Toy::default(), Steps::in_memory("toy"));
        take_all(&toy, &toy_turns(2, &['f', 'a']), &mut steps);
        let ran = toy.0.take();
        let times = |name: &str| ran.iter().filter(|(ran, _)| ran == name).count();
        assert_eq!((times("1f"), times("1a"), times("1r")), (1, 2, 2));
        assert_eq!(steps.finish().unwrap().left_out, 0, "nobody waits for it");
    }

    #[test]
    fn runs_in_a_file_are_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let (toy, path) = (Toy::default(), dir.path().join("new/samples.jsonl"));
        let open = || Steps::in_file("toy", &path).unwrap();
        take_all(&toy, &toy_turns(1, &['a']), &mut open());
        assert_eq!(toy.0.take().len(), 4);
        take_all(&toy, &toy_turns(2, &['a'])[..6], &mut open());
        assert_eq!(toy.0.take().len(), 2);
        let mut steps = open();
        steps.forget(|run: &Run<Key>| run.key.arm == 'a');
        take_all(&toy, &toy_turns(1, &['a'])[..2], &mut steps);
        assert_eq!(toy.0.take().len(), 1);
        assert_eq!(data_of::<Run<Key>>(steps.samples()).len(), 2, "others stay in the file alone");
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 7);
    }
}
