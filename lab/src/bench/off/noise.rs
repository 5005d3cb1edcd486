// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tells a difference from chance.

use serde::{Deserialize, Serialize};

/// A less likely outcome is not called noise.
pub const LEVEL: f64 = 0.05;

/// An arm's place in a round beside two runs of the stock JDK: 1 is slower than both, -1 faster than both, 0 between
/// them.
pub fn place(time: f64, stock: f64, again: f64) -> i32 {
    if time > stock.max(again) {
        1
    } else if time < stock.min(again) {
        -1
    } else {
        0
    }
}

/// How likely the sum of so many places is at least that far from zero, if each of the three is equally likely. Equal
/// times make it likelier than that, so it errs towards noise.
pub fn chance(places: &[i32]) -> f64 {
    let count = places.len();
    // The probability of each sum, from -count to count.
    let mut sums = vec![0.0; 2 * count + 1];
    sums[count] = 1.0;
    for _ in places {
        let at = |sums: &[f64], index: usize| sums.get(index).copied().unwrap_or(0.0);
        let three = |index: usize| at(&sums, index.wrapping_sub(1)) + at(&sums, index) + at(&sums, index + 1);
        sums = (0..sums.len()).map(|index| three(index) / 3.0).collect();
    }
    let least = sum(places).unsigned_abs() as usize;
    let far = sums.iter().enumerate().filter(|(index, _)| index.abs_diff(count) >= least);
    far.map(|(_, probability)| probability).sum()
}

/// Whether two arms differ.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Difference {
    /// It may well be chance.
    Noise,
    /// More often than chance would have it.
    Slower,
    /// More often than chance would have it.
    Faster,
}

impl Difference {
    /// Of an arm with such places.
    pub fn of(places: &[i32]) -> Difference {
        if chance(places) >= LEVEL {
            Difference::Noise
        } else if sum(places) > 0 {
            Difference::Slower
        } else {
            Difference::Faster
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Difference::Noise => "within noise",
            Difference::Slower => "slower",
            Difference::Faster => "faster",
        }
    }
}

fn sum(places: &[i32]) -> i32 {
    places.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_outside_or_between() {
        assert_eq!([place(3.0, 1.0, 2.0), place(0.5, 1.0, 2.0), place(1.5, 2.0, 1.0)], [1, -1, 0]);
        assert_eq!([place(2.0, 1.0, 2.0), place(1.0, 1.0, 1.0)], [0, 0], "equal times are no difference");
    }

    #[test]
    fn chances_are_counted() {
        let counted = |places: &[i32], of_all: f64| {
            let found = chance(places) * 3f64.powi(places.len() as i32);
            assert!((found - of_all).abs() < 1e-9, "{places:?}: {found} of all outcomes, not {of_all}");
        };
        counted(&[], 1.0);
        counted(&[1], 2.0);
        counted(&[0], 3.0);
        counted(&[1, 1, 1], 2.0);
        counted(&[-1, -1, 0], 8.0);
        counted(&[1, 1, 1, 1, 1], 2.0);
        counted(&[1, -1, 1, 1, 1], 42.0);
        counted(&[1, 0, 1, 1, 1], 12.0);
        assert!(chance(&[1; 1000]) >= 0.0 && (chance(&[0; 1000]) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn it_takes_four_rounds_to_see_a_difference() {
        assert_eq!(Difference::of(&[1; 3]), Difference::Noise);
        assert_eq!(Difference::of(&[1; 4]), Difference::Slower);
        assert_eq!(Difference::of(&[-1; 4]), Difference::Faster);
        assert_eq!(Difference::of(&[1, 1, 1, 1, 0]), Difference::Slower);
        assert_eq!(Difference::of(&[1, 1, 1, 0, 0]), Difference::Noise);
        assert_eq!(Difference::of(&[1, -1, 0, 0, 1]), Difference::Noise);
    }
}
