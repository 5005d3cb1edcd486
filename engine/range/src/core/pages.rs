//! Pages: how contents become visible to the program, and how they go.

use std::io;

use ztera_store::{Backing, LoadError, Pages, Slot, UnitIndex, Units};

use super::{Core, fatal};
use crate::residency::holes::PAGE;

impl Core {
    /// Maps `bytes` as the contents of `first` and the units behind it, whose slots are locked and not resident.
    pub fn install(&self, first: UnitIndex, bytes: &[u8], protect: bool) {
        debug_assert!(!bytes.is_empty() && bytes.len().is_multiple_of(self.unit_len()));
        let unit_at = |byte: usize| UnitIndex(first.0 + (byte / self.unit_len()) as u32);
        (first.0..unit_at(bytes.len()).0).for_each(|unit| self.lost.remove(UnitIndex(unit)));
        let most_strays = 3 * bytes.len() / self.unit_len();
        let drop_strays = |done| self.drop_stray_pages(unit_at(done), done % self.unit_len());
        self.copy_in(self.memory.address(first), bytes, protect, most_strays, &drop_strays);
    }

    /// Maps `pages` of a unit, which are not mapped. `bytes` are all of its contents.
    pub fn install_pages(&self, slot: &Slot<'_>, pages: Pages, bytes: &[u8], protect: bool) {
        debug_assert_eq!(bytes.len(), self.unit_len());
        let unit = slot.unit();
        self.lost.remove(unit);
        for (first, count) in pages.runs() {
            let (start, len) = (first as usize * PAGE, count as usize * PAGE);
            let drop_strays = |done| {
                // SAFETY: the slot is locked, and nothing that is mapped there is needed.
                let result = unsafe { self.memory.drop_part(unit, start + done, len - done) };
                result.unwrap_or_else(|error| fatal("unmapping pages", &error));
            };
            self.copy_in(
                self.memory.address(unit) + start,
                &bytes[start..][..len],
                protect,
                3 * count as usize,
                &drop_strays,
            );
        }
    }

    /// Maps `bytes` at `address`, in units whose slots are locked. Where pages are in its way it has `drop_strays` unmap
    /// them, of those from its byte `done` on.
    fn copy_in(
        &self,
        address: usize,
        bytes: &[u8],
        protect: bool,
        most_strays: usize,
        drop_strays: &dyn Fn(usize),
    ) {
        // Pages that are in place must stay: if they are writable, somebody may have written to them.
        let mut done = 0;
        let mut strays = 0;
        while done < bytes.len() {
            // SAFETY: the caller vouches for it: pages of our registered range, and the contents of their units.
            let error = match unsafe { self.uffd.copy(address + done, &bytes[done..], protect) } {
                Ok(copied) => {
                    done += copied;
                    continue;
                }
                Err(error) => error,
            };
            match error.kind() {
                io::ErrorKind::AlreadyExists if strays < most_strays => {
                    strays += 1;
                    drop_strays(done);
                }
                // The whole process is ending.
                _ if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => return,
                _ => fatal("installing a unit", &error),
            }
        }
    }

    /// Unmaps what is mapped of a unit from its byte `done` on, though it is not resident: whatever it
    /// holds is not the unit's contents.
    pub fn drop_stray_pages(&self, unit: UnitIndex, done: usize) {
        // SAFETY: the slot is locked and not resident, so nothing that is mapped there is needed.
        let result = unsafe { self.memory.drop_part(unit, done, self.unit_len() - done) };
        result.unwrap_or_else(|error| fatal("unmapping a unit", &error));
    }

    /// The contents of a unit are lost: the access that needs them, and no other, fails.
    ///
    /// The loss is noted before the pages are poisoned: a thread that meets the poison asks for the reason at once, and waits
    /// for no lock. Nobody sees the note too early. Until the pages are poisoned they are missing, so that an access of them
    /// waits for the slot; and whether the unit is lost is asked under the slot's lock, or after it was held.
    pub fn fail_access(&self, slot: &Slot<'_>, error: LoadError) {
        debug_assert!(slot.backing() != Backing::Dirty, "memory has the contents");
        let unit = slot.unit();
        let address = self.memory.address(unit);
        let reason = format!("unit {} at {address:#x} cannot be read: {error}", unit.0);
        ztera_log::say(format_args!("{reason}"));
        self.lost.add(unit, reason);
        self.drop_stray_pages(unit, 0);
        let result = self.uffd.poison(address, self.unit_len());
        result.unwrap_or_else(|error| fatal("failing one access", &error));
    }

    /// Lets the kernel take the pages of units whose contents the store has; until it does, they linger. Units that cannot
    /// are unmapped: those of a staging buffer, as that will go, those with holes, which the kernel seems to have taken pages
    /// of already, and all where memory is locked.
    pub fn offer_units(&self, leaving: Vec<Slot<'_>>) {
        debug_assert!(leaving.iter().all(|slot| slot.is_resident() && slot.backing() != Backing::Dirty));
        let (mut leaving, others): (Vec<_>, Vec<_>) =
            leaving.into_iter().partition(|slot| self.residency.may_linger(slot));
        self.drop_units(others);
        leaving.sort_unstable_by_key(Slot::unit);
        let runs = runs(leaving.iter().map(Slot::unit));
        // SAFETY: all slots are locked, and their backings have the contents; so the pages are protected against writes.
        if unsafe { self.memory.offer_runs(&runs) } {
            leaving.iter_mut().for_each(|slot| self.residency.linger(slot));
        } else {
            self.drop_units(leaving);
        }
    }

    /// Unmaps what is left of a unit that lingers: its contents are about to come anew.
    pub fn end_lingering(&self, slot: &mut Slot<'_>) {
        if slot.lingers() {
            self.drop_stray_pages(slot.unit(), 0);
            self.residency.remove(slot);
        }
    }

    /// Unmaps units whose contents the store has.
    pub fn drop_units(&self, mut leaving: Vec<Slot<'_>>) {
        if leaving.is_empty() {
            return;
        }
        debug_assert!(leaving.iter().all(|slot| slot.is_mapped() && slot.backing() != Backing::Dirty));
        leaving.sort_unstable_by_key(Slot::unit);
        let runs = runs(leaving.iter().map(Slot::unit));
        // SAFETY: all slots are locked, and their backings have the contents.
        let result = unsafe { self.memory.drop_runs(&runs) };
        result.unwrap_or_else(|error| fatal("unmapping units", &error));
        for mut slot in leaving {
            slot.set_queued(false);
            self.residency.remove(&mut slot);
            self.residency.stamp(&mut slot);
        }
    }
}

/// Ascending units as runs of neighbours.
pub(crate) fn runs(units: impl Iterator<Item = UnitIndex>) -> Vec<Units> {
    let mut runs: Vec<Units> = Vec::new();
    for unit in units {
        let end = UnitIndex(unit.0 + 1);
        match runs.last_mut() {
            Some(run) if run.end == unit => run.end = end,
            _ => runs.push(Units { first: unit, end }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_make_one_run() {
        let of = |units: &[u32]| -> Vec<(u32, u32)> {
            runs(units.iter().copied().map(UnitIndex)).iter().map(|run| (run.first.0, run.end.0)).collect()
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[7]), [(7, 8)]);
        assert_eq!(of(&[1, 2, 3, 5, 8, 9]), [(1, 4), (5, 6), (8, 10)]);
    }
}
