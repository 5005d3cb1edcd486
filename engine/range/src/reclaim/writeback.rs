//! Moving units to SSD by hand.

use ztera_store::{Backing, Mover, Scratch, UnitIndex, Units};

use crate::reclaim::demoter::{Demoter, Stopped};

/// The units to be written back by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteBack {
    /// All that is in the pool.
    All,
    /// The part of it that is [idle](crate::Options::idle_epochs).
    Idle,
}

/// Units written by hand without letting others have the disk.
const WRITTEN_AT_ONCE: u32 = 64;

impl Demoter<'_> {
    /// Moves what DRAM has of `units` to SSD, or only what of it is idle; returns how many. Units that are in
    /// memory stay there too. For people who know that nobody will want them soon.
    pub fn write_back(&self, units: Units, which: WriteBack) -> Result<u32, Stopped> {
        let mut moved = 0;
        let mut scratch = self.core.store.scratch();
        let idle = self.idleness.now();
        let is_wanted = |unit: &UnitIndex| {
            which == WriteBack::All || idle.is_idle(self.core, self.core.store.table().glance(*unit))
        };
        for batch in units.batches(WRITTEN_AT_ONCE) {
            let mut mover = Mover::new(&self.core.store).ok_or(Stopped)?;
            for unit in batch.iter().filter(is_wanted) {
                self.store_if_dirty(unit, &mut scratch);
                if !mover.add(&mut self.core.store.table().lock(unit)) {
                    moved += self.flush(&mut mover)?;
                    mover.add(&mut self.core.store.table().lock(unit));
                }
            }
            moved += self.flush(&mut mover)?;
        }
        Ok(moved)
    }

    /// Contents that only mapped memory has go to the pool, so that they can go on from there. A full pool leaves it where it is, and
    /// so does a pin.
    fn store_if_dirty(&self, unit: UnitIndex, scratch: &mut Scratch) {
        let mut slot = self.core.store.table().lock(unit);
        if slot.is_resident() && slot.backing() == Backing::Dirty && slot.pins() == 0 {
            self.core.store_unit(&mut slot, scratch);
        }
    }
}
