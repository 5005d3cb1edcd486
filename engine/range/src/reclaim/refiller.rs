//! Taking units back from SSD to a pool that has room again: carries out what [`refill`](ztera_policy::refill) decides.

use ztera_policy::refill::room;
use ztera_store::{Refilled, Scratch, Slot, UnitIndex};

use crate::core::Core;
use crate::core::pool::Cold;

/// Units that are locked and read together. A thread that wants one of them waits for the read, as it would for its own.
const TOGETHER: usize = 32;

/// Takes units back from SSD: for the demoter's thread, when the pool has room.
pub(crate) struct Refiller<'r> {
    core: &'r Core,
    /// Made when it is first needed.
    scratch: Option<Scratch>,
}

/// Why it ends before all is done.
struct Stopped;

impl<'r> Refiller<'r> {
    /// One that has done nothing yet.
    pub fn new(core: &'r Core) -> Self {
        Self { core, scratch: None }
    }

    /// Takes back what is warm, as much as the pool has room for.
    pub fn refill(&mut self) {
        let found = self.find();
        // Stopped or not, what is left is found again when there is room.
        let _ = found.chunks(TOGETHER).try_for_each(|units| self.take_back(units));
    }

    /// The units that left memory last, in the order of their places in the range: the SSD has them in that order, too.
    fn find(&self) -> Vec<Cold> {
        let most = self.core.units_of_tier(room(self.core.pressure()));
        if most == 0 {
            return Vec::new();
        }
        let mut found: Vec<_> = self.core.warm_on_ssd().collect();
        if found.len() > most {
            found.select_nth_unstable_by_key(most, |&(_, age)| age);
            found.truncate(most);
        }
        found.sort_unstable_by_key(|&(cold, _)| cold.unit.0);
        found.into_iter().map(|(cold, _)| cold).collect()
    }

    fn take_back(&mut self, units: &[Cold]) -> Result<(), Stopped> {
        if self.core.watch.demoter.is_stopped() || room_is_gone(self.core) {
            return Err(Stopped);
        }
        let scratch = self.scratch.get_or_insert_with(|| self.core.store.scratch());
        let mut held = lock(self.core, units).into_iter();
        loop {
            scratch.will_want_all(held.as_slice().iter().map(|(_, slot)| slot));
            let Some((unit, mut slot)) = held.next() else { break };
            match self.core.store.refill(unit, &mut slot, scratch) {
                Refilled::Done => self.core.counters.refilled.add(1),
                Refilled::Nothing => {}
                Refilled::Full => return Err(Stopped),
            }
        }
        self.core.share_budget();
        Ok(())
    }
}

/// Somebody else has filled the pool meanwhile.
fn room_is_gone(core: &Core) -> bool {
    ztera_policy::demotion::demand(core.pressure()) > 0
}

/// Locks those units that nobody is busy with and nobody has touched since they were found.
fn lock<'r>(core: &'r Core, units: &[Cold]) -> Vec<(UnitIndex, Slot<'r>)> {
    let lock = |&Cold { unit, stamp }: &Cold| {
        let slot = core.store.table().try_lock(unit)?;
        (!slot.is_resident() && slot.stamp() == stamp).then_some((unit, slot))
    };
    units.iter().filter_map(lock).collect()
}
