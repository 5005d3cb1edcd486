//! Objects of the pool made anew by a denser codec.

use ztera_codec::{Offloaded, Packed, Settings, frame};
use ztera_pool::Handle;

use crate::form::Use;
use crate::offload::Offer;
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
    at_once: usize,
}

/// Units that a device is offered together, at most: so much is copied meanwhile.
const AT_ONCE: usize = 16;

impl Recompressor {
    /// Units that are worth being [made anew together](Store::recompress_all): several for a device, one for a CPU.
    pub fn at_once(&self) -> usize {
        self.at_once
    }

    /// One that is also tried on units that the pool holds as they are, as its codec may find more than theirs did.
    pub fn with_raw(self) -> Self {
        Self { raw: true, ..self }
    }
}

/// The outcome.
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
        let device = self.device(settings.kind);
        let check = if device.is_some() { self.unit().bytes() } else { 0 };
        let at_once = device.map_or(1, |device| device.most_at_once().min(AT_ONCE));
        let check = vec![0; check].into_boxed_slice();
        Recompressor { settings, raw: false, scratch: Scratch::new(settings, self.unit()), check, at_once }
    }

    /// Encodes the unit's object anew if it was evicted at `stamp` and nobody has touched it since; keeps the
    /// result if the pool needs less for it. Where the pool is full, it takes the old one's place, and
    /// [compaction](Self::compact) makes room of that. The slot is not locked while the codec works. Like
    /// [`Mover`](crate::Mover), one at a time.
    pub fn recompress(&self, unit: UnitIndex, stamp: u16, with: &mut Recompressor) -> Recompressed {
        let Some(_only) = self.mover.try_lock() else { return Recompressed::Busy };
        let Some(from) = self.take_copy(unit, stamp, with) else { return Recompressed::Nothing };
        let bytes = std::mem::take(&mut with.scratch.unit);
        let offer = self.offer(with.settings.kind, &[&bytes]).pop().flatten();
        let outcome = self.encode_anew(unit, from, &bytes, offer, with);
        with.scratch.unit = bytes;
        outcome
    }

    /// The same of several units, for each of which it calls `each`, in their order. A device gets them as one batch. False
    /// if somebody else moves units: then nothing was done.
    pub fn recompress_all(
        &self,
        units: &[(UnitIndex, u16)],
        with: &mut Recompressor,
        each: &mut dyn FnMut(Recompressed),
    ) -> bool {
        let Some(_only) = self.mover.try_lock() else { return false };
        let mut copy = |&(unit, stamp)| {
            let from = self.take_copy(unit, stamp, with)?;
            Some((from, with.scratch.unit.clone()))
        };
        let copies: Vec<Option<(u64, Box<[u8]>)>> = units.iter().map(&mut copy).collect();
        let contents: Vec<&[u8]> = copies.iter().flatten().map(|(_, bytes)| &**bytes).collect();
        let mut offers = self.offer(with.settings.kind, &contents).into_iter();
        for (&(unit, _), copy) in units.iter().zip(&copies) {
            each(copy.as_ref().map_or(Recompressed::Nothing, |(from, bytes)| {
                self.encode_anew(unit, *from, bytes, offers.next().flatten(), with)
            }));
        }
        true
    }

    /// Encodes the contents of a unit whose slot was marked, of which the pool has an object of `from` bytes.
    fn encode_anew(
        &self,
        unit: UnitIndex,
        from: u64,
        bytes: &[u8],
        offer: Offer<'_>,
        with: &mut Recompressor,
    ) -> Recompressed {
        let Recompressor { scratch: Scratch { packer, .. }, check, .. } = with;
        let offloaded = offer.and_then(|offer| self.collect(&*offer, bytes, packer, check));
        let frame = match &offloaded {
            Some(Offloaded::Frame(frame)) => Some((**frame).as_ref()),
            Some(Offloaded::Huge) => None,
            None => match self.pack_with(packer, bytes, Use::Whole) {
                Packed::Frame(frame) => Some(frame),
                Packed::Same(_) | Packed::Huge => None,
            },
        };
        match frame.filter(|frame| self.pool.slot_len(frame.len()) < from) {
            Some(frame) if self.put_smaller(unit, frame) => {
                Recompressed::Done { from, to: self.pool.slot_len(frame.len()) }
            }
            Some(_) => Recompressed::Overtaken,
            None => {
                self.table().lock(unit).set_leaving(false);
                Recompressed::Done { from, to: from }
            }
        }
    }

    /// Makes `frame`, which is shorter than what is there, the unit's object. False if somebody has touched the unit since its slot was marked.
    fn put_smaller(&self, unit: UnitIndex, frame: &[u8]) -> bool {
        let backing = |handle: Handle| Backing::Packed(ObjectBits(handle.into_bits()));
        let new = self.pool.store(frame, None).map(backing);
        let mut slot = self.table().lock(unit);
        if !slot.is_leaving() {
            drop(slot);
            new.into_iter().for_each(|new| self.discard_unused(new));
            return false;
        }
        match new {
            Some(new) => self.replace(&mut slot, new),
            None => self.put_over(&mut slot, frame, backing).expect("it is shorter than what is there"),
        }
        true
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
        // The thread that needs the unit reports a loss.
        self.with_frame(object, |frame| self.unpack(frame, packer, room)).ok()?;
        Some(self.slot_len(object))
    }

    /// The caller holds the lock of the slot that owns the object.
    fn slot_len(&self, object: ObjectBits) -> u64 {
        self.pool.slot_len(self.with_frame(object, <[u8]>::len))
    }
}
