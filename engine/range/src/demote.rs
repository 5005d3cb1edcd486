//! Moving units from the pool to SSD: carries out what [`demotion`](crate::demotion) decides.

use std::collections::VecDeque;

use ztera_store::{Mover, Slot, UnitIndex, Units};

use crate::demotion::{Ages, Pressure, demand};
use crate::inner::Inner;

/// The SSD has no room, or does not write. What it does not take stays in the pool.
#[derive(Debug)]
pub(crate) struct Stopped;

/// Units written by hand without letting others have the disk.
const WRITTEN_AT_ONCE: u32 = 64;

/// A unit that is to leave the pool, and its stamp when it was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cold {
    unit: UnitIndex,
    stamp: u16,
}

impl Inner {
    /// Rings for the demoter if the pool is too full.
    pub fn wake_demoter_if_pressed(&self) {
        if self.store.tier().is_some() && demand(self.pressure()) > 0 {
            self.demoter.ring();
        }
    }

    /// Units that the pool holds.
    pub fn pooled_units(&self) -> u64 {
        let stats = self.store.stats();
        let units = stats.orig_data_size / self.unit_len() as u64;
        units.saturating_sub(stats.ssd.bd_count)
    }

    fn pressure(&self) -> Pressure {
        Pressure {
            pooled: self.store.pooled(),
            limit: self.pool_limit,
            refused: self.residency.is_pool_full(),
        }
    }

    /// The demoter's work: moves the units that were touched longest ago, until the pool has room.
    pub fn demote_until_room(&self) {
        while demand(self.pressure()) > 0 && matches!(self.demote_batch(), Ok(moved) if moved > 0) {}
    }

    /// Moves one batch of units to SSD, and returns how many. Whoever else does so at the same time goes
    /// first, so that a thread that needs room waits for the disk and for nothing else.
    pub fn demote_batch(&self) -> Result<u32, Stopped> {
        let Some(mut mover) = Mover::new(&self.store) else { return Ok(0) };
        // Ahead of the need, so that writers find room.
        mover.clean(1).map_err(|_| Stopped)?;
        let mut coldest = self.coldest.lock();
        if coldest.is_empty() {
            *coldest = self.find_coldest(demand(self.pressure()));
        }
        while let Some(&cold) = coldest.front() {
            if !self.add_to(cold, &mut mover)? {
                break;
            }
            coldest.pop_front();
        }
        drop(coldest);
        let moved = mover.flush().map_err(|_| Stopped)?.moved;
        self.counters.demoted.add(moved.into());
        if moved > 0 {
            self.residency.pool_freed();
        }
        Ok(moved)
    }

    /// Moves what the pool has of `units` to SSD, those apart that are in memory too; returns how many. For
    /// people who know that nobody will want them soon.
    pub fn write_back(&self, units: Units) -> Result<u32, Stopped> {
        let mut moved = 0;
        for batch in units.batches(WRITTEN_AT_ONCE) {
            let mut mover = Mover::new(&self.store).ok_or(Stopped)?;
            for unit in batch.iter() {
                let stamp = self.store.table().glance(unit).stamp;
                if !self.add_to(Cold { unit, stamp }, &mut mover)? {
                    moved += mover.flush().map_err(|_| Stopped)?.moved;
                    self.add_to(Cold { unit, stamp }, &mut mover)?;
                }
            }
            moved += mover.flush().map_err(|_| Stopped)?.moved;
        }
        self.counters.demoted.add(moved.into());
        self.residency.pool_freed();
        Ok(moved)
    }

    /// Adds a unit to the batch if nobody has touched it since it was found. False if it has no room there.
    fn add_to(&self, Cold { unit, stamp }: Cold, mover: &mut Mover<'_>) -> Result<bool, Stopped> {
        // Who is busy with the unit may be touching it.
        let Some(mut slot) = self.store.table().try_lock(unit) else { return Ok(true) };
        if slot.is_resident() || slot.stamp() != stamp {
            return Ok(true);
        }
        mover.add(unit, &mut slot).map_err(|_| Stopped)
    }

    /// The units that only the pool has and that left memory longest ago, about `bytes` of compressed objects.
    fn find_coldest(&self, bytes: u64) -> VecDeque<Cold> {
        let mut ages = Ages::new(Slot::MAX_STAMP.into());
        self.in_pool().for_each(|(_, age)| ages.add(age));
        let average = (self.store.pooled() / ages.total().max(1)).max(1);
        let wanted = bytes.div_ceil(average);
        let from = ages.oldest(wanted);
        let old = self.in_pool().filter(|&(_, age)| age >= from);
        old.map(|(cold, _)| cold).take(wanted as usize).collect()
    }

    /// Units that only the pool has, and how long ago they left memory.
    fn in_pool(&self) -> impl Iterator<Item = (Cold, u64)> {
        let table = self.store.table();
        (0..table.len()).map(UnitIndex).filter_map(|unit| {
            let glance = table.glance(unit);
            let cold = Cold { unit, stamp: glance.stamp };
            glance.only_in_pool.then(|| (cold, self.residency.age(glance.stamp).unwrap_or(0)))
        })
    }
}
