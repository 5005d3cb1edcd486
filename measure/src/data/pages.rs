// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pages to measure with: of a file, invented, and changed.

use fastrand::Rng;

/// Bytes of a page.
pub const PAGE: usize = 4096;

/// Bytes of a word.
const WORD: usize = size_of::<u64>();

/// Words that are changed in each page of a copy.
const CHANGED_WORDS: usize = 4;

/// Page `index` of endless copies of `source`, which is whole pages. Each copy but the first differs from the others in
/// a few words of each page, so that no page tells how another one compresses. Pages that repeat one word still do.
pub fn of_copies(source: &[u8], index: usize, page: &mut [u8]) {
    let pages = source.len() / PAGE;
    let (copy, from) = (index / pages, index % pages * PAGE);
    page.copy_from_slice(&source[from..from + PAGE]);
    if copy == 0 || repeats_one_word(page) {
        return;
    }
    let mut rng = Rng::with_seed(index as u64);
    for _ in 0..CHANGED_WORDS {
        let at = rng.usize(..PAGE / WORD) * WORD;
        // Of a word of Java's heap these are the bytes that differ most.
        let low = u16::from_le_bytes([page[at], page[at + 1]]).wrapping_add(copy as u16);
        page[at..at + 2].copy_from_slice(&low.to_le_bytes());
    }
}

fn repeats_one_word(page: &[u8]) -> bool {
    page.chunks_exact(WORD).all(|word| word == &page[..WORD])
}

/// An invented page in the likeness of small objects: headers, references that lie near each other, small numbers. The
/// share `noise` of its words, from 0 to 1, is random.
pub fn synthetic(rng: &mut Rng, noise: f64, page: &mut [u8]) {
    let near = u64::from(rng.u32(..));
    for word in page.chunks_exact_mut(WORD) {
        let value = if rng.f64() < noise {
            rng.u64(..)
        } else {
            match rng.u8(..4) {
                // A mark word, then a class and a length.
                0 => 1,
                1 => (u64::from(rng.u8(..16)) << 12) | (u64::from(rng.u8(..8)) << 32),
                // A compressed reference beside a small number.
                2 => (near + u64::from(rng.u8(..))) | (u64::from(rng.u8(..100)) << 32),
                _ => 0,
            }
        };
        word.copy_from_slice(&value.to_le_bytes());
    }
}

/// Gives a unit contents that compress to another size: what is behind a random place becomes zeros, or noise.
pub fn resize(rng: &mut Rng, unit: &mut [u8]) {
    let from = rng.usize(..unit.len());
    match rng.bool() {
        true => unit[from..].fill(0),
        false => rng.fill(&mut unit[from..]),
    }
}

/// The sum of all words: whoever knows it has read them.
pub fn sum(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| u64::from_le_bytes(chunk.try_into().expect("a chunk is a word long"));
    bytes.chunks_exact(WORD).fold(0, |sum, chunk| sum.wrapping_add(word(chunk)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_pages() -> Vec<u8> {
        let mut source = vec![7; 2 * PAGE];
        source[..PAGE].iter_mut().enumerate().for_each(|(i, byte)| *byte = (i % 251) as u8);
        source
    }

    fn page(source: &[u8], index: usize) -> Vec<u8> {
        let mut page = vec![0; PAGE];
        of_copies(source, index, &mut page);
        page
    }

    #[test]
    fn copies_differ_a_little() {
        let source = two_pages();
        assert_eq!(page(&source, 0), source[..PAGE]);
        let (second, third) = (page(&source, 2), page(&source, 4));
        let differ = |other: &[u8]| source[..PAGE].iter().zip(other).filter(|(a, b)| a != b).count();
        assert!((1..=2 * CHANGED_WORDS).contains(&differ(&second)), "{}", differ(&second));
        assert_ne!(second, third);
    }

    #[test]
    fn what_repeats_one_word_stays_so() {
        let source = two_pages();
        assert_eq!(page(&source, 3), source[PAGE..]);
    }

    #[test]
    fn noise_is_what_was_asked_for() {
        let zeros = |noise| {
            let mut page = vec![0; PAGE];
            synthetic(&mut Rng::with_seed(1), noise, &mut page);
            page.iter().filter(|&&byte| byte == 0).count()
        };
        assert!(zeros(0.0) > PAGE / 2 && zeros(1.0) < PAGE / 64);
    }

    #[test]
    fn a_sum_is_of_words() {
        assert_eq!(sum(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]), 257);
    }

    #[test]
    fn a_resized_unit_keeps_its_front() {
        let mut rng = Rng::with_seed(3);
        let mut unit = vec![9; 2 * PAGE];
        resize(&mut rng, &mut unit);
        let kept = unit.iter().take_while(|&&byte| byte == 9).count();
        assert!(kept < unit.len());
    }
}
