//! Moving units from the pool to SSD: carries out what [`demotion`](ztera_policy::demotion) decides.

use std::collections::VecDeque;

use ztera_store::{Backing, Mover, Scratch, UnitIndex, Units};
use ztera_sync::atomic::Ordering;

use crate::core::Inner;
use ztera_policy::demotion::{Pressure, are_worth_a_trip, demand, oldest, units_of};

/// The SSD has no room, or does not write. What it does not take stays in the pool.
#[derive(Debug)]
pub(crate) struct Stopped;

/// What is to be written back by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteBack {
    /// All that is in the pool.
    All,
    /// What of it is [idle](crate::Options::idle_epochs).
    Idle,
}

/// A unit that is to leave the pool, and its stamp when it was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cold {
    pub unit: UnitIndex,
    pub stamp: u16,
}

/// Units written by hand without letting others have the disk.
const WRITTEN_AT_ONCE: u32 = 64;

impl Inner {
    /// Rings for the demoter if the pool is too full, or something on SSD was freed.
    pub fn wake_demoter_if_wanted(&self) {
        let Some(tier) = self.store.tier() else { return };
        if demand(self.pressure()) > 0 || tier.wants_holes() {
            self.demoter.ring();
        }
    }

    pub fn pressure(&self) -> Pressure {
        Pressure {
            pooled: self.store.pool_occupied(),
            limit: self.pool_target.load(Ordering::Relaxed),
            refused: self.residency.is_pool_full(),
            useless: self.useless(),
        }
    }

    /// Bytes of the pool that are units as they are and should rather be on SSD.
    fn useless(&self) -> u64 {
        let raw = self.store.raw_units() * self.unit_len() as u64;
        let leaves = are_worth_a_trip(raw, self.pool_target.load(Ordering::Relaxed))
            && self.copies_cost_pages()
            && self.store.tier().is_some_and(|tier| !tier.would_wait() && !tier.has_just_refused());
        if leaves { raw } else { 0 }
    }

    /// The demoter's work: moves the units that were touched longest ago, until the pool has room, and idle ones;
    /// then cleans up behind those that have left the SSD.
    pub fn demote_until_room(&self) {
        while demand(self.pressure()) > 0
            && !self.demoter.is_stopped()
            && matches!(self.demote_batch(), Ok(moved) if moved > 0)
        {}
        // If the SSD takes nothing, that shows when room is needed.
        let _ = self.write_back_idle();
        if let Some(tier) = self.store.tier() {
            tier.make_holes();
        }
    }

    /// Moves one batch of units to SSD, and returns how many; by the demoter.
    fn demote_batch(&self) -> Result<u32, Stopped> {
        let Some(mut mover) = Mover::new(&self.store) else { return Ok(0) };
        // Ahead of the need, so that writers find room. If it cannot be done, that shows below.
        let _ = mover.clean(1);
        // The second time after what was found earlier turned out to be touched since.
        for _ in 0..2 {
            self.add_coldest(&mut mover);
            let moved = self.flush(&mut mover)?;
            if moved > 0 {
                return Ok(moved);
            }
        }
        Ok(0)
    }

    fn add_coldest(&self, mover: &mut Mover<'_>) {
        let mut coldest = self.coldest.lock();
        if coldest.is_empty() {
            *coldest = self.find_coldest(demand(self.pressure()));
        }
        while let Some(&cold) = coldest.front() {
            if !self.add_to(cold, mover) {
                return;
            }
            coldest.pop_front();
        }
    }

    /// Moves what DRAM has of `units` to SSD, or only what of it is idle; returns how many. Units that are in
    /// memory stay there too. For people who know that nobody will want them soon.
    pub fn write_back(&self, units: Units, which: WriteBack) -> Result<u32, Stopped> {
        let mut moved = 0;
        let mut scratch = self.store.scratch();
        let is_wanted =
            |unit: &UnitIndex| which == WriteBack::All || self.is_idle(self.store.table().glance(*unit));
        for batch in units.batches(WRITTEN_AT_ONCE) {
            let mut mover = Mover::new(&self.store).ok_or(Stopped)?;
            for unit in batch.iter().filter(is_wanted) {
                self.store_if_dirty(unit, &mut scratch);
                if !mover.add(unit, &mut self.store.table().lock(unit)) {
                    moved += self.flush(&mut mover)?;
                    mover.add(unit, &mut self.store.table().lock(unit));
                }
            }
            moved += self.flush(&mut mover)?;
        }
        Ok(moved)
    }

    /// What only mapped memory has goes to the pool, so that it can go on from there. A full pool leaves it where it is.
    fn store_if_dirty(&self, unit: UnitIndex, scratch: &mut Scratch) {
        let mut slot = self.store.table().lock(unit);
        if slot.is_resident() && slot.backing() == Backing::Dirty {
            self.store_unit(unit, &mut slot, scratch);
        }
    }

    /// Adds a unit to the batch if nobody has touched it since it was found. False if it has no room there.
    pub fn add_to(&self, Cold { unit, stamp }: Cold, mover: &mut Mover<'_>) -> bool {
        // Who is busy with the unit may be touching it.
        let Some(mut slot) = self.store.table().try_lock(unit) else { return true };
        slot.is_resident() || slot.stamp() != stamp || mover.add(unit, &mut slot)
    }

    pub fn flush(&self, mover: &mut Mover<'_>) -> Result<u32, Stopped> {
        let moved = mover.flush().map_err(|_| Stopped)?;
        self.counters.demoted.add(moved.into());
        if moved > 0 {
            self.residency.pool_freed();
            self.share_budget();
        }
        Ok(moved)
    }

    /// The units that only the pool has and that left memory longest ago, about `bytes` of compressed objects.
    fn find_coldest(&self, bytes: u64) -> VecDeque<Cold> {
        if bytes == 0 {
            return VecDeque::new();
        }
        oldest(|| self.in_pool(), self.units_of_pool(bytes))
    }

    /// How many units of the pool have objects of about `bytes` together.
    pub fn units_of_pool(&self, bytes: u64) -> usize {
        units_of(bytes, self.store.pool_occupied(), self.store.pooled_units())
    }

    /// Units that only the pool has, and how long ago they left memory. What does not compress counts as
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
