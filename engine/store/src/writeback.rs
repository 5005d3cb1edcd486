//! Contents on their way to SSD.
//!
//! A unit is locked twice, and not while the disk writes: once to copy its contents into a batch, and again
//! to refer to the record if nothing has happened to the unit meanwhile. So an access never waits for a write.

use std::io;

use ztera_backing::{Batch, Buffer, Place, Purpose, Sparse, Tier};
use ztera_sync::MutexGuard;

use crate::slot::{Backing, PlaceBits, Slot};
use crate::store::Store;
use crate::types::UnitIndex;

/// A thread's means of writing to SSD, and the batch it is at.
pub(crate) struct Writer<'s> {
    store: &'s Store,
    tier: &'s Tier,
    batch: Option<Batch>,
    /// Kept between batches.
    buffer: Option<Buffer>,
    purpose: Purpose,
    /// Whom the batch's records are for, and what their backing was.
    leaving: Vec<(UnitIndex, Place, Expected)>,
}

/// What a unit's slot has to say for the record to be its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Still leaving.
    Leaving,
    /// Still this backing, which nobody else can have got meanwhile.
    Backing(Backing),
}

/// The SSD tier has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SsdFull;

/// What a flush achieved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flushed {
    /// Units that are on SSD now.
    pub moved: u32,
    /// Units that changed while they were written: their records are free again.
    pub overtaken: u32,
}

impl<'s> Writer<'s> {
    /// `None` if the store has no SSD tier.
    pub(crate) fn new(store: &'s Store) -> Option<Self> {
        Self::for_purpose(store, Purpose::Write)
    }

    fn for_purpose(store: &'s Store, purpose: Purpose) -> Option<Self> {
        let tier = store.tier()?;
        Some(Self { store, tier, batch: None, buffer: None, purpose, leaving: Vec::new() })
    }

    /// Adds contents that the pool has no room for. The unit's backing is `now`, and stays valid for readers
    /// until the batch was flushed; nothing else can get the same backing before.
    pub(crate) fn add(&mut self, unit: UnitIndex, now: Backing, contents: &[u8]) -> Result<bool, SsdFull> {
        self.push(unit, contents, Expected::Backing(now))
    }

    /// Adds a record that `unit` may still have at `place`, to be had elsewhere.
    fn move_record(&mut self, unit: UnitIndex, place: Place, bytes: &[u8]) -> io::Result<()> {
        loop {
            let mut slot = self.store.table().lock(unit);
            if slot.backing() != Backing::OnSsd(PlaceBits(place.bits())) || slot.is_leaving() {
                return Ok(());
            }
            match self.push(unit, bytes, Expected::Leaving) {
                Ok(true) => {
                    slot.set_leaving(true);
                    return Ok(());
                }
                Ok(false) => {
                    drop(slot);
                    self.flush()?;
                }
                Err(SsdFull) => return Err(io::ErrorKind::StorageFull.into()),
            }
        }
    }

    fn push(&mut self, unit: UnitIndex, bytes: &[u8], expected: Expected) -> Result<bool, SsdFull> {
        if self.batch.is_none() {
            let buffer = self.buffer.take().unwrap_or_else(Tier::write_buffer);
            match self.tier.begin(buffer, self.purpose) {
                Ok(batch) => self.batch = Some(batch),
                Err(buffer) => {
                    self.buffer = Some(buffer);
                    return Err(SsdFull);
                }
            }
        }
        let Some(batch) = &mut self.batch else { unreachable!("begun above") };
        let Some(place) = batch.push(unit.0, bytes) else { return Ok(false) };
        self.leaving.push((unit, place, expected));
        Ok(true)
    }

    /// Writes the batch and moves its units. After an error all of them are where they were.
    pub(crate) fn flush(&mut self) -> io::Result<Flushed> {
        let Some(batch) = self.batch.take() else { return Ok(Flushed::default()) };
        let (buffer, result) = self.tier.write(batch);
        self.buffer = Some(buffer);
        let written = result.is_ok();
        let mut flushed = Flushed::default();
        for (unit, place, expected) in self.leaving.drain(..) {
            let mut slot = self.store.table().lock(unit);
            let current = match expected {
                Expected::Leaving => slot.is_leaving(),
                Expected::Backing(backing) => slot.backing() == backing,
            };
            if !written {
                if current {
                    slot.set_leaving(false);
                }
            } else if current {
                self.store.replace(&mut slot, Backing::OnSsd(PlaceBits(place.bits())));
                flushed.moved += 1;
            } else {
                drop(slot);
                self.tier.free(place);
                flushed.overtaken += 1;
            }
        }
        result.map(|_| flushed)
    }
}

/// Moves units from the pool to SSD. One at a time: what a unit's slot says of leaving is about one batch.
pub struct Mover<'s> {
    writer: Writer<'s>,
    _only: MutexGuard<'s, ()>,
}

impl<'s> Mover<'s> {
    /// Waits for the one that there is. `None` if the store has no SSD tier.
    pub fn new(store: &'s Store) -> Option<Self> {
        Some(Self { writer: Writer::new(store)?, _only: store.mover.lock() })
    }

    /// Adds the unit of `slot`, whose contents are in the pool, to the batch, and returns true; false if the
    /// batch has no room for it: flush, and try again. Units that are not in the pool are left alone.
    pub fn add(&mut self, unit: UnitIndex, slot: &mut Slot<'_>) -> Result<bool, SsdFull> {
        let added = match slot.backing() {
            _ if slot.is_leaving() => return Ok(true),
            Backing::Packed(object) => {
                let store = self.writer.store;
                store.with_frame(object, |frame| self.writer.push(unit, frame, Expected::Leaving))?
            }
            Backing::Raw(object) => {
                let store = self.writer.store;
                store.with_raw(object, |bytes| self.writer.push(unit, bytes, Expected::Leaving))?
            }
            _ => return Ok(true),
        };
        if added {
            slot.set_leaving(true);
        }
        Ok(added)
    }

    /// Writes what is left of sparse segments of the SSD elsewhere, as long as that is worth it, at most `most`
    /// segments; returns how many.
    pub fn clean(&mut self, most: u32) -> io::Result<u32> {
        for done in 0..most {
            let Some(sparse) = self.writer.tier.sparsest() else { return Ok(done) };
            self.clean_segment(sparse)?;
        }
        Ok(most)
    }

    fn clean_segment(&mut self, sparse: Sparse) -> io::Result<()> {
        let store = self.writer.store;
        let tier = self.writer.tier;
        let Some(mut writer) = Writer::for_purpose(store, Purpose::Clean) else { return Ok(()) };
        // Whatever goes wrong with it, it is not tried again in this life.
        tier.is_stubborn(sparse);
        let mut result = Ok(());
        tier.each_record(sparse, |key, place, bytes| {
            if result.is_ok() {
                result = writer.move_record(UnitIndex(key), place, bytes);
            }
        })?;
        result?;
        writer.flush().map(|_| ())
    }

    /// Writes the batch and moves its units. After an error all of them are where they were.
    pub fn flush(&mut self) -> io::Result<Flushed> {
        self.writer.flush()
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        // Whatever was not flushed stays where it is.
        for (unit, _, _) in self.leaving.drain(..) {
            self.store.table().lock(unit).set_leaving(false);
        }
        if let Some(batch) = self.batch.take() {
            self.tier.cancel(batch);
        }
    }
}
