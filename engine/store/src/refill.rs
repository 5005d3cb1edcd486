//! Compressed contents on their way back from SSD to the pool, as they are.

use ztera_codec::Packed;

use crate::scratch::Scratch;
use crate::slot::{Backing, Slot};
use crate::store::Store;
use ztera_policy::units::UnitIndex;

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refilled {
    /// The pool has them now, and the SSD's place is free.
    Done,
    /// They stay: they are not on SSD, or would take as much in the pool as a resident page, or cannot be read. The thread
    /// that needs them reports a loss.
    Nothing,
    /// The pool has no room.
    Full,
}

impl Store {
    /// Takes the contents of the unit, whose slot is locked and which is not resident, from SSD to the pool. Waits for
    /// the SSD. `scratch` says what else is read with them.
    pub fn refill(&self, unit: UnitIndex, slot: &mut Slot<'_>, scratch: &mut Scratch) -> Refilled {
        let Backing::OnSsd(place) = slot.backing() else { return Refilled::Nothing };
        let Ok(bytes) = self.read(unit, place, &mut scratch.record, scratch.reach) else {
            return Refilled::Nothing;
        };
        if bytes.len() == self.unit().bytes() {
            return Refilled::Nothing;
        }
        match self.keep(Packed::Frame(bytes), &[], None) {
            Ok(new) => {
                self.replace(slot, new);
                Refilled::Done
            }
            Err(_) => Refilled::Full,
        }
    }
}
