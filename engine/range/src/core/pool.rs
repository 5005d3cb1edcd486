//! The pool, watched: who stores or frees something there has the limits follow, and calls whoever makes room.

use ztera_policy::admission::Cost;
use ztera_policy::compaction::{Room, is_urgent, pays};
use ztera_policy::demotion::{
    Pressure, are_worth_a_trip, demand, has_room, is_tight, units_of, units_with_room,
};
use ztera_policy::spare::stores_pay;
use ztera_store::{Density, Pages, Scratch, Slot, UnitIndex, Units, Use};
use ztera_sync::atomic::Ordering;

use super::watch::{Cold, PoolChange};
use super::{Core, fatal};
use crate::residency::fullness::Frees;

impl Core {
    /// Stores the contents of a resident unit in the pool. False if that is full: the unit then stays as it
    /// is, though protected, so that the next write faults once.
    pub fn store_unit(&self, slot: &mut Slot<'_>, scratch: &mut Scratch) -> bool {
        self.protect(Units::one(slot.unit()));
        let stored = self.store_protected(slot, &mut self.density(), scratch);
        self.pool_changed(PoolChange::Stored);
        stored
    }

    /// Protects resident units, all of them locked, against writes.
    pub fn protect(&self, units: Units) {
        let len = units.count() as usize * self.unit_len();
        let result = self.uffd.protect(self.memory.address(units.first), len);
        result.unwrap_or_else(|error| fatal("protecting units", &error));
    }

    /// As [`store_unit`](Self::store_unit), of a unit that is protected. The caller looks after the pool.
    pub fn store_protected(&self, slot: &mut Slot<'_>, density: &mut Density, scratch: &mut Scratch) -> bool {
        let unit = slot.unit();
        debug_assert!(self.residency.holes().of(unit) == Pages::default(), "a hole would fault");
        debug_assert!(slot.is_resident() && slot.pins() == 0, "a pinned unit stays writable");
        // SAFETY: resident, just protected, and locked: a writer now faults and waits for the slot.
        let bytes = unsafe { self.memory.bytes(unit) };
        let before = self.residency.frees();
        let is_written = slot.is_written();
        let used = if self.residency.wholes().are_likely(unit) { Use::Whole } else { Use::ByPage };
        let stored = self.store.put_as(slot, bytes, used, density, scratch).is_ok();
        if stored && is_written {
            self.rewrites.add(unit);
        }
        if !stored {
            self.refused(before, scratch.is_hasty() && self.evictor_may_fit());
        }
        stored
    }

    /// Whether the evictor may have room for what a thread in a hurry has none for. Where there is an SSD, the demoter has to
    /// hear of it instead.
    fn evictor_may_fit(&self) -> bool {
        self.store.has_denser() && self.store.tier().is_none()
    }

    /// The pool has refused a unit. A thread that had no time to make it small leaves that to the evictor.
    fn refused(&self, before: Frees, evictor_may_fit: bool) {
        if evictor_may_fit {
            self.residency.wake_evictor_if_high();
        } else {
            self.residency.pool_refused(before);
        }
        self.store.want_idle_work();
    }

    /// A thread that changes the contents of the pool says so here, once for all that it did: has the limits follow, and calls the threads that have
    /// something to do now.
    pub fn pool_changed(&self, change: PoolChange) {
        if change != PoolChange::Stored {
            self.residency.pool_freed();
        }
        if change == PoolChange::GivenUp {
            return;
        }
        self.share_budget();
        if change != PoolChange::Shrunk {
            self.compact_if_urgent();
            self.wake_demoter_if_wanted();
        }
    }

    /// Rings for the demoter if the pool is too full, or something on SSD was freed.
    pub fn wake_demoter_if_wanted(&self) {
        let Some(tier) = self.store.tier() else { return };
        if demand(self.pressure()) > 0 || tier.wants_holes() {
            self.watch.demoter.ring();
        }
    }

    /// Whether new objects should be as small as they can be.
    pub fn is_tight(&self) -> bool {
        let ssd_takes = self.store.tier().is_some_and(|tier| !tier.refuses());
        is_tight(self.pressure(), self.owed(), ssd_takes) && !self.most_fit_plain()
    }

    /// How small they should be.
    pub fn density(&self) -> Density {
        if self.is_tight() { Density::Dense } else { Density::Usual }
    }

    /// Bytes of the pool that resident pages without a copy will take, by the ratio of what it has; 0 before it has
    /// anything.
    pub fn owed(&self) -> u64 {
        let pooled = self.store.pooled_units() * self.unit_len() as u64;
        if pooled == 0 {
            return 0;
        }
        Cost::of(self.store.pool_occupied(), pooled).price(self.lent_to_dirty())
    }

    /// Whether units are worth storing so that they can [linger](Slot::lingers).
    pub fn stores_for_spare(&self) -> bool {
        let pooled = self.store.pooled_units() * self.unit_len() as u64;
        stores_pay(self.store.pool_occupied(), pooled, self.store.tier().is_some())
    }

    /// Whether some resident units have a copy, so that they could linger at once.
    pub fn has_clean(&self) -> bool {
        let others = self.residency.lingering() + self.store.dirty_units();
        self.residency.mapped() > others
    }

    pub fn pressure(&self) -> Pressure {
        Pressure {
            pooled: self.store.pool_occupied(),
            limit: self.watch.target.load(Ordering::Relaxed),
            refused: self.residency.is_pool_full(),
            useless: self.useless(),
        }
    }

    /// Bytes of the pool that are units as they are and should rather be on SSD.
    fn useless(&self) -> u64 {
        let raw = self.store.raw_units() * self.unit_len() as u64;
        let leaves = are_worth_a_trip(raw, self.watch.target.load(Ordering::Relaxed))
            && self.copies_cost_pages()
            && self.store.tier().is_some_and(|tier| !tier.would_wait() && !tier.has_just_refused());
        if leaves { raw } else { 0 }
    }

    /// Whether memory is above its limit for want of room that the demoter is able to make. An SSD that takes nothing is
    /// left alone, or each fault would have it tried in vain.
    pub fn is_outrun(&self) -> bool {
        let takes = || self.store.tier().is_some_and(|tier| !tier.has_just_refused());
        self.residency.excess() > 0 && self.residency.is_pool_full() && takes()
    }

    /// Has a worker move objects together if that gives enough memory back.
    pub fn compact_if_it_pays(&self) {
        self.compact_if(pays);
    }

    /// The same between two ticks of the host's clock: only if there is little room left.
    pub fn compact_if_urgent(&self) {
        self.compact_if(|room| is_urgent(room) && pays(room));
    }

    fn compact_if(&self, wanted: impl Fn(Room) -> bool) {
        if wanted(self.pool_room()) && !self.watch.compaction.due.swap(true, Ordering::Relaxed) {
            self.store.want_idle_work();
        }
    }

    /// Knowledge of the pool's memory.
    pub fn pool_room(&self) -> Room {
        Room {
            used: self.store.pool_used(),
            objects: self.store.pooled(),
            left: self.watch.compaction.left.load(Ordering::Relaxed),
            limit: self.store.pool_limit(),
            refused: self.residency.is_pool_full(),
            wanted: self.copies_cost_pages() && self.residency.is_above_low(),
        }
    }

    /// How many units of the pool have objects of about `bytes` together.
    pub fn units_of_pool(&self, bytes: u64) -> usize {
        units_of(bytes, self.store.pool_occupied(), self.store.pooled_units())
    }

    /// About how many units the pool has room for, if those that come back from SSD are like those that went there.
    pub fn units_with_room(&self) -> u64 {
        let record = self.store.tier().map_or(0, |tier| tier.mean_record());
        units_with_room(self.pressure(), self.store.pooled_units(), record, self.unit_len() as u64)
    }

    /// Whether the pool should have a unit that comes back from SSD: it has room, or would have kept the unit, had it known.
    pub fn pool_wants(&self, slot: &Slot<'_>) -> bool {
        let is_warm = || self.residency.is_warm(slot.stamp(), self.units_with_room());
        !self.residency.is_pool_full() && !self.owes() && (self.pool_has_room() || is_warm())
    }

    /// Whether another object of the SSD's fits into the pool, and nothing has to leave for it.
    pub fn pool_has_room(&self) -> bool {
        has_room(self.pressure(), self.store.tier().map_or(0, |tier| tier.mean_record()))
    }

    /// Units that only the pool has, and how long ago they left memory. A unit that does not compress counts as
    /// oldest: it takes the pool's room and gains nothing there.
    pub fn in_pool(&self) -> impl Iterator<Item = (Cold, u64)> {
        self.in_pool_from(UnitIndex(0))
    }

    /// Those of them from `first` on.
    pub fn in_pool_from(&self, first: UnitIndex) -> impl Iterator<Item = (Cold, u64)> {
        ztera_fail::at("table.walk");
        let table = self.store.table();
        (first.0..table.len()).map(UnitIndex).filter_map(|unit| {
            let glance = table.glance(unit);
            let age = if glance.raw { u64::MAX } else { self.residency.age(glance.stamp).unwrap_or(0) };
            glance.only_in_pool().then_some((Cold { unit, stamp: glance.stamp }, age))
        })
    }
}
