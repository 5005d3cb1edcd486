/// Numbers that look random, the same for the same seed on every machine (splitmix64, Steele and others, OOPSLA 2014).
/// Seeds may be as near each other as they like.
#[derive(Clone, Debug)]
pub struct Random(
    /// The seed.
    pub u64,
);

impl Random {
    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "an iterator would have to be asked whether it goes on")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number from 0 to `n - 1`; `n` is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number from 0 to 1, which is not reached.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Fills `bytes` with noise.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
    }
}

/// `len` bytes that do not compress, and that no other seed gives.
pub fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    Random(seed).fill(&mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The first numbers that the authors' own program prints for seed 1234567.
    #[test]
    fn numbers_are_those_of_splitmix64() {
        let mut random = Random(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(first.map(|_| random.next()), first);
    }

    #[test]
    fn noise_of_each_seed_is_its_own_and_longer_noise_begins_alike() {
        let all: HashSet<Vec<u8>> = (0..1000).map(|seed| noise(seed, 16)).collect();
        assert_eq!(all.len(), 1000);
        assert_eq!(noise(3, 21)[..13], noise(3, 13));
    }
}
