//! Objects moved out of sparse chunks of the pool, and out of slots that are too large, so that memory can be given back.
//!
//! The owner of an object is written down nowhere but in the owner's slot. So a pass goes through all slots once, and
//! moves what the pool wants elsewhere. That needs no memory, and reads 8 bytes per unit. An object is
//! copied under its slot's lock, for about as long as a load holds it; a unit that somebody else has locked stays where
//! it is.

use ztera_pool::Handle;

use crate::pass::Pass;
use crate::slot::{ObjectBits, Slot};
use crate::store::Store;
use ztera_policy::units::UnitIndex;

/// Slots looked at in one step, and objects moved.
const LOOKS: u32 = 1 << 14;
const MOVES: u32 = 64;

/// Passes of [`Store::compact`] at most: after two there is hardly anything left to do.
const PASSES: u32 = 4;

impl Store {
    /// Does a step of a pass: a fraction of a millisecond. Returns whether the pass goes on; `None` if another thread is
    /// at it.
    pub fn compact_step(&self) -> Option<bool> {
        self.compaction.try_lock().map(|mut pass| self.step(&mut pass))
    }

    /// Objects moved so far.
    pub fn compacted_units(&self) -> u64 {
        self.counters.compacted_units.get()
    }

    /// Makes passes until there is nothing left to give back, or nearly so; returns how many bytes of the pool were
    /// given back meanwhile.
    pub fn compact(&self) -> u64 {
        let mut pass = self.compaction.lock();
        let before = self.pool.usage().compacted;
        for _ in 0..PASSES {
            let moved = self.counters.compacted_units.get();
            while self.step(&mut pass) {}
            if self.counters.compacted_units.get() == moved {
                break;
            }
        }
        self.pool.usage().compacted - before
    }

    fn step(&self, pass: &mut Pass) -> bool {
        if pass.next.is_none() && !self.pool.begin_evacuation() {
            return false;
        }
        let first = pass.next.unwrap_or(0);
        let end = self.table().len().min(first.saturating_add(LOOKS));
        let mut moved = 0;
        let full = |&unit: &u32| {
            moved += u32::from(self.move_out(UnitIndex(unit)));
            moved == MOVES
        };
        let last = (first..end).find(full);
        pass.next = Some(last.map_or(end, |last| last + 1)).filter(|&next| next < self.table().len());
        pass.next.is_some() || self.pool.end_evacuation()
    }

    /// Moves the unit's object if the pool wants it elsewhere. Returns whether it did.
    fn move_out(&self, unit: UnitIndex) -> bool {
        let should_move = |ObjectBits(object)| self.pool.should_move(object);
        if !self.table().object_at(unit).is_some_and(should_move) {
            return false;
        }
        // A thread that is busy with the unit must not wait.
        let Some(mut slot) = self.table().try_lock(unit) else { return false };
        // Not what was seen without the lock: that may have been freed. A unit that is leaving needs no new place.
        let object = slot.backing().object().filter(|&object| should_move(object) && !slot.is_leaving());
        object.is_some_and(|object| self.relocate(&mut slot, object))
    }

    /// The same contents at another place: nothing that is counted changes.
    fn relocate(&self, slot: &mut Slot<'_>, ObjectBits(object): ObjectBits) -> bool {
        debug_assert!(!slot.is_leaving() && slot.backing().object() == Some(ObjectBits(object)));
        // SAFETY: the locked slot owns the object until it gets the other one.
        let old = unsafe { Handle::from_bits(object) };
        let Some(new) = self.pool.relocate(&old) else { return false };
        slot.set_backing(slot.backing().moved_to(ObjectBits(new.into_bits())));
        self.pool.free_moved(old);
        self.counters.compacted_units.add(1);
        true
    }
}
