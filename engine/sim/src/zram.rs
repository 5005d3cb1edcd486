//! The rules of the kernel's zram with a backing device (drivers/block/zram/zram_drv.c), below a resident set that is
//! least recently used, which is kinder than the kernel's approximation of it.
//!
//! * A slot is idle if it was neither read nor written since all slots were marked (`echo all > idle`).
//! * On demand what is huge and what is idle is written to the device (`writeback_store`), within a budget
//!   (`writeback_limit`), the largest slots first (`select_pp_slot`). The demand, which the kernel leaves to a script,
//!   comes here when the pool is full; the budget is an eighth of the pool. The rest is marked then. If nothing is
//!   huge or idle, all is marked and the script tries again: there is no other way to make room.
//! * It is written uncompressed, a whole unit (the kernel: a page).
//! * A slot on the device stays there until it is written to, however often it is read.
//! * A slot whose contents are resident, too, is like any other.

use ztera_store::UnitIndex;

use crate::replay::{Disk, Limits, Policy, Tier};
use crate::resident::{Recent, Resident};
use crate::room::Room;
use crate::trace::Trace;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Empty,
    /// Only mapped memory has the contents.
    Dirty,
    /// In the pool.
    Pool {
        idle: bool,
    },
    /// On the backing device.
    Device,
}

/// Replays a trace as zram would.
#[derive(Debug)]
pub struct Zram {
    slots: Vec<Slot>,
    unit_len: u64,
    resident: Recent,
    room: Room,
    disk: Disk,
}

/// Sizes that count as the same: a slot of the kernel's is put in one of so many buckets.
const BUCKETS: u64 = 64;

impl Zram {
    /// With nothing in memory.
    pub fn new(trace: &Trace, limits: Limits) -> Self {
        Self {
            slots: vec![Slot::Empty; trace.sizes.len()],
            unit_len: trace.unit_len,
            resident: Recent::new(trace, limits),
            room: Room::new(trace, limits),
            disk: Disk::default(),
        }
    }

    fn slot(&self, unit: UnitIndex) -> Slot {
        self.slots[unit.0 as usize]
    }

    fn set_slot(&mut self, unit: UnitIndex, new: Slot) {
        let old = std::mem::replace(&mut self.slots[unit.0 as usize], new);
        let is_in_pool = |slot| matches!(slot, Slot::Pool { .. });
        self.room.change(unit, is_in_pool(old), is_in_pool(new));
    }

    fn store(&mut self, unit: UnitIndex) {
        self.set_slot(unit, Slot::Empty);
        while !self.room.has_for(unit) {
            if self.write_back() == 0 && self.mark_idle() == 0 {
                return self.put_on_device(unit);
            }
        }
        self.set_slot(unit, Slot::Pool { idle: false });
    }

    fn put_on_device(&mut self, unit: UnitIndex) {
        self.disk.write(self.unit_len);
        self.set_slot(unit, Slot::Device);
    }

    /// Writes huge and idle slots to the device; returns how many. The rest is marked.
    fn write_back(&mut self) -> u64 {
        let bucket = |size: u64| size * BUCKETS / self.unit_len;
        let mut found: Vec<_> = self.in_pool().filter(|&(_, idle)| idle).map(|(unit, _)| unit).collect();
        found.sort_by_key(|&unit| std::cmp::Reverse(bucket(self.room.size(unit))));
        let target = self.room.used().saturating_sub(self.room.limit() / 8);
        let mut moved = 0;
        for unit in found {
            if self.room.used() <= target {
                break;
            }
            self.put_on_device(unit);
            moved += 1;
        }
        if moved > 0 {
            self.mark_idle();
        }
        moved
    }

    /// Slots that writing back frees memory of, and whether each is huge or idle.
    fn in_pool(&self) -> impl Iterator<Item = (UnitIndex, bool)> {
        self.slots.iter().zip((0..).map(UnitIndex)).filter_map(|(&slot, unit)| {
            match (slot, self.room.size(unit)) {
                (Slot::Pool { idle }, size @ 1..) => Some((unit, idle || size >= self.unit_len)),
                _ => None,
            }
        })
    }

    /// Marks all slots; returns how many that is.
    fn mark_idle(&mut self) -> u64 {
        let mut marked = 0;
        for (slot, unit) in self.slots.iter_mut().zip((0..).map(UnitIndex)) {
            if matches!(slot, Slot::Pool { .. }) && self.room.size(unit) > 0 {
                *slot = Slot::Pool { idle: true };
                marked += 1;
            }
        }
        marked
    }
}

impl Policy for Zram {
    fn touch(&mut self, unit: UnitIndex, write: bool) -> Tier {
        let tier = match self.slot(unit) {
            _ if self.resident.contains(unit) => Tier::Dram,
            Slot::Empty => Tier::New,
            Slot::Pool { .. } => {
                self.set_slot(unit, Slot::Pool { idle: false });
                Tier::Pool
            }
            Slot::Device => {
                self.disk.read(self.unit_len);
                Tier::Ssd
            }
            Slot::Dirty => unreachable!("what is nowhere else is resident"),
        };
        if write {
            self.set_slot(unit, Slot::Dirty);
        }
        if let Some(oldest) = self.resident.touch(unit)
            && self.slot(oldest) == Slot::Dirty
        {
            self.store(oldest);
        }
        tier
    }

    fn submit(&mut self, unit: UnitIndex) {
        self.discard(unit);
        self.store(unit);
    }

    fn discard(&mut self, unit: UnitIndex) {
        self.resident.remove(unit);
        self.set_slot(unit, Slot::Empty);
    }

    fn disk(&self) -> Disk {
        self.disk
    }
}
