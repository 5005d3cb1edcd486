//! From threads that serve their own faults to handlers, while the range is in use.

use std::io;

use ztera_store::{Backing, Slot, UnitIndex, Units};

use crate::core::pages::runs;
use crate::core::{BATCH, Core, fatal};

/// Gives all of the range to the uffd's second descriptor. Meanwhile nobody writes to its addresses or uses what is
/// read there; threads of the range may do as they like. After an error nothing has changed: the kernel had no memory
/// to cut the mapping in two, or the process has as many as it may (`vm.max_map_count`).
pub(crate) fn hand_over(core: &Core) -> io::Result<()> {
    let all = Units { first: UnitIndex(0), end: UnitIndex(core.store.table().len()) };
    // Nobody may hold units on both sides of the border between the descriptors: one call is for units of one of them.
    let mut border: Option<Slot<'_>> = None;
    for batch in all.batches(BATCH) {
        let mut slots: Vec<_> = border.take().into_iter().collect();
        let others = Units { first: UnitIndex(batch.first.0 + slots.len() as u32), end: batch.end };
        slots.extend(core.store.table().lock_all(others));
        border = (batch.end < all.end).then(|| core.store.table().lock(batch.end));
        drop_clean(core, &mut slots);
        let len = batch.count() as usize * core.unit_len();
        if let Err(error) = core.uffd.hand_over(core.memory.address(batch.first), len) {
            if core.uffd.is_handed_over() {
                fatal("handing the range over to fault handlers", &error);
            }
            return Err(error);
        }
        drop_strays(core, &slots);
    }
    Ok(())
}

/// Unmaps the zeros that were mapped for who read, though it was not to use it, while the units of `slots` were nobody's.
fn drop_strays(core: &Core, slots: &[Slot<'_>]) {
    let missing = slots.iter().filter(|slot| !slot.is_resident()).map(Slot::unit);
    // SAFETY: the slots are locked, and what is not resident has its contents elsewhere.
    let result = unsafe { core.memory.drop_runs(&runs(missing)) };
    result.unwrap_or_else(|error| fatal("unmapping units", &error));
}

/// Unmaps the clean units of `slots`: they are protected against writes by the first descriptor, and the second
/// one would know nothing of that.
fn drop_clean(core: &Core, slots: &mut [Slot<'_>]) {
    for slot in slots {
        if slot.is_mapped() && slot.backing() != Backing::Dirty {
            // SAFETY: the slot is locked, and its backing has the contents.
            let result = unsafe { core.memory.drop_part(slot.unit(), 0, core.unit_len()) };
            result.unwrap_or_else(|error| fatal("unmapping units", &error));
            core.residency.forget(slot);
        }
    }
}
