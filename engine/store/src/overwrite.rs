//! New contents for a unit, also in a full pool: the last room is left to units that have contents already, and beyond that
//! they take the place of the old ones.

use ztera_codec::Packed;
use ztera_pool::Handle;

use crate::slot::{Backing, ObjectBits, Slot};
use crate::store::{Full, Store};

/// The part of a unit that an object is small with, and the part of the reserve that is not for small objects.
const SMALL: usize = 4;

impl Store {
    /// The same, whose [`put`](Self::put) leaves room for so many units that do not compress to units that have contents
    /// already, and most of it also to small objects: what is full can then still be changed.
    pub fn with_reserve(mut self, units: u64) -> Self {
        self.reserve = units;
        self
    }

    /// Makes `bytes`, of which `packed` was made, the contents of the unit whose slot is locked.
    pub fn put_packed(&self, slot: &mut Slot<'_>, packed: Packed<'_>, bytes: &[u8]) -> Result<(), Full> {
        match packed {
            Packed::Same(word) => self.replace(slot, Backing::Same(word)),
            Packed::Frame(frame) => self.put_object(slot, frame, false, bytes)?,
            Packed::Huge => self.put_object(slot, bytes, true, bytes)?,
        }
        self.patches.drop_of(slot.unit());
        Ok(())
    }

    fn put_object(&self, slot: &mut Slot<'_>, object: &[u8], raw: bool, bytes: &[u8]) -> Result<(), Full> {
        debug_assert!(object.len() <= self.unit().bytes() && (raw || object.len() < bytes.len()));
        let backing = |handle: Handle| {
            let object = ObjectBits(handle.into_bits());
            if raw { Backing::Raw(object) } else { Backing::Packed(object) }
        };
        match self.pool.store_leaving(object, self.left_to_others(slot, object.len())) {
            Some(handle) => self.replace(slot, backing(handle)),
            None => self.put_over(slot, object, backing)?,
        }
        Ok(())
    }

    /// Units of the pool's room that an object of `len` bytes must leave.
    fn left_to_others(&self, slot: &Slot<'_>, len: usize) -> u64 {
        match slot.backing() {
            Backing::Empty | Backing::Same(_) if len > self.unit().bytes() / SMALL => self.reserve,
            Backing::Empty | Backing::Same(_) => self.reserve / SMALL as u64,
            _ => 0,
        }
    }

    /// Puts the object where the unit's old one is, if it fits in there.
    pub(crate) fn put_over(
        &self,
        slot: &mut Slot<'_>,
        object: &[u8],
        backing: impl FnOnce(Handle) -> Backing,
    ) -> Result<(), Full> {
        let old = slot.backing();
        let ObjectBits(bits) = old.object().ok_or(Full)?;
        if object.len() > self.with_object(ObjectBits(bits), <[u8]>::len) {
            return Err(Full);
        }
        // The old one is looked at for its length, so it is counted while it is there.
        self.count(old, false);
        // SAFETY: the locked slot owns the object until it gets another backing, and whoever reads it holds that lock.
        let handle = unsafe { Handle::from_bits(bits) };
        let new = backing(self.pool.replace(handle, object));
        self.count(new, true);
        slot.set_backing(new);
        Ok(())
    }
}
