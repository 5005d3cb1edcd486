//! Size classes: how chunks are cut.
//!
//! The largest class is one unit (objects kept raw), of which exactly 16 fill a chunk. Each class
//! below is about 1/10 smaller, so that rounding up wastes 5 % on average, down to 1/256 of a unit.

/// Units in a chunk, and so slots in a chunk of the largest class.
pub(crate) const UNITS_PER_CHUNK: usize = 16;

/// Position of a class in the table; class 0 is the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class(pub u8);

/// The table for one unit size.
#[derive(Debug)]
pub(crate) struct Classes {
    chunk_len: usize,
    slot_len: Vec<u32>,
}

impl Classes {
    /// `unit_len` is a power of two from 4 KiB to 64 KiB.
    pub fn new(unit_len: usize) -> Self {
        let chunk_len = unit_len * UNITS_PER_CHUNK;
        let smallest = unit_len / 256;
        let mut slot_len = vec![unit_len as u32];
        let mut want = unit_len - unit_len / 9;
        while want > smallest {
            // As many slots as give at least `want` bytes each, so that little of the chunk is left over.
            let slots = chunk_len / want;
            slot_len.push((chunk_len / slots / 8 * 8) as u32);
            want -= (want / 10).max(8);
        }
        slot_len.push(smallest as u32);
        slot_len.reverse();
        slot_len.dedup();
        Self { chunk_len, slot_len }
    }

    /// The smallest class whose slots hold `len` bytes; `None` if no class does.
    pub fn fitting(&self, len: usize) -> Option<Class> {
        let at = self.slot_len.partition_point(|&slot| (slot as usize) < len);
        (at < self.slot_len.len()).then_some(Class(at as u8))
    }

    /// Class of objects that are a whole unit.
    pub fn raw(&self) -> Class {
        Class((self.slot_len.len() - 1) as u8)
    }

    /// The classes above `class`, smallest first, without the raw one.
    pub fn above(&self, class: Class) -> impl Iterator<Item = Class> + use<> {
        (class.0 + 1..self.raw().0).map(Class)
    }

    pub fn count(&self) -> usize {
        self.slot_len.len()
    }

    /// Bytes of one slot.
    pub fn slot_len(&self, class: Class) -> usize {
        self.slot_len[usize::from(class.0)] as usize
    }

    /// Slots of one chunk.
    pub fn slots(&self, class: Class) -> u16 {
        (self.chunk_len / self.slot_len(class)) as u16
    }

    pub fn chunk_len(&self) -> usize {
        self.chunk_len
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::SlotIndex;

    #[test]
    fn every_length_up_to_a_unit_has_a_class_that_wastes_little() {
        for shift in 12..=16 {
            let unit = 1 << shift;
            let classes = Classes::new(unit);
            assert!(classes.count() < 80, "{} classes", classes.count());
            for len in 1..=unit {
                let class = classes.fitting(len).expect("some class fits");
                let slot = classes.slot_len(class);
                assert!(slot >= len);
                assert!(slot <= (len + len / 6 + 16).max(unit / 256), "{len} bytes take {slot}");
            }
            assert_eq!(classes.fitting(unit + 1), None);
        }
    }

    #[test]
    fn slots_fill_the_chunk_and_their_indexes_fit() {
        for shift in 12..=16 {
            let classes = Classes::new(1 << shift);
            for class in (0..=classes.raw().0).map(Class) {
                let (slots, len) = (classes.slots(class), classes.slot_len(class));
                let used = usize::from(slots) * len;
                assert!(used <= classes.chunk_len());
                assert!(classes.chunk_len() - used < classes.chunk_len() / 16);
                assert!(u32::from(slots) <= 1 << SlotIndex::BITS);
            }
            assert_eq!(usize::from(classes.slots(classes.raw())), UNITS_PER_CHUNK);
        }
    }
}
