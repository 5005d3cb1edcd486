//! Blocks of small integers, each in as many bits as the largest needs.

/// Integers in a block: so one of `width` bits takes `width` 64-bit words, and its exceptions one.
pub const BLOCK: usize = 64;

/// Most bits of an integer: behind the 7 bits that may be in front of it in its byte, it still fits into 64.
pub const MOST_BITS: usize = 57;

/// Bytes that a block takes.
pub const fn packed_len(width: usize) -> usize {
    width * BLOCK / 8
}

/// Room for the longest block, and for the last integer to be read and written as 8 bytes.
const ROOM: usize = packed_len(MOST_BITS) + 8;

/// Writes the low `width` bits of each of `ints`, whose other bits are 0, over `out`.
pub fn pack(ints: &[u64; BLOCK], width: usize, out: &mut [u8]) {
    let mut words = out.as_chunks_mut().0.iter_mut();
    let (mut word, mut used) = (0, 0);
    for int in ints {
        word |= int << used;
        used += width;
        if used >= u64::BITS as usize {
            used -= u64::BITS as usize;
            *words.next().expect("a block is `width` words") = u64::to_le_bytes(word);
            word = int >> (width - used);
        }
    }
}

/// The inverse of [`pack`].
pub fn unpack(packed: &[u8], width: usize, ints: &mut [u64; BLOCK]) {
    let mut room = [0; ROOM];
    room[..packed_len(width)].copy_from_slice(packed);
    let mask = (1 << width) - 1;
    for (i, int) in ints.iter_mut().enumerate() {
        let (byte, shift) = (i * width / 8, i * width % 8);
        *int = u64::from_le_bytes(room[byte..byte + 8].try_into().expect("8 bytes")) >> shift & mask;
    }
}

/// How many integers need how many bits.
pub struct Widths([u32; u64::BITS as usize + 1]);

impl Widths {
    pub fn none() -> Self {
        Self([0; u64::BITS as usize + 1])
    }

    pub fn add(&mut self, int: u64) {
        self.0[(u64::BITS - int.leading_zeros()) as usize] += 1;
    }

    /// The width at which all of them take the fewest bits if each that is wider takes `wide` bits more, and those bits.
    pub fn best(&self, wide: u32) -> (usize, u32) {
        let ints: u32 = self.0.iter().sum();
        let mut wider = ints;
        let most = MOST_BITS.min(wide as usize);
        let costs = self.0[..=most].iter().enumerate().map(|(width, count)| {
            wider -= count;
            (width, ints * width as u32 + wider * wide)
        });
        costs.min_by_key(|&(_, bits)| bits).expect("there are widths")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(width: usize) -> [u64; BLOCK] {
        std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) & ((1 << width) - 1))
    }

    #[test]
    fn every_width_comes_back() {
        for width in 0..=MOST_BITS {
            let mut packed = vec![0xa5; packed_len(width)];
            pack(&ints(width), width, &mut packed);
            let mut back = [u64::MAX; BLOCK];
            unpack(&packed, width, &mut back);
            assert_eq!(back, ints(width), "width {width}");
        }
    }

    #[test]
    fn few_large_integers_do_not_make_all_wide() {
        let mut widths = Widths::none();
        (0..60).for_each(|i| widths.add(i % 8));
        assert_eq!(widths.best(64), (3, 60 * 3));
        widths.add(u64::MAX);
        assert_eq!(widths.best(64), (3, 61 * 3 + 64));
        // One bit less for all is worth less than these.
        (0..30).for_each(|_| widths.add(8));
        assert_eq!(widths.best(64), (4, 91 * 4 + 64));
    }
}
