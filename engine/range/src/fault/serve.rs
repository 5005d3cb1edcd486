//! One fault, answered.

use ztera_policy::copies::is_worth_keeping;
use ztera_policy::readahead::{Wanted, piece_len};
use ztera_store::{Backing, Scratch, Slot, UnitIndex, Units};

use crate::core::{Core, fatal, is_in_pool};
use crate::fault::Faults;
use crate::fault::hold::hold_back;
use crate::os::uffd::Fault;
use crate::reclaim::evictor::Evictor;
use crate::trace::Recorder;

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
        let Some(unit) = self.core.memory.unit_at(fault.address) else {
            fatal("serving a fault", &format_args!("address {:#x} is not ours", fault.address))
        };
        let wanted = self.faults.readers.after(unit);
        scratch.will_want(if wanted.ahead.count() == 0 { 0 } else { 1 + wanted.ahead.count() as usize });
        self.serve_unit(unit, fault.write, wanted, || None, scratch);
        wanted.ahead
    }

    /// Makes `unit` accessible. If it has to be brought in, then also what is stored of the piece that `take_piece` gives,
    /// and those that are `wanted` now and that the pool has.
    fn serve_unit(
        self,
        unit: UnitIndex,
        write: bool,
        wanted: Wanted,
        take_piece: impl FnOnce() -> Option<Units>,
        scratch: &mut Scratch,
    ) {
        let mut slot = self.core.store.table().lock(unit);
        if let Some(trace) = self.trace {
            trace.touched(unit, write, self.core.store.stored_len(&slot));
        }
        if !slot.is_resident() {
            let held = take_piece().map(|piece| self.lock_stored(piece)).unwrap_or_default();
            if !held.is_empty() {
                scratch.will_want_all(std::iter::once(&slot).chain(held.iter().map(|(_, slot)| slot)));
            }
            if slot.lingers() {
                // A write, or the kernel has taken a page of it.
                self.core.counters.returned.add(u64::from(write));
                self.core.end_lingering(unit, &mut slot);
            }
            self.bring_in(unit, &mut slot, write, wanted.is_in_order(), scratch);
            drop(slot);
            self.bring_held(held, scratch);
            self.evictor().relieve(scratch);
            wanted.now.iter().for_each(|unit| self.bring_unasked(unit, is_in_pool, scratch));
        } else if write && !self.core.lost.has(unit) {
            self.make_writable(unit, &mut slot);
        } else {
            // Another fault of the same unit was answered while this one was on its way. If that poisoned its pages, there
            // is nothing to write to either: whoever is woken meets the poison.
            let result = self.core.uffd.wake(self.core.memory.address(unit), self.core.unit_len());
            result.unwrap_or_else(|error| fatal("waking a thread", &error));
        }
    }

    /// Answers a fault that the calling thread took. False if the contents are lost, or the address is not of this
    /// range, or is served by handlers.
    pub fn serve_own_fault(self, fault: Fault) -> bool {
        let Some(sigbus) = &self.faults.sigbus else { return false };
        let Some(unit) = self.core.memory.unit_at(fault.address) else { return false };
        ztera_fail::at("handler.fault");
        let wanted = self.faults.readers.after(unit);
        // Before the unit itself is read: the SSD does both at once.
        let ahead = wanted.ahead;
        if ahead.count() > 0 {
            let has_ssd = self.core.store.tier().is_some();
            sigbus.ahead.want(unit, ahead, piece_len(ahead.count(), self.core.unit_len() as u64, has_ssd));
        }
        sigbus.lend(&self.core.store, |scratch| {
            // Where other threads read on, the unit is read by itself.
            scratch.will_want(usize::from(ahead.count() > 0));
            self.serve_unit(unit, fault.write, wanted, || sigbus.ahead.take_from(unit), scratch);
        });
        if fault.write {
            hold_back(self.core);
        }
        !self.core.lost.has(unit)
    }

    pub(super) fn evictor(self) -> Evictor<'r> {
        Evictor { core: self.core }
    }

    /// Brings in the first of some units that nobody has asked for yet, if it is compressed and nobody is busy with it;
    /// returns the others.
    pub fn read_ahead(self, wanted: Units, scratch: &mut Scratch) -> Units {
        scratch.will_want(wanted.count() as usize);
        self.bring_unasked(wanted.first, is_stored, scratch);
        Units { first: UnitIndex(wanted.first.0 + 1), ..wanted }
    }

    fn bring_unasked(self, unit: UnitIndex, wanted: impl Fn(Backing) -> bool, scratch: &mut Scratch) {
        if let Some(mut slot) = self.lock_if(unit, wanted) {
            self.bring_locked(unit, &mut slot, scratch);
            drop(slot);
            self.evictor().relieve(scratch);
        }
    }

    /// Brings in what is stored of `piece`. All of it is locked first: a reader that comes to one of the units waits for
    /// this read, and does not read the same again.
    pub fn bring_piece(self, piece: Units, scratch: &mut Scratch) {
        self.bring_held(self.lock_stored(piece), scratch);
        self.evictor().relieve(scratch);
    }

    fn lock_stored(self, piece: Units) -> Vec<(UnitIndex, Slot<'r>)> {
        piece.iter().filter_map(|unit| Some((unit, self.lock_if(unit, is_stored)?))).collect()
    }

    /// Brings in units that are locked, and unlocks each when it is there.
    fn bring_held(self, held: Vec<(UnitIndex, Slot<'r>)>, scratch: &mut Scratch) {
        let mut held = held.into_iter();
        loop {
            scratch.will_want_all(held.as_slice().iter().map(|(_, slot)| slot));
            let Some((unit, mut slot)) = held.next() else { return };
            self.bring_locked(unit, &mut slot, scratch);
        }
    }

    /// Locks a unit that nobody is busy with, if it is not resident and has a backing that is `wanted`.
    fn lock_if(self, unit: UnitIndex, wanted: impl Fn(Backing) -> bool) -> Option<Slot<'r>> {
        let slot = self.core.store.table().try_lock(unit)?;
        (!slot.is_mapped() && wanted(slot.backing())).then_some(slot)
    }

    fn bring_locked(self, unit: UnitIndex, slot: &mut Slot<'_>, scratch: &mut Scratch) {
        let keeps_copy = self.keeps_copy(slot);
        let heat = self.core.residency.take_heat(slot, true);
        // The thread that needs the unit reports a loss.
        let Ok(bytes) = self.core.store.contents(unit, slot, scratch) else { return };
        self.core.install(unit, bytes, true);
        self.judge_return(slot);
        if !keeps_copy {
            self.core.forget(slot);
            self.core.share_budget();
        }
        self.core.counters.read_ahead.add(1);
        self.core.residency.add(unit, slot, heat);
    }

    /// Makes a unit resident that a reader `in_order` wants, or somebody else.
    pub(super) fn bring_in(
        self,
        unit: UnitIndex,
        slot: &mut Slot<'_>,
        write: bool,
        in_order: bool,
        scratch: &mut Scratch,
    ) {
        let heat = self.core.residency.take_heat(slot, in_order);
        self.map(unit, slot, write, scratch);
        self.core.residency.add(unit, slot, heat);
    }

    /// Maps a unit that becomes resident: protected for a reader, so that the copy that the store has
    /// stays good until somebody writes; writable for a writer, and then that copy goes.
    fn map(self, unit: UnitIndex, slot: &mut Slot<'_>, write: bool, scratch: &mut Scratch) {
        self.core.counters.faults.add(1);
        self.core.count_near(slot);
        self.judge_return(slot);
        let keeps_copy = self.keeps_copy(slot);
        match self.core.store.contents(unit, slot, scratch) {
            Ok(bytes) => self.core.install(unit, bytes, !write),
            Err(error) => {
                // Poisoned pages will count as resident, so that a discard clears them, but have nothing to promote.
                self.core.fail_access(unit, error);
                slot.set_warm(false);
                return;
            }
        }
        if write || !keeps_copy {
            // The writer may be running already, but nobody can use the copy: the slot is locked.
            self.core.forget(slot);
            self.core.share_budget();
        }
        if write {
            slot.set_written();
        }
    }

    /// Notes of a unit that comes back from SSD whether it is warm.
    fn judge_return(self, slot: &mut Slot<'_>) {
        if matches!(slot.backing(), Backing::OnSsd(_)) {
            slot.set_warm(self.core.residency.is_warm(slot.stamp(), self.core.units_with_room()));
        }
    }

    /// Lets a writer go on with a unit that is resident.
    fn make_writable(self, unit: UnitIndex, slot: &mut Slot<'_>) {
        self.core.counters.wp_faults.add(1);
        if slot.backing() != Backing::Dirty {
            self.core.forget(slot);
        }
        slot.set_written();
        slot.set_referenced(true);
        let result = self.core.uffd.unprotect(self.core.memory.address(unit), self.core.unit_len());
        result.unwrap_or_else(|error| fatal("unprotecting a unit", &error));
    }

    /// Whether a unit that becomes resident is one of those that keep coming back, and these do better without copies. To
    /// wait until it would leave again means to have copies of most units, as they come and go.
    fn gives_copy_up(self, slot: &Slot<'_>) -> bool {
        self.core.copies_are_given_up() && self.core.residency.came_back_soon(slot.stamp())
    }

    /// Whether the store's copy of a unit that becomes resident is worth its memory.
    fn keeps_copy(self, slot: &Slot<'_>) -> bool {
        let saves_enough = |len| is_worth_keeping(len, self.core.unit_len() as u64);
        !is_in_pool(slot.backing())
            || !self.core.copies_cost_pages()
            || (!self.core.all_fit_plain()
                && self.core.store.stored_len(slot).is_none_or(saves_enough)
                && !self.gives_copy_up(slot))
    }
}

fn is_stored(backing: Backing) -> bool {
    is_in_pool(backing) || matches!(backing, Backing::OnSsd(_))
}
