//! Objects of the pool made anew by a denser codec.

use ztera_accel::Made;
use ztera_codec::{Packed, Settings, frame};

use crate::scratch::Scratch;
use crate::slot::{Backing, ObjectBits};
use crate::store::Store;
use ztera_policy::units::UnitIndex;

/// A thread's means of making objects anew: working memory of the denser codec.
pub struct Recompressor {
    settings: Settings,
    /// Whether it is tried on units that the pool holds as they are.
    raw: bool,
    scratch: Scratch,
    /// Where an accelerator's output is decoded to.
    check: Box<[u8]>,
}

impl Recompressor {
    /// One that is also tried on units that the pool holds as they are, as its codec may find more than theirs did.
    pub fn with_raw(self) -> Self {
        Self { raw: true, ..self }
    }
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recompressed {
    /// The object was encoded anew. Bytes that the pool had given to it, and that it gives to the new one: the same
    /// if that would not have been smaller, and was not kept.
    Done {
        /// Before.
        from: u64,
        /// After.
        to: u64,
    },
    /// There was nothing to do: the unit is not such a one.
    Nothing,
    /// Somebody has touched the unit meanwhile. The new object, for which there was room, is gone again.
    Overtaken,
    /// Somebody else moves units: try again later.
    Busy,
}

impl Store {
    /// Working memory for [`recompress`](Self::recompress) with the codec of `settings`.
    pub fn recompressor(&self, settings: Settings) -> Recompressor {
        let check = if self.accelerator().is_some() { self.unit().bytes() } else { 0 };
        let check = vec![0; check].into_boxed_slice();
        Recompressor { settings, raw: false, scratch: Scratch::new(settings, self.unit()), check }
    }

    /// Encodes the unit's object anew if it was evicted at `stamp` and nobody has touched it since; keeps the
    /// result if the pool needs less for it. The slot is not locked while the codec works. Like
    /// [`Mover`](crate::Mover), one at a time.
    pub fn recompress(&self, unit: UnitIndex, stamp: u16, with: &mut Recompressor) -> Recompressed {
        let Some(_only) = self.mover.try_lock() else { return Recompressed::Busy };
        let Some(from) = self.take_copy(unit, stamp, with) else { return Recompressed::Nothing };
        let made = self.make_smaller(from, with);
        let mut slot = self.table().lock(unit);
        let Some(new) = made else {
            slot.set_leaving(false);
            return Recompressed::Done { from, to: from };
        };
        if !slot.is_leaving() {
            drop(slot);
            self.discard_unused(new);
            return Recompressed::Overtaken;
        }
        self.replace(&mut slot, new);
        let Backing::Packed(object) = new else { unreachable!("it was made of a frame") };
        Recompressed::Done { from, to: self.slot_len(object) }
    }

    /// Decodes the unit to the scratch memory and marks its slot: whatever happens to it meanwhile shows. Returns
    /// what the pool gives to its object, which may be gone as soon as the slot is not locked any more.
    fn take_copy(&self, unit: UnitIndex, stamp: u16, with: &mut Recompressor) -> Option<u64> {
        let mut slot = self.table().try_lock(unit)?;
        let untouched = slot.stamp() == stamp && !slot.is_resident() && !slot.is_leaving();
        let from = match slot.backing() {
            Backing::Packed(object) if untouched => self.decode_other(object, with)?,
            Backing::Raw(object) if untouched && with.raw => {
                self.with_raw(object, |bytes| with.scratch.unit.copy_from_slice(bytes));
                self.unit().bytes() as u64
            }
            _ => return None,
        };
        slot.set_leaving(true);
        Some(from)
    }

    /// Decodes an object of another codec to the scratch memory; returns what the pool gives to it.
    fn decode_other(&self, object: ObjectBits, with: &mut Recompressor) -> Option<u64> {
        let kind = self.with_frame(object, |frame| frame::parse(frame).map(|frame| frame.kind));
        if kind.is_ok_and(|kind| kind == with.settings.kind) {
            return None;
        }
        let Scratch { packer, unit: room, .. } = &mut with.scratch;
        // What cannot be decoded is the trouble of who reads it.
        self.with_frame(object, |frame| self.unpack(frame, packer, room)).ok()?;
        Some(self.slot_len(object))
    }

    /// The new object, if the pool gives it less than `len` bytes, and has them.
    fn make_smaller(&self, len: u64, with: &mut Recompressor) -> Option<Backing> {
        let Recompressor { settings, scratch: Scratch { packer, unit, .. }, check, .. } = with;
        match self.offload(settings.kind, unit, packer, check) {
            Some(Made::Frame(frame)) => self.keep_smaller(&frame, len),
            Some(Made::Huge) => None,
            None => match self.pack_with(packer, unit) {
                Packed::Frame(frame) => self.keep_smaller(frame, len),
                Packed::Same(_) | Packed::Huge => None,
            },
        }
    }

    fn keep_smaller(&self, frame: &[u8], len: u64) -> Option<Backing> {
        let smaller = self.pool.slot_len(frame.len()) < len;
        let handle = smaller.then(|| self.pool.store_shorter(frame)).flatten()?;
        Some(Backing::Packed(ObjectBits(handle.into_bits())))
    }

    /// Whoever calls holds the lock of the slot that owns the object.
    fn slot_len(&self, object: ObjectBits) -> u64 {
        self.pool.slot_len(self.with_frame(object, <[u8]>::len))
    }
}
