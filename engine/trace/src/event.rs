//! The events, and their numbers.

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A unit is read.
    Read(u32),
    /// A unit is written to.
    Write(u32),
    /// Consecutive units get new contents that do not go through mapped memory.
    Submit {
        /// The first one.
        first: u32,
        /// How many.
        count: u32,
    },
    /// Consecutive units become empty.
    Discard {
        /// The first one.
        first: u32,
        /// How many.
        count: u32,
    },
    /// An epoch of the host ends.
    Epoch,
    /// Knowledge of a unit when it is wanted.
    Size {
        /// Its number.
        unit: u32,
        /// Bytes that it takes when it is compressed; 0 = it repeats one word.
        bytes: u32,
    },
}

/// The head of a trace, before the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Bytes of a unit.
    pub unit_len: u32,
    /// Units in the range.
    pub units: u32,
}

impl Header {
    const MAGIC: [u8; 8] = *b"ZTTRACE1";

    /// Bytes of a header.
    pub const LEN: usize = 16;

    /// The header as a file begins with it.
    pub fn bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        bytes[..8].copy_from_slice(&Self::MAGIC);
        bytes[8..12].copy_from_slice(&self.unit_len.to_le_bytes());
        bytes[12..].copy_from_slice(&self.units.to_le_bytes());
        bytes
    }

    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let header = Self { unit_len: word(8)?, units: word(12)? };
        (bytes.starts_with(&Self::MAGIC) && header.unit_len > 0).then_some(header)
    }
}

pub(crate) const READ: u64 = 0;
pub(crate) const WRITE: u64 = 1;
pub(crate) const SUBMIT: u64 = 2;
pub(crate) const DISCARD: u64 = 3;
pub(crate) const EPOCH: u64 = 4;
pub(crate) const SIZE: u64 = 5;
pub(crate) const KIND_BITS: u32 = 3;
