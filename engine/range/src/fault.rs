//! One fault, answered.

use std::io;

use ztera_codec::DecodeError;
use ztera_store::{Backing, Scratch, Slot, UnitIndex, Units};

use crate::inner::{Inner, fatal};
use crate::uffd::Fault;

impl Inner {
    /// Answers `fault` so that the thread that waits goes on, and evicts if memory is short.
    pub fn serve(&self, fault: Fault, scratch: &mut Scratch) {
        let Some(unit) = self.memory.unit_at(fault.address) else {
            fatal("serving a fault", &format_args!("address {:#x} is not ours", fault.address))
        };
        let mut slot = self.store.table().lock(unit);
        if !slot.is_resident() {
            self.bring_in(unit, &mut slot, fault.write, scratch);
            drop(slot);
            self.relieve(scratch);
        } else if fault.write {
            self.make_writable(unit, &mut slot);
        } else {
            // Another fault of the same unit was answered while this one was on its way.
            let result = self.uffd.wake(self.memory.address(unit), self.unit_len());
            result.unwrap_or_else(|error| fatal("waking a thread", &error));
        }
    }

    /// Maps a unit that is not resident: protected for a reader, so that the copy that the store has
    /// stays good until somebody writes; writable for a writer, and then that copy goes.
    fn bring_in(&self, unit: UnitIndex, slot: &mut Slot<'_>, write: bool, scratch: &mut Scratch) {
        self.counters.faults.add(1);
        match self.store.contents(slot, scratch) {
            Ok(bytes) => self.install(unit, bytes, !write),
            Err(error) => {
                // Poisoned pages count as resident, so that a discard clears them.
                self.fail_access(unit, error);
                return self.residency.add(unit, slot);
            }
        }
        if write {
            // The writer may be running already, but nobody can use the copy: the slot is locked.
            self.forget(slot);
        }
        self.residency.add(unit, slot);
    }

    /// Lets a writer go on with a unit that is resident.
    fn make_writable(&self, unit: UnitIndex, slot: &mut Slot<'_>) {
        self.counters.wp_faults.add(1);
        if slot.backing() != Backing::Gone {
            self.forget(slot);
        }
        slot.set_referenced(true);
        let result = self.uffd.unprotect(self.memory.address(unit), self.unit_len());
        result.unwrap_or_else(|error| fatal("unprotecting a unit", &error));
    }

    fn forget(&self, slot: &mut Slot<'_>) {
        self.store.forget(slot);
        self.residency.pool_freed();
    }

    /// Maps `bytes` as the contents of `unit`, whose slot is locked and not resident.
    pub fn install(&self, unit: UnitIndex, bytes: &[u8], protect: bool) {
        let address = self.memory.address(unit);
        let mut tries = 0;
        loop {
            // SAFETY: the unit is in our registered range, and its slot is locked, so these are its
            // contents.
            let result = unsafe { self.uffd.copy(address, bytes, protect) };
            let Err(error) = result else { return };
            match error.kind() {
                // Pages that should not be there. What they hold is not the unit's contents.
                io::ErrorKind::AlreadyExists if tries < 3 => self.drop_stray_pages(unit),
                // The kernel kills somebody to get memory; if that is not us, there is some soon.
                io::ErrorKind::OutOfMemory if tries < 1000 => {
                    std::thread::sleep(std::time::Duration::from_millis(1))
                }
                // The whole process is ending.
                _ if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => return,
                _ => fatal("installing a unit", &error),
            }
            tries += 1;
        }
    }

    fn drop_stray_pages(&self, unit: UnitIndex) {
        let units = Units { first: unit, end: UnitIndex(unit.0 + 1) };
        // SAFETY: the slot is locked and not resident, so nothing that is mapped there is needed.
        let result = unsafe { self.memory.drop_pages(units) };
        result.unwrap_or_else(|error| fatal("unmapping a unit", &error));
    }

    /// The contents are lost: the access that needs them, and no other, fails.
    fn fail_access(&self, unit: UnitIndex, error: DecodeError) {
        let address = self.memory.address(unit);
        eprintln!("ztera: unit {} at {address:#x} cannot be read: {error}", unit.0);
        if !self.uffd.poison(address, self.unit_len()) {
            fatal("failing one access", &"this kernel cannot (Linux 6.6 or later can)");
        }
    }
}
