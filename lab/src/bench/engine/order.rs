// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! In which order pages are touched.

use fastrand::Rng;

use crate::kit::data::pages::PAGE;

/// Bytes of which one word is touched. It is the largest unit of all arms, so that each touch is the first one of its
/// unit.
pub const STRIDE: usize = 8 << 10;

/// Offsets of the words, one in a random page of each stretch of [`STRIDE`] bytes, in random order.
pub fn scattered(len: usize, seed: u64) -> Vec<usize> {
    let mut rng = Rng::with_seed(seed);
    let mut offsets: Vec<usize> =
        (0..len / STRIDE).map(|stretch| stretch * STRIDE + rng.usize(..STRIDE / PAGE) * PAGE).collect();
    rng.shuffle(&mut offsets);
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stretch_is_touched_once() {
        let offsets = scattered(64 * STRIDE, 5);
        assert!(offsets.iter().all(|offset| offset.is_multiple_of(PAGE)));
        assert!(!offsets.is_sorted());
        let mut stretches: Vec<usize> = offsets.iter().map(|offset| offset / STRIDE).collect();
        stretches.sort_unstable();
        assert_eq!(stretches, (0..64).collect::<Vec<_>>());
    }
}
