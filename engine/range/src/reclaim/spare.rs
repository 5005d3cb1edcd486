//! Memory that the kernel may take by itself: units that [linger](Slot::lingers).
//!
//! Programs grow beside the heap faster than any thread can make room, and the kernel kills a process whose cgroup has
//! nothing to reclaim. So the coldest units that the store has are offered to the kernel (`MADV_FREE`). They stay readable
//! until it needs their pages: then it takes these in the middle of the allocation that needs them, and a later access
//! faults. [`ztera_policy::spare`] says how many it should be.

use ztera_policy::heat::Heat;
use ztera_policy::spare::Spare;
use ztera_store::{Scratch, Slot};
use ztera_sync::atomic::Ordering;

use super::evictor::{Choice, Evictor};
use crate::core::budget::Budget;
use crate::core::pages::runs;

/// Units offered together. A thread that writes to one of them waits for the others.
const OFFERED: usize = 256;

/// Most bytes that a thread offers before it has a child start, say: to store them takes some tenths of a second.
const AT_ONCE: u64 = 256 << 20;

/// Units looked at for each that is to be offered.
const PATIENCE: usize = 4;

impl<'r> Evictor<'r> {
    /// Offers units until as many linger as should, but only those that the store has: so it waits for nothing. Returns
    /// whether there are enough. Units with [holes](crate::residency::holes) cannot linger, and stay as they are.
    pub fn offer_clean(self, scratch: &mut Scratch) -> bool {
        self.offer(Choice { stores: false, lingers: true }, u64::MAX, scratch)
    }

    /// The same if it was [asked for](crate::residency::Residency::ask_for_spare), and stores units for that.
    pub fn offer_stored(self, scratch: &mut Scratch) {
        if self.core.residency.takes_call_for_spare() {
            self.offer(Choice { stores: true, lingers: true }, u64::MAX, scratch);
        }
    }

    /// Somebody is about to need memory who cannot ask: offers more than else, a part of it here and the rest by the threads
    /// that do so anyway. Units that cannot linger leave at once.
    pub fn expect(self, budget: &Budget, scratch: &mut Scratch) {
        budget.expects.store(true, Ordering::Relaxed);
        let (residency, unit_len) = (&self.core.residency, self.core.unit_len() as u64);
        let mut spare = Spare::default();
        spare.expect();
        let places = self.core.look(budget);
        residency.set_spare(spare.target(&places, residency.lingering() * unit_len) / unit_len);
        let choice = Choice { stores: self.core.stores_for_spare(), ..Choice::ALL };
        self.offer(choice, AT_ONCE / unit_len, scratch);
    }

    fn offer(self, choice: Choice, most: u64, scratch: &mut Scratch) -> bool {
        let residency = &self.core.residency;
        // Units that cannot leave go to the end of the queue: they are not to be looked at for ever.
        let most_looks = if choice.lingers { residency.cold() } else { u64::MAX };
        let mut patience = (PATIENCE as u64 * residency.lacks_spare()).min(most_looks) as usize;
        let mut offered = 0;
        loop {
            let wanted = (residency.lacks_spare() as usize).min(OFFERED);
            let is_possible = if choice.stores { !residency.is_pool_full() } else { self.core.has_clean() };
            if wanted == 0 || patience == 0 || !is_possible || offered >= most {
                return wanted == 0;
            }
            if choice.stores && residency.is_high() {
                self.evict_to_low(scratch);
            }
            let (batch, looked) = self.choose(wanted, choice, scratch);
            offered += batch.leaving.len() as u64;
            self.core.offer_units(batch.leaving);
            patience = if looked == 0 { 0 } else { patience.saturating_sub(looked) };
        }
    }

    /// Unmaps up to `most` units that linger, the oldest first. Returns how many.
    pub(super) fn drop_lingering(self, most: usize) -> usize {
        let leaving: Vec<_> = (0..most).map_while(|_| self.next_lingering()).flatten().collect();
        let count = leaving.len();
        self.core.drop_units(leaving);
        count
    }

    /// Finds the units of which the kernel has taken pages, and unmaps what is left of them.
    pub fn find_taken(self) {
        let mut left = self.core.residency.lingering() as usize;
        while left > 0 {
            let batch = left.min(OFFERED);
            left -= batch;
            let mut lingering: Vec<_> = (0..batch).map_while(|_| self.next_lingering()).flatten().collect();
            lingering.sort_unstable_by_key(Slot::unit);
            let whole = runs(lingering.iter().map(Slot::unit))
                .into_iter()
                .flat_map(|run| self.core.memory.are_whole(run))
                .collect::<Vec<_>>();
            let mut taken = Vec::new();
            for (slot, is_whole) in lingering.into_iter().zip(whole) {
                if is_whole {
                    self.core.residency.enqueue_lingering(slot.unit());
                } else {
                    taken.push(slot);
                }
            }
            self.core.drop_units(taken);
        }
    }

    /// Takes the next entry of those that linger, and locks its unit. `Some(None)`: it does not linger any more, or somebody
    /// is busy with it; then it is where it belongs.
    fn next_lingering(self) -> Option<Option<Slot<'r>>> {
        let residency = &self.core.residency;
        let unit = residency.dequeue_lingering()?;
        let Some(mut slot) = self.core.store.table().try_lock(unit) else {
            residency.enqueue_lingering(unit);
            return Some(None);
        };
        if slot.lingers() {
            return Some(Some(slot));
        }
        if slot.is_resident() {
            // It came back before it was to go for good.
            residency.enqueue(unit, Heat::Warm);
        } else {
            slot.set_queued(false);
        }
        Some(None)
    }
}
