//! Contents on their way to SSD.
//!
//! A unit is locked twice, and not while the disk writes: once to copy its contents into a batch, and again
//! to refer to the record if nothing has happened to the unit meanwhile. So an access never waits for a write.

use std::io;

use ztera_ssd::{Batch, Place, Purpose, Sparse, Tier, WriteError};
use ztera_sync::MutexGuard;

use crate::slot::{Backing, PlaceBits, Slot};
use crate::store::Store;
use ztera_policy::units::UnitIndex;

/// A thread's means of writing to SSD, and the batch it is at.
pub(crate) struct Writer<'s> {
    store: &'s Store,
    tier: &'s Tier,
    purpose: Purpose,
    batch: Batch,
    /// Whom the batch's records are for, and what their slots have to say then.
    leaving: Vec<(UnitIndex, Expected)>,
}

/// The state of a unit's slot that makes the record its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Still leaving.
    Leaving,
    /// Still this backing, which nobody else can have got meanwhile.
    Backing(Backing),
}

impl<'s> Writer<'s> {
    /// `None` if the store has no SSD tier.
    pub(crate) fn new(store: &'s Store, purpose: Purpose) -> Option<Self> {
        let tier = store.tier()?;
        Some(Self { store, tier, purpose, batch: tier.batch(), leaving: Vec::new() })
    }

    /// Adds contents that the pool has no room for. The unit's backing is `now`, and stays valid for readers
    /// until the batch was flushed; nothing else can get the same backing before. False if the batch has no
    /// room for it: flush, and try again.
    pub(crate) fn add(&mut self, unit: UnitIndex, now: Backing, contents: &[u8]) -> bool {
        self.push(unit, contents, Expected::Backing(now))
    }

    /// The same for a unit whose slot is locked. Only one thread may do this at a time.
    fn add_leaving(&mut self, slot: &mut Slot<'_>, contents: &[u8]) -> bool {
        debug_assert!(!slot.is_leaving(), "the mark is of one batch");
        debug_assert!(matches!(slot.backing(), Backing::Packed(_) | Backing::Raw(_) | Backing::OnSsd(_)));
        let added = self.push(slot.unit(), contents, Expected::Leaving);
        if added {
            slot.set_leaving(true);
        }
        added
    }

    fn push(&mut self, unit: UnitIndex, contents: &[u8], expected: Expected) -> bool {
        let pushed = self.batch.push(unit.0, contents);
        if pushed {
            self.leaving.push((unit, expected));
        }
        pushed
    }

    /// Writes the batch and moves its units; returns how many still were what was written. After an error all
    /// of them are where they were.
    pub(crate) fn flush(&mut self) -> Result<u32, WriteError> {
        let written = self.tier.write(&mut self.batch, self.purpose);
        match written {
            Ok(places) => Ok(self.arrive(&places)),
            Err(error) => {
                self.stay();
                Err(error)
            }
        }
    }

    fn arrive(&mut self, places: &[Place]) -> u32 {
        let mut arrived = 0;
        for ((unit, expected), place) in self.leaving.drain(..).zip(places) {
            let mut slot = self.store.table().lock(unit);
            let current = match expected {
                Expected::Leaving => slot.is_leaving(),
                Expected::Backing(backing) => slot.backing() == backing,
            };
            if current {
                self.store.replace(&mut slot, Backing::OnSsd(PlaceBits(place.bits())));
                arrived += 1;
            } else {
                drop(slot);
                self.tier.free(*place);
            }
        }
        arrived
    }

    fn stay(&mut self) {
        for (unit, expected) in self.leaving.drain(..) {
            if expected == Expected::Leaving {
                self.store.table().lock(unit).set_leaving(false);
            }
        }
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        // All that was not flushed stays where it is.
        self.stay();
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
        Some(Self { writer: Writer::new(store, Purpose::Write)?, _only: store.mover.lock() })
    }

    /// Adds the unit of `slot` to the batch if its contents are in the pool; others are left alone. False if
    /// the batch has no room for it: flush, and try again.
    pub fn add(&mut self, slot: &mut Slot<'_>) -> bool {
        let store = self.writer.store;
        match slot.backing() {
            _ if slot.is_leaving() => true,
            Backing::Packed(object) => store.with_frame(object, |frame| self.writer.add_leaving(slot, frame)),
            Backing::Raw(object) => store.with_raw(object, |bytes| self.writer.add_leaving(slot, bytes)),
            _ => true,
        }
    }

    /// Writes the batch and moves its units; returns how many still were what was written. After an error all
    /// of them are where they were. A full SSD is cleaned first, as far as that helps.
    pub fn flush(&mut self) -> Result<u32, WriteError> {
        let room = self.writer.tier.room() > 0 || self.writer.batch.is_empty();
        if !room {
            // Whether that makes room shows when the batch is written.
            let _ = self.clean(4);
        }
        self.writer.flush()
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
        let tier = self.writer.tier;
        let Some(mut writer) = Writer::new(self.writer.store, Purpose::Clean) else { return Ok(()) };
        let mut result = Ok(());
        tier.each_record(sparse, |key, place, bytes| {
            if result.is_ok() {
                result = move_record(&mut writer, sparse, UnitIndex(key), place, bytes);
            }
        })?;
        result.and_then(|()| writer.flush().map(|_| ())).map_err(|error| {
            // One that cannot be read is not found again: others have their turn.
            tier.was_not_cleaned(sparse);
            match error {
                WriteError::Full => io::ErrorKind::StorageFull.into(),
                WriteError::Io(error) => error,
            }
        })
    }
}

/// Adds a record that `unit` may still have at `place`, to be had elsewhere.
fn move_record(
    writer: &mut Writer<'_>,
    sparse: Sparse,
    unit: UnitIndex,
    place: Place,
    bytes: &[u8],
) -> Result<(), WriteError> {
    loop {
        let mut slot = writer.store.table().lock(unit);
        let owned = slot.backing() == Backing::OnSsd(PlaceBits(place.bits())) && !slot.is_leaving();
        // The bytes that were read may be of an earlier life: then the unit was written to the same place since. While
        // the slot is locked and owns the place, its life cannot end.
        if !owned || !writer.tier.holds(sparse, place) {
            return Ok(());
        }
        if writer.add_leaving(&mut slot, bytes) {
            return Ok(());
        }
        drop(slot);
        writer.flush()?;
    }
}
