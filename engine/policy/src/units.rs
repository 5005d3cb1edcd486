//! Indexes, offsets and sizes, each a type of its own.

use std::ops::Range;

/// A byte of the range, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteOffset(pub u64);

/// A unit of the range, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitIndex(pub u32);

/// Bytes in a unit: a power of two from 4 KiB to 64 KiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitSize {
    shift: u8,
}

/// Bytes of a page in zram's statistics, whatever the machine's own page size.
pub const PAGE_LEN: u64 = 4096;

impl UnitSize {
    /// `None` unless `bytes` is a power of two from 4 KiB to 64 KiB.
    pub fn new(bytes: usize) -> Option<Self> {
        let valid = bytes.is_power_of_two() && (4096..=65536).contains(&bytes);
        valid.then(|| Self { shift: bytes.trailing_zeros() as u8 })
    }

    /// The size in bytes.
    pub fn bytes(self) -> usize {
        1 << self.shift
    }

    /// 4 KiB pages in a unit.
    pub fn pages(self) -> u64 {
        self.bytes() as u64 / PAGE_LEN
    }

    /// The unit that holds the byte at `offset`.
    pub fn unit_at(self, offset: ByteOffset) -> UnitIndex {
        UnitIndex((offset.0 >> self.shift) as u32)
    }

    /// Where `unit` starts.
    pub fn offset_of(self, unit: UnitIndex) -> ByteOffset {
        ByteOffset(u64::from(unit.0) << self.shift)
    }

    /// The units of `len` bytes at `offset`, or `None` if those are not whole units.
    pub fn units_of(self, offset: ByteOffset, len: u64) -> Option<Units> {
        let end = offset.0.checked_add(len)?;
        let aligned = (offset.0 | len) & (self.bytes() as u64 - 1) == 0;
        let last = u32::try_from(end >> self.shift).ok()?;
        aligned.then(|| Units { first: self.unit_at(offset), end: UnitIndex(last) })
    }
}

/// Consecutive units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// The first one.
    pub first: UnitIndex,
    /// The one behind the last.
    pub end: UnitIndex,
}

impl Units {
    /// A single one.
    pub fn one(unit: UnitIndex) -> Self {
        Self { first: unit, end: UnitIndex(unit.0 + 1) }
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.end.0 - self.first.0
    }

    /// Each of them, ascending.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = UnitIndex> + ExactSizeIterator {
        Range { start: self.first.0, end: self.end.0 }.map(UnitIndex)
    }

    /// The same units in runs of at most `len`, ascending.
    pub fn batches(self, len: u32) -> impl Iterator<Item = Units> {
        (self.first.0..self.end.0).step_by(len as usize).map(move |first| Units {
            first: UnitIndex(first),
            end: UnitIndex(self.end.0.min(first.saturating_add(len))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_units_are_units() {
        let size = UnitSize::new(16384).unwrap();
        let units = size.units_of(ByteOffset(16384), 32768).unwrap();
        assert_eq!((units.first, units.count()), (UnitIndex(1), 2));
        assert_eq!(size.units_of(ByteOffset(4096), 16384), None);
        assert_eq!(size.units_of(ByteOffset(0), 100), None);
        assert_eq!(size.units_of(ByteOffset(u64::MAX - 16383), 16384), None);
        assert!(
            UnitSize::new(2048).is_none()
                && UnitSize::new(131072).is_none()
                && UnitSize::new(12288).is_none()
        );
    }

    #[test]
    fn batches_cover_all_units_once() {
        let units = Units { first: UnitIndex(3), end: UnitIndex(14) };
        let all: Vec<_> = units.batches(4).flat_map(Units::iter).collect();
        assert_eq!(all, units.iter().collect::<Vec<_>>());
        assert!(units.batches(4).all(|batch| batch.count() <= 4));
    }
}
