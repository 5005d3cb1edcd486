//! Moving units from the pool to SSD: carries out what [`demotion`](ztera_policy::demotion) and
//! [`denser`](ztera_policy::denser) decide, and, for units that are idle, [`idleness`](ztera_policy::idleness).

use std::collections::VecDeque;

use ztera_policy::demotion::{Pressure, demand, oldest};
use ztera_policy::idleness::{round, write_back_after};
use ztera_store::{Mover, Recompressed, Recompressor};
use ztera_sync::atomic::Ordering;
use ztera_sync::time::Instant;

use crate::core::Core;
use crate::core::watch::{Cold, PoolChange};
use crate::reclaim::idleness::Idleness;

/// The SSD has no room, or does not write. Contents that it does not take stay in the pool.
#[derive(Debug)]
pub(crate) struct Stopped;

/// Objects are looked for that have so many times the bytes that have to leave.
const PARTS: u64 = 4;

/// Objects made denser in one round at most, and before somebody looks whether that is enough: half a second, and two
/// thousandths. Fewer would all be dense already, where a program reads much that is old.
const MOST: usize = 16 << 10;
const STEP: usize = 64;

/// Moves units from the pool to SSD: as a thread of its own, and for those who ask for it.
pub(crate) struct Demoter<'r> {
    pub core: &'r Core,
    pub idleness: &'r Idleness,
    /// Units that it has found, and not moved yet.
    coldest: VecDeque<Cold>,
    /// A denser codec; `None` if it only moves.
    denser: Option<Recompressor>,
}

impl<'r> Demoter<'r> {
    /// One that has found nothing yet.
    pub fn new(core: &'r Core, idleness: &'r Idleness) -> Self {
        Self { core, idleness, coldest: VecDeque::new(), denser: None }
    }

    /// One that first makes objects smaller by `denser`, where that [pays](ztera_policy::denser).
    pub fn with_denser(self, denser: Option<Recompressor>) -> Self {
        Self { denser, ..self }
    }

    /// The demoter's work: moves the units that were touched longest ago, until the pool has room, and idle ones;
    /// then cleans up behind those that have left the SSD.
    pub fn demote_until_room(&mut self) {
        // Units as they are leave first: no codec gains anything there.
        if demand(Pressure { useless: 0, ..self.core.pressure() }) > 0 {
            self.make_denser();
        }
        while demand(self.core.pressure()) > 0
            && !self.core.watch.demoter.is_stopped()
            && matches!(self.demote_batch(), Ok(moved) if moved > 0)
        {}
        // If the SSD takes nothing, that shows when room is needed.
        let _ = self.write_back_idle();
        if let Some(tier) = self.core.store.tier() {
            tier.make_holes();
        }
    }

    /// Makes objects smaller that would go to SSD soon, and those that would be next, until somebody cannot wait for room.
    fn make_denser(&mut self) {
        let (core, densening) = (self.core, &self.core.watch.densening);
        let Some(denser) = self.denser.as_mut().filter(|_| densening.pays.load(Ordering::Relaxed)) else {
            return;
        };
        let is_over = || core.is_outrun() || core.watch.demoter.is_stopped();
        let wanted = core.units_of_pool(demand(core.pressure()) * PARTS).min(MOST);
        let mut units = oldest(|| core.in_pool(), wanted);
        let mut gained = false;
        while !units.is_empty() && !is_over() {
            let step: Vec<_> =
                units.drain(..units.len().min(STEP)).map(|cold| (cold.unit, cold.stamp)).collect();
            for some in step.chunks(denser.at_once()) {
                let mut before = Instant::now();
                // Other threads that move units leave less to do here.
                core.store.recompress_all(some, denser, &mut |outcome| {
                    if let Recompressed::Done { from, to } = outcome {
                        densening.add(from, to, before.elapsed());
                        core.counters.recompress_tried.add(1);
                        core.counters.recompressed.add(u64::from(to < from));
                        gained |= to < from;
                    }
                    before = Instant::now();
                });
            }
            core.pool_changed(PoolChange::Shrunk);
        }
        if !gained {
            // All of them are dense, or nothing makes them so: the governor may look again.
            densening.pays.store(false, Ordering::Relaxed);
        }
    }

    /// Moves one batch of units to SSD, and returns how many.
    fn demote_batch(&mut self) -> Result<u32, Stopped> {
        let Some(mut mover) = Mover::new(&self.core.store) else { return Ok(0) };
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

    fn add_coldest(&mut self, mover: &mut Mover<'_>) {
        if self.coldest.is_empty() {
            self.coldest = self.find_coldest(demand(self.core.pressure()));
        }
        while let Some(&cold) = self.coldest.front() {
            if !self.add_to(cold, mover) {
                return;
            }
            self.coldest.pop_front();
        }
    }

    /// Moves idle units to SSD, if a round of that is due.
    fn write_back_idle(&self) -> Result<(), Stopped> {
        if !self.idleness.take_round() {
            return Ok(());
        }
        let Some(then) = self.idleness.before(write_back_after(self.core.pressure())) else { return Ok(()) };
        let ticks = self.core.residency.ticks_since(then);
        let most = self.core.units_of_pool(round(self.core.pressure()));
        let idle = self.core.in_pool().filter(|&(_, age)| age > ticks).map(|(cold, _)| cold);
        let mut idle = idle.take(most).collect::<Vec<_>>().into_iter().peekable();
        // Batch by batch, so that whoever needs room can go first.
        while idle.peek().is_some()
            && !self.core.watch.demoter.is_stopped()
            && demand(self.core.pressure()) == 0
        {
            let Some(mut mover) = Mover::new(&self.core.store) else { return Ok(()) };
            while idle.next_if(|&cold| self.add_to(cold, &mut mover)).is_some() {}
            self.flush(&mut mover)?;
        }
        Ok(())
    }

    /// Adds a unit to the batch if nobody has touched it since it was found. False if it has no room there.
    pub fn add_to(&self, Cold { unit, stamp }: Cold, mover: &mut Mover<'_>) -> bool {
        // A thread that is busy with the unit may be touching it.
        let Some(mut slot) = self.core.store.table().try_lock(unit) else { return true };
        slot.is_resident() || slot.stamp() != stamp || mover.add(&mut slot)
    }

    /// Writes the batch, and returns of how many units the SSD has the contents now.
    pub fn flush(&self, mover: &mut Mover<'_>) -> Result<u32, Stopped> {
        let moved = mover.flush().map_err(|_| Stopped)?;
        self.core.counters.demoted.add(moved.into());
        if moved > 0 {
            self.core.pool_changed(PoolChange::Shrunk);
        }
        Ok(moved)
    }

    /// The units that only the pool has and that left memory longest ago, about `bytes` of compressed objects.
    fn find_coldest(&self, bytes: u64) -> VecDeque<Cold> {
        if bytes == 0 {
            return VecDeque::new();
        }
        oldest(|| self.core.in_pool(), self.core.units_of_pool(bytes))
    }
}
