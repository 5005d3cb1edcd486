//! Pins by the byte at which they begin: those in use, and idle ones that may be wanted again soon. So a use of what was
//! pinned just before costs one look here, and not one per unit.

use ztera_policy::units::{ByteOffset, UnitIndex, Units};
use ztera_sync::atomic::{AtomicU64, Ordering};

/// Where a pin begins: a multiple of 8 bytes, as one number that is neither 0 nor [`CLAIMED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u64);

impl Key {
    /// `None` if no pin can begin there.
    pub fn of(offset: ByteOffset) -> Option<Self> {
        let key = Self(offset.0 / 8 + 1);
        (offset.0.is_multiple_of(8) && key.0 < CLAIMED >> KEY_SHIFT).then_some(key)
    }
}

/// The table. Nobody waits here.
#[derive(Debug)]
pub(crate) struct Recent {
    entries: Box<[Entry]>,
    /// Where the search for one to be given up goes on.
    hand: AtomicU64,
}

/// | bits of `word` | meaning |
/// |----------------|---------|
/// | 0              | used since the last [`age`](Recent::age) |
/// | 1..20          | uses now |
/// | 20..64         | key; 0 = free |
///
/// `units` belongs to it from the time at which the word is set until it is claimed.
#[derive(Debug, Default)]
struct Entry {
    word: AtomicU64,
    units: AtomicU64,
}

/// Enough for two arrays of each thread that is in native code, on a large machine.
const ENTRIES: usize = 128;

const USED: u64 = 1;
const USE: u64 = 1 << 1;
const KEY_SHIFT: u32 = 20;
const USES: u64 = (1 << KEY_SHIFT) - USE;
/// Somebody reads or writes the entry's units.
const CLAIMED: u64 = !0 << KEY_SHIFT;

/// The pins that are given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Idle ones that were not used since the last [`age`](Recent::age).
    Unused,
    /// Idle ones.
    Idle,
    /// All of them.
    All,
}

impl Which {
    fn has(self, word: u64) -> bool {
        let is_pin = word != 0 && word != CLAIMED;
        match self {
            Self::Unused => is_pin && word & (USES | USED) == 0,
            Self::Idle => is_pin && word & USES == 0,
            Self::All => is_pin,
        }
    }
}

impl Default for Recent {
    fn default() -> Self {
        Self::of_entries(ENTRIES)
    }
}

impl Recent {
    pub(crate) fn of_entries(entries: usize) -> Self {
        Self { entries: (0..entries).map(|_| Entry::default()).collect(), hand: AtomicU64::new(0) }
    }

    /// All entries, from the one on where `key` is likely to be.
    fn from(&self, key: Key) -> impl Iterator<Item = &Entry> {
        let home = (key.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize;
        (0..self.entries.len()).map(move |i| &self.entries[home.wrapping_add(i) % self.entries.len()])
    }

    /// One more use of a pin that is there, which has these units; `None` if there is none.
    pub fn enter(&self, key: Key) -> Option<Units> {
        let entry = self.from(key).find(|entry| {
            let more = |word: u64| (is_of(word, key) && word & USES != USES).then_some((word + USE) | USED);
            entry.change(more)
        })?;
        Some(unpack(entry.units.load(Ordering::Relaxed)))
    }

    /// A new pin with one use. False if there is no room for it.
    pub fn insert(&self, key: Key, units: Units) -> bool {
        let free = |word: u64| (word == 0).then_some(CLAIMED);
        let Some(entry) = self.from(key).find(|entry| entry.change(free)) else { return false };
        entry.units.store(pack(units), Ordering::Relaxed);
        entry.word.store(key.0 << KEY_SHIFT | USE | USED, Ordering::Release);
        true
    }

    /// A use ends, and the pin stays. False if there is no such pin in use.
    pub fn leave(&self, key: Key) -> bool {
        let less = |word: u64| (is_of(word, key) && word & USES != 0).then(|| word - USE);
        self.from(key).any(|entry| entry.change(less))
    }

    /// Takes a pin out, and returns its units.
    pub fn take(&self, which: Which) -> Option<Units> {
        let first = self.hand.load(Ordering::Relaxed) as usize;
        (0..self.entries.len()).find_map(|i| {
            let at = first.wrapping_add(i) % self.entries.len();
            let units = self.entries[at].take(which)?;
            self.hand.store(at as u64 + 1, Ordering::Relaxed);
            Some(units)
        })
    }

    /// From now on idle pins count as unused until they are used again.
    pub fn age(&self) {
        let unused = |word: u64| (Which::Idle.has(word) && word & USED != 0).then_some(word & !USED);
        self.entries.iter().for_each(|entry| {
            entry.change(unused);
        });
    }
}

impl Entry {
    /// Changes the word to what `next` makes of it. False if it makes nothing of it. Then the other entries are as new as
    /// this one: who ended a use here in place of its own has left that in another one.
    fn change(&self, next: impl Fn(u64) -> Option<u64>) -> bool {
        let mut word = self.word.load(Ordering::Acquire);
        while let Some(new) = next(word) {
            match self.word.compare_exchange_weak(word, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return true,
                Err(now) => word = now,
            }
        }
        false
    }

    fn take(&self, which: Which) -> Option<Units> {
        if !self.change(|word| which.has(word).then_some(CLAIMED)) {
            return None;
        }
        let units = unpack(self.units.load(Ordering::Relaxed));
        self.word.store(0, Ordering::Release);
        Some(units)
    }
}

fn is_of(word: u64, key: Key) -> bool {
    word >> KEY_SHIFT == key.0
}

fn pack(units: Units) -> u64 {
    u64::from(units.first.0) << 32 | u64::from(units.end.0)
}

fn unpack(units: u64) -> Units {
    Units { first: UnitIndex((units >> 32) as u32), end: UnitIndex(units as u32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(offset: u64) -> Key {
        Key::of(ByteOffset(offset)).expect("a pin may begin there")
    }

    fn units(first: u32, end: u32) -> Units {
        Units { first: UnitIndex(first), end: UnitIndex(end) }
    }

    #[test]
    fn a_pin_begins_at_a_multiple_of_eight() {
        assert_eq!(Key::of(ByteOffset(12)), None);
        assert_eq!(Key::of(ByteOffset(u64::MAX - 7)), None);
        assert!(Key::of(ByteOffset(0)).is_some());
    }

    #[test]
    fn uses_are_counted_and_the_pin_stays() {
        let recent = Recent::of_entries(4);
        assert_eq!(recent.enter(key(0)), None);
        assert!(!recent.leave(key(0)), "nothing is there");
        assert!(recent.insert(key(0), units(0, 3)));
        assert_eq!(recent.enter(key(0)), Some(units(0, 3)));
        assert_eq!(recent.enter(key(8)), None);
        assert_eq!(recent.take(Which::Idle), None, "it is in use");
        assert!(recent.leave(key(0)) && recent.leave(key(0)) && !recent.leave(key(0)));
        assert_eq!(recent.enter(key(0)), Some(units(0, 3)), "it is still there");
        assert!(recent.leave(key(0)));
        assert_eq!(recent.take(Which::Unused), None, "it was used");
        assert_eq!(recent.take(Which::Idle), Some(units(0, 3)));
        assert_eq!(recent.enter(key(0)), None);
    }

    #[test]
    fn what_is_not_used_again_is_given_up_first() {
        let recent = Recent::of_entries(4);
        for i in 0..4_u32 {
            assert!(recent.insert(key(u64::from(i) * 800), units(i, i + 1)));
            recent.leave(key(u64::from(i) * 800));
        }
        assert!(!recent.insert(key(8), units(9, 10)), "there is no room");
        recent.age();
        recent.enter(key(800));
        recent.age();
        recent.leave(key(800));
        let taken = std::iter::from_fn(|| recent.take(Which::Unused)).map(|units| units.first.0);
        let mut taken: Vec<_> = taken.collect();
        taken.sort_unstable();
        assert_eq!(taken, [0, 2, 3]);
    }

    #[test]
    fn all_goes_whether_in_use_or_not() {
        let recent = Recent::of_entries(4);
        assert!(recent.insert(key(0), units(0, 1)) && recent.insert(key(0), units(0, 1)));
        assert_eq!(std::iter::from_fn(|| recent.take(Which::All)).count(), 2);
        assert!(!recent.leave(key(0)));
    }
}
