//! The kinds of numbers that a unit may hold, and how each is split and joined.

use super::block::{self, Lens};
use super::lane::{self, Double, Float, Int, Long, Scale};
use crate::codec::DecodeError;

/// The kind of a unit's words. Objects between them, such as the headers of arrays, do no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Of 4 bytes: `int`, or compressed references.
    Ints,
    /// Of 8 bytes: `long`.
    Longs,
    /// `float` with so many digits behind the decimal point, at most 9.
    Floats(u8),
    /// The same of `double`.
    Doubles(u8),
}

/// Calls one of [`block`]'s functions for the words that `$numbers` are, or returns `$unknown`.
macro_rules! with_lane {
    ($numbers:expr, $unknown:expr, $call:path, $($rest:expr),*) => {
        match $numbers {
            Numbers::Ints => $call(Int, $($rest),*),
            Numbers::Longs => $call(Long, $($rest),*),
            Numbers::Floats(digits) => match Scale::of_digits(digits) {
                Some(scale) => $call(Float(scale), $($rest),*),
                None => $unknown,
            },
            Numbers::Doubles(digits) => match Scale::of_digits(digits) {
                Some(scale) => $call(Double(scale), $($rest),*),
                None => $unknown,
            },
        }
    };
}

impl Numbers {
    /// Splits `unit` in small integers and the rest, each written to the front of its slice. `None` if the unit is not
    /// whole blocks of 64 words, a slice is too short, or this thread does not round fractions to the nearest.
    pub fn split(self, unit: &[u8], packed: &mut [u8], rest: &mut [u8]) -> Option<Lens> {
        if !self.can_be_computed() {
            return None;
        }
        with_lane!(self, None, block::split, unit, packed, rest)
    }

    /// The inverse of [`split`](Self::split). Any other input gives an error: never a panic, and never an access outside
    /// the slices. After an error `unit` may hold anything.
    pub fn join(self, packed: &[u8], rest: &[u8], unit: &mut [u8]) -> Result<(), DecodeError> {
        if !self.can_be_computed() {
            return Err(DecodeError::Rounding);
        }
        with_lane!(self, Err(DecodeError::UnknownFormat), block::join, packed, rest, unit)
    }

    fn can_be_computed(self) -> bool {
        matches!(self, Self::Ints | Self::Longs) || lane::rounds_to_nearest()
    }

    /// As a byte of the frame's header: never 0.
    pub fn to_byte(self) -> u8 {
        match self {
            Self::Ints => 0x10,
            Self::Longs => 0x20,
            Self::Floats(digits) => 0x30 | digits,
            Self::Doubles(digits) => 0x40 | digits,
        }
    }

    /// The inverse of [`to_byte`](Self::to_byte).
    pub fn from_byte(byte: u8) -> Option<Self> {
        let numbers = match byte >> 4 {
            1 => Self::Ints,
            2 => Self::Longs,
            3 => Self::Floats(byte & 0xf),
            4 => Self::Doubles(byte & 0xf),
            _ => return None,
        };
        (numbers.to_byte() == byte).then_some(numbers)
    }
}
