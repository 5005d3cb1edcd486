//! Units pinned: brought in, made writable, and kept so.

use ztera_store::{Backing, Pages, Reach, Scratch, Slot, UnitIndex, Units, reach_along};

use crate::core::fatal;
use crate::core::pins::recent::Key;
use crate::fault::server::Server;

/// Bytes of units that are locked and made writable together.
const PIECE: usize = 256 << 10;

/// Why units are not pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// They are more than may be pinned.
    TooMany,
    /// They are more than what others leave of that.
    Full,
    /// The contents of one of them are lost.
    Lost,
    /// The pin from there on has another length.
    Overlap,
}

impl Server<'_> {
    /// Pins `units` under `key`, until [`unpin`](Self::unpin). Returns whether pins bring in more than they are worth.
    pub fn pin(self, key: Key, units: Units) -> Result<bool, Refused> {
        let pins = &self.core.pins;
        if let Some(there) = pins.recent.enter(key) {
            if there != units {
                pins.recent.leave(key);
                return Err(Refused::Overlap);
            }
            return Ok(pins.used(0));
        }
        let brought = match &self.faults.sigbus {
            Some(sigbus) => sigbus.lend(&self.core.store, |scratch| self.pin_all(units, scratch)),
            None => self.pin_all(units, &mut self.core.store.scratch()),
        }?;
        while !pins.recent.insert(key, units) {
            if !self.core.give_up_a_pin() {
                self.core.unpin(units);
                return Err(Refused::Full);
            }
        }
        Ok(pins.used(u64::from(brought) * self.core.unit_len() as u64))
    }

    /// A use of a pin ends. A unit that is not pinned is left alone.
    pub fn unpin(self, key: Key) -> bool {
        self.core.pins.recent.leave(key)
    }

    /// Pins each of `units`, or none, and returns how many had to be brought in.
    fn pin_all(self, units: Units, scratch: &mut Scratch) -> Result<u32, Refused> {
        if u64::from(units.count()) > self.core.most_pinned() {
            return Err(Refused::TooMany);
        }
        let mut progress = Progress::default();
        while progress.pinned < units.count() {
            let first = units.first.0 + progress.pinned;
            let end = (first + (PIECE / self.core.unit_len()) as u32).min(units.end.0);
            let piece = Units { first: UnitIndex(first), end: UnitIndex(end) };
            match self.pin_piece(piece, &mut progress, scratch) {
                // Others have pinned what there was room for.
                Err(Refused::Full) if self.core.makes_room_for_pins() => {}
                Err(refused) => {
                    self.core.unpin(Units { end: UnitIndex(units.first.0 + progress.pinned), ..units });
                    return Err(refused);
                }
                Ok(()) => {}
            }
            self.evictor().relieve(scratch);
        }
        Ok(progress.brought)
    }

    /// Pins `piece`, or the first units of it, as `progress` then says.
    fn pin_piece(self, piece: Units, progress: &mut Progress, scratch: &mut Scratch) -> Result<(), Refused> {
        while self.core.pins.units() + u64::from(piece.count()) > self.core.most_pinned() {
            if !self.core.makes_room_for_pins() {
                break;
            }
        }
        let mut slots = self.core.store.table().lock_all(piece);
        let reach = reach_along(slots.iter().filter(|slot| !slot.is_resident()));
        let mut protected = false;
        for slot in &mut slots {
            // One that could not be stored may be protected, though it is dirty.
            protected |= slot.is_resident() && slot.pins() == 0;
            progress.brought += u32::from(self.make_dirty(slot, reach, scratch)?);
        }
        if protected {
            let start = self.core.memory.address(piece.first);
            let result = self.core.uffd.unprotect(start, slots.len() * self.core.unit_len());
            result.unwrap_or_else(|error| fatal("unprotecting units", &error));
        }
        for slot in &mut slots {
            debug_assert!(
                self.core.residency.holes().of(slot.unit()) == Pages::default(),
                "the kernel would meet a hole"
            );
            if !self.core.pin(slot) {
                return Err(Refused::Full);
            }
            progress.pinned += 1;
        }
        Ok(())
    }

    /// Has only memory hold the contents of a unit, and returns whether it had to be brought in.
    fn make_dirty(self, slot: &mut Slot<'_>, reach: Reach, scratch: &mut Scratch) -> Result<bool, Refused> {
        let is_missing = !slot.is_resident();
        if is_missing {
            self.core.end_lingering(slot);
            let coming = self.expect(slot, false, true);
            self.bring_in(coming, slot, true, reach, scratch);
        } else {
            self.fill_all(slot, true, reach, scratch);
        }
        if self.core.lost.has(slot.unit()) {
            return Err(Refused::Lost);
        }
        if slot.backing() != Backing::Dirty {
            self.core.forget(slot);
        }
        Ok(is_missing)
    }
}

/// How far a pin is.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// Units that are pinned.
    pinned: u32,
    /// Units that had to be brought in.
    brought: u32,
}
