//! From callers that serve their own faults to handlers, while the range is in use.

use ztera_store::{Backing, Slot, UnitIndex, Units};

use crate::evict::runs;
use crate::inner::{BATCH, Inner, fatal};

impl Inner {
    /// Gives all of the range to the uffd's second descriptor. Meanwhile nobody writes to its addresses or uses what is
    /// read there; threads of the range may do as they like.
    pub fn hand_over(&self) {
        let all = Units { first: UnitIndex(0), end: UnitIndex(self.store.table().len()) };
        for batch in all.batches(BATCH) {
            let mut slots = self.store.table().lock_all(batch);
            self.drop_clean(batch, &mut slots);
            let len = batch.count() as usize * self.unit_len();
            let result = self.uffd.hand_over(self.memory.address(batch.first), len);
            result.unwrap_or_else(|error| fatal("handing the range over to fault handlers", &error));
            self.drop_strays(batch, &slots);
        }
    }

    /// Unmaps the zeros that were mapped for who read, though it was not to use it, while `batch` was nobody's.
    fn drop_strays(&self, batch: Units, slots: &[Slot<'_>]) {
        let missing = batch.iter().zip(slots).filter(|(_, slot)| !slot.is_resident()).map(|(unit, _)| unit);
        // SAFETY: the slots are locked, and what is not resident has its contents elsewhere.
        let result = unsafe { self.memory.drop_runs(&runs(missing)) };
        result.unwrap_or_else(|error| fatal("unmapping units", &error));
    }

    /// Unmaps the clean units of `batch`: they are protected against writes by the first descriptor, and the second
    /// one would know nothing of that.
    fn drop_clean(&self, batch: Units, slots: &mut [Slot<'_>]) {
        for (unit, slot) in batch.iter().zip(slots) {
            if slot.is_resident() && slot.backing() != Backing::Gone {
                // SAFETY: the slot is locked, and its backing has the contents.
                let result = unsafe { self.memory.drop_rest(unit, 0) };
                result.unwrap_or_else(|error| fatal("unmapping units", &error));
                self.residency.remove(slot);
            }
        }
    }
}
