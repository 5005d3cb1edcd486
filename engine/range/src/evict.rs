//! Making room: carries out what [`policy`](crate::policy) decides.

use ztera_store::{Backing, Scratch, Slot, UnitIndex, Units};

use crate::inner::{Inner, fatal};
use crate::policy::{Candidate, Verdict, judge};

/// What came of looking at one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// A unit's memory was given back.
    Evicted,
    /// The candidate stays, or was gone already.
    Passed,
    /// There are no candidates.
    Nothing,
}

/// Candidates that a fault looks at, at most, before it leaves the rest to the evictor.
const LOOKS_PER_FAULT: u32 = 16;

impl Inner {
    /// After a unit became resident: wakes the evictor in time; above the limit, evicts here and now, so
    /// that faults cannot outrun it.
    pub fn relieve(&self, scratch: &mut Scratch) {
        if !self.residency.is_high() {
            return;
        }
        let mut looks = 0;
        while self.residency.excess() > 0 && looks < LOOKS_PER_FAULT {
            if self.evict_one(scratch) == Outcome::Nothing {
                break;
            }
            looks += 1;
        }
        self.residency.wake_evictor_if_high();
    }

    /// The evictor's work: evicts until the low mark, or until two rounds through the queue (one takes
    /// the second chances away) brought nothing.
    pub fn evict_to_low(&self, scratch: &mut Scratch) {
        let mut fruitless = 0;
        while self.residency.is_above_low() {
            match self.evict_one(scratch) {
                Outcome::Evicted => fruitless = 0,
                Outcome::Passed => fruitless += 1,
                Outcome::Nothing => return,
            }
            if fruitless > 64 && fruitless > 2 * self.residency.queued() {
                return self.residency.give_up();
            }
        }
    }

    fn evict_one(&self, scratch: &mut Scratch) -> Outcome {
        let Some(unit) = self.residency.dequeue() else { return Outcome::Nothing };
        // Somebody is busy with it, so it is not cold.
        let Some(mut slot) = self.store.table().try_lock(unit) else {
            self.residency.enqueue(unit);
            return Outcome::Passed;
        };
        let verdict = judge(Candidate {
            resident: slot.is_resident(),
            referenced: slot.is_referenced(),
            dirty: slot.backing() == Backing::Gone,
            pool_full: self.residency.is_pool_full(),
        });
        match verdict {
            Verdict::Drop => {
                self.drop_unit(unit, &mut slot);
                self.counters.evicted_clean.add(1);
                return Outcome::Evicted;
            }
            Verdict::Store if self.store_unit(unit, &mut slot, scratch) => {
                self.drop_unit(unit, &mut slot);
                self.counters.evicted_dirty.add(1);
                return Outcome::Evicted;
            }
            Verdict::Forget => {
                slot.set_queued(false);
                return Outcome::Passed;
            }
            Verdict::SecondChance => slot.set_referenced(false),
            Verdict::Store | Verdict::Keep => {}
        }
        self.residency.enqueue(unit);
        Outcome::Passed
    }

    /// Stores the contents of a dirty unit. False if the pool is full: the unit then stays as it is,
    /// though protected, so that the next write faults once.
    fn store_unit(&self, unit: UnitIndex, slot: &mut Slot<'_>, scratch: &mut Scratch) -> bool {
        let result = self.uffd.protect(self.memory.address(unit), self.unit_len());
        result.unwrap_or_else(|error| fatal("protecting a unit", &error));
        // SAFETY: resident, just protected, and locked: a writer now faults and waits for the slot.
        let bytes = unsafe { self.memory.bytes(unit) };
        let stored = self.store.put(slot, bytes, scratch).is_ok();
        if !stored {
            self.residency.pool_refused();
        }
        stored
    }

    /// Unmaps a unit whose contents the store has.
    fn drop_unit(&self, unit: UnitIndex, slot: &mut Slot<'_>) {
        let units = Units { first: unit, end: UnitIndex(unit.0 + 1) };
        // SAFETY: the slot is locked, and its backing has the contents.
        let result = unsafe { self.memory.drop_pages(units) };
        result.unwrap_or_else(|error| fatal("unmapping a unit", &error));
        slot.set_queued(false);
        self.residency.remove(slot);
        self.residency.stamp(slot);
    }
}
