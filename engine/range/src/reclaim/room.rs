//! Room for memory beside the range, made by the thread that is about to touch it, as a faulting thread serves itself. No
//! thread of ours has to be quick for that. [`ztera_policy::promises`] says how much has to become free.

use std::time::Duration;

use ztera_policy::eviction::Patience;
use ztera_store::Scratch;
use ztera_sync::atomic::Ordering;
use ztera_sync::thread;

use super::evictor::{BATCH, Choice, Evictor};
use crate::core::budget::Budget;
use crate::core::pins::recent::Which;
use crate::core::promised::Shortage;

/// A thread looks so often while others make no room either: not for so long, as it may get no CPU meanwhile.
const LOOKS: u32 = 100;

/// And so often in any case.
const MOST_LOOKS: u32 = 1000;

/// Time between two looks that it waits for others.
const SLICE: Duration = Duration::from_millis(2);

/// Bytes that leave at least before it looks again: a look takes some tenths of a millisecond.
const STEP: u64 = 4 << 20;

/// A thread that makes room.
struct Wait {
    looks: u32,
    /// Since some units have left.
    idle: u32,
    least: u64,
}

impl Wait {
    fn new() -> Self {
        Self { looks: 0, idle: 0, least: u64::MAX }
    }

    /// Whether to go on while so much is lacking.
    fn goes_on(&mut self, lacking: u64) -> bool {
        if lacking < self.least {
            (self.least, self.idle) = (lacking, 0);
        }
        (self.looks, self.idle) = (self.looks + 1, self.idle + 1);
        self.idle < LOOKS && self.looks < MOST_LOOKS
    }
}

impl Evictor<'_> {
    /// Promises `bytes` to the calling thread, and makes room for them. False if they cannot be had.
    pub fn make_room_beside(self, budget: &Budget, bytes: u64, scratch: &mut Scratch) -> bool {
        let mut shortage = self.core.promise(budget, bytes);
        let mut wait = Wait::new();
        while shortage.lacking > 0 && wait.goes_on(shortage.lacking) {
            if self.free(shortage.lacking.min(bytes).max(STEP), budget, scratch) > 0 {
                wait.idle = 0;
            } else if self.demote_for(budget, shortage) || shortage.short > 0 {
                // The disk takes its time. Or others have all units in hand, or give some of their memory.
                thread::sleep(SLICE);
            } else {
                break;
            }
            shortage = self.core.promise(budget, 0);
        }
        if shortage.short > 0 {
            budget.ceiling.promised.free(bytes);
        }
        shortage.short == 0
    }

    /// Takes `bytes` of units out of memory. Returns how many have left.
    fn free(self, bytes: u64, budget: &Budget, scratch: &mut Scratch) -> u64 {
        ztera_fail::at("room.free");
        let (residency, unit_len) = (&self.core.residency, self.core.unit_len() as u64);
        let least = budget.limits.resident_min / unit_len;
        let mut freed = 0;
        let mut patience = Patience::of(residency.queued());
        while freed < bytes {
            let wanted = (bytes - freed).div_ceil(unit_len);
            let most = wanted.min(residency.units().saturating_sub(least)).min(BATCH as u64) as usize;
            let spare = residency.lingering().saturating_sub(residency.cushion());
            let mut ended = self.drop_lingering(most.min(spare as usize));
            // Each walk through a queue of units that cannot leave takes some milliseconds.
            let hopeless = residency.is_fruitless();
            let (batch, looked) =
                if hopeless { Default::default() } else { self.choose(most - ended, Choice::ALL, scratch) };
            freed += self.bytes_of(&batch);
            let is_stuck = ended + batch.leaving.len() == 0;
            self.core.drop_units(batch.leaving);
            if is_stuck && (looked == 0 || patience.ends(looked)) {
                if !hopeless && looked > 0 && !self.core.give_up_pins(Which::Idle) {
                    residency.give_up();
                }
                ended = self.drop_lingering(most);
                if ended == 0 {
                    break;
                }
            }
            freed += ended as u64 * unit_len;
            self.core.share_budget();
        }
        freed
    }

    /// Has the pool give to the SSD what pages cannot give. False if nothing will come of that.
    fn demote_for(self, budget: &Budget, shortage: Shortage) -> bool {
        let takes = self.core.store.tier().is_some_and(|tier| !tier.has_just_refused());
        if takes {
            let most = self.core.pool_without(budget, shortage.lacking);
            self.core.watch.target.fetch_min(most, Ordering::Relaxed);
            self.core.watch.demoter.ring();
        }
        takes
    }
}
