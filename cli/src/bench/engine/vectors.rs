// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Arrays of doubles as they lie in a Java heap.

use fastrand::Rng;

/// Which numbers are in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// A random walk, each value rounded to three decimals.
    ThreeDecimals,
    /// Any number from 0 to 1: all bits of the mantissa are random.
    Random,
}

/// Doubles in an array.
const LENGTH: usize = 1000;

/// What is in front of them: the mark word, then class and length, 4 bytes each.
const HEADER_WORDS: usize = 2;
const MARK: u64 = 1;
const CLASS: u64 = 0x1a98;

/// A step of the walk is less than this, up or down.
const STEP: f64 = 1.0;

/// Fills `page` after page with one array behind the other.
pub struct Vectors {
    numbers: Numbers,
    rng: Rng,
    /// The next word's place in its array.
    at: usize,
    walk: f64,
}

impl Vectors {
    /// The same for the same `seed`.
    pub fn new(numbers: Numbers, seed: u64) -> Self {
        Self { numbers, rng: Rng::with_seed(seed), at: 0, walk: 0.0 }
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
            1 => CLASS | (LENGTH as u64) << u32::BITS,
            _ => self.number().to_bits(),
        }
    }

    fn number(&mut self) -> f64 {
        match self.numbers {
            Numbers::Random => self.rng.f64(),
            Numbers::ThreeDecimals => {
                self.walk += (self.rng.f64() * 2.0 - 1.0) * STEP;
                (self.walk * 1000.0).round() / 1000.0
            }
        }
    }
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
    fn three_decimals_are_three() {
        for word in &words(Numbers::ThreeDecimals)[HEADER_WORDS..HEADER_WORDS + LENGTH] {
            let number = f64::from_bits(*word);
            let shown: f64 = format!("{number:.3}").parse().unwrap();
            assert_eq!(shown, number);
        }
    }
}
