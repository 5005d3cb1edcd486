//! How much of each part of the range was compressed again because the program had written to it.
//!
//! Units that lost their copy for another reason do not count: nobody writes to them.

use ztera_store::{UnitIndex, UnitSize, Units};
use ztera_sync::Word;
use ztera_sync::atomic::Ordering;

/// Bytes of a part: the largest unit. A region of the host's heap, which is freed as one, has whole parts.
const PART: u64 = 64 << 10;

/// Counts since the contents of a part were last discarded.
#[derive(Debug)]
pub(crate) struct Rewrites {
    unit_len: u64,
    /// For each part how many of its units were compressed again, each as often as it was.
    parts: Box<[Word]>,
}

impl Rewrites {
    /// For a range of `len` bytes. Where there is no room for the counts, nothing is counted.
    pub fn new(unit: UnitSize, len: u64) -> Self {
        let parts = Word::zeros(len.div_ceil(PART) as usize).unwrap_or_default();
        Self { unit_len: unit.bytes() as u64, parts }
    }

    /// A unit that the program had written to was compressed again.
    pub fn add(&self, unit: UnitIndex) {
        if let Some(part) = self.parts.get(self.part(unit)) {
            part.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Nothing was, of parts that lie in these units.
    pub fn forget(&self, units: Units) {
        let whole = self.part(units.end);
        for part in self.starts(units).filter(|&part| part < whole) {
            self.parts[part].store(0, Ordering::Relaxed);
        }
    }

    /// Bytes that were compressed again, of parts that begin in these units.
    pub fn bytes(&self, units: Units) -> u64 {
        self.starts(units).map(|part| self.parts[part].load(Ordering::Relaxed)).sum::<u64>() * self.unit_len
    }

    /// The parts that begin in these units.
    fn starts(&self, units: Units) -> std::ops::Range<usize> {
        let first = |unit: UnitIndex| (u64::from(unit.0) * self.unit_len).div_ceil(PART) as usize;
        first(units.first).min(self.parts.len())..first(units.end).min(self.parts.len())
    }

    fn part(&self, unit: UnitIndex) -> usize {
        (u64::from(unit.0) * self.unit_len / PART) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(first: u32, end: u32) -> Units {
        Units { first: UnitIndex(first), end: UnitIndex(end) }
    }

    #[test]
    fn each_part_counts_for_itself_and_once() {
        let unit = UnitSize::new(16 << 10).expect("a power of two");
        let rewrites = Rewrites::new(unit, 1 << 20);
        [0, 3, 3, 4, 63].into_iter().for_each(|unit| rewrites.add(UnitIndex(unit)));
        rewrites.add(UnitIndex(64));
        let units_of = |first, end| rewrites.bytes(units(first, end)) / (16 << 10);
        assert_eq!((units_of(0, 64), units_of(0, 4), units_of(4, 8), units_of(60, 64)), (5, 3, 1, 1));
        assert_eq!((units_of(0, 2), units_of(2, 64)), (3, 2), "a part belongs to whoever has its first unit");
    }

    #[test]
    fn whole_parts_are_forgotten() {
        let rewrites = Rewrites::new(UnitSize::new(16 << 10).expect("a power of two"), 1 << 20);
        [0, 4, 8].into_iter().for_each(|unit| rewrites.add(UnitIndex(unit)));
        rewrites.forget(units(2, 10));
        assert_eq!(rewrites.bytes(units(0, 64)) / (16 << 10), 2, "one of three lies in these units");
    }
}
