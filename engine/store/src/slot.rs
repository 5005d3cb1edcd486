//! The slot of a unit: one 64-bit word with its state, its lock, and where its contents are.
//!
//! | bits   | meaning |
//! |--------|---------|
//! | 0      | locked |
//! | 1      | somebody is parked, waiting for the lock |
//! | 2      | resident: the unit is mapped, and what is mapped is its contents |
//! | 3      | queued: the unit is in the eviction queue |
//! | 4      | referenced: gets a second chance there; of a unit that is not resident: [lingering](Slot::lingers) |
//! | 5      | leaving: the contents are being copied to where they will be, and have not changed since that began |
//! | 6      | [warm](Slot::is_warm), as its host says; of a dirty unit: [written](Slot::set_written) |
//! |        | of a unit that is not resident: [was hot](Slot::was_hot) |
//! | 7..10  | kind of [`Backing`] |
//! | 10..50 | what the backing needs: staging page, fill word, pool handle or place on SSD; of a dirty unit, its pins |
//! | 50..64 | stamp: when the unit was last evicted, by the evictor's clock |
//!
//! An all-zero word is an empty unit, so a new table costs nothing. In-flight operations are not
//! states: a unit in flight is a locked slot, or (staged units) a backing that is compared again
//! after the work.
//!
//! Invariant: a unit that is not resident has a backing other than [`Backing::Dirty`].
//! Invariant: a resident unit is writable without a fault only if its backing is `Dirty`.
//! Invariant: a pinned unit is resident, writable without a fault, and so `Dirty`.

use ztera_sync::atomic::Ordering;
use ztera_sync::{Held, Rank, SpinWait, Word};

use ztera_policy::units::UnitIndex;

const LOCKED: u64 = 1;
const PARKED: u64 = 1 << 1;
const RESIDENT: u64 = 1 << 2;
const QUEUED: u64 = 1 << 3;
const REFERENCED: u64 = 1 << 4;
/// The same bit of a unit that is not resident.
const LINGERING: u64 = REFERENCED;
const LEAVING: u64 = 1 << 5;
const WARM: u64 = 1 << 6;
/// The same bit of a dirty unit.
const WRITTEN: u64 = WARM;
/// The same bit of a unit that is not resident.
const WAS_HOT: u64 = WARM;
const KIND_SHIFT: u32 = 7;
const KIND_MASK: u64 = 7 << KIND_SHIFT;
const PAYLOAD_SHIFT: u32 = 10;
const PAYLOAD_BITS: u32 = 40;
const PAYLOAD_MASK: u64 = ((1 << PAYLOAD_BITS) - 1) << PAYLOAD_SHIFT;
const STAMP_SHIFT: u32 = 50;
const PIN_MAX: u64 = PAYLOAD_MASK >> PAYLOAD_SHIFT;

const _: () = assert!(ztera_pool::Handle::BITS <= PAYLOAD_BITS && ztera_ssd::Place::BITS <= PAYLOAD_BITS);

/// The source of a unit's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backing {
    /// Never written, or discarded: zeros.
    Empty,
    /// Nothing but the mapped memory has them: the unit is dirty.
    Dirty,
    /// A unit of a staging buffer that workers have not stored yet.
    Staged(StagedPage),
    /// One word, repeated.
    Same(u32),
    /// A compressed object.
    Packed(ObjectBits),
    /// An object of the pool with the unit's bytes as they are.
    Raw(ObjectBits),
    /// A record on SSD: what a compressed object has, or the unit's bytes as they are.
    OnSsd(PlaceBits),
}

/// Address of a page-aligned piece of a staging buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StagedPage(u64);

impl StagedPage {
    pub(crate) fn new(address: usize) -> Self {
        debug_assert_eq!(address % 4096, 0);
        debug_assert!(address as u64 >> 12 < 1 << PAYLOAD_BITS);
        Self(address as u64 >> 12)
    }

    pub(crate) fn address(self) -> usize {
        (self.0 << 12) as usize
    }
}

/// Bits of a pool handle that the slot owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectBits(pub(crate) u64);

/// Bits of a place on SSD that the slot owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceBits(pub(crate) u64);

impl Backing {
    /// The backing of a slot a moment ago.
    pub(crate) fn at(cell: &Word) -> Self {
        Self::decode(cell.load(Ordering::Relaxed))
    }

    /// The object of the pool, if there is one.
    pub(crate) fn object(self) -> Option<ObjectBits> {
        match self {
            Self::Packed(object) | Self::Raw(object) => Some(object),
            _ => None,
        }
    }

    /// The same with another object of the pool that has the same bytes.
    pub(crate) fn moved_to(self, object: ObjectBits) -> Self {
        match self {
            Self::Packed(_) => Self::Packed(object),
            Self::Raw(_) => Self::Raw(object),
            other => other,
        }
    }

    fn encode(self) -> u64 {
        let (kind, payload) = match self {
            Self::Empty => (0, 0),
            Self::Dirty => (1, 0),
            Self::Staged(page) => (2, page.0),
            Self::Same(word) => (3, u64::from(word)),
            Self::Packed(object) => (4, object.0),
            Self::Raw(object) => (5, object.0),
            Self::OnSsd(place) => (6, place.0),
        };
        kind << KIND_SHIFT | payload << PAYLOAD_SHIFT
    }

    fn decode(word: u64) -> Self {
        let payload = (word & PAYLOAD_MASK) >> PAYLOAD_SHIFT;
        match (word & KIND_MASK) >> KIND_SHIFT {
            0 => Self::Empty,
            1 => Self::Dirty,
            2 => Self::Staged(StagedPage(payload)),
            3 => Self::Same(payload as u32),
            4 => Self::Packed(ObjectBits(payload)),
            5 => Self::Raw(ObjectBits(payload)),
            6 => Self::OnSsd(PlaceBits(payload)),
            kind => unreachable!("slot of unknown kind {kind}"),
        }
    }
}

/// The locked slot of a unit. Changes become visible, and the lock is released, when it is dropped.
#[derive(Debug)]
pub struct Slot<'t> {
    cell: &'t Word,
    word: u64,
    unit: UnitIndex,
    _held: Held,
}

/// Takes the lock if nobody has it. Returns the rest of the word.
fn take(cell: &Word) -> Option<u64> {
    let word = cell.load(Ordering::Relaxed);
    if word & LOCKED != 0 {
        return None;
    }
    cell.compare_exchange(word, word | LOCKED, Ordering::Acquire, Ordering::Relaxed).ok()?;
    Some(word & !PARKED)
}

/// Waits for the lock.
#[cold]
fn wait(cell: &Word) -> u64 {
    let mut spin = SpinWait::new();
    loop {
        if let Some(word) = take(cell) {
            return word;
        }
        if spin.spin() {
            continue;
        }
        let word = cell.load(Ordering::Relaxed);
        if word & LOCKED == 0 {
            continue;
        }
        let parked = word | PARKED;
        if word != parked
            && cell.compare_exchange(word, parked, Ordering::Relaxed, Ordering::Relaxed).is_err()
        {
            continue;
        }
        cell.park(|| cell.load(Ordering::Relaxed) & (LOCKED | PARKED) == LOCKED | PARKED);
        spin.reset();
    }
}

impl<'t> Slot<'t> {
    pub(crate) fn lock(cell: &'t Word, unit: UnitIndex) -> Self {
        let held = Held::wait(Rank::Slot, unit.0);
        let word = take(cell).unwrap_or_else(|| wait(cell));
        Self { cell, word, unit, _held: held }
    }

    pub(crate) fn try_lock(cell: &'t Word, unit: UnitIndex) -> Option<Self> {
        let word = take(cell)?;
        Some(Self { cell, word, unit, _held: Held::got(Rank::Slot, unit.0) })
    }

    /// The unit that it is of.
    pub fn unit(&self) -> UnitIndex {
        self.unit
    }

    /// The source of the contents.
    pub fn backing(&self) -> Backing {
        Backing::decode(self.word)
    }

    /// Only [`Store`](crate::Store) changes backings: it owns what they refer to.
    pub(crate) fn set_backing(&mut self, backing: Backing) {
        self.word = self.word & !(KIND_MASK | PAYLOAD_MASK | LEAVING) | backing.encode();
    }

    /// How often the unit is pinned. The count lies where other backings have their place.
    pub fn pins(&self) -> u64 {
        if self.backing() == Backing::Dirty { (self.word & PAYLOAD_MASK) >> PAYLOAD_SHIFT } else { 0 }
    }

    /// Pins a dirty unit once more. A backing that is set later ends all pins.
    pub fn pin(&mut self) {
        debug_assert!(self.is_resident() && self.backing() == Backing::Dirty && self.pins() < PIN_MAX);
        self.word += 1 << PAYLOAD_SHIFT;
    }

    /// Takes one pin away. False if there is none.
    pub fn unpin(&mut self) -> bool {
        let is_pinned = self.pins() > 0;
        self.word -= u64::from(is_pinned) << PAYLOAD_SHIFT;
        is_pinned
    }

    /// Whether the unit is mapped.
    pub fn is_resident(&self) -> bool {
        self.word & RESIDENT != 0
    }

    /// Says whether the unit is mapped.
    pub fn set_resident(&mut self, on: bool) {
        self.set(RESIDENT, on);
    }

    /// Whether the unit has left memory as far as its slot goes, and pages of it are still there: with its contents, protected
    /// against writes, and the kernel takes them when it likes. The store has the contents, and not in a staging buffer.
    pub fn lingers(&self) -> bool {
        self.word & (RESIDENT | LINGERING) == LINGERING
    }

    /// Says whether pages of the unit linger, which is not resident.
    pub fn set_lingering(&mut self, on: bool) {
        debug_assert!(!self.is_resident() && !matches!(self.backing(), Backing::Dirty | Backing::Staged(_)));
        self.set(LINGERING, on);
    }

    /// Whether pages of the unit may be mapped.
    pub fn is_mapped(&self) -> bool {
        self.word & (RESIDENT | LINGERING) != 0
    }

    /// Whether the unit is in the eviction queue.
    pub fn is_queued(&self) -> bool {
        self.word & QUEUED != 0
    }

    /// Says whether the unit is in the eviction queue.
    pub fn set_queued(&mut self, on: bool) {
        self.set(QUEUED, on);
    }

    /// Whether the unit, which is resident, has a second chance.
    pub fn is_referenced(&self) -> bool {
        self.word & REFERENCED != 0
    }

    /// Gives a unit that is resident the second chance, or takes it from any.
    pub fn set_referenced(&mut self, on: bool) {
        self.set(REFERENCED, on);
    }

    /// Whether the backing is still the one that [`set_leaving`](Self::set_leaving) was said of. A handle that
    /// is the same one proves nothing: it may have been freed and be another object's by now.
    pub(crate) fn is_leaving(&self) -> bool {
        self.word & LEAVING != 0
    }

    /// Says whether the contents are being copied to where they will be: to SSD, or to a denser object.
    pub(crate) fn set_leaving(&mut self, on: bool) {
        self.set(LEAVING, on);
    }

    /// Whether the unit came back soon after it had left, as its host counts that.
    pub fn is_warm(&self) -> bool {
        self.word & WARM != 0
    }

    /// Says whether it was.
    pub fn set_warm(&mut self, on: bool) {
        self.set(WARM, on);
    }

    /// Whether the unit, which is not resident, was hot when it left.
    pub fn was_hot(&self) -> bool {
        self.word & (RESIDENT | WAS_HOT) == WAS_HOT
    }

    /// Says whether it was, of a unit that is not resident, or is about to leave.
    pub fn set_was_hot(&mut self, on: bool) {
        self.set(WAS_HOT, on);
    }

    /// Says that the program writes to the unit, which is dirty: not all that is dirty was written to since it came. It may
    /// be as new as it was submitted, or have given up its copy.
    pub fn set_written(&mut self) {
        debug_assert!(self.backing() == Backing::Dirty);
        self.set(WRITTEN, true);
    }

    /// Whether the program writes to the unit: [`set_written`](Self::set_written).
    pub fn is_written(&self) -> bool {
        self.backing() == Backing::Dirty && self.word & WRITTEN != 0
    }

    /// The evictor's clock when the unit was last evicted; 0 if never.
    pub fn stamp(&self) -> u16 {
        (self.word >> STAMP_SHIFT) as u16
    }

    /// The largest stamp.
    pub const MAX_STAMP: u16 = (1 << (64 - STAMP_SHIFT)) - 1;

    /// Notes the evictor's clock, at most [`MAX_STAMP`](Self::MAX_STAMP).
    pub fn set_stamp(&mut self, stamp: u16) {
        debug_assert!(stamp <= Self::MAX_STAMP);
        self.word = self.word & !(u64::MAX << STAMP_SHIFT) | u64::from(stamp) << STAMP_SHIFT;
    }

    fn set(&mut self, bit: u64, on: bool) {
        self.word = if on { self.word | bit } else { self.word & !bit };
    }
}

/// The state of a slot a moment ago.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// Whether the unit is mapped.
    pub resident: bool,
    /// Whether it is not resident, but [lingers](Slot::lingers).
    pub lingers: bool,
    /// Whether the store has nothing of it.
    pub empty: bool,
    /// Whether the program has written to it since it was mapped.
    pub written: bool,
    /// Whether its contents are in the pool, mapped or not.
    pub in_pool: bool,
    /// Whether they are there as they are, because they do not compress.
    pub raw: bool,
    /// Whether they are on SSD, mapped or not.
    pub on_ssd: bool,
    /// Whether the unit is pinned.
    pub pinned: bool,
    /// The evictor's clock when the unit was last evicted; 0 if never.
    pub stamp: u16,
}

impl Glance {
    pub(crate) fn at(cell: &Word) -> Self {
        let word = cell.load(Ordering::Relaxed);
        let backing = Backing::decode(word);
        Self {
            resident: word & RESIDENT != 0,
            lingers: word & (RESIDENT | LINGERING) == LINGERING,
            empty: backing == Backing::Empty,
            written: backing == Backing::Dirty && word & WRITTEN != 0,
            in_pool: matches!(backing, Backing::Packed(_) | Backing::Raw(_)),
            raw: matches!(backing, Backing::Raw(_)),
            on_ssd: matches!(backing, Backing::OnSsd(_)),
            pinned: backing == Backing::Dirty && word & PAYLOAD_MASK != 0,
            stamp: (word >> STAMP_SHIFT) as u16,
        }
    }

    /// Whether the unit's contents are in the pool or on SSD, and no page of it is mapped.
    pub fn only_stored(&self) -> bool {
        self.is_stored() && !self.resident && !self.lingers
    }

    /// Whether the unit's contents are in the pool or on SSD, mapped or not.
    pub fn is_stored(&self) -> bool {
        self.in_pool || self.on_ssd
    }

    /// Whether the unit's contents are in the pool, and in no other memory.
    pub fn only_in_pool(&self) -> bool {
        self.in_pool && !self.resident
    }

    /// Whether the unit's contents are on SSD, and in no memory.
    pub fn only_on_ssd(&self) -> bool {
        self.on_ssd && !self.resident
    }
}

impl Slot<'_> {
    /// Whether what can be told of the invariants from the word holds. Of a unit that is writable without a fault the kernel
    /// knows, so only the models see that.
    fn is_sound(&self) -> bool {
        let backing = self.backing();
        let has_copy = backing != Backing::Dirty;
        (self.is_resident() || has_copy) && !(self.lingers() && matches!(backing, Backing::Staged(_)))
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        debug_assert!(
            self.is_sound() || std::thread::panicking(),
            "unit {} is unlocked as {self:?}",
            self.unit.0
        );
        let before = self.cell.swap(self.word, Ordering::Release);
        if before & PARKED != 0 {
            self.cell.unpark_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: UnitIndex = UnitIndex(7);

    fn lock(cell: &Word) -> Slot<'_> {
        Slot::lock(cell, UNIT)
    }

    #[test]
    fn a_zero_word_is_an_empty_unit() {
        let cell = Word::new(0);
        let slot = lock(&cell);
        assert_eq!((slot.unit(), slot.backing()), (UNIT, Backing::Empty));
        assert!(!slot.is_resident() && !slot.is_queued() && !slot.is_referenced());
    }

    #[test]
    fn fields_do_not_touch_each_other() {
        let cell = Word::new(0);
        let all = (1 << PAYLOAD_BITS) - 1;
        for backing in [
            Backing::Empty,
            Backing::Dirty,
            Backing::Staged(StagedPage(all)),
            Backing::Same(u32::MAX),
            Backing::Packed(ObjectBits(all)),
            Backing::Raw(ObjectBits(all)),
            Backing::OnSsd(PlaceBits(all)),
        ] {
            let mut slot = lock(&cell);
            slot.set_backing(backing);
            slot.set_resident(true);
            slot.set_stamp(Slot::MAX_STAMP);
            slot.set_leaving(true);
            drop(slot);
            let mut slot = lock(&cell);
            assert_eq!((slot.backing(), slot.stamp()), (backing, Slot::MAX_STAMP));
            assert!(slot.is_resident() && !slot.is_queued() && !slot.is_referenced() && !slot.is_warm());
            assert!(slot.is_leaving());
            slot.set_backing(backing);
            assert!(!slot.is_leaving(), "it may be another object with the same handle");
            slot.set_warm(true);
            slot.set_resident(false);
            slot.set_queued(true);
            slot.set_referenced(true);
            slot.set_stamp(0);
            assert_eq!(slot.backing(), backing);
            assert!(!slot.is_resident() && slot.is_queued() && slot.is_referenced());
            slot.set_queued(false);
            slot.set_referenced(false);
            slot.set_warm(false);
            slot.set_resident(backing == Backing::Dirty);
        }
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "unit 7 is unlocked as")]
    fn a_unit_that_is_not_resident_has_a_copy() {
        let cell = Word::new(0);
        lock(&cell).set_backing(Backing::Dirty);
    }

    #[test]
    fn pins_nest_and_touch_nothing_else() {
        let cell = Word::new(0);
        let mut slot = lock(&cell);
        assert!(!slot.unpin(), "what is not pinned stays so");
        slot.set_resident(true);
        slot.set_backing(Backing::Dirty);
        slot.set_stamp(Slot::MAX_STAMP);
        slot.pin();
        slot.pin();
        drop(slot);
        assert!(Glance::at(&cell).pinned && !Glance::at(&cell).written);
        let mut slot = lock(&cell);
        assert_eq!((slot.pins(), slot.backing(), slot.stamp()), (2, Backing::Dirty, Slot::MAX_STAMP));
        assert!(slot.unpin() && slot.unpin() && !slot.unpin());
        slot.pin();
        slot.set_backing(Backing::Packed(ObjectBits(7)));
        assert_eq!((slot.pins(), slot.unpin()), (0, false), "bits of other backings are no pins");
        assert_eq!(slot.backing(), Backing::Packed(ObjectBits(7)));
    }

    #[test]
    fn a_unit_lingers_or_is_resident() {
        let cell = Word::new(0);
        let mut slot = lock(&cell);
        slot.set_backing(Backing::Same(7));
        slot.set_resident(true);
        slot.set_referenced(true);
        assert!(slot.is_mapped() && !slot.lingers() && !Glance::at(&cell).lingers);
        slot.set_referenced(false);
        slot.set_resident(false);
        assert!(!slot.is_mapped() && !slot.lingers());
        slot.set_lingering(true);
        assert!(slot.is_mapped() && slot.lingers() && !slot.is_resident());
        drop(slot);
        assert!(Glance::at(&cell).lingers && !Glance::at(&cell).resident);
        let mut slot = lock(&cell);
        slot.set_lingering(false);
        assert!(!slot.is_mapped());
    }

    #[test]
    fn a_unit_that_is_not_resident_was_hot_or_not() {
        let cell = Word::new(0);
        let mut slot = lock(&cell);
        slot.set_backing(Backing::Same(7));
        slot.set_resident(true);
        slot.set_warm(true);
        assert!(!slot.was_hot(), "that is another thing");
        slot.set_was_hot(true);
        slot.set_resident(false);
        assert!(slot.was_hot() && !slot.is_mapped());
        slot.set_was_hot(false);
        assert!(!slot.was_hot() && !slot.is_warm());
    }

    #[test]
    fn a_locked_slot_cannot_be_locked_again() {
        let cell = Word::new(0);
        let slot = lock(&cell);
        assert!(Slot::try_lock(&cell, UNIT).is_none());
        drop(slot);
        assert!(Slot::try_lock(&cell, UNIT).is_some());
    }

    #[test]
    fn the_lock_excludes_and_loses_no_wakeup() {
        let cell = Word::new(0);
        let rounds = if cfg!(miri) { 20 } else { 2000_u32 };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..rounds {
                        let mut slot = lock(&cell);
                        let Backing::Same(n) = slot.backing() else {
                            slot.set_backing(Backing::Same(1));
                            continue;
                        };
                        // Held across a reschedule now and then, so that others really park.
                        if n % 16 == 0 {
                            std::thread::yield_now();
                        }
                        slot.set_backing(Backing::Same(n + 1));
                    }
                });
            }
        });
        assert_eq!(lock(&cell).backing(), Backing::Same(4 * rounds));
    }
}
