//! One fault, answered.

use std::collections::VecDeque;
use std::time::Instant;

use ztera_metrics::Tier;
use ztera_policy::clustering::MOST_UNITS;
use ztera_policy::readahead::{Wanted, piece_len};
use ztera_store::{Backing, Pages, Patience, Reach, Reading, Scratch, Slot, UnitIndex, Units, reach_along};

use crate::core::{fatal, is_in_pool};
use crate::fault::cluster::{Asked, Run, Why};
use crate::fault::hold::hold_back;
use crate::fault::readers::Seen;
use crate::fault::server::{Access, Server};
use crate::os::uffd::Fault;
use crate::residency::holes::PAGE;

impl<'r> Server<'r> {
    /// Answers `fault` so that the thread that waits goes on, and evicts if memory is short. Returns the
    /// units that it will want next, for [`read_ahead`](Self::read_ahead).
    pub fn serve(self, fault: Fault, scratch: &mut Scratch) -> Units {
        ztera_fail::at("handler.fault");
        let start = Instant::now();
        let Some(access) = self.access(fault) else {
            fatal("serving a fault", &format_args!("address {:#x} is not ours", fault.address))
        };
        let wanted = self.foresee(access);
        let reach = match wanted.ahead.count() {
            0 => Reach::Around,
            ahead => Reach::Records(1 + ahead as usize),
        };
        let tier = self.serve_access(access, wanted, reach, || None, scratch);
        self.core.counters.fault_times.add(tier, start.elapsed());
        wanted.ahead
    }

    /// The access that a fault is of. `None`: not of this range.
    fn access(self, fault: Fault) -> Option<Access> {
        let unit = self.core.memory.unit_at(fault.address)?;
        let page = (fault.address - self.core.memory.address(unit)) / PAGE;
        Some(Access { unit, page: Pages::one(page as u32), write: fault.write })
    }

    /// Foresees from an access that faults what the program will want.
    fn foresee(self, access: Access) -> Wanted {
        let Access { unit, write, .. } = access;
        let (readers, residency) = (&self.faults.readers, &self.core.residency);
        let glance = |unit| self.core.store.table().glance(unit);
        let mates = readers.cluster_of(unit).iter().filter(|&mate| mate != unit).map(glance);
        let (mut out, mut clean) = (0, 0);
        for mate in mates {
            out += u32::from(mate.only_stored());
            clean += u32::from(mate.is_stored());
        }
        let wanted = readers.after(Seen {
            unit,
            out: (!glance(unit).resident).then_some(out),
            clean: write.then_some(clean),
            now: residency.evictions(),
            limit: residency.limit().unwrap_or(u64::MAX),
        });
        debug_assert!(is_cluster_of(wanted.with, unit) && is_cluster_of(wanted.writable, unit));
        wanted
    }

    /// Makes the page of `access` accessible. If its unit has to be brought in, then also what is stored of the piece that
    /// `take_piece` gives, and those that are `wanted` now and that the pool has. A read of the unit from SSD goes as far as
    /// `reach` says. Returns where the page was.
    fn serve_access(
        self,
        access: Access,
        wanted: Wanted,
        mut reach: Reach,
        take_piece: impl FnOnce() -> Option<Units>,
        scratch: &mut Scratch,
    ) -> Tier {
        let Access { unit, write, .. } = access;
        let mut slot = self.core.store.table().lock(unit);
        let tier = tier_of(slot.backing());
        if let Some(trace) = self.trace {
            trace.touched(unit, write, self.core.store.stored_len(&slot));
        }
        if !slot.is_resident() {
            let mates = self.lock_mates(wanted.with, unit);
            let held = take_piece().map(|piece| self.lock_which(piece, is_stored)).unwrap_or_default();
            if !held.is_empty() {
                reach = reach_along(std::iter::once(&slot).chain(&held));
            }
            if slot.lingers() {
                // A write, or the kernel has taken a page of it.
                self.core.counters.returned.add(u64::from(write));
                self.core.end_lingering(&mut slot);
            }
            match mates {
                Some(mates) => {
                    let writable = write.then_some(wanted.writable);
                    self.bring_cluster(mates, Asked { unit, writable, reach }, slot, scratch);
                }
                None => {
                    let coming = self.expect(&mut slot, wanted.is_in_order(), write);
                    let is_alone = held.is_empty() && !wanted.is_in_order();
                    if is_alone && coming.keeps_copy && self.comes_in_part(access, &slot) {
                        self.bring_page(access, coming, &mut slot, reach, scratch);
                    } else {
                        self.bring_in(coming, &mut slot, write, reach, scratch);
                    }
                    drop(slot);
                }
            }
            self.bring_held(held, scratch);
            self.evictor().relieve(scratch);
            if wanted.now.count() > 0 {
                self.bring_held(self.lock_which(wanted.now, is_in_pool), scratch);
                self.evictor().relieve(scratch);
            }
        } else if self.fill(access, wanted.is_in_order(), &mut slot, reach, scratch) {
            drop(slot);
            self.evictor().relieve(scratch);
        } else if write && !self.core.lost.has(unit) {
            self.make_writable(slot, wanted.writable);
            return Tier::Memory;
        } else {
            // Another fault of the same unit was answered while this one was on its way. If that poisoned its pages, there
            // is nothing to write to either: whoever is woken meets the poison.
            let result = self.core.uffd.wake(self.core.memory.address(unit), self.core.unit_len());
            result.unwrap_or_else(|error| fatal("waking a thread", &error));
            return Tier::Memory;
        }
        tier
    }

    /// Answers a fault that the calling thread took. False if the contents are lost, or the address is not of this
    /// range, or is served by handlers.
    pub fn serve_own_fault(self, fault: Fault) -> bool {
        let Some(sigbus) = &self.faults.sigbus else { return false };
        let Some(access) = self.access(fault) else { return false };
        let Access { unit, write, .. } = access;
        let start = Instant::now();
        ztera_fail::at("handler.fault");
        let wanted = self.foresee(access);
        // Before the unit itself is read: the SSD does both at once.
        let ahead = wanted.ahead;
        if ahead.count() > 0 {
            let has_ssd = self.core.store.tier().is_some();
            sigbus.ahead.want(unit, ahead, piece_len(ahead.count(), self.core.unit_len() as u64, has_ssd));
        }
        // Where other threads read on, the unit is read by itself.
        let reach = if ahead.count() > 0 { Reach::Records(1) } else { Reach::Around };
        let tier = sigbus.lend(&self.core.store, |scratch| {
            self.serve_access(access, wanted, reach, || sigbus.ahead.take_from(unit), scratch)
        });
        if write {
            hold_back(self.core);
        }
        self.core.counters.fault_times.add(tier, start.elapsed());
        !self.core.lost.has(unit)
    }

    /// Brings in the first of some units that nobody has asked for yet, if it is compressed and nobody is busy with it;
    /// returns the others.
    pub fn read_ahead(self, wanted: Units, scratch: &mut Scratch) -> Units {
        if let Some(mut slot) = self.lock_if(wanted.first, is_stored) {
            self.bring_locked(&mut slot, Reach::Records(wanted.count() as usize), scratch);
            drop(slot);
            self.evictor().relieve(scratch);
        }
        Units { first: UnitIndex(wanted.first.0 + 1), ..wanted }
    }

    /// Brings in what is stored of `piece`. All of it is locked first: a reader that comes to one of the units waits for
    /// this read, and does not read the same again.
    pub fn bring_piece(self, piece: Units, scratch: &mut Scratch) {
        self.bring_held(self.lock_which(piece, is_stored), scratch);
        self.evictor().relieve(scratch);
    }

    fn lock_which(self, units: Units, wanted: fn(Backing) -> bool) -> Vec<Slot<'r>> {
        units.iter().filter_map(|unit| self.lock_if(unit, wanted)).collect()
    }

    /// Brings in units that are locked, and unlocks each when it is there.
    fn bring_held(self, held: Vec<Slot<'r>>, scratch: &mut Scratch) {
        let mut held = VecDeque::from(held);
        while let Some(mut run) = Run::next_of(&mut held, self.faults.readers.cluster_len()) {
            match run.take_only() {
                Some(mut slot) => {
                    let reach = reach_along(std::iter::once(&slot).chain(&held));
                    self.bring_locked(&mut slot, reach, scratch);
                }
                None => self.bring_run(run, Why::Ahead(&held), scratch),
            }
        }
    }

    fn bring_locked(self, slot: &mut Slot<'_>, reach: Reach, scratch: &mut Scratch) {
        let coming = self.expect(slot, true, false);
        // The thread that needs the unit tries again, and reports a loss.
        let reading = Reading { reach, patience: Patience::None, ..Reading::default() };
        let Ok(bytes) = self.core.store.contents_by(slot, reading, scratch) else { return };
        self.core.install(slot.unit(), bytes, true);
        self.core.counters.read_ahead.add(1);
        self.promote_if_wanted(slot, scratch);
        self.settle(slot, coming, false);
    }

    /// Lets a writer go on with a unit that is resident, and with its resident neighbours among `with`.
    fn make_writable(self, slot: Slot<'r>, with: Units) {
        debug_assert!(slot.is_resident() && is_cluster_of(with, slot.unit()));
        self.core.counters.wp_faults.add(1);
        let unit = slot.unit();
        let below = (with.first.0..unit.0).rev().map(UnitIndex).map_while(|mate| self.lock_resident(mate));
        let mut slots = [const { None }; MOST_UNITS];
        let mut count = 0;
        let mut first = unit;
        for slot in below {
            (first, count) = (slot.unit(), count + 1);
            slots[count - 1] = Some(slot);
        }
        slots[count] = Some(slot);
        count += 1;
        let above = (unit.0 + 1..with.end.0).map(UnitIndex).map_while(|mate| self.lock_resident(mate));
        for slot in above {
            slots[count] = Some(slot);
            count += 1;
        }
        for slot in slots.iter_mut().flatten() {
            if slot.backing() != Backing::Dirty {
                // The budget is not shared for that: the limit of resident units only grows, and the next one to share it sees.
                self.core.forget(slot);
            }
            slot.set_written();
            slot.set_referenced(true);
        }
        let result = self.core.uffd.unprotect(self.core.memory.address(first), count * self.core.unit_len());
        result.unwrap_or_else(|error| fatal("unprotecting units", &error));
    }

    fn lock_resident(self, unit: UnitIndex) -> Option<Slot<'r>> {
        let slot = self.core.store.table().try_lock(unit)?;
        (slot.is_resident() && !self.core.lost.has(unit)).then_some(slot)
    }
}

/// Whether `unit` is one of `units`, which are no more than a cluster may have.
fn is_cluster_of(units: Units, unit: UnitIndex) -> bool {
    units.first <= unit && unit < units.end && units.count() as usize <= MOST_UNITS
}

fn is_stored(backing: Backing) -> bool {
    is_in_pool(backing) || matches!(backing, Backing::OnSsd(_))
}

/// Where contents with such a backing are.
fn tier_of(backing: Backing) -> Tier {
    match backing {
        Backing::OnSsd(_) => Tier::Ssd,
        _ if is_in_pool(backing) => Tier::Pool,
        _ => Tier::Memory,
    }
}
