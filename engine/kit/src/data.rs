//! Invented bytes, the same in every run: in the likeness of a heap, but of no program's. `make bench-codec` and
//! `make bench-engine` tell figures of real pages.

use crate::Random;

const SEED: u64 = 0x5eed;

const WORDS: [&str; 12] = [
    "index",
    "private",
    "the",
    "java/util/",
    "value",
    "of",
    "return",
    "String",
    "entry",
    "null",
    "size",
    "element",
];

/// `len` bytes of small objects: headers, compressed references that lie near each other, small numbers, now and then a
/// hash, and text.
pub fn objects(len: usize) -> Vec<u8> {
    let mut random = Random(SEED);
    let mut bytes = Vec::with_capacity(len + 256);
    while bytes.len() < len {
        let class = random.below(16) as u32;
        header(&mut bytes, class);
        match class {
            0..4 => text(&mut bytes, &mut random),
            _ => fields(&mut bytes, class, &mut random),
        }
        bytes.resize(bytes.len().next_multiple_of(8), 0);
    }
    bytes.truncate(len);
    bytes
}

/// A mark word and a compressed class.
fn header(bytes: &mut Vec<u8>, class: u32) {
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend((0x0100_0000 + class * 0x248).to_le_bytes());
}

fn text(bytes: &mut Vec<u8>, random: &mut Random) {
    let words: Vec<&str> = (0..1 + random.below(6)).map(|_| WORDS[random.below(12)]).collect();
    let text = words.join(" ");
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.bytes());
}

fn fields(bytes: &mut Vec<u8>, class: u32, random: &mut Random) {
    let here = 0x2000_0000 + bytes.len() as u32 / 8;
    for field in 0..1 + class / 2 {
        let value = match (class + field) % 4 {
            0 => random.below(100) as u32,
            1 if random.below(4) == 0 => random.next() as u32,
            1 => 0,
            _ => here - random.below(4096) as u32,
        };
        bytes.extend(value.to_le_bytes());
    }
}

/// `len` bytes of doubles with three decimals, which a filter packs.
pub fn decimals(len: usize) -> Vec<u8> {
    let mut random = Random(SEED);
    let values = std::iter::repeat_with(|| random.below(100_000) as f64 / 1000.0);
    values.flat_map(f64::to_le_bytes).take(len).collect()
}

/// Fills a buffer with words of which one half is random, so that it compresses to about half.
pub fn half_random(seed: u64, bytes: &mut [u8]) {
    let mut random = Random(seed);
    for word in bytes.chunks_exact_mut(8) {
        word.copy_from_slice(&(random.next() >> 32).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_bytes_as_were_asked_for() {
        for len in [0, 5, 4096, 100_001] {
            assert_eq!([objects(len).len(), decimals(len).len()], [len, len]);
        }
    }

    #[test]
    fn every_other_half_word_is_random() {
        let mut bytes = [7; 64];
        half_random(1, &mut bytes);
        assert!(bytes.chunks_exact(8).all(|word| word[4..] == [0; 4] && word[..4] != [0; 4]));
    }
}
