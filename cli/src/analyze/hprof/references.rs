// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! References as HotSpot writes them.

use super::error::Error;

/// Bytes that a narrow reference tells apart: 2^32 objects, which are 8 bytes aligned.
const NARROW_REACH: u64 = 1 << (32 + SHIFT);

const SHIFT: u32 = 3;

/// No object lies so near to the base that its narrow reference would be null.
const BASE_ALIGNMENT: u64 = 4096;

/// The ids that there are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    bounds: Option<(u64, u64)>,
}

impl Range {
    /// There is this one, unless it is null.
    pub fn include(&mut self, id: u64) {
        if id != 0 {
            let (least, most) = self.bounds.unwrap_or((id, id));
            self.bounds = Some((least.min(id), most.max(id)));
        }
    }
}

/// How many bytes a reference takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Width {
    /// As in heaps of less than 32 GiB
    #[value(name = "4")]
    Narrow,
    /// Addresses, as with -XX:-UseCompressedOops
    #[value(name = "8")]
    Wide,
}

impl Width {
    /// That many.
    pub fn bytes(self) -> usize {
        match self {
            Width::Narrow => 4,
            Width::Wide => 8,
        }
    }
}

/// Turns ids into references.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct References {
    width: Width,
    base: u64,
}

impl References {
    /// For objects with ids in `range`; if no width is given, narrow if they reach so far. Their base is 0 if all of
    /// the heap lies below 32 GiB, as HotSpot has it then, else a page before the first object.
    pub fn new(range: Range, width: Option<Width>) -> Result<Self, Error> {
        let (least, most) = range.bounds.unwrap_or_default();
        let base = match most {
            0..NARROW_REACH => 0,
            _ => (least & !(BASE_ALIGNMENT - 1)).saturating_sub(BASE_ALIGNMENT),
        };
        let far = most - base >= NARROW_REACH;
        let usual = if far { Width::Wide } else { Width::Narrow };
        match width.unwrap_or(usual) {
            Width::Narrow if far => Err(Error::TooFar((most - base) >> 30)),
            width => Ok(Self { width, base }),
        }
    }

    /// Bytes of each.
    pub fn width(self) -> Width {
        self.width
    }

    /// Writes that of `id` to `to`, which has [`Width::bytes`]. An id that is not in the range, of an object that the
    /// dump leaves out, becomes some reference.
    pub fn write(self, id: u64, to: &mut [u8]) {
        match self.width {
            Width::Narrow if id == 0 => to.fill(0),
            Width::Narrow => {
                let narrow = (id.wrapping_sub(self.base) >> SHIFT) as u32;
                to.copy_from_slice(&narrow.to_le_bytes());
            }
            Width::Wide => to.copy_from_slice(&id.to_le_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn references(least: u64, most: u64, width: Option<Width>) -> Result<References, Error> {
        let mut range = Range::default();
        [least, 0, most].into_iter().for_each(|id| range.include(id));
        References::new(range, width)
    }

    fn narrow(references: References, id: u64) -> u32 {
        let mut bytes = [0xff; 4];
        references.write(id, &mut bytes);
        u32::from_le_bytes(bytes)
    }

    #[test]
    fn a_low_heap_has_no_base() {
        let low = references(GIB, 31 * GIB, None).unwrap();
        assert_eq!((narrow(low, 0), narrow(low, GIB + 8)), (0, (GIB >> 3) as u32 + 1));
    }

    #[test]
    fn a_high_heap_is_counted_from_its_first_page() {
        let high = references(70 * GIB + 16, 100 * GIB, None).unwrap();
        assert_eq!(high.width(), Width::Narrow);
        assert_eq!((narrow(high, 0), narrow(high, 70 * GIB + 16)), (0, (4096 + 16) >> 3));
    }

    #[test]
    fn a_far_heap_has_wide_references() {
        let far = references(70 * GIB, 110 * GIB, None).unwrap();
        let mut bytes = [0; 8];
        far.write(70 * GIB, &mut bytes);
        assert_eq!((far.width(), u64::from_le_bytes(bytes)), (Width::Wide, 70 * GIB));
        assert!(matches!(references(70 * GIB, 110 * GIB, Some(Width::Narrow)), Err(Error::TooFar(40))));
    }

    #[test]
    fn any_range_will_do() {
        let all = references(1, u64::MAX, None).unwrap();
        assert_eq!(all.width(), Width::Wide);
        assert_eq!(references(0, 0, None).unwrap().width(), Width::Narrow);
    }
}
