//! The engine's policy: what the range's residency, evictor, demoter and idle rounds do, one after the other and in no
//! time. The range's own sources make all decisions.

use std::collections::VecDeque;

use ztera_store::UnitIndex;

use crate::looks::Looks;
use crate::replay::{Disk, Limits, Policy, Tier};
use crate::trace::Trace;
use ztera_policy::copies::is_worth_keeping;
use ztera_policy::demotion::{Pressure, demand, has_room, oldest, units_of, units_with_room};
use ztera_policy::eviction::{Candidate, EvictionClock, Patience, Verdict, Watermarks, judge};
use ztera_policy::heat::{HEATS, Heat, leaves_next};
use ztera_policy::idleness::{Epochs, round, write_back_after};

/// Where the contents of a unit are, besides mapped memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Backing {
    #[default]
    Empty,
    /// Only mapped.
    Dirty,
    /// In the pool; also what repeats one word, for which it needs no room.
    Pool,
    Ssd,
}

#[derive(Clone, Copy, Debug, Default)]
struct Unit {
    resident: bool,
    queued: bool,
    referenced: bool,
    was_hot: bool,
    backing: Backing,
    stamp: u16,
}

/// Replays a trace as the engine would.
#[derive(Debug)]
pub struct Ours {
    units: Vec<Unit>,
    sizes: Vec<u64>,
    unit_len: u64,
    pool_limit: u64,
    marks: Option<Watermarks>,
    clock: EvictionClock,
    evictions: u64,
    resident: u64,
    /// Of each heat.
    queues: [VecDeque<UnitIndex>; HEATS],
    turns: u64,
    pooled: u64,
    pooled_units: u64,
    /// The pool has refused a unit, and nothing was freed since.
    refused: bool,
    /// Units that are to leave the pool, with their stamps when they were found.
    coldest: VecDeque<(UnitIndex, u16)>,
    epochs: Epochs,
    looks: Looks,
    disk: Disk,
}

/// Compressed bytes that are written at once, as by the range.
const BATCH: u64 = 1 << 20;

impl Ours {
    /// With nothing in memory. Units are idle after `idle_epochs`; 0 = never.
    pub fn new(trace: &Trace, limits: Limits, idle_epochs: u32) -> Self {
        let marks = Watermarks::new(limits.resident, trace.unit_len);
        Self {
            units: vec![Unit::default(); trace.sizes.len()],
            sizes: trace.sizes.clone(),
            unit_len: trace.unit_len,
            pool_limit: limits.pool,
            marks,
            clock: EvictionClock::new(marks.map_or(1, |marks| marks.limit), trace.sizes.len() as u64),
            evictions: 0,
            resident: 0,
            queues: Default::default(),
            turns: 0,
            pooled: 0,
            pooled_units: 0,
            refused: false,
            coldest: VecDeque::new(),
            epochs: Epochs::new(idle_epochs),
            looks: Looks::never(),
            disk: Disk::default(),
        }
    }

    /// The same, if of so many resident units one were unmapped at a time, to see reads.
    pub fn looking(self, one_in: u64) -> Self {
        let turn = self.marks.map_or(1, |marks| marks.limit);
        Self { looks: Looks::at(one_in, turn), ..self }
    }

    fn at(&mut self, unit: UnitIndex) -> &mut Unit {
        &mut self.units[unit.0 as usize]
    }

    fn size(&self, unit: UnitIndex) -> u64 {
        self.sizes[unit.0 as usize]
    }

    /// The only place where a backing changes.
    fn set_backing(&mut self, unit: UnitIndex, new: Backing) {
        let size = self.size(unit);
        let old = std::mem::replace(&mut self.at(unit).backing, new);
        if old == Backing::Pool {
            self.pooled -= size;
            self.pooled_units -= u64::from(size > 0);
        }
        if new == Backing::Pool {
            self.pooled += size;
            self.pooled_units += u64::from(size > 0);
        }
        self.refused &= old != Backing::Pool;
    }

    fn is_above(&self, mark: impl Fn(Watermarks) -> u64) -> bool {
        self.marks.is_some_and(|marks| self.resident > mark(marks))
    }

    /// Of the range's `bring_in` and `Residency::add`.
    fn bring_in(&mut self, unit: UnitIndex, write: bool) -> Tier {
        let Unit { backing, stamp, queued, was_hot, .. } = *self.at(unit);
        let tier = match backing {
            Backing::Empty => Tier::New,
            Backing::Pool => Tier::Pool,
            Backing::Ssd => Tier::Ssd,
            Backing::Dirty => unreachable!("what is nowhere else is resident"),
        };
        if tier == Tier::Ssd {
            self.disk.read(self.size(unit));
            let room = units_with_room(self.pressure(), self.pooled_units, self.size(unit), self.unit_len);
            let is_wanted = has_room(self.pressure(), self.size(unit))
                || !self.refused && self.clock.is_warm(stamp, self.evictions, room);
            if is_wanted && !write && is_worth_keeping(self.size(unit), self.unit_len) {
                self.store(unit);
            }
        }
        if write {
            self.set_backing(unit, Backing::Dirty);
        }
        let limit = self.marks.map_or(u64::MAX, |marks| marks.limit);
        let heat = Heat::of(self.clock, stamp, was_hot, self.evictions, limit);
        let slot = self.at(unit);
        (slot.resident, slot.referenced, slot.queued) = (true, false, true);
        self.resident += 1;
        if !queued {
            self.queues[heat as usize].push_back(unit);
        }
        tier
    }

    /// Of `make_writable`.
    fn write_to_resident(&mut self, unit: UnitIndex) {
        if self.at(unit).backing != Backing::Dirty {
            self.set_backing(unit, Backing::Dirty);
            self.at(unit).referenced = true;
        }
    }

    /// Of `relieve`, with an evictor that is done at once.
    fn relieve(&mut self) {
        if !self.is_above(|marks| marks.high) {
            return;
        }
        self.evict_to_low();
        if self.is_above(|marks| marks.limit) && self.refused && self.demote_batch() > 0 {
            self.evict_to_low();
        }
    }

    fn evict_to_low(&mut self) {
        let mut patience = Patience::of(self.queues.iter().map(VecDeque::len).sum());
        while self.is_above(|marks| marks.low) {
            let Some((unit, heat)) = self.dequeue() else { return };
            if !self.consider(unit, heat) {
                self.queues[heat as usize].push_back(unit);
            }
            if patience.ends(1) {
                return;
            }
        }
    }

    /// Of `Residency::dequeue`; nothing passes.
    fn dequeue(&mut self) -> Option<(UnitIndex, Heat)> {
        let heat = leaves_next(self.queues.each_ref().map(|queue| queue.len() as u64), self.turns);
        self.turns += 1;
        Some((self.queues[heat as usize].pop_front()?, heat))
    }

    /// Whether the unit leaves the queue.
    fn consider(&mut self, unit: UnitIndex, heat: Heat) -> bool {
        let Unit { resident, referenced, backing, .. } = *self.at(unit);
        let verdict = judge(Candidate {
            resident,
            pinned: false,
            referenced,
            dirty: backing == Backing::Dirty,
            pool_full: self.refused,
        });
        match verdict {
            Verdict::Forget => self.at(unit).queued = false,
            Verdict::SecondChance => {
                self.at(unit).referenced = false;
                return false;
            }
            Verdict::Drop => self.drop_unit(unit, heat),
            Verdict::Store if self.store(unit) => self.drop_unit(unit, heat),
            Verdict::Store | Verdict::Keep => return false,
        }
        true
    }

    fn drop_unit(&mut self, unit: UnitIndex, heat: Heat) {
        self.unmap(unit);
        let slot = self.at(unit);
        (slot.queued, slot.was_hot) = (false, heat >= Heat::Hot);
        self.stamp(unit);
    }

    /// Of `Residency::stamp`.
    fn stamp(&mut self, unit: UnitIndex) {
        self.at(unit).stamp = self.clock.time(self.evictions);
        self.evictions += 1;
    }

    fn unmap(&mut self, unit: UnitIndex) {
        let slot = self.at(unit);
        if slot.resident {
            (slot.resident, slot.referenced, slot.was_hot) = (false, false, false);
            self.resident -= 1;
        }
    }

    /// Stores the contents of a unit in the pool. False if that is full.
    fn store(&mut self, unit: UnitIndex) -> bool {
        let stored = self.pool_limit == 0 || self.pooled + self.size(unit) <= self.pool_limit;
        if stored {
            self.set_backing(unit, Backing::Pool);
        } else {
            self.refused = true;
        }
        self.demote_until_room();
        stored
    }

    fn pressure(&self) -> Pressure {
        Pressure { pooled: self.pooled, limit: self.pool_limit, refused: self.refused, useless: 0 }
    }

    fn demote_until_room(&mut self) {
        while demand(self.pressure()) > 0 && self.demote_batch() > 0 {}
    }

    /// Moves one batch of the coldest units to SSD; returns how many.
    fn demote_batch(&mut self) -> u64 {
        for _ in 0..2 {
            if self.coldest.is_empty() {
                self.coldest = self.find_coldest(demand(self.pressure()));
            }
            let (mut moved, mut bytes) = (0, 0);
            while bytes < BATCH
                && let Some((unit, stamp)) = self.coldest.pop_front()
            {
                if self.move_down(unit, stamp) {
                    moved += 1;
                    bytes += self.size(unit);
                }
            }
            if moved > 0 {
                return moved;
            }
        }
        0
    }

    /// Moves a unit to SSD if nobody has touched it since it was found.
    fn move_down(&mut self, unit: UnitIndex, stamp: u16) -> bool {
        let slot = *self.at(unit);
        let untouched = !slot.resident && slot.stamp == stamp && slot.backing == Backing::Pool;
        if untouched {
            self.put_on_ssd(unit);
        }
        untouched
    }

    fn put_on_ssd(&mut self, unit: UnitIndex) {
        self.disk.write(self.size(unit));
        self.set_backing(unit, Backing::Ssd);
    }

    fn find_coldest(&self, bytes: u64) -> VecDeque<(UnitIndex, u16)> {
        if bytes == 0 {
            return VecDeque::new();
        }
        oldest(|| self.in_pool(), units_of(bytes, self.pooled, self.pooled_units))
    }

    /// Units that only the pool has, their stamps, and their ages.
    fn in_pool(&self) -> impl Iterator<Item = ((UnitIndex, u16), u64)> {
        self.units.iter().zip(&self.sizes).zip(0..).filter_map(|((unit, &size), index)| {
            let only_in_pool = unit.backing == Backing::Pool && size > 0 && !unit.resident;
            let age = || match self.clock.age(unit.stamp, self.evictions) {
                _ if size >= self.unit_len => u64::MAX,
                age => age.unwrap_or(0),
            };
            only_in_pool.then(|| ((UnitIndex(index), unit.stamp), age()))
        })
    }

    fn write_back_idle(&mut self) -> Option<()> {
        let then = self.epochs.before(write_back_after(self.pressure())?)?;
        let ticks = self.clock.ticks_since(then, self.evictions);
        let most = units_of(round(self.pressure()), self.pooled, self.pooled_units);
        let idle: Vec<_> = self.in_pool().filter(|&(_, age)| age > ticks).take(most).collect();
        idle.into_iter().for_each(|((unit, stamp), _)| {
            self.move_down(unit, stamp);
        });
        Some(())
    }
}

impl Policy for Ours {
    fn touch(&mut self, unit: UnitIndex, write: bool) -> Tier {
        if self.at(unit).resident {
            if write {
                self.write_to_resident(unit);
            }
            if self.looks.sees(unit) && !self.at(unit).referenced {
                self.looks.count();
                self.at(unit).referenced = true;
            }
            return Tier::Dram;
        }
        let tier = self.bring_in(unit, write);
        self.relieve();
        tier
    }

    fn submit(&mut self, unit: UnitIndex) {
        self.unmap(unit);
        self.set_backing(unit, Backing::Empty);
        self.stamp(unit);
        // A unit that does not compress goes past the pool, and so does one that the pool refuses.
        let past = self.pool_limit > 0 && self.size(unit) >= self.unit_len;
        if past || !self.store(unit) {
            self.put_on_ssd(unit);
        }
    }

    fn discard(&mut self, unit: UnitIndex) {
        self.unmap(unit);
        self.set_backing(unit, Backing::Empty);
    }

    fn epoch(&mut self) {
        if self.epochs.pass() {
            let last = self.epochs.before(0).unwrap_or(0);
            self.evictions = self.clock.end_of_quarter(last, self.evictions);
            self.epochs.mark(self.evictions);
            self.write_back_idle();
        }
    }

    fn disk(&self) -> Disk {
        self.disk
    }

    fn looks(&self) -> u64 {
        self.looks.seen()
    }
}
