//! One fault, answered.

use std::io;
use std::time::Duration;

use ztera_store::{Backing, LoadError, Scratch, Slot, UnitIndex, Units};
use ztera_sync::thread;

use ztera_policy::copies::is_worth_keeping;

use crate::core::{Inner, fatal};
use crate::os::uffd::Fault;
use ztera_policy::readahead::{Wanted, piece_len};

impl Inner {
    /// Answers `fault` so that the thread that waits goes on, and evicts if memory is short. Returns the
    /// units that it will want next, for [`read_ahead`](Self::read_ahead).
    pub fn serve(&self, fault: Fault, scratch: &mut Scratch) -> Units {
        ztera_fail::at("handler.fault");
        let Some(unit) = self.memory.unit_at(fault.address) else {
            fatal("serving a fault", &format_args!("address {:#x} is not ours", fault.address))
        };
        let wanted = self.readers.after(unit);
        scratch.will_want(if wanted.ahead.count() == 0 { 0 } else { 1 + wanted.ahead.count() as usize });
        self.serve_unit(unit, fault.write, wanted, || None, scratch);
        wanted.ahead
    }

    /// Makes `unit` accessible. If it has to be brought in, then also what is stored of the piece that `take_piece` gives,
    /// and those that are `wanted` now and that the pool has.
    fn serve_unit(
        &self,
        unit: UnitIndex,
        write: bool,
        wanted: Wanted,
        take_piece: impl FnOnce() -> Option<Units>,
        scratch: &mut Scratch,
    ) {
        let mut slot = self.store.table().lock(unit);
        if let Some(trace) = &self.trace {
            trace.touched(unit, write, self.store.stored_len(&slot));
        }
        if !slot.is_resident() {
            let held = take_piece().map(|piece| self.lock_stored(piece)).unwrap_or_default();
            if !held.is_empty() {
                scratch.will_want_all(std::iter::once(&slot).chain(held.iter().map(|(_, slot)| slot)));
            }
            self.bring_in(unit, &mut slot, write, scratch);
            self.residency.add(unit, &mut slot);
            drop(slot);
            self.bring_held(held, scratch);
            self.relieve(scratch);
            wanted.now.iter().for_each(|unit| self.bring_unasked(unit, is_in_pool, scratch));
        } else if write && !self.lost.has(unit) {
            self.make_writable(unit, &mut slot);
        } else {
            // Another fault of the same unit was answered while this one was on its way. If that poisoned its pages, there
            // is nothing to write to either: whoever is woken meets the poison.
            let result = self.uffd.wake(self.memory.address(unit), self.unit_len());
            result.unwrap_or_else(|error| fatal("waking a thread", &error));
        }
    }

    /// Answers a fault that the calling thread took. False if the contents are lost, or the address is not of this
    /// range, or is served by handlers.
    pub fn serve_own_fault(&self, fault: Fault) -> bool {
        let Some(sigbus) = &self.sigbus else { return false };
        let Some(unit) = self.memory.unit_at(fault.address) else { return false };
        ztera_fail::at("handler.fault");
        let wanted = self.readers.after(unit);
        // Before the unit itself is read: the SSD does both at once.
        let ahead = wanted.ahead;
        if ahead.count() > 0 {
            let has_ssd = self.store.tier().is_some();
            sigbus.ahead.want(unit, ahead, piece_len(ahead.count(), self.unit_len() as u64, has_ssd));
        }
        sigbus.lend(&self.store, |scratch| {
            // Where other threads read on, the unit is read by itself.
            scratch.will_want(usize::from(ahead.count() > 0));
            self.serve_unit(unit, fault.write, wanted, || sigbus.ahead.take_from(unit), scratch);
        });
        if fault.write {
            self.hold_back();
        }
        !self.lost.has(unit)
    }

    /// Brings in the first of some units that nobody has asked for yet, if it is compressed and nobody is busy with it;
    /// returns the others.
    pub fn read_ahead(&self, wanted: Units, scratch: &mut Scratch) -> Units {
        scratch.will_want(wanted.count() as usize);
        self.bring_unasked(wanted.first, is_stored, scratch);
        Units { first: UnitIndex(wanted.first.0 + 1), ..wanted }
    }

    fn bring_unasked(&self, unit: UnitIndex, wanted: impl Fn(Backing) -> bool, scratch: &mut Scratch) {
        if let Some(mut slot) = self.lock_if(unit, wanted) {
            self.bring_locked(unit, &mut slot, scratch);
            drop(slot);
            self.relieve(scratch);
        }
    }

    /// Brings in what is stored of `piece`. All of it is locked first: a reader that comes to one of the units waits for
    /// this read, and does not read the same again.
    pub fn bring_piece(&self, piece: Units, scratch: &mut Scratch) {
        self.bring_held(self.lock_stored(piece), scratch);
        self.relieve(scratch);
    }

    fn lock_stored(&self, piece: Units) -> Vec<(UnitIndex, Slot<'_>)> {
        piece.iter().filter_map(|unit| Some((unit, self.lock_if(unit, is_stored)?))).collect()
    }

    /// Brings in units that are locked, and unlocks each when it is there.
    fn bring_held(&self, held: Vec<(UnitIndex, Slot<'_>)>, scratch: &mut Scratch) {
        let mut held = held.into_iter();
        loop {
            scratch.will_want_all(held.as_slice().iter().map(|(_, slot)| slot));
            let Some((unit, mut slot)) = held.next() else { return };
            self.bring_locked(unit, &mut slot, scratch);
        }
    }

    /// Locks a unit that nobody is busy with, if it is not resident and has a backing that is `wanted`.
    fn lock_if(&self, unit: UnitIndex, wanted: impl Fn(Backing) -> bool) -> Option<Slot<'_>> {
        let slot = self.store.table().try_lock(unit)?;
        (!slot.is_resident() && wanted(slot.backing())).then_some(slot)
    }

    fn bring_locked(&self, unit: UnitIndex, slot: &mut Slot<'_>, scratch: &mut Scratch) {
        let keeps_copy = self.keeps_copy(slot);
        // The thread that needs the unit reports a loss.
        let Ok(bytes) = self.store.contents(unit, slot, scratch) else { return };
        self.install(unit, bytes, true);
        self.judge_return(slot);
        if !keeps_copy {
            self.forget(slot);
            self.share_budget();
        }
        self.counters.read_ahead.add(1);
        self.residency.add(unit, slot);
    }

    /// Maps a unit that becomes resident: protected for a reader, so that the copy that the store has
    /// stays good until somebody writes; writable for a writer, and then that copy goes.
    fn bring_in(&self, unit: UnitIndex, slot: &mut Slot<'_>, write: bool, scratch: &mut Scratch) {
        self.counters.faults.add(1);
        self.judge_return(slot);
        let keeps_copy = self.keeps_copy(slot);
        match self.store.contents(unit, slot, scratch) {
            Ok(bytes) => self.install(unit, bytes, !write),
            Err(error) => {
                // Poisoned pages will count as resident, so that a discard clears them, but have nothing to promote.
                self.fail_access(unit, error);
                slot.set_warm(false);
                return;
            }
        }
        if write || !keeps_copy {
            // The writer may be running already, but nobody can use the copy: the slot is locked.
            self.forget(slot);
            self.share_budget();
        }
    }

    /// Notes of a unit that comes back from SSD whether it is warm.
    fn judge_return(&self, slot: &mut Slot<'_>) {
        if matches!(slot.backing(), Backing::OnSsd(_)) {
            slot.set_warm(self.residency.is_warm(slot.stamp(), self.store.pooled_units()));
        }
    }

    /// Lets a writer go on with a unit that is resident.
    fn make_writable(&self, unit: UnitIndex, slot: &mut Slot<'_>) {
        self.counters.wp_faults.add(1);
        if slot.backing() != Backing::Dirty {
            self.forget(slot);
        }
        slot.set_referenced(true);
        let result = self.uffd.unprotect(self.memory.address(unit), self.unit_len());
        result.unwrap_or_else(|error| fatal("unprotecting a unit", &error));
    }

    /// Whether the store's copy of a unit that becomes resident is worth its memory.
    fn keeps_copy(&self, slot: &Slot<'_>) -> bool {
        !is_in_pool(slot.backing())
            || !self.copies_cost_pages()
            || self.store.stored_len(slot).is_none_or(|len| is_worth_keeping(len, self.unit_len() as u64))
    }

    pub(crate) fn forget(&self, slot: &mut Slot<'_>) {
        let had_room = is_in_pool(slot.backing());
        self.store.forget(slot);
        if had_room {
            self.residency.pool_freed();
        }
    }

    /// Maps `bytes` as the contents of `unit`, whose slot is locked and not resident.
    pub fn install(&self, unit: UnitIndex, bytes: &[u8], protect: bool) {
        let address = self.memory.address(unit);
        self.lost.remove(unit);
        // Pages that are in place must stay: if they are writable, somebody may have written to them.
        let mut done = 0;
        // Each trouble has its own patience: memory that comes late says nothing about pages that should not be there.
        let (mut strays, mut waits) = (0, 0);
        while done < bytes.len() {
            // SAFETY: the unit is in our registered range, and its slot is locked, so these are its
            // contents.
            let error = match unsafe { self.uffd.copy(address + done, &bytes[done..], protect) } {
                Ok(copied) => {
                    done += copied;
                    continue;
                }
                Err(error) => error,
            };
            match error.kind() {
                io::ErrorKind::AlreadyExists if strays < 3 => {
                    strays += 1;
                    self.drop_stray_pages(unit, done);
                }
                // The kernel kills somebody to get memory; if that is not us, there is some soon.
                io::ErrorKind::OutOfMemory if waits < 1000 => {
                    waits += 1;
                    thread::sleep(Duration::from_millis(1));
                }
                // The whole process is ending.
                _ if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => return,
                _ => fatal("installing a unit", &error),
            }
        }
    }

    /// Unmaps what is mapped of a unit from its byte `done` on, though it is not resident: whatever it
    /// holds is not the unit's contents.
    fn drop_stray_pages(&self, unit: UnitIndex, done: usize) {
        // SAFETY: the slot is locked and not resident, so nothing that is mapped there is needed.
        let result = unsafe { self.memory.drop_rest(unit, done) };
        result.unwrap_or_else(|error| fatal("unmapping a unit", &error));
    }

    /// The contents are lost: the access that needs them, and no other, fails.
    fn fail_access(&self, unit: UnitIndex, error: LoadError) {
        let address = self.memory.address(unit);
        eprintln!("ztera: unit {} at {address:#x} cannot be read: {error}", unit.0);
        self.drop_stray_pages(unit, 0);
        let result = self.uffd.poison(address, self.unit_len());
        result.unwrap_or_else(|error| fatal("failing one access", &error));
        self.lost.add(unit);
    }
}

pub(crate) fn is_in_pool(backing: Backing) -> bool {
    matches!(backing, Backing::Packed(_) | Backing::Raw(_))
}

fn is_stored(backing: Backing) -> bool {
    is_in_pool(backing) || matches!(backing, Backing::OnSsd(_))
}
