//! Bytes that a producer hands over become the contents of units, at once for every reader; workers compress it later.

use ztera_pool::Reservation;

use crate::slot::{Backing, Slot, StagedPage};
use crate::staging::{BUFFER_LEN, Buffer, Job, StagingError};
use crate::store::Store;
use ztera_policy::units::Units;

/// A buffer that its producer has handed over. Dropping it gives the buffer back to others.
pub struct Taken<'s> {
    store: &'s Store,
    /// `None` once workers have it.
    buffer: Option<Buffer>,
    address: usize,
    units: Units,
}

/// A buffer whose units become the contents of others, one by one. Dropping it leaves the rest to workers, as
/// [`push`](Self::push) does.
#[must_use = "what was staged is stored by workers"]
pub struct Submission<'s> {
    taken: Taken<'s>,
    promised: Option<Reservation>,
}

impl Store {
    /// Takes `buffer` out of its producer's hands, whose first `units.count()` units are for `units`.
    pub fn take(&self, buffer: *mut u8, units: Units) -> Result<Taken<'_>, StagingError> {
        let len = units.count() as usize * self.unit().bytes();
        if units.end.0 > self.table().len() || len > BUFFER_LEN {
            return Err(StagingError::BadExtent);
        }
        let buffer = self.staging.take(buffer.addr())?;
        Ok(Taken { store: self, address: buffer.address(), buffer: Some(buffer), units })
    }

    /// The same to have them staged. The pool promises room for them as they are, if it can.
    pub fn begin(&self, buffer: *mut u8, units: Units) -> Result<Submission<'_>, StagingError> {
        let taken = self.take(buffer, units)?;
        Ok(Submission { taken, promised: self.pool.reserve(units.count()) })
    }
}

impl Taken<'_> {
    /// The contents of its units.
    pub fn bytes(&self) -> &[u8] {
        let len = self.units.count() as usize * self.store.unit().bytes();
        self.store.staged_bytes(StagedPage::new(self.address), len)
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.buffer.take().into_iter().for_each(|buffer| self.store.staging.put_back(buffer));
    }
}

impl Submission<'_> {
    /// Makes its unit of the buffer the contents of a unit whose memory is not mapped.
    pub fn stage(&self, slot: &mut Slot<'_>) {
        let Taken { store, address, units, .. } = &self.taken;
        debug_assert!(!slot.is_mapped() && units.first <= slot.unit() && slot.unit() < units.end);
        let at = (slot.unit().0 - units.first.0) as usize * store.unit().bytes();
        store.replace(slot, Backing::Staged(StagedPage::new(address + at)));
    }

    /// Leaves what was staged to workers.
    pub fn push(self) {}
}

impl Drop for Submission<'_> {
    fn drop(&mut self) {
        let Some(buffer) = self.taken.buffer.take() else { return };
        debug_assert!(self.taken.units.count() as usize * self.taken.store.unit().bytes() <= BUFFER_LEN);
        let job = Job { buffer, units: self.taken.units, promised: self.promised.take() };
        self.taken.store.staging.push(job);
    }
}
