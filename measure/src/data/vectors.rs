// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Arrays of numbers as they lie in a Java heap.

use fastrand::Rng;

/// The kind of numbers in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// A random walk, each value rounded to three decimals.
    ThreeDecimals,
    /// Any number from 0 to 1: all bits of the mantissa are random.
    Random,
    /// Floats of which each is any number from 0 to 100, rounded to three decimals.
    FloatsThreeDecimals,
    /// Floats of which each is any number from 0 to 100.
    FloatsRandom,
    /// Times in milliseconds, at most a second apart.
    Times,
    /// Compressed references to objects of up to 256 bytes, one behind the other.
    References,
    /// Any `int` below a million.
    Ints,
}

/// Words in an array behind its header: of a double or long each, or of two floats, ints or references.
const LENGTH: usize = 1000;

/// The header in front of them: the mark word, then class and length, 4 bytes each.
const HEADER_WORDS: usize = 2;
const MARK: u64 = 1;
const CLASS: u64 = 0x1a98;

/// A step of the walk is less than this, up or down.
const STEP: f64 = 1.0;
/// Floats are less than this.
const FLOAT: f64 = 100.0;
/// When times begin: in the autumn of 2023.
const EPOCH: u64 = 1_700_000_000_000;

/// Fills `page` after page with one array behind the other.
pub struct Vectors {
    numbers: Numbers,
    rng: Rng,
    /// The next word's place in its array.
    at: usize,
    walk: f64,
    count: u64,
}

impl Vectors {
    /// The same for the same `seed`.
    pub fn new(numbers: Numbers, seed: u64) -> Self {
        Self { numbers, rng: Rng::with_seed(seed), at: 0, walk: 0.0, count: 0 }
    }

    /// The next page, or any other number of whole words.
    pub fn fill(&mut self, page: &mut [u8]) {
        page.chunks_exact_mut(size_of::<u64>())
            .for_each(|word| word.copy_from_slice(&self.word().to_le_bytes()));
    }

    fn word(&mut self) -> u64 {
        let at = self.at;
        self.at = (at + 1) % (HEADER_WORDS + LENGTH);
        match at {
            0 => MARK,
            1 => CLASS | ((LENGTH * self.numbers.in_word()) as u64) << u32::BITS,
            _ if self.numbers.in_word() == 2 => {
                u64::from(self.short_number()) | u64::from(self.short_number()) << u32::BITS
            }
            _ => self.number(),
        }
    }

    fn number(&mut self) -> u64 {
        match self.numbers {
            Numbers::ThreeDecimals => {
                self.walk += (self.rng.f64() * 2.0 - 1.0) * STEP;
                three_decimals(self.walk).to_bits()
            }
            Numbers::Times => {
                self.count += self.rng.u64(..=1000);
                EPOCH + self.count
            }
            _ => self.rng.f64().to_bits(),
        }
    }

    fn short_number(&mut self) -> u32 {
        let float = |rng: &mut Rng| rng.f64() * FLOAT;
        match self.numbers {
            Numbers::FloatsThreeDecimals => (three_decimals(float(&mut self.rng)) as f32).to_bits(),
            Numbers::References => {
                // A reference counts in units of 8 bytes.
                self.count += self.rng.u64(2..=32);
                self.count as u32
            }
            Numbers::Ints => self.rng.u32(..1_000_000),
            _ => (float(&mut self.rng) as f32).to_bits(),
        }
    }
}

impl Numbers {
    /// How many are in a word.
    fn in_word(self) -> usize {
        match self {
            Self::ThreeDecimals | Self::Random | Self::Times => 1,
            Self::FloatsThreeDecimals | Self::FloatsRandom | Self::References | Self::Ints => 2,
        }
    }
}

fn three_decimals(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(numbers: Numbers) -> Vec<u64> {
        let mut bytes = vec![0; (HEADER_WORDS + LENGTH) * 2 * size_of::<u64>()];
        Vectors::new(numbers, 1).fill(&mut bytes);
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
    }

    #[test]
    fn arrays_follow_each_other_with_their_headers() {
        let words = words(Numbers::Random);
        for array in words.chunks(HEADER_WORDS + LENGTH) {
            assert_eq!((array[0], array[1] >> 32), (MARK, LENGTH as u64));
        }
    }

    #[test]
    fn two_short_numbers_share_a_word() {
        let words = words(Numbers::Ints);
        assert_eq!(words[1] >> 32, 2 * LENGTH as u64);
        let pairs = words[HEADER_WORDS..HEADER_WORDS + LENGTH]
            .iter()
            .flat_map(|word| [word >> 32, word & 0xffff_ffff]);
        assert!(pairs.clone().all(|int| int < 1_000_000));
        assert!(pairs.filter(|&int| int > 500_000).count() > LENGTH / 2);
    }

    #[test]
    fn three_decimals_are_three() {
        for word in &words(Numbers::ThreeDecimals)[HEADER_WORDS..HEADER_WORDS + LENGTH] {
            let number = f64::from_bits(*word);
            let shown: f64 = format!("{number:.3}").parse().unwrap();
            assert_eq!(shown, number);
        }
    }
}
