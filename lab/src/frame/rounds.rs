// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The rounds of a run. A step that is taken several times ends its key with `, round 2` and so on; the first round may
//! leave that out. Each round by itself is a measurement, and together they are an error bar.

use std::collections::BTreeSet;

use super::sample::Sample;

const WORDS: &str = ", round ";

/// The key of a step in a round, from 1 on.
pub fn key(step: &str, round: u32) -> String {
    if round == 1 { step.to_owned() } else { format!("{step}{WORDS}{round}") }
}

/// The samples of each round. A step that was taken once belongs to all of them. Nothing if there is one round.
pub fn of(samples: &[Sample]) -> Vec<Vec<Sample>> {
    let known: BTreeSet<(&str, u32)> = samples.iter().filter_map(|sample| numbered(&sample.step)).collect();
    let rounds: BTreeSet<u32> = known.iter().map(|(_, round)| *round).chain([1]).collect();
    if rounds.len() < 2 {
        return Vec::new();
    }
    let is_of = |sample: &&Sample, round: u32| match numbered(&sample.step) {
        Some((_, own)) => own == round,
        None => !known.contains(&(sample.step.as_str(), round)),
    };
    rounds
        .iter()
        .map(|round| samples.iter().filter(|sample| is_of(sample, *round)).cloned().collect())
        .collect()
}

/// The first round, or all samples of the only one.
pub fn first(samples: &[Sample]) -> Vec<Sample> {
    of(samples).into_iter().next().unwrap_or_else(|| samples.to_vec())
}

fn numbered(step: &str) -> Option<(&str, u32)> {
    let (step, round) = step.rsplit_once(WORDS)?;
    Some((step, round.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::sample::tests::sample;
    use super::*;

    fn steps(rounds: &[Vec<Sample>]) -> Vec<Vec<&str>> {
        rounds.iter().map(|round| round.iter().map(|sample| sample.step.as_str()).collect()).collect()
    }

    #[test]
    fn a_step_that_was_taken_once_belongs_to_all_rounds() {
        let keys = ["base", "other", &key("base", 2), &key("base", 3)];
        let samples = keys.map(|step| sample(step, 1));
        let found = of(&samples);
        let expected =
            [vec!["base", "other"], vec!["other", "base, round 2"], vec!["other", "base, round 3"]];
        assert_eq!(steps(&found), expected);
        assert_eq!(first(&samples).len(), 2);
    }

    #[test]
    fn one_round_has_no_error_bar() {
        for samples in [[sample("a", 1), sample("b", 2)], [sample("a, round 1", 1), sample("b, round 1", 2)]]
        {
            assert!(of(&samples).is_empty());
            assert_eq!(first(&samples), samples);
        }
        let two = [sample("a, round 1", 1), sample("a, round 2", 2)];
        assert_eq!(steps(&of(&two)), [["a, round 1"], ["a, round 2"]]);
    }
}
