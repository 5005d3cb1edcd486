//! Least recently used in the pool and, unless another rule is asked for, in memory, with the engine's means: a resident
//! unit that is clean keeps its compressed copy, and what comes back from SSD is stored in the pool when it leaves memory.

use ztera_store::UnitIndex;

use crate::arc::Arc;
use crate::recency::Recency;
use crate::replay::{Disk, Limits, Policy, Tier};
use crate::resident::{Recent, Resident};
use crate::room::Room;
use crate::s3fifo::S3Fifo;
use crate::trace::Trace;

/// Where the contents of a unit are, besides mapped memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backing {
    Empty,
    Dirty,
    Pool,
    Ssd,
}

/// Replays a trace by rules that see each touch, as no real pager does: resident memory tells nobody that it is touched.
#[derive(Debug)]
pub struct Lru {
    backings: Vec<Backing>,
    resident: Box<dyn Resident>,
    room: Room,
    /// Units that only the pool has.
    pool: Recency,
    disk: Disk,
}

impl Lru {
    /// With nothing in memory.
    pub fn new(trace: &Trace, limits: Limits) -> Self {
        Self::below(Box::new(Recent::new(trace, limits)), trace, limits)
    }

    /// The same with memory by ARC.
    pub fn below_arc(trace: &Trace, limits: Limits) -> Self {
        Self::below(Box::new(Arc::new(trace, limits)), trace, limits)
    }

    /// The same with memory by S3-FIFO.
    pub fn below_s3fifo(trace: &Trace, limits: Limits) -> Self {
        Self::below(Box::new(S3Fifo::new(trace, limits)), trace, limits)
    }

    fn below(resident: Box<dyn Resident>, trace: &Trace, limits: Limits) -> Self {
        let units = trace.sizes.len();
        Self {
            backings: vec![Backing::Empty; units],
            resident,
            room: Room::new(trace, limits),
            pool: Recency::new(units),
            disk: Disk::default(),
        }
    }

    fn backing(&self, unit: UnitIndex) -> Backing {
        self.backings[unit.0 as usize]
    }

    fn size(&self, unit: UnitIndex) -> u64 {
        self.room.size(unit)
    }

    fn set_backing(&mut self, unit: UnitIndex, new: Backing) {
        let old = std::mem::replace(&mut self.backings[unit.0 as usize], new);
        self.room.change(unit, old == Backing::Pool, new == Backing::Pool);
    }

    fn evict(&mut self, unit: UnitIndex) {
        match self.backing(unit) {
            Backing::Empty => {}
            Backing::Pool => self.pool.touch(unit),
            Backing::Dirty | Backing::Ssd => self.store(unit),
        }
    }

    /// Stores the contents of a unit that is not resident in the pool.
    fn store(&mut self, unit: UnitIndex) {
        self.set_backing(unit, Backing::Empty);
        while !self.room.has_for(unit) {
            if !self.make_room() {
                self.disk.write(self.size(unit));
                return self.set_backing(unit, Backing::Ssd);
            }
        }
        self.set_backing(unit, Backing::Pool);
        self.pool.touch(unit);
    }

    /// Demotes the unit at the tail; if all that is in the pool is copies of resident units, drops one of those.
    fn make_room(&mut self) -> bool {
        if let Some(coldest) = self.pool.pop() {
            // One repeated word takes no room, and stays.
            if self.size(coldest) > 0 {
                self.disk.write(self.size(coldest));
                self.set_backing(coldest, Backing::Ssd);
            }
            return true;
        }
        let copy = |unit| self.backing(unit) == Backing::Pool && self.size(unit) > 0;
        let Some(copied) = self.resident.find(&copy) else { return false };
        self.set_backing(copied, Backing::Dirty);
        true
    }
}

impl Policy for Lru {
    fn touch(&mut self, unit: UnitIndex, write: bool) -> Tier {
        let tier = match self.backing(unit) {
            _ if self.resident.contains(unit) => Tier::Dram,
            Backing::Empty => Tier::New,
            Backing::Pool => Tier::Pool,
            Backing::Ssd => Tier::Ssd,
            Backing::Dirty => unreachable!("what is nowhere else is resident"),
        };
        if tier == Tier::Ssd {
            self.disk.read(self.size(unit));
        }
        if write {
            self.set_backing(unit, Backing::Dirty);
        }
        self.pool.remove(unit);
        if let Some(oldest) = self.resident.touch(unit) {
            self.evict(oldest);
        }
        tier
    }

    fn submit(&mut self, unit: UnitIndex) {
        self.discard(unit);
        self.store(unit);
    }

    fn discard(&mut self, unit: UnitIndex) {
        self.resident.remove(unit);
        self.pool.remove(unit);
        self.set_backing(unit, Backing::Empty);
    }

    fn disk(&self) -> Disk {
        self.disk
    }
}
