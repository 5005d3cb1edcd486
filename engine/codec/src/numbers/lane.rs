//! How a word of memory becomes an integer, and the same word again.

use std::hint::black_box;

/// The lanes of a unit: words of one size that stand for integers.
///
/// Words are little-endian and, if of 4 bytes, extended by zeros.
pub trait Lane: Copy {
    /// Bytes of a word.
    const BYTES: usize;

    /// The integer that the word stands for, if [`word`](Self::word) makes the very same word of it.
    fn int(self, word: u64) -> Option<i64>;

    /// The word that stands for an integer that [`int`](Self::int) gave. Others give any word.
    fn word(self, int: i64) -> u64;
}

/// A `long`.
#[derive(Clone, Copy)]
pub struct Long;

impl Lane for Long {
    const BYTES: usize = 8;

    #[inline]
    fn int(self, word: u64) -> Option<i64> {
        Some(word as i64)
    }

    #[inline]
    fn word(self, int: i64) -> u64 {
        int as u64
    }
}

/// An `int`, or a compressed reference: without a sign.
#[derive(Clone, Copy)]
pub struct Int;

impl Lane for Int {
    const BYTES: usize = 4;

    #[inline]
    fn int(self, word: u64) -> Option<i64> {
        Some(word as i64)
    }

    #[inline]
    fn word(self, int: i64) -> u64 {
        u64::from(int as u32)
    }
}

/// A decimal fraction as a `double`: an integer divided by a power of ten, rounded once. So do parsers and
/// `Math.round(x * 1000) / 1000.0`. The idea is that of ALP (Afroozeh et al., SIGMOD 2023), which multiplies instead; the
/// division gives back more of what programs make, as its result is the double that is nearest to the decimal.
#[derive(Clone, Copy)]
pub struct Double(pub Scale);

impl Lane for Double {
    const BYTES: usize = 8;

    #[inline]
    fn int(self, word: u64) -> Option<i64> {
        let int = self.0.int(f64::from_bits(word))?;
        (self.word(int) == word).then_some(int)
    }

    #[inline]
    fn word(self, int: i64) -> u64 {
        self.0.fraction(int).to_bits()
    }
}

/// The same as a `float`.
#[derive(Clone, Copy)]
pub struct Float(pub Scale);

impl Lane for Float {
    const BYTES: usize = 4;

    #[inline]
    fn int(self, word: u64) -> Option<i64> {
        let int = self.0.int(f64::from(f32::from_bits(word as u32)))?;
        (self.word(int) == word).then_some(int)
    }

    #[inline]
    fn word(self, int: i64) -> u64 {
        u64::from((self.0.fraction(int) as f32).to_bits())
    }
}

/// A power of ten: how many digits are behind the decimal point.
#[derive(Clone, Copy)]
pub struct Scale(f64);

const POWERS: [f64; 10] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/// 1.5 * 2^52: added to a double of less than 2^51 it rounds that to an integer, which is then in the low bits. Vector
/// units can do that; before AVX-512 they cannot convert 64-bit integers.
const ROUNDER: f64 = 6_755_399_441_055_744.0;
const EXPONENT_SHIFT: u32 = 52;

/// Whether this thread's arithmetic is what all fractions here rely on. A host may change that (`fesetround`), though
/// compilers take it for granted, too; handlers of signals begin with the usual mode.
///
/// Denormal numbers, which a host may have made zeros, do not matter: none is a decimal, nor in between.
pub fn rounds_to_nearest() -> bool {
    let (one, tiny) = (black_box(1.0), black_box(f64::EPSILON / 8.0));
    one + tiny == one && one - tiny == one
}

impl Scale {
    /// `None` for more digits than 9.
    pub fn of_digits(digits: u8) -> Option<Self> {
        POWERS.get(usize::from(digits)).copied().map(Self)
    }

    /// `None` for what is too large to be rounded this way, infinite, or no number.
    #[inline]
    fn int(self, fraction: f64) -> Option<i64> {
        let rounded = (fraction * self.0 + ROUNDER).to_bits();
        let in_range = (rounded ^ ROUNDER.to_bits()) >> EXPONENT_SHIFT == 0;
        in_range.then(|| rounded.wrapping_sub(ROUNDER.to_bits()) as i64)
    }

    #[inline]
    fn fraction(self, int: i64) -> f64 {
        (f64::from_bits(ROUNDER.to_bits().wrapping_add(int as u64)) - ROUNDER) / self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits that no arithmetic gives back, or only some.
    const ODD: [u64; 9] = [
        0x8000_0000_0000_0000, // -0.0
        0x7ff0_0000_0000_0000, // infinite
        0xfff0_0000_0000_0000,
        0x7ff8_0000_0000_0001, // no numbers, quiet and signalling
        0x7ff0_0000_0000_0001,
        0xffff_ffff_ffff_ffff,
        0x0000_0000_0000_0001, // the smallest
        0x7fef_ffff_ffff_ffff, // the largest
        0x4320_0000_0000_0001, // 2^51 and a half
    ];

    #[test]
    fn decimals_are_integers() {
        let scale = Scale::of_digits(3).unwrap();
        for (decimal, int) in [(0.0, 0), (0.001, 1), (-12.345, -12345), (1e9, 1_000_000_000_000)] {
            assert_eq!(Double(scale).int(f64::to_bits(decimal)), Some(int), "{decimal}");
            assert_eq!(Double(scale).word(int), decimal.to_bits());
        }
        assert_eq!(Float(scale).int(u64::from(12.345_f32.to_bits())), Some(12345));
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    fn other_ways_to_round_are_noticed() {
        use crate::codec::DecodeError;
        use crate::numbers::Numbers;

        let set = |control: u32| {
            // SAFETY: bits 13 and 14 are the way to round; all exceptions stay masked.
            unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &control, options(nostack, readonly)) };
        };
        let (unit, mut packed, mut rest) = ([0; 4096], [0; 4096], [0; 4096]);
        for (mode, nearest) in [(0, true), (1, false), (2, false), (3, false)] {
            set(0x1f80 | mode << 13);
            let noticed = !rounds_to_nearest();
            let fractions = Numbers::Doubles(3).split(&unit, &mut packed, &mut rest);
            let joined = Numbers::Doubles(3).join(&[], &[], &mut [0; 512]);
            let ints = Numbers::Ints.split(&unit, &mut packed, &mut rest);
            set(0x1f80);
            assert_eq!(
                (noticed, fractions.is_some(), ints.is_some()),
                (!nearest, nearest, true),
                "mode {mode}"
            );
            assert_eq!(joined == Err(DecodeError::Rounding), !nearest, "mode {mode}");
        }
    }

    #[test]
    fn what_is_no_decimal_is_left_alone() {
        for digits in 0..10 {
            let scale = Scale::of_digits(digits).unwrap();
            for word in ODD {
                assert_eq!(Double(scale).int(word), None, "{word:#x} with {digits} digits");
                let float = f64::from_bits(word) as f32;
                if float != 0.0 || float.is_sign_negative() {
                    assert_eq!(
                        Float(scale).int(u64::from(float.to_bits())),
                        None,
                        "{float} with {digits} digits"
                    );
                }
            }
        }
        assert_eq!(Double(Scale::of_digits(3).unwrap()).int(0.0005_f64.to_bits()), None);
        assert!(Scale::of_digits(10).is_none());
    }
}
