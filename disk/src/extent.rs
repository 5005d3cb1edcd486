// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Bytes of the device, and how they are cut.

use ztera_store::{ByteOffset, UnitIndex, UnitSize};

/// Consecutive bytes of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Where they start.
    pub offset: u64,
    /// How many there are.
    pub len: u64,
}

/// Those bytes of an extent that are of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub unit: UnitIndex,
    /// The first byte, counted from the unit's start.
    pub from: usize,
    pub len: usize,
}

impl Extent {
    /// `len` bytes at `offset`, or `None` if a device of `size` bytes ends before.
    pub fn within(size: u64, offset: u64, len: u64) -> Option<Self> {
        let end = offset.checked_add(len)?;
        (end <= size).then_some(Self { offset, len })
    }

    /// The byte behind the last.
    pub fn end(self) -> u64 {
        self.offset + self.len
    }

    /// Cut at multiples of `len`, ascending.
    pub(crate) fn pieces(self, len: u64) -> impl Iterator<Item = Extent> {
        let mut offset = self.offset;
        std::iter::from_fn(move || {
            let end = (offset / len + 1).saturating_mul(len).min(self.end());
            let piece = Extent { offset, len: end.checked_sub(offset).filter(|&len| len > 0)? };
            offset = end;
            Some(piece)
        })
    }

    /// Cut at the units' ends, ascending.
    pub(crate) fn parts(self, unit: UnitSize) -> impl Iterator<Item = Part> {
        self.pieces(unit.bytes() as u64).map(move |piece| {
            let index = unit.unit_at(ByteOffset(piece.offset));
            let from = (piece.offset - unit.offset_of(index).0) as usize;
            Part { unit: index, from, len: piece.len as usize }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extent_does_not_reach_beyond_the_device() {
        assert_eq!(Extent::within(100, 40, 60), Some(Extent { offset: 40, len: 60 }));
        assert_eq!(Extent::within(100, 40, 61), None);
        assert_eq!(Extent::within(100, u64::MAX, 2), None);
    }

    #[test]
    fn pieces_end_at_multiples() {
        let lens = |offset, len| Extent { offset, len }.pieces(10).map(|p| p.len).collect::<Vec<_>>();
        assert_eq!(lens(7, 16), [3, 10, 3]);
        assert_eq!(lens(10, 10), [10]);
        assert_eq!(lens(3, 4), [4]);
        assert!(lens(3, 0).is_empty());
    }

    #[test]
    fn parts_say_where_in_the_unit_they_are() {
        let unit = UnitSize::new(4096).expect("a size");
        let parts: Vec<_> = Extent { offset: 4000, len: 4200 }.parts(unit).collect();
        let part = |unit, from, len| Part { unit: UnitIndex(unit), from, len };
        assert_eq!(parts, [part(0, 4000, 96), part(1, 0, 4096), part(2, 0, 8)]);
    }
}
