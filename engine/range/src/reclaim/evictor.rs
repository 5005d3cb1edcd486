//! Making room: carries out what [`policy`](ztera_policy::eviction) decides.
//!
//! Units leave in batches: a batch is unmapped by one system call, and so costs one flush of the
//! other CPUs' address translations instead of one per unit. Their slots stay locked until then.

use ztera_policy::clustering::MOST_UNITS;
use ztera_policy::eviction::{Candidate, Patience, Verdict, judge};
use ztera_policy::heat::Heat;
use ztera_store::{Backing, Density, Scratch, Slot, UnitIndex};

use crate::core::Core;
use crate::core::pages::runs;
use crate::core::pins::recent::Which;
use crate::core::watch::PoolChange;

/// Units that leave together: each batch interrupts all CPUs that run the program. A thread that wants one of them waits
/// for the others.
pub(super) const BATCH: usize = 128;

/// Units that a thread takes out that has to make room for its own.
const BATCH_OWN: usize = 32;

/// How many bytes of these may need compressing, which takes far longer than dropping.
const BATCH_STORED: usize = 64 << 10;

/// Candidates looked at for each of them.
const LOOKS: usize = 2;

/// The units that a batch takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// Those that the store has yet to get, too.
    pub stores: bool,
    /// Cold ones alone that may [linger](crate::residency::Residency::may_linger).
    pub lingers: bool,
}

impl Choice {
    /// All that may leave memory.
    pub const ALL: Self = Self { stores: true, lingers: false };
}

/// Outcome of one batch: entries of the queue looked at, and the bytes that have left memory.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    looked: usize,
    freed: u64,
}

/// Units that are about to leave: locked, and with their contents in the store.
#[derive(Default)]
pub(super) struct Batch<'t> {
    pub leaving: Vec<Slot<'t>>,
    /// Those that the store has yet to get.
    to_store: Vec<ToStore<'t>>,
}

/// A resident unit that leaves once the store has it.
struct ToStore<'t> {
    slot: Slot<'t>,
    heat: Heat,
}

impl<'t> Batch<'t> {
    fn add(&mut self, mut slot: Slot<'t>, is_hot: bool) {
        debug_assert!(slot.backing() != Backing::Dirty && slot.pins() == 0, "the store has the contents");
        slot.set_was_hot(is_hot);
        self.leaving.push(slot);
    }

    fn len(&self) -> usize {
        self.leaving.len() + self.to_store.len()
    }
}

/// Takes units out of memory: as a thread of its own, and for whoever brings units in.
#[derive(Clone, Copy)]
pub(crate) struct Evictor<'r> {
    pub core: &'r Core,
}

impl<'r> Evictor<'r> {
    /// After a unit became resident: wakes the evictor in time; above the limit, evicts a bounded handful here and now, so
    /// that faults cannot outrun the evictor. Moves to the SSD are left to the demoter: the disk, and who may
    /// write to it when, are nothing that an access waits for.
    pub fn relieve(self, scratch: &mut Scratch) {
        if self.core.residency.asks() {
            self.core.residency.wake_evictor();
        }
        if !self.core.residency.is_high() {
            return;
        }
        if self.core.residency.excess() > 0 {
            self.evict_batch(BATCH_OWN, scratch);
            if self.core.is_outrun() {
                self.core.watch.demoter.ring();
            }
        }
        self.core.residency.wake_evictor_if_high();
    }

    /// The evictor's work: asks for more if units are near the most that there may be. Then it evicts what is above the low
    /// mark now, or for as long as there is hope. Units that come meanwhile are left for the next time, or they would leave in
    /// batches of one or two. Idle pins leave the memory to units that are wanted more.
    /// It counts bytes: a unit with holes frees less than others.
    pub fn evict_to_low(self, scratch: &mut Scratch) {
        self.core.ask_if_near();
        self.core.age_pins();
        let mut patience = Patience::of(self.core.residency.queued());
        let unit_len = self.core.unit_len() as u64;
        let mut excess = self.core.residency.above_low() * unit_len;
        while excess > 0 && self.core.residency.is_above_low() {
            let most = excess.div_ceil(unit_len).min(BATCH as u64) as usize;
            let Progress { looked, freed } = self.evict_batch(most, scratch);
            excess = excess.saturating_sub(freed);
            let is_over = patience.ends(looked);
            if looked > 0 && !is_over {
                continue;
            }
            if self.core.give_up_pins(Which::Idle) {
                patience = Patience::of(self.core.residency.queued());
            } else if is_over {
                return self.core.residency.give_up();
            } else {
                // The thread that has all units in hand evicts, and rings if that was not enough.
                return;
            }
        }
    }

    /// Evicts `most` units, or what is above the low mark if that is less: those that linger first.
    fn evict_batch(self, most: usize, scratch: &mut Scratch) -> Progress {
        ztera_fail::at("evictor.batch");
        let wanted = self.core.residency.above_low().min(most as u64) as usize;
        let ended = self.drop_lingering(wanted);
        debug_assert!(ended <= wanted);
        let (batch, looked) = self.choose(wanted - ended, Choice::ALL, scratch);
        let freed = (ended * self.core.unit_len()) as u64 + self.bytes_of(&batch);
        self.core.drop_units(batch.leaving);
        Progress { looked: looked + ended, freed }
    }

    /// Bytes that are mapped of units that are about to leave.
    pub(super) fn bytes_of(self, batch: &Batch<'_>) -> u64 {
        let residency = &self.core.residency;
        batch.leaving.iter().map(|slot| residency.mapped_bytes_of(slot.unit())).sum()
    }

    /// Takes `wanted` units out of the queue that the store has, or gets; there may be fewer. Returns how many were looked at, too.
    /// Clusters are not cut in two. All are chosen before one is stored: those that lie together are protected by one call.
    pub(super) fn choose(self, wanted: usize, choice: Choice, scratch: &mut Scratch) -> (Batch<'r>, usize) {
        let mut batch = Batch::default();
        let (mut looked, mut next) = (0, Vec::with_capacity(MOST_UNITS));
        let most_stored = BATCH_STORED / self.core.unit_len();
        while looked < LOOKS * wanted && batch.len() < wanted && batch.to_store.len() < most_stored {
            // Units that cannot leave go to the end of one queue. Those of the other must have their turn all the same.
            let stuck = looked - batch.len() >= wanted;
            let residency = &self.core.residency;
            let taken = if choice.lingers {
                residency.dequeue_cold(&mut next)
            } else {
                residency.dequeue(stuck, &mut next)
            };
            let Some(heat) = taken else { break };
            looked += next.len();
            for unit in next.drain(..) {
                if !self.consider(unit, heat, choice, &mut batch) {
                    self.core.residency.enqueue(unit, heat);
                }
            }
        }
        self.store_all(&mut batch, scratch);
        (batch, looked)
    }

    /// Has the store get what it has yet to get. Units for which the pool has no room go back into the queue.
    fn store_all(self, batch: &mut Batch<'r>, scratch: &mut Scratch) {
        if batch.to_store.is_empty() {
            return;
        }
        let mut density = self.core.density();
        let mut to_store = std::mem::take(&mut batch.to_store);
        to_store.sort_unstable_by_key(|next| next.slot.unit());
        let runs = runs(to_store.iter().map(|next| next.slot.unit()));
        let mut to_store = to_store.into_iter();
        for run in runs {
            let protects = !self.core.residency.is_pool_full();
            if protects {
                self.core.protect(run);
            }
            for next in to_store.by_ref().take(run.count() as usize) {
                self.store_next(next, protects, &mut density, batch, scratch);
            }
        }
        self.core.pool_changed(PoolChange::Stored);
    }

    /// Has the store get a unit, if it is protected.
    fn store_next(
        self,
        next: ToStore<'r>,
        is_protected: bool,
        density: &mut Density,
        batch: &mut Batch<'r>,
        scratch: &mut Scratch,
    ) {
        let ToStore { mut slot, heat } = next;
        let tries = is_protected && !self.core.residency.is_pool_full();
        if tries && self.core.store_protected(&mut slot, density, scratch) {
            self.core.counters.evicted_dirty.add(1);
            batch.add(slot, heat >= Heat::Hot);
        } else {
            let unit = slot.unit();
            drop(slot);
            self.core.residency.enqueue(unit, heat);
        }
    }

    /// Adds `unit` to the batch or forgets it. False if it has to go back into the queue.
    fn consider(self, unit: UnitIndex, heat: Heat, choice: Choice, batch: &mut Batch<'r>) -> bool {
        // A slot that is locked means that somebody is busy with the unit, so it is not cold.
        let Some(mut slot) = self.core.store.table().try_lock(unit) else { return false };
        if choice.lingers && slot.is_resident() && !self.core.residency.may_linger(&slot) {
            return false;
        }
        let verdict = judge(Candidate {
            resident: slot.is_resident(),
            pinned: slot.pins() > 0,
            referenced: slot.is_referenced(),
            dirty: slot.backing() == Backing::Dirty,
            pool_full: !choice.stores || self.core.residency.is_pool_full(),
        });
        match verdict {
            Verdict::Drop => {
                self.core.counters.evicted_clean.add(1);
                let is_hot = heat >= Heat::Hot || slot.is_warm();
                batch.add(slot, is_hot);
            }
            Verdict::Store => batch.to_store.push(ToStore { slot, heat }),
            Verdict::Forget => slot.set_queued(false),
            Verdict::SecondChance => {
                slot.set_referenced(false);
                return false;
            }
            Verdict::Keep => return false,
        }
        true
    }

    /// A thread that has stored more than there is room for beside resident units evicts these, one batch after the other for
    /// as long as some leave.
    pub fn make_room(self, scratch: &mut Scratch) {
        while self.core.residency.excess() > 0 && self.evict_batch(BATCH, scratch).freed > 0 {}
    }
}
