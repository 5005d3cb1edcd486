// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Values that are read, and the order in which they are.

use std::str::FromStr;

use fastrand::Rng;
use serde::{Deserialize, Serialize};

/// Bytes of a value.
pub const VALUE: usize = 1024;

const WORDS: &str = "heap page young old card region label group object array string node value map table thread fault unit \
                     slot pool chunk segment record codec ratio copy move mark sweep root";

/// Makes `bytes` the values from number `first` on: each begins with its number, and words follow, some with a digit.
/// Caches of programs compress about so well.
pub fn fill(first: u64, bytes: &mut [u8]) {
    let words: Vec<&str> = WORDS.split(' ').collect();
    for (number, value) in (first..).zip(bytes.chunks_exact_mut(VALUE)) {
        let mut rng = Rng::with_seed(number);
        value[..8].copy_from_slice(&number.to_le_bytes());
        let mut at = 8;
        while at < value.len() {
            let word = words[rng.usize(..words.len())].as_bytes();
            let len = word.len().min(value.len() - at);
            value[at..at + len].copy_from_slice(&word[..len]);
            at += len;
            if let Some(byte) = value.get_mut(at) {
                *byte = if rng.u8(..4) == 0 { rng.u8(b'0'..=b'9') } else { b' ' };
                at += 1;
            }
        }
    }
}

/// The share of reads that each value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// All alike.
    Uniform,
    /// A few very often, by the law of Zipf with an exponent of 0.99.
    Zipf,
}

impl Choice {
    /// Both.
    pub const ALL: [Choice; 2] = [Choice::Uniform, Choice::Zipf];

    /// In commands and tables.
    pub fn name(self) -> &'static str {
        match self {
            Choice::Uniform => "uniform",
            Choice::Zipf => "zipf",
        }
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        let found = Choice::ALL.into_iter().find(|choice| choice.name() == text);
        found.ok_or_else(|| format!("`{text}` is neither uniform nor zipf"))
    }
}

/// Draws numbers below a count. After Gray and others, "Quickly generating billion-record synthetic databases", SIGMOD
/// 1994.
#[derive(Clone, Copy)]
pub struct Draw {
    count: usize,
    /// The sum of all weights, and a constant of the paper; none where all weigh the same.
    zipf: Option<(f64, f64)>,
}

const THETA: f64 = 0.99;

impl Draw {
    /// Of so many, by `choice`.
    pub fn new(choice: Choice, count: usize) -> Self {
        let zeta = || (1..=count).map(|i| (i as f64).powf(-THETA)).sum::<f64>();
        let constants = |zeta: f64| {
            let two = 1.0 + 0.5_f64.powf(THETA);
            (zeta, (1.0 - (2.0 / count as f64).powf(1.0 - THETA)) / (1.0 - two / zeta))
        };
        Self { count, zipf: (choice == Choice::Zipf).then(|| constants(zeta())) }
    }

    /// The next one.
    pub fn next(&self, rng: &mut Rng) -> usize {
        let Some((zeta, eta)) = self.zipf else { return rng.usize(..self.count) };
        let u = rng.f64();
        let rank = if u * zeta < 1.0 {
            0
        } else {
            (self.count as f64 * (eta * u - eta + 1.0).powf(1.0 / (1.0 - THETA))) as usize
        };
        // Popular values lie anywhere.
        (Rng::with_seed(rank as u64).u64(..) % self.count as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_known_by_its_number() {
        let mut bytes = [0; 3 * VALUE];
        fill(7, &mut bytes);
        let numbers = bytes.chunks(VALUE).map(|value| u64::from_le_bytes(value[..8].try_into().unwrap()));
        assert_eq!(numbers.collect::<Vec<_>>(), [7, 8, 9]);
        assert!(bytes[8..VALUE].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' '));
    }

    /// How often the most popular of a thousand is drawn in ten thousand.
    fn most_popular(choice: Choice) -> usize {
        let (draw, mut rng) = (Draw::new(choice, 1000), Rng::with_seed(1));
        let mut counts = [0; 1000];
        (0..10_000).for_each(|_| counts[draw.next(&mut rng)] += 1);
        counts.into_iter().max().unwrap()
    }

    #[test]
    fn a_few_values_are_drawn_often() {
        assert!(most_popular(Choice::Uniform) < 50 && most_popular(Choice::Zipf) > 500);
        assert_eq!("zipf".parse(), Ok(Choice::Zipf));
        assert!("pareto".parse::<Choice>().is_err());
    }
}
