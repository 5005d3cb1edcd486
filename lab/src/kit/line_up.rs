// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The arms that run, and their order. The reference comes first. Of the others, another one begins in each round.

use anyhow::Result;
use clap::ValueEnum;
use ztera_machine::jvm_flags::value_name;

/// The given values, or the usual ones if there are none.
pub fn given_or<T: Clone>(given: &[T], usual: &[T]) -> Vec<T> {
    if given.is_empty() { usual.to_vec() } else { given.to_vec() }
}

/// The arms with the reference in front, whether it is among them or not.
pub fn with_reference<A: Copy + PartialEq>(arms: &[A], reference: A) -> Vec<A> {
    std::iter::once(reference).chain(others(arms, reference, 1)).collect()
}

/// All but the reference, in the order of a round, from 1.
pub fn others<A: Copy + PartialEq>(arms: &[A], reference: A, round: u32) -> Vec<A> {
    let mut others: Vec<A> = arms.iter().copied().filter(|&arm| arm != reference).collect();
    if !others.is_empty() {
        let first = (round as usize - 1) % others.len();
        others.rotate_left(first);
    }
    others
}

/// The arms that are possible here. Each is set up once to see; a note says why others are left out.
pub fn possible<A: Copy + ValueEnum, T>(
    arms: Vec<A>,
    set_up: impl Fn(A) -> Result<T>,
    notes: &mut Vec<String>,
) -> Vec<A> {
    let mut found = Vec::new();
    for arm in arms {
        match set_up(arm) {
            Ok(_) => found.push(arm),
            Err(error) => notes.push(format!("{} is left out: {error:#}", value_name(&arm))),
        }
    }
    notes.iter().for_each(|note| eprintln!("ztera: {note}"));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_begins_and_the_others_take_turns() {
        assert_eq!(with_reference(&['a', 'b'], 'r'), ['r', 'a', 'b']);
        assert_eq!(with_reference(&['a', 'r', 'b'], 'r'), ['r', 'a', 'b']);
        let arms = ['r', 'a', 'b', 'c'];
        assert_eq!(others(&arms, 'r', 1), arms[1..]);
        assert_eq!(others(&arms, 'r', 2), ['b', 'c', 'a']);
        assert_eq!(others(&arms, 'r', 4), arms[1..]);
        assert_eq!(others(&arms[..1], 'r', 2), []);
    }

    #[test]
    fn nothing_given_is_as_usual() {
        assert_eq!(given_or(&[], &[1, 2]), [1, 2]);
        assert_eq!(given_or(&[3], &[1, 2]), [3]);
    }
}
