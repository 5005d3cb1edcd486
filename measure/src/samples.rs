// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Several measurements of the same thing: their median and their spread.

use serde::{Deserialize, Serialize};
use ztera_machine::units::show_seconds;

/// Several measurements of the same thing.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Samples {
    /// The middle one.
    pub median: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// All, in the order in which they were taken.
    pub samples: Vec<f64>,
}

impl Samples {
    /// None if there are none.
    pub fn of(samples: Vec<f64>) -> Option<Samples> {
        let mut sorted = samples.clone();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let median =
            if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 };
        Some(Samples { median, min, max, samples })
    }

    /// For people, if they are seconds.
    pub fn show(&self) -> String {
        let [median, min, max] = [self.median, self.min, self.max].map(show_seconds);
        format!("{median} ({min} .. {max})")
    }

    /// The same without a spread where there is one alone.
    pub fn show_spread(&self) -> String {
        if self.samples.len() > 1 { self.show() } else { show_seconds(self.median) }
    }
}

/// By the nearest rank: the smallest of sorted values that so many of a thousand are not above. None if there are none.
pub fn percentile<T: Copy>(sorted: &[T], per_mille: usize) -> Option<T> {
    let rank = (sorted.len() * per_mille).div_ceil(1000);
    sorted.get(rank.saturating_sub(1)).copied()
}

/// None if there are no values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// None if there are no values.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logs / values.len() as f64).exp())
}

/// Pearson's. None of less than three pairs, or if one side does not vary.
pub fn correlation(xs: &[f64], ys: &[f64]) -> Option<f64> {
    let (x, y) = (mean(xs)?, mean(ys)?);
    let product = |of: fn(f64, f64) -> f64| xs.iter().zip(ys).map(|(a, b)| of(a - x, b - y)).sum::<f64>();
    let scale = (product(|a, _| a * a) * product(|_, b| b * b)).sqrt();
    (xs.len() >= 3 && scale > 0.0).then(|| product(|a, b| a * b) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let values: Vec<_> = (1..=1000).collect();
        assert_eq!([1, 500, 990, 999].map(|at| percentile(&values, at)), [1, 500, 990, 999].map(Some));
        assert_eq!([0, 500, 1000].map(|at| percentile(&[7], at)), [Some(7); 3]);
        assert_eq!(percentile(&[1, 2, 3, 4], 500), Some(2), "the smaller of two middle ones");
        assert_eq!(percentile::<u8>(&[], 500), None);
    }

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert_eq!(Samples::of(vec![3.0, 1.0, 2.0]).unwrap().median, 2.0);
        assert_eq!(Samples::of(vec![4.0, 1.0]).unwrap().median, 2.5);
        assert_eq!(Samples::of(vec![]), None);
    }

    #[test]
    fn the_geometric_mean_of_a_quotient_and_its_inverse_is_one() {
        let near = |values: &[f64], wanted: f64| (geometric_mean(values).unwrap() - wanted).abs() < 1e-12;
        assert!(near(&[0.5, 2.0], 1.0) && near(&[2.0, 8.0], 4.0));
        assert_eq!((geometric_mean(&[]), mean(&[])), (None, None));
        assert_eq!(mean(&[1.0, 4.0]), Some(2.5));
    }

    #[test]
    fn samples_keep_their_order() {
        let samples = Samples::of(vec![3.0, 1.0, 2.0]).unwrap();
        assert_eq!((samples.min, samples.max, samples.samples), (1.0, 3.0, vec![3.0, 1.0, 2.0]));
    }

    #[test]
    fn correlations_need_three_pairs_that_differ() {
        assert_eq!(correlation(&[1.0, 2.0, 3.0], &[10.0, 20.0, 30.0]), Some(1.0));
        assert_eq!(correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), Some(-1.0));
        assert_eq!(correlation(&[1.0, 2.0], &[1.0, 2.0]), None);
        assert_eq!(correlation(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
    }
}
