//! One fault, answered.

use std::collections::VecDeque;
use std::time::Instant;

use ztera_metrics::Tier;
use ztera_policy::clustering::MOST_UNITS;
use ztera_policy::copies::is_worth_keeping;
use ztera_policy::heat::Heat;
use ztera_policy::readahead::{Wanted, piece_len};
use ztera_store::{
    Backing, LoadError, Pages, Patience, Reach, Reading, Scratch, Slot, UnitIndex, Units, reach_along,
};

use crate::core::{Core, fatal, is_in_pool};
use crate::fault::Faults;
use crate::fault::cluster::{Asked, Run, Why};
use crate::fault::hold::hold_back;
use crate::fault::readers::Seen;
use crate::os::uffd::Fault;
use crate::reclaim::evictor::Evictor;
use crate::residency::holes::PAGE;
use crate::trace::Recorder;

/// The decisions about a unit that comes.
#[derive(Clone, Copy)]
pub(super) struct Coming {
    keeps_copy: bool,
    /// `None`: it passes.
    pub heat: Option<Heat>,
}

/// An access that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub unit: UnitIndex,
    pub page: Pages,
    pub write: bool,
}

/// Answers faults, and reads ahead: for a handler, or for a thread of the program that serves itself.
#[derive(Clone, Copy)]
pub(crate) struct Server<'r> {
    pub core: &'r Core,
    pub faults: &'r Faults,
    /// `None` if nobody wants to know what the program touches.
    pub trace: Option<&'r Recorder>,
}

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
        readers.after(Seen {
            unit,
            out: (!glance(unit).resident).then_some(out),
            clean: write.then_some(clean),
            now: residency.evictions(),
            limit: residency.limit().unwrap_or(u64::MAX),
        })
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

    pub(super) fn evictor(self) -> Evictor<'r> {
        Evictor { core: self.core }
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

    /// Locks a unit that nobody is busy with, if it is not resident and has a backing that is `wanted`.
    pub(super) fn lock_if(self, unit: UnitIndex, wanted: impl Fn(Backing) -> bool) -> Option<Slot<'r>> {
        let slot = self.core.store.table().try_lock(unit)?;
        (!slot.is_mapped() && wanted(slot.backing())).then_some(slot)
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

    /// Makes a unit resident as it was expected: protected for a reader, so that the copy that the store has stays good until
    /// somebody writes; writable for a writer, and then that copy goes.
    pub(super) fn bring_in(
        self,
        coming: Coming,
        slot: &mut Slot<'_>,
        write: bool,
        reach: Reach,
        scratch: &mut Scratch,
    ) {
        self.core.counters.faults.add(1);
        self.core.count_near(slot);
        let reading = Reading { reach, ..Reading::default() };
        match self.core.store.contents_by(slot, reading, scratch) {
            Ok(bytes) => {
                self.core.install(slot.unit(), bytes, !write);
                if !write {
                    self.promote_if_wanted(slot, scratch);
                }
                self.settle(slot, coming, write);
            }
            Err(error) => self.lose(slot, coming, error),
        }
    }

    /// Decides about a unit that is about to come, for a reader `in_order` or somebody else, or for one who will `write`.
    pub(super) fn expect(self, slot: &mut Slot<'_>, in_order: bool, write: bool) -> Coming {
        if !write && self.may_cycle(slot) && self.core.residency.goes_on(slot, self.core.store.pooled_units())
        {
            return Coming { keeps_copy: true, heat: None };
        }
        let keeps_copy = self.keeps_copy(slot);
        Coming { keeps_copy, heat: self.core.residency.take_heat(slot, in_order) }
    }

    /// The unit is mapped, writable if somebody waits to `write`.
    pub(super) fn settle(self, slot: &mut Slot<'_>, coming: Coming, write: bool) {
        if write || !coming.keeps_copy {
            // The writer may be running already, but nobody can use the copy: the slot is locked.
            self.core.forget(slot);
            self.core.share_budget();
        }
        if write {
            slot.set_written();
        }
        self.core.residency.add(slot, coming.heat);
    }

    /// The contents cannot be had. Poisoned pages count as resident, so that a discard clears them, but have nothing to
    /// promote.
    pub(super) fn lose(self, slot: &mut Slot<'_>, coming: Coming, error: LoadError) {
        self.core.fail_access(slot, error);
        self.core.residency.add(slot, coming.heat);
    }

    /// Lets a writer go on with a unit that is resident, and with its resident neighbours among `with`.
    fn make_writable(self, slot: Slot<'r>, with: Units) {
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

    /// Whether a unit that becomes resident is one of those that keep coming back, and these do better without copies. To
    /// wait until it would leave again means to have copies of most units, as they come and go.
    fn gives_copy_up(self, slot: &Slot<'_>) -> bool {
        self.core.copies_are_given_up() && self.core.residency.came_back_soon(slot.stamp())
    }

    /// Whether the store's copy of a unit that becomes resident is worth its memory.
    fn keeps_copy(self, slot: &Slot<'_>) -> bool {
        !is_in_pool(slot.backing())
            || !self.core.copies_cost_pages()
            || (!self.core.all_fit_plain() && self.saves_enough(slot) && !self.gives_copy_up(slot))
    }

    fn saves_enough(self, slot: &Slot<'_>) -> bool {
        let unit_len = self.core.unit_len() as u64;
        self.core.store.stored_len(slot).is_none_or(|len| is_worth_keeping(len, unit_len))
    }

    /// Whether a unit that comes back is one of few that have no room, and can leave again for nothing.
    fn may_cycle(self, slot: &Slot<'_>) -> bool {
        let residency = &self.core.residency;
        residency.cycles()
            && residency.is_above_low()
            && is_in_pool(slot.backing())
            && self.saves_enough(slot)
    }
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
