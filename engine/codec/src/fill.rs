//! Same-filled units: those that repeat one 32-bit word need no memory at all.
//!
//! The word is 32 bits, not 64 as in zram, because it then fits into the slot of the unit. A unit
//! that repeats a 64-bit word with different halves goes to the codec, which makes it tiny.

/// The word that `unit` repeats throughout, if it does. `unit`'s length is a multiple of 8.
pub fn detect(unit: &[u8]) -> Option<u32> {
    let (words, rest) = unit.as_chunks::<8>();
    let (first, last) = (words.first()?, words.last()?);
    // Most units that are not same-filled already differ here, without a walk through the cache.
    if !rest.is_empty() || first != last || first[..4] != first[4..] {
        return None;
    }
    let filled = words.iter().all(|word| word == first);
    filled.then(|| u32::from_le_bytes([first[0], first[1], first[2], first[3]]))
}

/// Writes `word` over all of `unit`, the inverse of [`detect`].
pub fn expand(word: u32, unit: &mut [u8]) {
    let bytes = word.to_le_bytes();
    if bytes.iter().all(|&b| b == bytes[0]) {
        unit.fill(bytes[0]);
        return;
    }
    for chunk in unit.chunks_mut(4) {
        chunk.copy_from_slice(&bytes[..chunk.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_expand_writes() {
        for word in [0, u32::MAX, 0x0101_0101, 0xdead_beef] {
            let mut unit = vec![7; 4096];
            expand(word, &mut unit);
            assert_eq!(detect(&unit), Some(word));
        }
    }

    #[test]
    fn one_odd_byte_anywhere_spoils_it() {
        for at in [0, 3, 4, 7, 8, 2048, 4088, 4095] {
            let mut unit = vec![0; 4096];
            unit[at] = 1;
            assert_eq!(detect(&unit), None, "byte {at}");
        }
    }

    #[test]
    fn a_64_bit_pattern_is_left_to_the_codec() {
        let unit: Vec<u8> = (0..512).flat_map(|_| 0x1122_3344_5566_7788_u64.to_le_bytes()).collect();
        assert_eq!(detect(&unit), None);
    }

    #[test]
    fn an_empty_or_odd_sized_slice_is_not_same_filled() {
        assert_eq!(detect(&[]), None);
        assert_eq!(detect(&[0; 9]), None);
    }
}
