//! Size classes: how chunks are cut.
//!
//! A chunk of 16 units has exactly 16 slots of the largest class, one unit each (objects kept raw). Below it there are
//! 16 classes each time that the length halves, so that rounding up wastes 2 % on average, down to 1/256 of a unit. A
//! small pool has chunks of 8 or 4 units, and as many classes: of each class a chunk may be nearly empty.

/// Bytes of memory that are taken from the system at once, if units are not longer. Of each class about half as many lie
/// unused, and four pages cost hardly more than a fault each would.
const AT_ONCE: usize = 16 << 10;

/// How often the length halves from the largest to the smallest class.
const OCTAVES: u32 = 8;

/// Bytes of which slots are multiples.
const ALIGN: usize = 8;

/// Position of a class in the table; class 0 is the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class(pub u8);

impl Class {
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// The table for one unit size.
#[derive(Debug)]
pub(crate) struct Classes {
    chunk_len: usize,
    /// Units in a chunk, and so slots in a chunk of the largest class.
    units_per_chunk: usize,
    slot_len: Vec<u32>,
}

impl Classes {
    /// `unit_len` is a power of two from 4 KiB to 64 KiB. For a pool of so many units.
    pub fn new(unit_len: usize, units: u64) -> Self {
        let units_per_chunk = match units {
            0..8192 => 4,
            8192..16384 => 8,
            _ => 16,
        };
        let chunk_len = unit_len * units_per_chunk;
        // Slots of a chunk: 16, 17, .. 31; 32, 34, .. 62; and so on. So little of the chunk is left over.
        let octave = |shift: u32| (units_per_chunk..2 * units_per_chunk).map(move |slots| slots << shift);
        let slots = (0..OCTAVES).flat_map(octave).chain([units_per_chunk << OCTAVES]);
        let mut slot_len: Vec<u32> = slots.map(|slots| (chunk_len / slots / ALIGN * ALIGN) as u32).collect();
        slot_len.reverse();
        slot_len.dedup();
        Self { chunk_len, units_per_chunk, slot_len }
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

    /// All classes, smallest first.
    pub fn all(&self) -> impl Iterator<Item = Class> + use<> {
        (0..=self.raw().0).map(Class)
    }

    /// `class` and those above it, smallest first, without the raw one.
    pub fn from(&self, class: Class) -> impl Iterator<Item = Class> + use<> {
        (class.0..self.raw().0).map(Class)
    }

    /// Bytes of one slot.
    pub fn slot_len(&self, class: Class) -> usize {
        self.slot_len[usize::from(class.0)] as usize
    }

    /// Slots of one chunk.
    pub fn slots(&self, class: Class) -> u16 {
        (self.chunk_len / self.slot_len(class)) as u16
    }

    /// Units of memory taken from the system for the first `slots` slots of a chunk: [`AT_ONCE`] at a time.
    pub fn units(&self, class: Class, slots: u16) -> u64 {
        let unit_len = self.chunk_len / self.units_per_chunk;
        let at_once = (AT_ONCE / unit_len).max(1);
        ((usize::from(slots) * self.slot_len(class)).div_ceil(at_once * unit_len) * at_once) as u64
    }

    /// Bytes of so many units.
    pub fn len_of(&self, units: u64) -> usize {
        self.chunk_len / self.units_per_chunk * units as usize
    }

    pub fn units_per_chunk(&self) -> usize {
        self.units_per_chunk
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
        let kinds = [(320, 33, 3), (9600, 65, 7), (80_000, 129, 15)];
        for (shift, (units, most, part)) in (12..=16).flat_map(|shift| kinds.map(|kind| (shift, kind))) {
            let unit = 1 << shift;
            let classes = Classes::new(unit, units);
            assert!(classes.all().count() <= most, "{} classes", classes.all().count());
            for len in 1..=unit {
                let class = classes.fitting(len).expect("some class fits");
                let slot = classes.slot_len(class);
                assert!(slot >= len);
                assert!(slot <= (len + len / part + 16).max(unit / 256), "{len} bytes take {slot}");
            }
            assert_eq!(classes.fitting(unit + 1), None);
        }
    }

    #[test]
    fn slots_fill_the_chunk_and_their_indexes_fit() {
        for (shift, units) in (12..=16).flat_map(|shift| [320, 9600, 80_000].map(|units| (shift, units))) {
            let classes = Classes::new(1 << shift, units);
            for class in classes.all() {
                let (slots, len) = (classes.slots(class), classes.slot_len(class));
                let used = usize::from(slots) * len;
                assert!(used <= classes.chunk_len());
                // Lengths are multiples of 8 bytes, and the smallest have two of those.
                assert!(classes.chunk_len() - used < usize::from(slots) * ALIGN + len);
                assert!(u32::from(slots) <= 1 << SlotIndex::BITS);
                assert!(classes.units(class, slots) <= classes.units_per_chunk() as u64);
            }
            assert_eq!(usize::from(classes.slots(classes.raw())), classes.units_per_chunk());
            let of_one: usize = classes.all().map(|class| classes.len_of(classes.units(class, 1))).sum();
            assert_eq!(of_one, classes.all().count() * AT_ONCE.max(1 << shift), "one object of each class");
        }
    }
}
