// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report's random numbers: x(k+1) = 5^13 x(k) mod 2^46.

const FACTOR: u64 = 1_220_703_125;
const MASK: u64 = (1 << 46) - 1;

/// The seed of IS, CG, MG and FT.
pub const SEED: u64 = 314_159_265;

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// One that starts after `seed`.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Leaves out `count` numbers.
    pub fn skip(mut self, count: u64) -> Random {
        let (mut factor, mut rest) = (FACTOR, count);
        while rest > 0 {
            if rest & 1 == 1 {
                self.0 = product(self.0, factor);
            }
            factor = product(factor, factor);
            rest >>= 1;
        }
        self
    }

    /// The next number, between 0 and 1.
    pub fn uniform(&mut self) -> f64 {
        self.0 = product(self.0, FACTOR);
        self.0 as f64 * (1.0 / (1_u64 << 46) as f64)
    }
}

/// The bits that a 64-bit product loses are multiples of 2^46, too.
fn product(a: u64, b: u64) -> u64 {
    a.wrapping_mul(b) & MASK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_definition() {
        let mut random = Random::new(SEED);
        let exact = u128::from(SEED) * u128::from(FACTOR) % (1 << 46);
        assert_eq!(random.uniform(), exact as f64 / (1_u64 << 46) as f64);
        assert_eq!(u128::from(random.0), exact);
    }

    #[test]
    fn skipping_is_as_good_as_drawing() {
        let mut drawn = Random::new(SEED);
        for _ in 0..1000 {
            drawn.uniform();
        }
        assert_eq!(Random::new(SEED).skip(1000).0, drawn.0);
        assert_eq!(Random::new(SEED).skip(0).0, SEED);
    }
}
