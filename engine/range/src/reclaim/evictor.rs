//! Making room: carries out what [`policy`](ztera_policy::eviction) decides.
//!
//! Units leave in batches: a batch is unmapped by one system call, and so costs one flush of the
//! other CPUs' address translations instead of one per unit. Their slots stay locked until then.

use ztera_store::{Backing, Host, Scratch, Slot, UnitIndex, Units};

use ztera_policy::copies::are_given_up;

use crate::core::{Inner, fatal};
use crate::fault::serve::is_in_pool;
use ztera_policy::eviction::{Candidate, Patience, Verdict, judge};

/// Units that leave together: each batch interrupts all CPUs that run the program. A thread that wants one of them waits
/// for the others.
const BATCH: usize = 128;

/// Units that a thread takes out that has to make room for its own.
const BATCH_OWN: usize = 32;

/// How many of these may need compressing, which takes far longer than dropping.
const BATCH_STORED: usize = 4;

/// Candidates looked at for each of them.
const LOOKS: usize = 2;

/// What came of one batch: entries of the queue looked at, and how many of those units have left memory.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    looked: usize,
    left: usize,
}

/// Units that are about to leave: locked, and with their contents in the store.
#[derive(Default)]
struct Batch<'t> {
    leaving: Vec<(UnitIndex, Slot<'t>)>,
    stored: usize,
}

impl Inner {
    /// After a unit became resident: wakes the evictor in time; above the limit, evicts a bounded handful here and now, so
    /// that faults cannot outrun the evictor. What has to go on to the SSD is left to the demoter: the disk, and who may
    /// write to it when, are nothing that an access waits for.
    pub fn relieve(&self, scratch: &mut Scratch) {
        if !self.residency.is_high() {
            return;
        }
        if self.residency.excess() > 0 {
            self.evict_batch(BATCH_OWN, scratch);
            if self.is_outrun() {
                self.demoter.ring();
            }
        }
        self.residency.wake_evictor_if_high();
    }

    /// The evictor's work: evicts what is above the low mark now, or for as long as there is hope. What comes meanwhile is
    /// left for the next time, or it would leave in batches of one or two.
    pub fn evict_to_low(&self, scratch: &mut Scratch) {
        let mut patience = Patience::of(self.residency.queued());
        let mut excess = self.residency.above_low();
        while excess > 0 && self.residency.is_above_low() {
            let Progress { looked, left } = self.evict_batch(BATCH.min(excess as usize), scratch);
            excess = excess.saturating_sub(left as u64);
            if looked == 0 {
                // Whoever has all units in hand evicts, and rings if that was not enough.
                return;
            }
            if patience.ends(looked) {
                return self.residency.give_up();
            }
        }
    }

    /// Evicts `most` units, or what is above the low mark if that is less.
    fn evict_batch(&self, most: usize, scratch: &mut Scratch) -> Progress {
        ztera_fail::at("evictor.batch");
        let mut batch = Batch::default();
        let mut looked = 0;
        let wanted = self.residency.above_low().min(most as u64) as usize;
        while looked < LOOKS * wanted && batch.leaving.len() < wanted && batch.stored < BATCH_STORED {
            let Some(unit) = self.residency.dequeue() else { break };
            looked += 1;
            if !self.consider(unit, &mut batch, scratch) {
                self.residency.enqueue(unit);
            }
        }
        let left = batch.leaving.len();
        self.drop_units(batch.leaving);
        Progress { looked, left }
    }

    /// Adds `unit` to the batch or forgets it. False if it has to go back into the queue.
    fn consider<'a>(&'a self, unit: UnitIndex, batch: &mut Batch<'a>, scratch: &mut Scratch) -> bool {
        // A slot that is locked means that somebody is busy with the unit, so it is not cold.
        let Some(mut slot) = self.store.table().try_lock(unit) else { return false };
        let verdict = judge(Candidate {
            resident: slot.is_resident(),
            referenced: slot.is_referenced(),
            dirty: slot.backing() == Backing::Dirty,
            warm: slot.is_warm() && matches!(slot.backing(), Backing::OnSsd(_)),
            pool_full: self.residency.is_pool_full(),
        });
        match verdict {
            Verdict::Drop => {
                self.counters.evicted_clean.add(1);
                batch.leaving.push((unit, slot));
            }
            Verdict::Promote => {
                let promoted = self.store_unit(unit, &mut slot, scratch);
                let counter = if promoted { &self.counters.promoted } else { &self.counters.evicted_clean };
                counter.add(1);
                batch.stored += 1;
                batch.leaving.push((unit, slot));
            }
            Verdict::Store if self.store_unit(unit, &mut slot, scratch) => {
                self.counters.evicted_dirty.add(1);
                batch.stored += 1;
                batch.leaving.push((unit, slot));
            }
            Verdict::Forget => slot.set_queued(false),
            Verdict::SecondChance => {
                slot.set_referenced(false);
                // What is used all the time does not need the copy, whose memory others do.
                if is_in_pool(slot.backing()) && self.gives_copies_up() {
                    self.forget(&mut slot);
                    self.pool_changed();
                }
                return false;
            }
            Verdict::Store | Verdict::Keep => return false,
        }
        true
    }

    /// Stores the contents of a resident unit in the pool. False if that is full: the unit then stays as it
    /// is, though protected, so that the next write faults once.
    pub fn store_unit(&self, unit: UnitIndex, slot: &mut Slot<'_>, scratch: &mut Scratch) -> bool {
        let result = self.uffd.protect(self.memory.address(unit), self.unit_len());
        result.unwrap_or_else(|error| fatal("protecting a unit", &error));
        // SAFETY: resident, just protected, and locked: a writer now faults and waits for the slot.
        let bytes = unsafe { self.memory.bytes(unit) };
        let before = self.residency.frees();
        scratch.set_tight(self.is_tight());
        let stored = self.store.put(slot, bytes, scratch).is_ok();
        if !stored {
            self.residency.pool_refused(before);
        }
        self.pool_changed();
        stored
    }

    /// Whether memory is short for want of what the copies of resident units take.
    fn gives_copies_up(&self) -> bool {
        let data = (self.store.pooled_units() + self.store.dirty_units()) * self.unit_len() as u64;
        self.budget
            .as_ref()
            .is_some_and(|budget| self.copies_cost_pages() && are_given_up(data, budget.terms().budget))
    }

    /// Whoever has stored more than there is room for beside resident units evicts these, one batch after the other for
    /// as long as some leave.
    pub fn make_room(&self, scratch: &mut Scratch) {
        while self.residency.excess() > 0 && self.evict_batch(BATCH, scratch).left > 0 {}
    }

    /// Unmaps units whose contents the store has.
    fn drop_units(&self, mut leaving: Vec<(UnitIndex, Slot<'_>)>) {
        leaving.sort_unstable_by_key(|&(unit, _)| unit);
        let runs = runs(leaving.iter().map(|&(unit, _)| unit));
        // SAFETY: all slots are locked, and their backings have the contents.
        let result = unsafe { self.memory.drop_runs(&runs) };
        result.unwrap_or_else(|error| fatal("unmapping units", &error));
        for (_, mut slot) in leaving {
            slot.set_queued(false);
            self.residency.remove(&mut slot);
            self.residency.stamp(&mut slot);
        }
    }
}

/// Ascending units as runs of neighbours.
pub(crate) fn runs(units: impl Iterator<Item = UnitIndex>) -> Vec<Units> {
    let mut runs: Vec<Units> = Vec::new();
    for unit in units {
        let end = UnitIndex(unit.0 + 1);
        match runs.last_mut() {
            Some(run) if run.end == unit => run.end = end,
            _ => runs.push(Units { first: unit, end }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_make_one_run() {
        let of = |units: &[u32]| -> Vec<(u32, u32)> {
            runs(units.iter().copied().map(UnitIndex)).iter().map(|run| (run.first.0, run.end.0)).collect()
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[7]), [(7, 8)]);
        assert_eq!(of(&[1, 2, 3, 5, 8, 9]), [(1, 4), (5, 6), (8, 10)]);
    }
}
